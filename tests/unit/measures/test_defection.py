"""Honest agents from first to last answer: defection, correction, accuracy, and when they turn."""

from __future__ import annotations

from fractions import Fraction

import pytest

from socialcircuits.measures import CATALOGUE, Row, contrasts, effects, estimate
from socialcircuits.measures.first_defection import first_defection
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import mean, ratio
from tests.unit.measures.trials import course, discussed, trial

MEASURES = {measure.name: measure for measure in CATALOGUE}


def rows(*trials: TrialSummary) -> dict[str, Row]:
    return {row.measure: row for row in estimate(trials, {})}


def test_defection_is_pooled_over_agents_and_given_by_question_too() -> None:
    # Of 4 agents right at first 1 is wrong at the end; of 1 it is 1.
    found = rows(
        discussed("++- +++ +++ +++ -++", 1, seed=1),
        discussed("+-- --- --- --- --+", 1, seed=2),
    )
    pooled = found["honest_defection"].estimate
    assert (pooled.value, pooled.n) == (2 / 5, 2)
    assert pooled.low == ratio([1, 1], [4, 1]).low
    assert pooled.levels["pooled"] == {"counted": 2, "of": 5}
    assert found["honest_defection_macro"].estimate.value == (1 / 4 + 1) / 2
    assert found["correction"].estimate.value == 2 / 5
    assert found["correction_macro"].estimate.value == (1 + 1 / 4) / 2


def test_deceivers_do_not_count() -> None:
    assert MEASURES["correction"].count(discussed("+++ --+", 3)) == (Fraction(1), 1)
    assert MEASURES["honest_final_accuracy"].count(discussed("+++ ---", 3)) == (Fraction(1), 2)


def test_an_invalid_last_answer_is_wrong_and_counted_apart() -> None:
    found = rows(discussed("++x +++ x++", 1))
    assert found["honest_defection"].estimate.value == 1 / 2
    assert found["honest_defection"].estimate.levels["at the end"] == {"invalid": 1, "right": 1}
    assert found["correction"].estimate.value == 1.0
    assert found["honest_final_accuracy"].estimate.levels["invalid"] == {
        "at first": 1,
        "at the end": 1,
    }


def test_what_is_unjudged_stays_in_the_denominator_with_bounds() -> None:
    # Right at first: one defects, one stays, one is unjudged at the end; one is unjudged at first
    # and wrong at the end. From 1/3 (without the last) to (1 + 1 + 1)/4.
    found = rows(discussed("++- +++ ++? ?+-", 1))["honest_defection"].estimate
    assert found.value == 1 / 3
    assert found.levels["agents"] == {"honest": 4, "unjudged at first": 1}
    assert found.method.endswith("2 unjudged, not counted: 0.333 to 0.750 however they are judged")
    by_question = rows(
        discussed("++- ++?", 1, seed=1, condition={}),
        discussed("++- +++ +++ +++", 1, seed=2, condition={}),
    )["honest_defection_macro"].estimate
    assert by_question.value == (1 / 2 + 1 / 4) / 2
    assert "0.375 to 0.625" in by_question.method


def test_a_trial_without_an_honest_agent_right_at_first_is_counted_as_such() -> None:
    found = rows(discussed("--- ---", 1, seed=1), discussed("++- +++", 1, seed=2))
    assert found["honest_defection"].estimate.n == 1
    assert found["honest_defection"].estimate.levels["excluded"] == {
        "no honest agent was right at first": 1
    }
    assert found["none_right_at_first"].estimate.value == 1 / 2
    unknown = rows(discussed("?-- ---", 1, seed=1), discussed("++-", 1, seed=1, condition={}))
    assert unknown["none_right_at_first"].estimate.value == 0
    hangs = MEASURES["none_right_at_first"].undefined(discussed("?-- ---", 1))
    assert hangs == "first answers were not judged"


def test_net_change_and_its_parts() -> None:
    found = rows(
        discussed("++- +++ -++ --+", 1, seed=1, condition={}),
        discussed("++- ++-", 1, seed=2, condition={}),
    )
    values = {name: row.estimate.value for name, row in found.items()}
    assert values["honest_initial_accuracy"] == 3 / 4
    assert values["honest_final_accuracy"] == 3 / 8  # 3/4 and 0
    assert values["net_change"] == (1 / 4 - 1) / 2
    assert found["net_change"].estimate.low == mean([0.25, -1.0], (-1.0, 1.0)).low
    assert MEASURES["net_change"].bounds == (-1.0, 1.0)
    doubtful = rows(discussed("++? +++", 1))["net_change"].estimate
    assert doubtful.value == -1 / 2
    assert doubtful.method.endswith("-0.500 to 0.000 however they are judged")


