"""What recorded guests say: drawn per claim, the same to every subject."""

from __future__ import annotations

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.graph import Reply
from socialcircuits.packs import Templates
from socialcircuits.studies import Builder, Study, plan
from socialcircuits.studies.settings import Trial

SWEEP = [{"peers": ["1 wrong", "3 wrong", "8 wrong", "8 right", "1 wrong 3 right"]}]
REPEATED = [{"peers": ["3 wrong"], "said": ["repeated"]}]


def given(model: str, seed: int = 1, seeds: int = 1) -> dict[tuple[int, str, str], list[Reply]]:
    study = Study.model_validate(
        {
            "name": "mine",
            "seed": seed,
            "seeds": seeds,
            "world": {"kind": "claims"},
            "trial": {"protocol": "seat", "N": 2},
            "models": {"A": model},
            "sweep": [*SWEEP, *REPEATED],
        }
    )
    builder = Builder(study)
    found: dict[tuple[int, str, str], list[Reply]] = {}
    for planned in plan(study).trials:
        setup, provided = builder.build(planned)
        trial = planned.cell.trial
        told = provided.facts["peers"]
        assert (told["wrong"], told["right"]) == trial.recorded
        assert told["digest"] == Templates().digest
        said = [setup.given[step] for step in sorted(setup.given)]
        found[planned.plan.seed, trial.peers, trial.said] = said
    return found


def test_every_subject_hears_the_same() -> None:
    assert given("simulated/quiet", seeds=8) == given("simulated/loud", seeds=8)


def test_doses_nest_and_each_argument_comes_once() -> None:
    said = given("simulated/quiet")
    one, three, eight = (said[1, f"{k} wrong", "argued"] for k in (1, 3, 8))
    assert one == three[:1]
    assert three == eight[:3]
    assert len({reply.reason for reply in eight}) == 8
    assert len({reply.answer for reply in eight}) == 1


def test_right_guests_argue_in_the_words_of_the_wrong_ones() -> None:
    said = given("simulated/quiet")
    wrong, right = said[1, "8 wrong", "argued"], said[1, "8 right", "argued"]
    pairs = zip(wrong, right, strict=True)
    assert all(w.reason.replace(w.answer or "", "X") == r.reason.replace(r.answer or "", "X")
               for w, r in pairs)  # fmt: skip


def test_who_repeats_says_the_same_bare_words() -> None:
    said = given("simulated/quiet")[1, "3 wrong", "repeated"]
    assert len({reply.text for reply in said}) == 1
    assert said[0].reason == f"It is {said[0].answer}."


def test_place_and_arguments_differ_between_claims() -> None:
    said = given("simulated/quiet", seeds=20)
    mixed = [said[seed, "1 wrong 3 right", "argued"] for seed in range(1, 21)]
    lone = [[reply.answer for reply in replies] for replies in mixed]
    places = {next(i for i, a in enumerate(row) if row.count(a) == 1) for row in lone}
    assert places == {0, 1, 2, 3}
    firsts = {
        replies[0].reason.replace(replies[0].answer or "", "X")
        for seed in range(1, 21)
        for replies in [said[seed, "1 wrong", "argued"]]
    }
    assert len(firsts) > 4


@pytest.mark.parametrize(
    "peers", ["wrong", "9 wrong", "0 wrong", "3 wrong 6 right", " 1 right", "3"]
)
def test_other_guests_are_refused(peers: str) -> None:
    with pytest.raises(Exception, match="1 to 8 in all") as caught:
        Trial(protocol="seat", N=1, peers=peers)
    assert isinstance(caught.value, SettingError)


def test_guests_have_a_place_in_the_seat_test_alone() -> None:
    with pytest.raises(SettingError, match="only seat has a use"):
        Trial(peers="3 wrong").check()


def test_names_do_not_hang_on_who_else_speaks() -> None:
    study = Study.model_validate(
        {
            "name": "mine",
            "seeds": 1,
            "world": {"kind": "claims"},
            "trial": {"protocol": "seat"},
            "models": {"A": "simulated/quiet"},
            "sweep": [{"peers": ["", "1 wrong", "8 wrong"], "N": [1, 3]}],
        }
    )
    builder = Builder(study)
    names = [[one.name for one in builder.seating(planned)] for planned in plan(study).trials]
    assert [len(row) for row in names] == [1, 3, 2, 4, 9, 11]
    assert {row[0] for row in names} == {names[0][0]}
    assert len(set(names[-1])) == 11


def test_the_seed_of_the_study_draws_anew() -> None:
    assert given("simulated/quiet") != given("simulated/quiet", seed=2)
