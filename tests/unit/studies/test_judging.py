"""Judges at work: what is asked of whom, how often, and what is kept when a run ends early."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.agents import Access
from socialcircuits.errors import BudgetReached, ModelError, Refused, RunFileError, SettingError
from socialcircuits.judges import JudgeMind, judge_case
from socialcircuits.records import Label, RunFile, RunStore
from socialcircuits.studies import Execution, Run, execute, judge, plan, read, run
from socialcircuits.studies import judging as desk
from tests.support.clock import run as run_virtually
from tests.support.voices import (
    AGENT,
    FAR,
    JUDGE,
    LURE,
    NEAR,
    OTHER,
    RIGHT,
    Asked,
    Voices,
    judgment,
    questions,
    verdict,
)

CORRECTNESS = "extracted reasoning correct"
RUBRICS = ("correctness", "clusters")


@pytest.fixture(autouse=True)
def virtual_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "run", run_virtually)


def options(folder: Path, **more: Any) -> dict[str, Any]:
    """A deliberation of four on two questions, whose seats are asked sixteen times each."""
    settings = {"file": str(questions(folder)), "N": 4, "deceivers": 1, "rounds": 1}
    given = {"model": AGENT, "judge": JUDGE, "seeds": 2, "settings": {**settings, "strata": False}}
    return {**given, **more}


def deliberate(folder: Path, out: str = "run.db", **more: Any) -> Run:
    return run("deliberation/timing", out=folder / out, **options(folder, **more))


def labels(path: Path, who: str | None = None) -> dict[tuple[int, int, str, int], Label]:
    """(trial, step, rubric, pass) -> label of one judge."""
    with RunFile(path) as file:
        return {
            (record.plan.number, label.step, label.rubric, label.number): label
            for record in file.trials()
            for label in record.labels
            if who is None or label.judge == who
        }


def digests(path: Path) -> dict[str, str]:
    with RunFile(path) as file:
        return file.digests()


def test_rules_settle_all_of_simulated_agents_and_no_model_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voices = Voices(monkeypatch)
    with run("deliberation/audits", judge=JUDGE, seeds=2, out=tmp_path / "a.db") as done:
        assert set(done.file.judging()) == {"rules"}
        assert done.file.judging()["rules"]["unjudged"] == 0
        held = {label.rubric for record in done.file.trials() for label in record.labels}
    assert held >= {"correctness", "clusters", "reflection_audit", "message_audit"}
    assert not voices.asked


def test_a_model_judges_what_the_rules_leave_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voices = Voices(monkeypatch)
    with deliberate(tmp_path) as done:
        said = {
            (record.plan.number, step): record.answer(step)
            for record in done.file.trials()
            for step in record.outcomes
        }
    own, rules = labels(done.path, JUDGE), labels(done.path, "rules")
    graded = {key[:2]: label for key, label in own.items() if key[2] == "correctness"}
    assert {said[key] for key in graded} == {NEAR, FAR}
    assert {said[key]: label.value["right"] for key, label in graded.items()} == {
        NEAR: True,
        FAR: False,
    }
    settled = {key for key, label in rules.items() if label.value is not None}
    assert not settled & set(own)
    assert settled | set(own) == set(rules)
    assert {said[key[:2]] for key in settled if key[2] == "correctness"} == {RIGHT, LURE}
    assert all(rules[key].why.startswith("left to a judge") for key in own)
    assert {asked.keys for asked in voices.of(JUDGE)} == {
        CORRECTNESS, "reasoning clusters correct",
    }  # fmt: skip


def test_equal_texts_are_asked_once_also_at_the_same_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voices = Voices(monkeypatch, say=lambda seed: NEAR)
    with deliberate(tmp_path, seeds=1) as done:
        counts = done.file.judging()[JUDGE]
    correct = [key for key in labels(done.path, JUDGE) if key[2] == "correctness"]
    asked = Counter(one.text for one in voices.of(JUDGE) if one.keys == CORRECTNESS)
    # A message gives an argument, a vote a reason: two texts for twelve steps.
    assert (len(correct), len(asked), set(asked.values())) == (12, 2, {1})
    assert counts["calls"] == len(voices.of(JUDGE))
    assert counts["prompt_tokens"] == 10 * counts["calls"]


def test_what_rules_settle_is_asked_too_if_everything_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Voices(monkeypatch)
    deliberate(tmp_path).close()
    path = tmp_path / "run.db"
    before, rules = labels(path, JUDGE), labels(path, "rules")
    judge(path, JUDGE, everything=True)
    own = labels(path, JUDGE)
    assert set(before) < set(own) == set(rules)
    assert all(own[key] == label for key, label in before.items())
    assert labels(path, "rules") == rules


class Ended(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("after", [1, 2, 5])
def test_a_run_that_ends_between_two_judgments_goes_on_and_asks_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """A reply of a judge is paid for when it is there, even before the label is."""
    with monkeypatch.context() as patch:
        Voices(patch)
        deliberate(tmp_path, "whole.db").close()
    voices, kept = Voices(monkeypatch), RunStore.label

    def label(store: RunStore, trial: int, labels: Any, *rest: Any) -> None:
        if len(voices.of(JUDGE)) >= after and any(attempts for _, attempts in labels):
            raise Ended
        kept(store, trial, labels, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(RunStore, "label", label)
        patch.setattr(desk, "IN_FLIGHT", 1)
        with pytest.raises(Ended):
            deliberate(tmp_path)
    begun = len(voices.of(JUDGE))
    assert begun == after
    with deliberate(tmp_path) as done:
        assert done.file.judging()[JUDGE]["calls"] == len(voices.of(JUDGE)) > begun
    assert set(Counter(asked.text for asked in voices.of(JUDGE)).values()) == {1}
    assert digests(tmp_path / "run.db") == digests(tmp_path / "whole.db")


def test_a_reply_of_a_judge_is_no_reply_of_an_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What judges are told is counted and priced apart, in the journal too."""
    voices = Voices(monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(desk, "judge_case", _ending)
        with pytest.raises(Ended):
            deliberate(tmp_path)
    with RunFile(tmp_path / "run.db") as file:
        agents = voices.of("openai/agent")
        assert len(voices.of(JUDGE)) > 0
        assert file.calls()["made"] == len(agents)
        assert file.spent().prompt == 100 * len(agents)
        assert JUDGE not in file.judging()


async def _ending(*given: Any) -> Any:
    await judge_case(*given)
    raise Ended


def test_void_replies_are_asked_again_and_what_stays_void_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(asked: Asked, number: int) -> str:
        if asked.keys != CORRECTNESS:
            return judgment(asked)
        return verdict(True, "None") if NEAR in asked.text else "Yes, I think so."

    voices = Voices(monkeypatch, judge=reply)
    deliberate(tmp_path).close()
    path, own = tmp_path / "run.db", labels(tmp_path / "run.db", JUDGE)
    void = {label.why for key, label in own.items() if key[2] == "correctness"}
    assert void == {"void: right without an answer", "void: no JSON"}
    assert all(label.value is None for key, label in own.items() if key[2] == "correctness")
    asked = Counter(one.text for one in voices.of(JUDGE) if one.keys == CORRECTNESS)
    assert set(asked.values()) == {3}
    with RunFile(path) as file:
        first = next(file.trials())
        void_one = next(label for label in first.labels if label.judge == JUDGE)
        assert [a.reply.valid for a in file.judged(first.plan.number, void_one)] == [False] * 3
    before = len(voices.of(JUDGE))
    deliberate(tmp_path).close()
    assert len(voices.of(JUDGE)) == before


def test_a_void_reply_may_be_followed_by_a_good_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(asked: Asked, number: int) -> str:
        return judgment(asked) if number % 2 == 0 else "?"

    Voices(monkeypatch, judge=reply)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk, "IN_FLIGHT", 1)
        deliberate(tmp_path).close()
    own = labels(tmp_path / "run.db", JUDGE)
    assert own
    assert all(label.value is not None for label in own.values())
    with RunFile(tmp_path / "run.db") as file:
        counts = file.judging()[JUDGE]
    assert counts["unjudged"] == 0


