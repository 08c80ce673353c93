"""Which situation a trial is in, and what is planted."""

from __future__ import annotations

from collections import Counter

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.graph import Deal, Settings, World
from socialcircuits.protocols import find
from socialcircuits.seeds import Stream, digest
from socialcircuits.studies.dealing import between, left_out, situation
from socialcircuits.studies.giving import Dealt, planted
from socialcircuits.studies.settings import Trial
from socialcircuits.worlds import load

SEEDS = [digest("dealing", number) for number in range(60)]
REGIMES = [("weak", "agrees"), ("weak", "contradicts"), ("strong", "contradicts")]
NO_UNIQUE_CROP = {"Austria", "Bulgaria", "Hungary", "Italy", "Netherlands", "Nigeria", "Yemen"}


@pytest.fixture(scope="module")
def world() -> World:
    return load("flags", {})


def deals(world: World, evidence: str, lure: str, seats: int = 1) -> list[Deal]:
    trial = Trial.model_validate({"evidence": evidence, "lure": lure})
    return [situation(world, trial, seed, [True] * seats) for seed in SEEDS]


@pytest.mark.parametrize(("evidence", "lure"), REGIMES)
def test_evidence_and_lure_are_as_asked_for(world: World, evidence: str, lure: str) -> None:
    for deal in deals(world, evidence, lure):
        (compatible,) = deal.facts["compatible"]
        allowed = {deal.answers[number] for number in compatible}
        assert deal.truth in allowed
        assert (len(allowed) == 1) == (evidence == "strong")
        assert (deal.lure in allowed) == (lure == "agrees")
        assert deal.lure != deal.truth
        assert deal.facts["lure"] == deal.lure


def test_regimes_are_matched_where_they_can_be(world: World) -> None:
    weak, other, strong = (deals(world, *regime) for regime in REGIMES)
    assert [d.truth for d in weak] == [d.truth for d in other]
    same = [a.evidence[0].key == b.evidence[0].key for a, b in zip(weak, other, strict=True)]
    assert all(same)
    for one, two in zip(weak, strong, strict=True):
        assert (one.truth == two.truth) == (one.truth not in NO_UNIQUE_CROP)


def test_targets_that_cannot_serve_are_named_and_never_drawn(world: World) -> None:
    strong = Trial(evidence="strong", lure="contradicts")
    assert set(left_out(world, strong)) == NO_UNIQUE_CROP
    assert left_out(world, Trial(evidence="weak", lure="agrees")) == []
    assert left_out(world, Trial()) == []
    truths = Counter(deal.truth for deal in deals(world, "strong", "contradicts"))
    assert not NO_UNIQUE_CROP & set(truths)
    assert len(truths) > 12


def test_a_truth_that_cannot_serve_is_refused(world: World) -> None:
    trial = Trial(evidence="strong", truth="Austria")
    with pytest.raises(SettingError, match=r"\$\.trial\.truth: 'Austria'.*strong evidence"):
        situation(world, trial, SEEDS[0], [True])


def test_a_group_can_have_weak_evidence_throughout(world: World) -> None:
    for deal in deals(world, "weak", "plausible", seats=8)[:10]:
        assert len(deal.evidence) == 8
        assert all(len(entry) > 1 for entry in deal.facts["compatible"])
        assert deal == world.assemble(deal.truth, deal.evidence)


def test_a_seat_that_sees_nothing_changes_nothing_for_the_others(world: World) -> None:
    whole = situation(world, Trial(), SEEDS[0], [True] * 4)
    part = situation(world, Trial(), SEEDS[0], [True, False, True, True])
    assert part.truth == whole.truth
    keys = [seen.key for seen in whole.evidence]
    assert [seen.key for seen in part.evidence] == [keys[0], *keys[2:]]
    assert len(part.facts["compatible"]) == 3


def memory(world: World, lures: int, m: int = 1) -> tuple[list[str | None], list[str], Deal]:
    trial = Trial.model_validate({"protocol": "planted", "N": 1, "m": m, "lures": lures})
    deal = situation(world, trial, SEEDS[1], [True])
    form = find("planted")
    graph = form.graph(form.seats(1), Settings(), Stream(b"", "schedule"))
    given = planted(Dealt(world, trial, deal, "", SEEDS[1], graph))
    assert set(given) == {f"message/peer/{n}" for n in range(8)}
    entries = [given[f"message/peer/{n}"] for n in range(8)]
    return [entry.answer for entry in entries], [entry.reason for entry in entries], deal


def test_the_ladder_nests_and_counts(world: World) -> None:
    before: set[int] = set()
    for lures in range(9):
        answers, reasons, deal = memory(world, lures)
        named = {place for place, answer in enumerate(answers) if answer == deal.lure}
        assert len(named) == lures
        assert answers.count(deal.truth) == 8 - lures
        assert before <= named
        assert reasons == [""] * 8
        before = named


def test_entries_are_shuffled_by_the_seed(world: World) -> None:
    orders = set()
    form = find("planted")
    graph = form.graph(form.seats(1), Settings(), Stream(b"", "schedule"))
    trial = Trial(protocol="planted", N=1, lures=4, m=1)
    for seed in SEEDS[:20]:
        deal = situation(world, trial, seed, [True])
        given = planted(Dealt(world, trial, deal, "", seed, graph))
        orders.add(tuple(given[f"message/peer/{n}"].answer == deal.lure for n in range(8)))
    assert len(orders) > 10


def test_with_reasons_every_entry_has_one_of_one_form(world: World) -> None:
    answers, reasons, deal = memory(world, 3, m=3)
    forms = {reason.replace(str(a), "X") for a, reason in zip(answers, reasons, strict=True)}
    assert len(forms) == 1
    assert all(str(a) in reason for a, reason in zip(answers, reasons, strict=True))
    assert deal.lure in answers


def test_two_way_leaves_the_truth_and_the_most_named_rival(world: World) -> None:
    deal = situation(world, Trial(), SEEDS[2], [True] * 4)
    wrong = [answer for answer in deal.answers if answer != deal.truth]
    choice = between(deal)
    assert choice((wrong[0], wrong[0], wrong[1], deal.truth)) == {deal.truth, wrong[0]}
    assert choice((None, None, wrong[1], deal.truth)) == {deal.truth, wrong[1]}
    assert choice((deal.truth,) * 4) == choice((None,) * 4)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"N": 1}, "N: 1 is not allowed; expected at least 2 agents"),
        ({"protocol": "planted", "N": 2}, "N: 2 is not allowed; expected 1 agent in the protocol"),
        ({"protocol": "planted", "N": 1, "cast": "A:blind"}, "some agent is not blind"),
        ({"N": 2, "cast": "2A:blind"}, "some agent is not blind"),
        ({"N": 2, "cast": "1A 1A:deaf"}, "'deaf' is not allowed; expected a role"),
        ({"N": 4, "lure": "agrees"}, "plausible for N = 4"),
        ({"protocol": "planted", "N": 1, "lures": 9}, "at most the 8 entries"),
        ({"lures": 1}, "0 in the protocol pairwise; only planted has a use"),
        ({"probes": 10}, "1 in the protocol pairwise; only isolated, two-way has a use"),
        ({"protocol": "isolated", "probes": 0}, "1 to 10000, or exact"),
        ({"protocol": "isolated", "probes": "Exact"}, "1 to 10000, or exact"),
        (
            {"protocol": "planted", "N": 1, "evidence": "strong", "lure": "agrees"},
            "no lure agrees with it",
        ),
    ],
)
def test_settings_that_do_not_go_together_are_refused(
    settings: dict[str, object], message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        Trial.model_validate(settings).check()
