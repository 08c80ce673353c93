"""Tasks of Inspect: their trials are those of the engine, their scores the report's numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

from inspect_ai import Task, task_with
from inspect_ai import eval as evaluate
from inspect_ai.event import ModelEvent, SpanBeginEvent, timeline_build
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from socialcircuits.agents import BackEnd
from socialcircuits.errors import SettingError
from socialcircuits.evals.registry import (
    chatroom,
    deliberation,
    flag_game,
    memory_conflict,
    seat,
)
from socialcircuits.measures import cell
from socialcircuits.models.inspect import InspectModel
from socialcircuits.records import RunFile
from socialcircuits.studies import Run, execute, plan, prepare
from tests.support.inspecting import MOCK, QUIET, mock, obliging

pytestmark = [pytest.mark.extra("inspect"), QUIET]

SEEDS = 2


class Case(NamedTuple):
    """A task, the character in its seats, and the study that it plays."""

    task: Callable[..., Task]
    character: str
    study: str
    settings: list[str]

    def made(self) -> Task:
        task = self.task(study=self.study, settings=self.settings, seeds=SEEDS)
        return task_with(task, model=f"socialcircuits/{self.character}")

    def run(self, path: Path) -> Run:
        return engine(self.study, self.settings, f"simulated/{self.character}", path)


def engine(study: str, settings: list[str], model: str, path: Path) -> Run:
    """The same study, run by our own engine."""
    resolved, _ = prepare(study, {"A": model}, sets=settings, seeds=SEEDS)
    execute(plan(resolved), path)
    return Run(path)


CASES = (
    Case(flag_game, "literal", "flag-game/population", ["N=[4, 8]", "trial.rounds=2"]),
    Case(
        deliberation,
        "deliberating",
        "deliberation/scaling",
        ["N=6", "deceivers=1/3", "strata=false", "trial.rounds=2"],
    ),
    Case(chatroom, "quiet", "chatroom/sybils", ["cast=A", "deceivers=1", "trial.rounds=2"]),
    Case(
        memory_conflict,
        "literal",
        "flag-game/memory-conflict",
        ["evidence=weak", "lure=agrees", "m=1", "cast=A", "lures=[0, 8]"],
    ),
    Case(seat, "fair", "card/quick", []),
)
NAMES = [case.task.__name__ for case in CASES]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, EvalLog]:
    """The logs of all tasks, each with simulated agents, by name of the task."""
    folder = tmp_path_factory.mktemp("logs")
    found = evaluate(
        [case.made() for case in CASES], log_dir=str(folder), display="none", max_tasks=1
    )
    return dict(zip(NAMES, found, strict=True))


@pytest.fixture(params=CASES, ids=NAMES)
def pair(
    request: pytest.FixtureRequest, logs: dict[str, EvalLog], tmp_path: Path
) -> tuple[EvalLog, Run]:
    """The log of a task, and the run of the same study by our engine."""
    case: Case = request.param
    return logs[case.task.__name__], case.run(tmp_path / "run.db")


def test_the_trials_are_those_of_our_engine(pair: tuple[EvalLog, Run]) -> None:
    log, run = pair
    assert log.status == "success", log.error
    wanted = {
        (cell(record.plan.condition), record.plan.seed): record.digest
        for record in run.file.trials()
        if record.plan.role == "estimate"
    }
    found = {
        (cell(sample.metadata["condition"]), sample.metadata["seed"]): sample.store["digest"]
        for sample in log.samples or ()
    }
    assert found == wanted


def test_the_scores_are_the_numbers_of_the_report(pair: tuple[EvalLog, Run]) -> None:
    log, run = pair
    assert log.results is not None
    scores = {score.name: score for score in log.results.scores}
    conditions = {cell(sample.metadata["condition"]) for sample in log.samples or ()}
    compared = 0
    for row in run.rows():
        if row.measure in scores and cell(row.condition) in conditions and row.estimate.n:
            wanted = (row.estimate.value, row.estimate.low, row.estimate.high, row.estimate.n)
            held = {one.name: one.value for one in scores[row.measure].metrics.values()}
            befores = {name.removesuffix("value") for name in held if name.endswith("value")}
            found = {
                tuple(held[before + part] for part in ("value", "low", "high", "n"))
                for before in befores
            }
            assert wanted in found, row.measure
            assert len(befores) <= len(conditions)
            compared += 1
    assert compared >= 4


def test_each_agent_has_one_span_below_that_of_the_trial(logs: dict[str, EvalLog]) -> None:
    sample = next(one for one in logs["flag_game"].samples or () if "N = 8" in str(one.id))
    spans = {event.id: event for event in sample.events if isinstance(event, SpanBeginEvent)}
    agents = [span for span in spans.values() if span.type == "agent"]
    assert [span.name for span in agents] == [f"observer {number}" for number in range(8)]
    above = {spans[span.parent_id or ""].type for span in agents}
    assert above == {"trial"}
    calls = [event for event in sample.events if isinstance(event, ModelEvent)]
    assert len(calls) == 8 + 2 * (8 + 8) + 8
    assert {spans[call.span_id or ""].type for call in calls} == {"agent"}
    drawn = [part.name for part in timeline_build(sample.events).root.content if part.type == "span"]
    assert drawn == [span.name for span in agents]


def test_what_is_simulated_says_so(logs: dict[str, EvalLog]) -> None:
    for log in logs.values():
        for sample in log.samples or ():
            assert "simulated agents" in sample.output.completion


def one(task: Task, model: Model | str, folder: Path, **more: Any) -> EvalLog:
    (log,) = evaluate(task, model=model, log_dir=str(folder), display="none", **more)
    return log


SETTINGS = ["N=4", "trial.rounds=1", "m=1"]


def test_a_prompted_model_is_asked_the_same_as_by_our_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = flag_game(settings=SETTINGS, seeds=SEEDS, options="sees=text")
    log = one(task, mock(obliging), tmp_path)
    assert log.status == "success", log.error
    given = {MOCK: InspectModel(MOCK, mock(obliging))}
    monkeypatch.setattr(BackEnd, "_model", lambda self, name, where: given[name])
    run = engine("flag-game/population", SETTINGS, f"{MOCK}?sees=text", tmp_path / "run.db")
    wanted = [
        record.digest for record in run.file.trials() if record.plan.role == "estimate"
    ]
    assert [sample.store["digest"] for sample in log.samples or ()] == wanted
    assert run.calls()["invalid"] == 0
    made = run.file.calls()["made"]
    assert made > 0


def test_roles_sit_in_their_seats(tmp_path: Path) -> None:
    asked: dict[str, set[str]] = {"honest": set(), "deceiver": set()}

    def says(who: str) -> Model:
        def said(messages: Any, config: Any) -> str:
            asked[who].add(config.response_schema is not None and messages[0].text or "")
            return obliging(messages, config)

        return mock(said)

    task = flag_game(
        settings=[*SETTINGS, "trial.deceivers=1"], seeds=1, options="sees=text"
    )
    log = one(task, says("honest"), tmp_path, model_roles={"deceiver": says("deceiver")})
    assert log.status == "success", log.error
    (sample,) = log.samples or ()
    spans = {event.id: event for event in sample.events if isinstance(event, SpanBeginEvent)}
    calls = [event for event in sample.events if isinstance(event, ModelEvent)]
    seats = {
        (spans[call.span_id or ""].name.partition(" ")[0], call.role)
        for call in calls
        if spans[call.span_id or ""].type == "agent"
    }
    assert seats == {("observer", None), ("deceiver", "deceiver")}


def test_what_is_shared_is_asked_once(tmp_path: Path) -> None:
    asked = 0

    def said(messages: Any, config: Any) -> str:
        nonlocal asked
        asked += 1
        return obliging(messages, config)

    settings = ["cast=A", "evidence=weak", "lure=agrees", "m=1", "lures=[0, 8]"]
    log = one(
        memory_conflict(settings=settings, seeds=1, options="sees=text"), mock(said), tmp_path
    )
    assert log.status == "success", log.error
    run = engine("flag-game/memory-conflict", settings, "simulated/literal", tmp_path / "run.db")
    # One more finds out what the model can do.
    assert asked <= run.calls()["made"] + 1


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (lambda: deliberation(settings=["N=6", "deceivers=1/3"]), r"\$\.strata: True"),
        (lambda: flag_game(study="flag-game/patching", settings=[]), r"\$\.interventions"),
        (lambda: flag_game(settings="N=0"), "N"),
    ],
)
def test_what_one_sample_cannot_hold_is_refused(
    task: Callable[[], Task], message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        task()


def test_epochs_are_no_replicates(tmp_path: Path) -> None:
    log = one(
        flag_game(settings=SETTINGS, seeds=1), "socialcircuits/literal", tmp_path, epochs=2
    )
    assert log.status == "error"
    assert log.error is not None
    assert "seeds are replicates" in log.error.message


def test_a_simulated_agent_reads_no_prompt(tmp_path: Path) -> None:
    from inspect_ai.dataset import Sample

    log = one(Task(dataset=[Sample(input="Where?")]), "socialcircuits/literal", tmp_path)
    assert log.status == "error"
    assert log.error is not None
    assert "read observations, no prompts" in log.error.message