@pytest.mark.parametrize("in_flight", [1, 64])
def test_a_budget_reached_while_judging_keeps_what_was_paid_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_flight: int
) -> None:
    monkeypatch.setattr(desk, "IN_FLIGHT", in_flight)
    with monkeypatch.context() as patch:
        whole = Voices(patch)
        deliberate(tmp_path, "whole.db").close()
    agents, judged = len(whole.of("openai/agent")), len(whole.of(JUDGE))
    assert judged > 4
    voices = Voices(monkeypatch)
    with pytest.raises(BudgetReached, match="--max-calls") as reached:
        deliberate(tmp_path, access=Access(calls=agents + 3))
    assert reached.value.exit_code == 5
    assert len(voices.of(JUDGE)) == 3
    with RunFile(tmp_path / "run.db") as file:
        assert file.judging()[JUDGE]["calls"] == 3
    with pytest.raises(BudgetReached):
        deliberate(tmp_path, access=Access(calls=1))
    assert len(voices.of(JUDGE)) == 4
    deliberate(tmp_path).close()
    assert (len(voices.of("openai/agent")), len(voices.of(JUDGE))) == (agents, judged)
    assert digests(tmp_path / "run.db") == digests(tmp_path / "whole.db")


def test_calls_in_flight_are_kept_when_a_judge_cannot_be_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(asked: Asked, number: int) -> str:
        if number == 2:
            raise Refused("nobody answers")
        return judgment(asked)

    voices = Voices(monkeypatch, judge=reply)
    asking = JudgeMind.ask

    async def late(self: JudgeMind, *given: Any) -> Any:
        reply = await asking(self, *given)
        await asyncio.sleep(5)
        return reply

    monkeypatch.setattr(JudgeMind, "ask", late)
    with pytest.raises(ModelError):
        deliberate(tmp_path)
    answered = len(voices.of(JUDGE)) - 1
    assert answered > 1
    with RunFile(tmp_path / "run.db") as file:
        held = {attempt.key for attempt in _attempts(file)}
        assert len(held) == file.judging()[JUDGE]["calls"] == answered


