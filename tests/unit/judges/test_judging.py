"""The judge that asks a model: keys, passes, retries, limits, and agreement between judges."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from socialcircuits.errors import ModelError, SettingError
from socialcircuits.graph import Brief, Observation
from socialcircuits.judges import RUBRICS, Case, agreement, contradictions, judge_case, labelled
from socialcircuits.models import Capabilities, Completion
from socialcircuits.records import Attempt, Label
from tests.support.journals import Notebook
from tests.unit.judges.scenes import Judge, cases, transcript

YES = json.dumps({"extracted": "Peru", "reasoning": "The same.", "correct": "yes"})
NO = json.dumps({"extracted": "Chad", "reasoning": "Another.", "correct": "no"})
VOID = '{"extracted": "None", "reasoning": "", "correct": "yes"}'


def vote(seat: int = 1, **options: Any) -> Case:
    return cases("correctness", transcript(**options))[f"vote/{seat}/0"]


def judged(case: Case, judge: Judge, *rest: Any) -> tuple[Label, tuple[Attempt, ...]]:
    return asyncio.run(judge_case(case, judge.mind, *rest))


def test_a_label_keeps_who_judged_and_why() -> None:
    case, judge = vote(), Judge(lambda number: YES)
    label, attempts = judged(case, judge)
    assert label == Label(
        case.step,
        "correctness",
        "scripted/judge(temperature=0.0,max_tokens=2000)",
        0,
        {"right": True, "extracted": "Peru"},
        "The same.",
    )
    assert len(attempts) == len(judge.requests) == 1
    usage = attempts[0].reply.usage
    assert usage is not None
    assert (usage.prompt, usage.cost) == (5, 7)


def test_a_void_reply_is_asked_again_and_counts_as_an_attempt() -> None:
    judge = Judge(lambda number: [VOID, "?", YES][number - 1])
    label, attempts = judged(vote(), judge)
    assert label.value["right"] is True
    assert [attempt.reply.why for attempt in attempts] == [
        "right without an answer",
        "no JSON",
        "",
    ]
    assert len({attempt.key for attempt in attempts}) == 3


def test_what_stays_void_is_unjudged() -> None:
    judge = Judge(lambda number: VOID)
    label, attempts = judged(vote(), judge)
    assert label.value is None
    assert label.why == "void: right without an answer"
    assert len(attempts) == 3


def test_equal_prompts_have_equal_keys_and_are_asked_once() -> None:
    one, other = vote(), vote(rounds=2)
    assert one.step != other.step
    judge, book = Judge(lambda number: YES), Notebook()
    first, attempts = judged(one, judge, 0, 2, book.replies.get, book)
    second, again = judged(other, judge, 0, 2, book.replies.get, book)
    assert attempts[0].key == again[0].key
    assert len(judge.requests) == 1
    assert second == replace(first, step=other.step)
    assert book.asking[0].prompt == judge.mind.segments(observed(one))


def observed(case: Case) -> Observation:
    return Observation(b"", "label", "", Brief("judge"), True, (), case, ())


def test_another_pass_text_or_rubric_has_another_key() -> None:
    judge = Judge(lambda number: YES)
    keys = [
        judged(case, judge, number)[1][0].key
        for case, number in [(vote(), 0), (vote(), 1), (vote(0), 0), (vote(), 0)]
    ]
    assert keys[0] == keys[3]
    assert len(set(keys)) == 3


def test_a_key_depends_on_what_is_sent() -> None:
    case = vote()
    minds = [
        Judge(lambda number: YES).mind,
        Judge(lambda number: YES, max_tokens=9).mind,
        Judge(lambda number: YES, temperature=None).mind,
        Judge(lambda number: YES, Capabilities(schema=True)).mind,
        Judge(lambda number: YES, Capabilities(schema=True), longest=80).mind,
    ]
    assert len({mind.digest(observed(case)) for mind in minds}) == len(minds)


def test_a_request_is_what_the_server_takes() -> None:
    plain = Judge(lambda number: YES)
    judged(vote(), plain)
    assert plain.requests[0].schema is None
    assert plain.requests[0].seed is None
    assert plain.requests[0].temperature == 0
    able = Judge(lambda number: YES, Capabilities(schema=True, seed=True), longest=90)
    judged(vote(), able)
    schema = able.requests[0].schema
    assert schema is not None
    assert schema["properties"]["reasoning"] == {"type": "string", "maxLength": 90}
    assert able.requests[0].seed is not None


@pytest.mark.parametrize(
    ("completion", "why"),
    [
        (Completion(YES, "length"), "void: cut"),
        (Completion("", "stop", fault="no choices"), "void: no choices"),
    ],
)
def test_a_reply_that_is_cut_or_none_is_void(
    completion: Completion, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Judge, "reply", lambda self, request: completion)
    assert judged(vote(), Judge(lambda number: YES))[0].why == why


def test_a_judge_cannot_answer_at_once() -> None:
    judge = Judge(lambda number: YES)
    with pytest.raises(ModelError, match="waited for"):
        judge.mind.answer(observed(vote()), b"")


@pytest.mark.parametrize("options", [{"temperature": 3.0}, {"max_tokens": 0}, {"longest": 0}])
def test_a_manner_that_is_not_allowed_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(SettingError, match=next(iter(options))):
        Judge(lambda number: YES, **options)


def test_a_stored_reply_gives_the_same_label() -> None:
    case, judge = vote(), Judge(lambda number: YES)
    label, attempts = judged(case, judge)
    assert labelled(case, judge.mind.id, 0, attempts[-1].reply) == label


def label(step: int, judge: str, value: Any, number: int = 0, rubric: str = "correctness") -> Label:
    return Label(step, rubric, judge, number, value)


def test_labels_are_paired_by_trial_and_step() -> None:
    right, wrong = ({"right": flag, "extracted": str(flag)} for flag in (True, False))
    labels = [
        (0, label(3, "a", right)),
        (0, label(3, "b", {**right, "extracted": "other words"})),
        (1, label(3, "a", right)),
        (1, label(3, "b", wrong)),
        (1, label(4, "a", right)),
        (1, label(5, "a", right)),
        (1, label(5, "b", None)),
        (1, label(6, "b", {"tactics": []}, rubric="tactics")),
        (1, label(7, "c", wrong)),
    ]
    (found,) = agreement(RUBRICS["correctness"], labels, "a", "b")
    assert found.part == "right"
    assert found.pairs == ((True, True), (True, False))
    assert (found.agreed, found.share, found.alone) == (1, 0.5, 2)


def test_the_last_pass_counts() -> None:
    right, wrong = ({"right": flag, "extracted": ""} for flag in (True, False))
    labels = [(0, label(0, "a", right, 1)), (0, label(0, "a", wrong, 0)), (0, label(0, "b", right))]
    assert agreement(RUBRICS["correctness"], labels, "a", "b")[0].share == 1.0


def partition(*groups: Sequence[str], correct: int = 0) -> dict[str, Any]:
    return {"clusters": [list(group) for group in groups], "correct": correct}


def test_clusters_are_compared_as_partitions() -> None:
    one, other = partition("ab", "c"), partition("c", "ba", correct=1)
    labels = [(0, label(0, "a", one, 0, "clusters")), (0, label(0, "b", other, 0, "clusters"))]
    found = agreement(RUBRICS["clusters"], labels, "a", "b")
    assert [(part.part, part.share) for part in found] == [("partition", 1.0), ("correct", 1.0)]
    labels[1] = (0, label(0, "b", partition("ab", "c", correct=1), 0, "clusters"))
    found = agreement(RUBRICS["clusters"], labels, "a", "b")
    assert [part.share for part in found] == [1.0, 0.0]


def test_tactics_and_marks_are_compared_one_by_one() -> None:
    labels = [
        (0, label(0, "a", {"tactics": ["bare_assertion"]}, 0, "tactics")),
        (0, label(0, "b", {"tactics": []}, 0, "tactics")),
    ]
    found = {part.part: part.share for part in agreement(RUBRICS["tactics"], labels, "a", "b")}
    assert len(found) == 8
    assert [tactic for tactic, share in found.items() if share == 0] == ["bare_assertion"]
    audit = {"holds": "correct", "answer": "x", "credits": True, "doubts": False}
    values = [audit, {**audit, "answer": "y", "doubts": True}]
    labels = [(0, label(0, j, v, 0, "reflection_audit")) for j, v in zip("ab", values, strict=True)]
    found = {p.part: p.share for p in agreement(RUBRICS["reflection_audit"], labels, "a", "b")}
    assert found == {"holds": 1.0, "credits": 1.0, "doubts": 0.0}


def test_codes_that_one_judge_does_not_know_are_not_compared() -> None:
    known = {"agreed_answer": True, "built_on_success": False, "changed_jointly": False}
    whole = {**known, "backed_off": True, "changed_jointly": True}
    for first, second in ((known, whole), (whole, known)):
        labels = [(0, label(0, "a", first, 0, "coordination"))]
        labels += [(0, label(0, "b", second, 0, "coordination"))]
        found = agreement(RUBRICS["coordination"], labels, "a", "b")
        assert {part.part: part.share for part in found} == {
            "agreed_answer": 1.0,
            "built_on_success": 1.0,
            "changed_jointly": 0.0,
        }


def test_votes_whose_cluster_contradicts_their_grade_are_counted() -> None:
    scene = transcript()
    steps = {scene.graph.step_id(i): i for i in range(len(scene.graph.steps))}
    votes = [steps[f"vote/{seat}/0"] for seat in range(3)]
    names = [f"Colleague {number}" for number in (1, 2, 3)]
    grades = [label(votes[0], "m", {"right": True, "extracted": ""})]
    grades += [
        label(votes[1], "rules", {"right": False, "extracted": ""}),
        label(votes[2], "m", None),
    ]
    groups = {"clusters": [names[:2], names[2:]], "correct": 0}
    said = [*grades, label(votes[0], "m", groups, 0, "clusters")]
    assert contradictions(scene, said, "m") == (1, 2)
    groups = {"clusters": [names], "correct": -1}
    said = [*grades, label(votes[0], "m", groups, 0, "clusters")]
    assert contradictions(scene, said, "m") == (1, 2)
    assert contradictions(scene, grades, "m") == (0, 0)
    assert contradictions(scene, said) == (0, 0)


def test_without_a_pair_there_is_no_share() -> None:
    assert agreement(RUBRICS["correctness"], [(0, label(0, "a", None))], "a", "b") == []
