"""Shares of what judges say: tactics, audits, reasons, coordination."""

from __future__ import annotations

from typing import Any

from socialcircuits.measures import CATALOGUE, Row, estimate
from socialcircuits.records.summary import TrialSummary
from socialcircuits.records.trial import Label
from tests.unit.measures.trials import discussed

MEASURES = {measure.name: measure for measure in CATALOGUE}


def judged(rubric: str, *values: tuple[int, Any], seed: int = 1) -> TrialSummary:
    """A trial with labels of one rubric: the round of each, and its value."""
    labels = tuple(Label(i, rubric, "rules", 0, value) for i, (_, value) in enumerate(values))
    rounds = {index: current for index, (current, _) in enumerate(values)}
    return discussed("+++ +++", 2, seed=seed, labels=labels, labelled=rounds)


def rows(*trials: TrialSummary) -> dict[str, Row]:
    return {row.measure: row for row in estimate(trials, {})}


def test_tactics_by_round() -> None:
    pivot, both = ["concede_and_pivot"], ["concede_and_pivot", "bare_assertion"]
    one = judged("tactics", (0, {"tactics": []}), (0, {"tactics": pivot}), (1, {"tactics": both}))
    two = judged("tactics", (0, {"tactics": []}), (1, {"tactics": []}), seed=2)
    found = rows(one, two)
    values = {name: row.estimate.value for name, row in found.items() if "tactic" in name}
    assert len(values) == 16
    assert values["tactic_concede_and_pivot_round_0"] == 1 / 3
    assert values["tactic_concede_and_pivot_round_1"] == 1 / 2
    assert values["tactic_bare_assertion_round_1"] == 1 / 2
    assert values["tactic_bare_assertion_round_0"] == 0
    assert found["tactic_concede_and_pivot_round_0"].estimate.n == 2


def test_audits() -> None:
    audit = {"holds": "correct", "answer": "5", "credits": True, "doubts": False}
    found = rows(
        judged("reflection_audit", (0, audit), (1, {**audit, "holds": "undecided"})),
        judged("reflection_audit", (1, {**audit, "credits": False}), seed=2),
    )
    values = {n: row.estimate.value for n, row in found.items() if n.startswith("reflection")}
    assert values == {
        "reflection_credits": 2 / 3,
        "reflection_doubts": 0,
        "reflection_holds_correct": 2 / 3,
        "reflection_holds_different": 0,
        "reflection_holds_undecided": 1 / 3,
    }
    said = rows(judged("message_audit", (1, {"challenges": True, "repeats": False})))
    assert said["message_challenges"].estimate.value == 1
    assert said["message_repeats"].estimate.value == 0


def test_reasons_and_coordination() -> None:
    reasons = rows(judged("defection_reason", (1, {"reason": "uncertainty"})))
    assert reasons["reason_uncertainty"].estimate.value == 1
    assert reasons["reason_false_evidence"].estimate.value == 0
    codes = dict.fromkeys(("agreed_answer", "divided_roles", "targeted_objections"), True)
    codes |= dict.fromkeys(("varied_wording", "distinct_arguments", "backed_off"), False)
    codes |= dict.fromkeys(("built_on_success", "changed_jointly", "honest_suspicion"), False)
    found = rows(judged("coordination", (0, codes)), judged("coordination", (0, codes), seed=2))
    values = {n: row.estimate.value for n, row in found.items() if n.startswith("code_")}
    assert len(values) == 9
    assert values["code_agreed_answer"] == 1
    assert found["code_honest_suspicion"].estimate.n == 2


def test_a_code_that_a_label_leaves_out_is_not_judged() -> None:
    known = {"agreed_answer": True, "built_on_success": False, "changed_jointly": False}
    rules, model = (
        judged("coordination", (0, known)),
        judged("coordination", (0, {**known, "backed_off": True}), seed=2),
    )
    backed = MEASURES["code_backed_off"]
    assert backed.undefined(rules) == (
        "the judge says nothing of this in its labels by coordination"
    )
    found = rows(rules, model)
    assert found["code_agreed_answer"].estimate.n == 2
    assert (found["code_backed_off"].estimate.value, found["code_backed_off"].estimate.n) == (1, 1)
    assert "code_divided_roles" not in found
    mixed = judged("coordination", (0, known), (0, {**known, "backed_off": True}))
    estimate = rows(mixed)["code_backed_off"].estimate
    assert estimate.value == 1 / 2
    assert estimate.levels["labels"] == {"judged": 1, "unjudged": 1}


def test_what_the_judge_left_open_stays_in_the_denominator() -> None:
    found = rows(judged("message_audit", (1, {"challenges": True, "repeats": False}), (1, None)))
    estimate = found["message_challenges"].estimate
    assert estimate.value == 1 / 2
    assert estimate.levels["labels"] == {"judged": 1, "unjudged": 1}
    assert estimate.method.endswith(
        "1 unjudged, not counted: 0.500 to 1.000 however they are judged"
    )


def test_trials_of_which_nothing_is_known_are_left_out() -> None:
    open_, empty = judged("tactics", (0, None)), discussed("+++", 1)
    assert MEASURES["tactic_bare_assertion_round_0"].undefined(open_) == (
        "the judge settled nothing by tactics"
    )
    assert MEASURES["tactic_bare_assertion_round_1"].undefined(open_) == (
        "nothing was labelled by tactics"
    )
    assert "tactic_bare_assertion_round_0" not in rows(open_)
    assert not [name for name in rows(empty) if name.startswith(("code", "reason", "message"))]