def _attempts(file: RunFile) -> list[Any]:
    return [
        attempt
        for record in file.trials()
        for label in record.labels
        for attempt in file.judged(record.plan.number, label)
    ]


def test_a_second_judge_and_a_second_pass_stand_beside_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(asked: Asked, number: int) -> str:
        contrary = asked.model == OTHER and asked.keys == CORRECTNESS
        return verdict(NEAR not in asked.text) if contrary else judgment(asked)

    voices = Voices(monkeypatch, judge=reply)
    deliberate(tmp_path).close()
    path = tmp_path / "run.db"
    first, run_digest = labels(path, JUDGE), digests(path)["run"]
    agents = len(voices.of("openai/agent"))
    judge(path, OTHER)
    judge(path, JUDGE, number=1)
    second, again = labels(path, OTHER), {k: v for k, v in labels(path, JUDGE).items() if k[3]}
    assert {key[:3] for key in second} == {key[:3] for key in first}
    assert {key[:3] for key in again} == {key[:3] for key in first}
    assert all(
        second[key].value["right"] is not label.value["right"]
        for key, label in first.items()
        if key[2] == "correctness"
    )
    asked = Counter((one.model, one.text) for one in voices.of(JUDGE) + voices.of(OTHER))
    assert {asked[key] for key in asked if key[0] == JUDGE} == {2}
    assert {asked[key] for key in asked if key[0] == OTHER} == {1}
    assert len(voices.of("openai/agent")) == agents
    assert digests(path)["run"] == run_digest
    before = len(voices.asked)
    judge(path, OTHER)
    judge(path, JUDGE, number=1)
    assert len(voices.asked) == before


def test_a_replay_of_a_judged_run_asks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voices = Voices(monkeypatch)
    deliberate(tmp_path).close()
    before, origin = len(voices.asked), tmp_path / "run.db"
    settings = {"model": f"replay/{origin}", "judge": None}
    with deliberate(tmp_path, "again.db", **settings) as done:
        assert done.file.calls()["made"] == 0
        assert done.file.judging()[JUDGE]["calls"] == 0
        assert done.file.judging()[JUDGE]["labels"] == len(labels(origin, JUDGE)) > 0
    assert len(voices.asked) == before
    assert digests(tmp_path / "again.db") == digests(origin)


