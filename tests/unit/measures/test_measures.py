"""Each measure of one trial, by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from socialcircuits.measures import (
    CATALOGUE,
    Measure,
    hidden_belief,
    infection_time,
    labelled,
    pairings,
    reasks,
    seat,
)
from socialcircuits.records.summary import TrialSummary
from tests.unit.measures.trials import managed, planted, trial

MEASURES = {measure.name: measure for measure in CATALOGUE}


def value(name: str, guesses: str, final: str = "TTRR") -> Fraction | None:
    return MEASURES[name].value(trial(guesses, final))


def test_names_are_unique() -> None:
    assert len(MEASURES) == len(CATALOGUE) == 21 + len(FOLLOWED) + len(LABELLED) + len(ROOMS)


@pytest.mark.parametrize("measure", CATALOGUE, ids=lambda measure: measure.name)
def test_a_definition_names_its_source(measure: Measure) -> None:
    sources = ("Flag Game", "Adversarial influence", "Believed but not said", "addition of ours")
    assert any(source in measure.definition for source in sources)


@pytest.mark.parametrize(
    ("guesses", "expected"),
    [("TROX", "1/4"), ("TTTT", "1"), ("T--R", "1/4"), ("----", "0"), ("RRO", "0"), ("TTR", "2/3")],
)
def test_initial_accuracy(guesses: str, expected: str) -> None:
    assert value("initial_accuracy", guesses) == Fraction(expected)


@pytest.mark.parametrize(
    ("guesses", "credit", "tie"),
    [
        ("TTRO", "1", 0),
        ("TTRR", "1/2", 1),
        ("TROX", "1/4", 1),
        ("RROO", "0", 1),
        ("RRTO", "0", 0),
        ("T---", "1", 0),
        ("TR--", "1/2", 1),
        ("----", "0", 0),
    ],
)
def test_majority(guesses: str, credit: str, tie: int) -> None:
    assert value("majority_accuracy", guesses) == Fraction(credit)
    assert value("majority_ties", guesses) == tie


def test_invalid_guesses_are_no_votes_however_many() -> None:
    assert value("majority_accuracy", "T-------") == 1


@pytest.mark.parametrize(("final", "expected"), [("TTRR", "1/2"), ("T---", "1/4"), ("RR", "0")])
def test_collective_accuracy(final: str, expected: str) -> None:
    assert value("collective_accuracy", "TROX", final) == Fraction(expected)


def test_the_last_readout_counts() -> None:
    late = trial(readouts={0: ("Peru",) * 4, 10: ("Peru", "Mali"), 9: ("Peru",) * 4})
    assert MEASURES["collective_accuracy"].value(late) == Fraction(1, 2)


@pytest.mark.parametrize(("final", "right"), [("T", 1), ("R", 0), ("-", 0)])
def test_manager_accuracy(final: str, right: int) -> None:
    assert MEASURES["manager_accuracy"].value(managed("TROX", final)) == right


def test_uplift() -> None:
    assert value("uplift", "TROX", "TTTR") == Fraction(1, 2)
    assert value("uplift", "TTRO", "----") == Fraction(-1, 2)
    assert MEASURES["uplift"].value(managed("TROX", "T")) == Fraction(3, 4)


def test_uplift_is_that_of_honest_agents() -> None:
    one = trial("TR", "TTRT", adversaries={"evidence": (1, 2), "final": (0, 3)})
    assert one.honest_final == ("Peru", "France")
    assert MEASURES["uplift"].value(one) == 0
    assert value("uplift", "TR", "TTRT") == Fraction(1, 4)
    alone = trial("TR", "TT", adversaries={"final": (0, 1)})
    assert MEASURES["uplift"].undefined(alone) == "the readout is adversaries' alone"


def test_invalid_share() -> None:
    assert MEASURES["invalid_share"].value(trial(asked=12, invalid=3)) == Fraction(1, 4)
    assert MEASURES["invalid_share"].value(trial(asked=0, invalid=0)) is None


NOT_PLANTED = {
    "private_target_share",
    "social_share",
    "other_compatible_share",
    "incompatible_share",
    "no_answer_share",
}
FOLLOWED = {
    "honest_defection",
    "honest_defection_macro",
    "correction",
    "correction_macro",
    "none_right_at_first",
    "honest_initial_accuracy",
    "honest_final_accuracy",
    "net_change",
    "group_accuracy",
    "group_ties",
    "honest_group_accuracy",
    "honest_group_ties",
    "first_defection_round_1",
    "first_defection_by_round_2",
    "first_defection_vote_only",
}
LABELLED = {measure.name for measure in labelled.MEASURES}
ROOMS = {
    measure.name
    for module in (hidden_belief, infection_time, pairings, reasks, seat)
    for measure in module.MEASURES
}
NOT_PROBED = {"probe_accuracy", "rival_share"}
POPULATION = {
    "collective_accuracy",
    "correct_consensus",
    "wrong_consensus",
    "polarization",
    "truth_rival_polarization",
    "fragmentation",
}


def undefined(one: TrialSummary) -> dict[str, str]:
    reasons = {name: measure.undefined(one) for name, measure in MEASURES.items()}
    return {name: reason for name, reason in reasons.items() if reason is not None}


def test_a_population_has_no_manager() -> None:
    found = undefined(trial())
    assert (
        set(found) == {"manager_accuracy"} | NOT_PLANTED | NOT_PROBED | FOLLOWED | LABELLED | ROOMS
    )
    assert found["manager_accuracy"] == "the readout is a population's, not a manager's"
    assert {found[name] for name in NOT_PLANTED} == {"no memory was planted"}


def test_a_manager_is_no_population() -> None:
    found = undefined(managed("TROX", "T"))
    assert set(found) == POPULATION | NOT_PLANTED | NOT_PROBED | FOLLOWED | LABELLED | ROOMS
    assert {found[name] for name in POPULATION} == {
        "the readout is a manager's, not a population's"
    }


def test_one_agent_is_neither_population_nor_manager() -> None:
    found = undefined(planted("T"))
    assert set(MEASURES) - set(found) == NOT_PLANTED | {"invalid_share"}
    assert found["manager_accuracy"] == "the readout is one agent's, not a manager's"
    assert {found[name] for name in POPULATION} == {
        "the readout is one agent's, not a population's"
    }


def test_what_was_not_asked_is_undefined() -> None:
    found = undefined(trial(guesses="", final=""))
    assert found["initial_accuracy"] == found["uplift"] == "no isolated guesses were asked for"
    assert found["compatible_errors"] == "no isolated guesses were asked for"
    assert found["collective_accuracy"] == found["manager_accuracy"] == "no round was read out"
    assert "invalid_share" not in found


def test_rivals_and_errors_need_the_compatible_sets() -> None:
    found = undefined(trial(facts={}))
    for name in ("truth_rival_polarization", "compatible_errors", "incompatible_errors"):
        assert found[name].startswith("the record holds no compatible sets")
    assert "polarization" not in found