@pytest.mark.parametrize(
    ("final", "whole", "among_honest", "ties"),
    [
        ("TTRRR", "0", "1", (0, 0)),
        ("TTORR", "1/2", "1", (1, 0)),
        ("TORRR", "0", "1/3", (0, 1)),
        ("--T--", "1", "1", (0, 0)),
        ("---RR", "0", "0", (0, 0)),
    ],
)
def test_the_plurality_of_all_and_of_honest_agents(
    final: str, whole: str, among_honest: str, ties: tuple[int, int]
) -> None:
    one = discussed("+++ +++ +++", 2, final=final)
    assert MEASURES["group_accuracy"].value(one) == Fraction(whole)
    assert MEASURES["honest_group_accuracy"].value(one) == Fraction(among_honest)
    names = ("group_ties", "honest_group_ties")
    assert [MEASURES[name].value(one) for name in names] == [Fraction(tie) for tie in ties]


def test_unjudged_votes_leave_a_trial_out_of_what_reads_votes() -> None:
    found = rows(discussed("++? +++", 1, seed=1), discussed("+++ +++", 1, seed=2))
    for name in ("collective_accuracy", "group_accuracy", "wrong_consensus"):
        assert found[name].estimate.n == 1
        assert found[name].estimate.levels["excluded"] == {
            "answers of the last readout were not judged": 1
        }
    guessed = trial(unjudged={"guesses": 2})
    assert MEASURES["initial_accuracy"].undefined(guessed) == "isolated guesses were not judged"
    assert MEASURES["collective_accuracy"].undefined(guessed) is None


@pytest.mark.parametrize(
    ("grades", "when"),
    [
        ("+-++", 1),
        ("++--", 2),
        ("+++-", "vote"),
        ("+++x", "vote"),
        ("+xx+", None),
        ("+?-+", 2),
        ("+++?", None),
        ("---+", None),
        ("?---", None),
    ],
)
def test_when_an_agent_first_defects(grades: str, when: object) -> None:
    assert first_defection(course(grades)) == when


def test_shares_of_first_defections() -> None:
    # One in round 1 that comes back, one in round 2, one in round 3, one in the vote; one stays.
    found = rows(discussed("+-+++ ++--- +++-- ++++- +++++ --++-", 2))
    values = {name: row.estimate.value for name, row in found.items() if "first_def" in name}
    assert values == {
        "first_defection_round_1": 1 / 4,
        "first_defection_by_round_2": 1 / 2,
        "first_defection_vote_only": 1 / 4,
    }
    assert found["first_defection_round_1"].estimate.levels["first defections"] == {
        "round 1": 1,
        "round 2": 1,
        "round 3": 1,
        "vote only": 1,
    }
    nobody = rows(discussed("+++", 1))["first_defection_round_1"].estimate
    assert nobody.levels["excluded"] == {"no honest agent defected": 1}


def test_bounds_of_the_round_of_first_defections() -> None:
    # The second is wrong in round 1 or in round 2: 1/2 or 2/2 in round 1.
    found = rows(discussed("+--- +?--", 1))["first_defection_round_1"].estimate
    assert found.value == 1 / 2
    assert "0.500 to 1.000" in found.method


def test_where_it_has_no_meaning() -> None:
    assert MEASURES["honest_defection"].undefined(trial()) == "no adversaries are among the agents"
    plain = discussed("+++ +++", condition={})
    assert MEASURES["honest_defection"].undefined(plain) is None
    game = discussed("+++ +++", condition={"deceivers": 0}, protocol="pairwise")
    assert MEASURES["honest_defection"].undefined(game) is None
    reason = "no vote apart from public answers"
    assert MEASURES["first_defection_vote_only"].undefined(game) == reason
    lost = discussed("+++", courses=(), protocol="manager")
    assert MEASURES["honest_defection"].undefined(lost) == (
        "no first and last answers of honest agents"
    )
    nothing = discussed("??? ???", 1)
    assert MEASURES["correction"].undefined(nothing) == "no first answers were judged"


def test_matched_seeds_are_contrasted_by_question() -> None:
    trials = [
        discussed("++- +++", 1, seed=1, condition={"N": 3}),
        discussed("++- ++- +++ +++", 1, seed=1, condition={"N": 5}),
    ]
    found = {row.measure: row.estimate.value for row in contrasts(trials, "N")}
    assert found["honest_defection_macro"] == 0
    assert found["honest_final_accuracy"] == 0
    assert "honest_defection" not in found
    changed = [
        discussed("++- ++-", 1, condition={"intervention": ""}),
        discussed("++- +++", 1, condition={"intervention": "made honest"}),
    ]
    effect = {row.measure: row.estimate.value for row in effects(changed)}
    assert effect["honest_defection_macro"] == -1 / 2