def test_labels_do_not_depend_on_how_a_run_is_executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Voices(monkeypatch)
    deliberate(tmp_path).close()
    given = options(tmp_path)
    sets = [f"{name}={value}" for name, value in given["settings"].items() if name != "strata"]
    study = read(
        "deliberation/timing",
        models={"A": AGENT},
        judge=JUDGE,
        seeds=2,
        sets=[*sets, "strata=false"],
    )
    execute(plan(study), tmp_path / "again.db", Execution(sequential=True))
    assert digests(tmp_path / "again.db") == digests(tmp_path / "run.db")


def test_estimates_are_those_of_the_judge_that_the_study_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two judges of one run that say the opposite: the study's is read, the other one is not."""
    values = {}
    for name, right in ((JUDGE, True), (OTHER, False)):

        def reply(asked: Asked, number: int, right: bool = right) -> str:
            if asked.keys == CORRECTNESS:
                return verdict(right)
            ids = [line["id"] for line in asked.lines if "id" in line]
            clusters = '{"reasoning": "", "clusters": [%s], "correct": %d}'
            return clusters % (str(ids).replace("'", '"'), 0 if right else -1)

        with monkeypatch.context() as patch:
            Voices(patch, say=lambda seed: NEAR, judge=reply)
            with deliberate(tmp_path, f"{right}.db", judge=name, seeds=2) as done:
                judge(done.path, JUDGE if name == OTHER else OTHER)
                assert {JUDGE, OTHER} < set(done.file.judging())
                found = {row.measure: row.estimate.value for row in done.rows()}
                values[right] = (found["collective_accuracy"], done.summaries()[0].courses)
    assert (values[True][0], values[False][0]) == (1.0, 0.0)
    assert {course.final for course in values[True][1]} == {"right"}
    assert {course.final for course in values[False][1]} == {"wrong"}


def test_without_a_judge_free_text_is_unjudged_and_never_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Voices(monkeypatch, say=lambda seed: FAR)
    with deliberate(tmp_path, judge=None) as done:
        finals = {course.final for one in done.summaries() for course in one.courses}
        assert [row.measure for row in done.rows()] == ["invalid_share"]
        counts = done.file.judging()["rules"]
    assert finals == {"unjudged"}
    assert counts["labels"] == counts["unjudged"] > 0


@pytest.mark.parametrize(
    ("model", "rubrics", "number", "words"),
    [
        ("openai/judge", ["correctnes"], 0, "did you mean 'correctness'"),
        ("gpt", [], 0, "--with: 'gpt'"),
        ("openai/judge", [], 0, "OPENAI_API_KEY"),
        ("rules", [], -1, "--pass: -1"),
    ],
)
def test_a_judge_that_cannot_be_is_refused_and_nothing_is_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    model: str,
    rubrics: list[str],
    number: int,
    words: str,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    path = tmp_path / "run.db"
    run("deliberation/timing", seeds=1, out=path, settings={"rounds": 1}).close()
    before = path.read_bytes()
    with pytest.raises(SettingError, match=words):
        judge(path, model, rubrics, number)
    assert path.read_bytes() == before


def test_a_run_in_which_nothing_is_judged_needs_a_rubric(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    settings = {"N": 4, "rounds": 1}
    run("flag-game/population", seeds=1, out=path, settings=settings).close()
    assert not labels(path)
    with pytest.raises(RunFileError, match="nothing was judged in this run; name a rubric"):
        judge(path, "rules")
    judge(path, "rules", ["correctness"])
    assert {key[2] for key in labels(path)} == {"correctness"}
    with RunFile(path) as file:
        for record in file.trials():
            for label in record.labels:
                right = record.answer(label.step) == record.provided.facts["truth"]
                assert label.value["right"] is right


def test_an_address_is_for_the_judge_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Voices(monkeypatch)
    deliberate(tmp_path).close()
    access = Access(base_url="http://127.0.0.1:9")
    with pytest.raises(SettingError, match="--base-url"):
        judge(tmp_path / "run.db", OTHER, access=access)
    judge(tmp_path / "run.db", "openai-compatible/other-judge", access=access)
    named = "openai-compatible/judge"
    deliberate(tmp_path, "b.db", judge=named, access=replace(access, calls=1000)).close()
    assert labels(tmp_path / "b.db", named)
