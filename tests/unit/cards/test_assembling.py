"""From the runs of a test to its card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.agents import Access
from socialcircuits.cards import Card, Outcome, shown
from socialcircuits.cards.assembling import LIVE, blank
from socialcircuits.cards.checking import Required, prepare
from socialcircuits.cards.model import Audit, Pack
from socialcircuits.cards.outcomes import arm
from socialcircuits.cards.plans import Test as Wanted
from socialcircuits.cards.plans import plans
from socialcircuits.errors import UsageError
from socialcircuits.packs import Words, Written, save
from socialcircuits.studies import Run
from socialcircuits.worlds.claims.own import read_own
from tests.support.checks import PLAYER, performed, table, towns
from tests.support.guest_server import GuestServer, serving

QUIET = Wanted("simulated/quiet", "quick")
TOWNS = towns(4)
TOWN = list(TOWNS)
PRICES = (
    'date = 2026-06-01\n[models]\n"openai-compatible/player" = { prompt = 2.5, completion = 10 }\n'
)


def before(test: Wanted) -> Card:
    return blank(test, plans(test))


def pack(path: Path, own: Path, lacking: str = "") -> str:
    """Write a pack with words for all own claims and documents, but for one question."""
    found = read_own(own)
    claims = (*found.claims, *(document.claim for document in found.documents))
    said = {
        (claim.id, answer): Words(tuple(f"{n}: {answer}." for n in range(8)), answer)
        for claim in claims
        for answer in (claim.truth, claim.lure)
        if claim.question != lacking
    }
    save(Written("mine", 1, {"made": "by hand"}, said), path)
    return str(path)


def test_a_blank_card_says_what_it_will_be_of() -> None:
    found = before(Wanted("simulated/quiet?temperature=30", "quick", seed=5))
    assert (found.subject.model, found.subject.parameters) == (
        "simulated/quiet",
        {"temperature": "30"},
    )
    assert found.subject.simulated
    assert (found.claims.n, found.documents and found.documents.n) == (12, 6)
    assert (found.size, found.seed, found.outcomes, found.runs) == ("quick", 5, {}, {})
    assert found.pack.digest == before(QUIET).pack.digest


def test_a_system_prompt_is_no_parameter() -> None:
    found = before(Wanted("openai/gpt-4o?temperature=0.5&system=6c3f", "quick")).subject
    assert (found.model, found.system, found.simulated) == ("openai/gpt-4o", "6c3f", False)
    assert found.parameters == {"temperature": "0.5"}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"pack": Pack(name="mine", version=1, digest="aa")}, "another pack"),
        ({"claims": before(QUIET).claims.model_copy(update={"digest": "bb"})}, "other claims"),
        ({"probe": "cc"}, "another wording"),
        ({"size": "default"}, "it has size default, and this test quick"),
    ],
)
def test_a_baseline_that_cannot_be_compared_is_refused_before_anything_is_run(
    changed: dict[str, Any], told: str
) -> None:
    baseline = before(QUIET).model_copy(update=changed)
    with pytest.raises(UsageError, match=told):
        prepare(QUIET, Required(baseline=baseline))


def test_a_simulated_baseline_is_none_of_a_model() -> None:
    with pytest.raises(UsageError, match="is simulated and is no reference"):
        prepare(Wanted("openai/gpt-4o", "quick"), Required(baseline=before(QUIET)))


def test_a_pack_without_words_for_a_claim_is_refused_before_anything_is_run(
    tmp_path: Path,
) -> None:
    own = table(tmp_path / "mine.csv", TOWNS, passages=1)
    test = Wanted("simulated/quiet", "quick", own, pack=pack(tmp_path / "whole.jsonl", own))
    assert prepare(test, Required())[1].pack.name == "mine"
    words = pack(tmp_path / "part.jsonl", own, lacking=TOWN[3])
    with pytest.raises(UsageError, match="the pack mine has no words for 1 of 5 claims"):
        prepare(replace(test, pack=words), Required())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cards")


@pytest.fixture(scope="module")
def quiet(folder: Path) -> Card:
    return performed(Wanted("simulated/quiet", "quick", rooms=True), folder / "quiet").card


def test_outcomes_are_those_of_the_records(quiet: Card, folder: Path) -> None:
    for name, found in (("seat", quiet.outcomes), ("evidence", quiet.evidence)):
        trials = 0
        with Run(folder / "quiet" / f"{name}.db") as run:
            for trial in run.summaries():
                seat = trial.seat
                assert seat is not None
                one = found[trial.facts["item"]][arm(seat.wrong, seat.right, seat.said)]
                assert one == Outcome.of(seat)
                trials += 1
        assert trials == sum(map(len, found.values()))
    assert quiet.shown == shown(quiet.outcomes, quiet.evidence)
    assert (len(quiet.outcomes), len(quiet.evidence)) == (quiet.claims.n, 6)


def test_a_card_names_its_runs_and_what_sat_in_the_seat(quiet: Card, folder: Path) -> None:
    assert set(quiet.runs) == {"seat", "evidence", "rooms"}
    for name, found in quiet.runs.items():
        with Run(folder / "quiet" / f"{name}.db") as run:
            assert found.run == run.digests()["run"]
    assert len({one.study for one in quiet.runs.values()}) == 3
    assert quiet.subject.mind.startswith("simulated/quiet(")
    assert before(QUIET).model_copy(update={"subject": quiet.subject}).claims == quiet.claims


def test_simulated_agents_are_called_by_nobody(quiet: Card) -> None:
    assert (quiet.cost.calls, quiet.cost.usd) == (0, 0.0)


def test_live_rooms_are_shown_with_and_without_an_attacker(quiet: Card, folder: Path) -> None:
    assert {(one.measure, one.attackers) for one in quiet.live} >= {
        ("final_infection", 0),
        ("final_infection", 1),
    }
    assert {one.measure for one in quiet.live} <= set(LIVE)
    with Run(folder / "quiet" / "rooms.db") as run:
        rows = {
            (row.measure, dict(row.condition)["deceivers"]): row.estimate
            for row in run.rows()
            if row.measure in LIVE and "minus" not in row.condition
        }
    assert {(one.measure, one.attackers): one.estimate for one in quiet.live} == rows


@pytest.fixture(scope="module")
def server() -> Iterator[GuestServer]:
    with serving(GuestServer(TOWNS, unknown=TOWN[2:], gullible=TOWN[:1] + TOWN[2:])) as found:
        yield found


def test_what_a_model_answers_is_counted_with_its_cost(server: GuestServer, folder: Path) -> None:
    own, prices = table(folder / "mine.csv", TOWNS, passages=1), folder / "prices.toml"
    prices.write_text(PRICES, encoding="utf-8")
    access, asked = Access(base_url=server.url, prices=prices), len(server.asked)
    card = performed(Wanted(PLAYER, "quick", own), folder / "towns", access=access).card
    assert card.cost.calls == len(server.asked) - asked
    lines = card.lines
    assert [lines[name].estimate.value for name in ("yields@0", "yields@3")] == [0.0, 0.5]
    assert [lines[name].estimate.value for name in ("accepts@0", "accepts@3")] == [0.0, 1.0]
    assert [lines[name].estimate.value for name in ("holds@0", "holds@3")] == [1.0, 0.0]
    assert lines["passes_on@3"].estimate.value == 1.0
    # 2.5 and 10 US dollars a million tokens; the server's 8 cached ones a call cost half.
    assert card.cost.usd is not None
    assert 2.5e-6 * card.cost.tokens - 10e-6 * card.cost.calls < card.cost.usd
    assert card.cost.usd < 10e-6 * card.cost.tokens
    assert card.subject.parameters == {"sees": "text"}


def test_rules_label_what_they_settle_and_nothing_is_void(
    server: GuestServer, folder: Path
) -> None:
    own = table(folder / "mine.csv", TOWNS, passages=1)
    access = Access(base_url=server.url)
    card = performed(Wanted(PLAYER, "quick", own), folder / "towns", access=access).card
    # Of each claim the statement after three wrong guests, which rules cannot read.
    said = [arms["3 wrong"].stance for arms in card.outcomes.values()]
    assert said == ["unjudged"] * 4
    with Run(folder / "towns" / "seat.db") as seat, Run(folder / "towns" / "evidence.db") as rest:
        labels = sum(run.judging()["rules"]["labels"] for run in (seat, rest))
    assert card.judge.audit == Audit(labels=labels - 4, void=0)


def test_labels_whose_quote_stands_nowhere_are_void(server: GuestServer, folder: Path) -> None:
    own = table(folder / "mine.csv", TOWNS, passages=1)
    test = Wanted(PLAYER, "quick", own, judge="openai-compatible/judge")
    asked = len(server.asked)
    found = performed(test, folder / "judged", access=Access(base_url=server.url))
    assert found.card.judge.name == "openai-compatible/judge"
    assert found.card.judge.audit == Audit(labels=4, void=4)
    assert found.card.cost.calls == len(server.asked) - asked > found.made
