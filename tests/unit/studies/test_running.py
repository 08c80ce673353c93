"""Whole studies: run, interrupted, resumed, replayed, and with minds that wait."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import ModelError, ReplayError, RunFileError, SettingError
from socialcircuits.graph import Observation, Reply
from socialcircuits.records import RunFile, RunStore
from socialcircuits.studies import Execution, Run, count, execute, plan, prepare, read, run
from tests.support.clock import run as run_virtually
from tests.support.trials import Gossip

POPULATION, PROTOCOLS = "flag-game/population", "flag-game/protocols"
SMALL = {"N": [4, 6], "rounds": 3}
ERRING = "simulated/literal?invalid=150"
LATE = "simulated/literal?invalid=150&latency=900"


@pytest.fixture(autouse=True)
def virtual_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "run", run_virtually)


def digests(path: Path) -> dict[str, str]:
    with RunFile(path) as file:
        return file.digests()


def small(out: Path, model: str = ERRING, seed: int | None = None) -> dict[str, str]:
    """Run a small study and return its digests."""
    with run(POPULATION, model=model, out=out, seeds=2, settings=SMALL, seed=seed) as done:
        return done.digests()


@pytest.mark.parametrize("source", [POPULATION, PROTOCOLS])
def test_without_early_stop_and_retries_the_replies_made_are_the_steps_counted(
    tmp_path: Path, source: str
) -> None:
    settings = {"N": [4], "stop": 0, "rounds": 2}
    with run(source, out=tmp_path / "run.db", seeds=2, settings=settings) as done:
        counted, calls = count(done.plan), done.file.calls()
        assert calls["made"] == counted.steps + counted.example_steps
        assert (calls["reused"], calls["repeated"], calls["voided"], calls["invalid"]) == (0,) * 4


def test_isolated_guesses_are_run_once_and_are_the_same_in_all_conditions(tmp_path: Path) -> None:
    settings = {"N": [4, 8], "rounds": 1, "alpha": ["off", 1.0], "m": [1, 3]}
    guesses: dict[tuple[int, str, str], set[Reply]] = {}
    with run(PROTOCOLS, out=tmp_path / "run.db", seeds=2, settings=settings) as done:
        for record in done.file.trials():
            for index, reply in record.outcomes.items():
                step = record.graph.steps[index]
                if step.purpose == "guess":
                    mind = record.provided.minds[step.seat]
                    seat = (record.plan.seed, mind, record.graph.seats[step.seat].key)
                    guesses.setdefault(seat, set()).add(reply)
        shared = [len(done.file.shared(group.seed)) for group in done.plan.groups]
    assert len(guesses) == 2 * 2 * 8
    assert all(len(replies) == 1 for replies in guesses.values())
    assert shared == [16, 16]


def test_the_same_study_gives_the_same_record_and_another_seed_another(tmp_path: Path) -> None:
    first = small(tmp_path / "a.db")
    assert small(tmp_path / "b.db") == first
    assert small(tmp_path / "c.db", seed=2)["run"] != first["run"]


@pytest.mark.parametrize("sequential", [False, True])
def test_minds_that_wait_give_the_record_of_minds_that_do_not(
    tmp_path: Path, sequential: bool
) -> None:
    plain = small(tmp_path / "a.db")
    study = read(POPULATION, models={"A": LATE}, seeds=2, sets=["N=[4, 6]", "rounds=3"])
    execute(plan(study), tmp_path / "b.db", Execution(sequential=sequential))
    assert digests(tmp_path / "b.db") == plain
    calls = [RunFile(tmp_path / name).calls() for name in ("a.db", "b.db")]
    assert calls[0] == calls[1]


class Stopped(BaseException):
    """Stands for the user's interrupt."""


@pytest.mark.parametrize("model", [ERRING, LATE])
@pytest.mark.parametrize("after", [0, 1, 3])
def test_an_interrupted_run_goes_on_to_the_same_record(
    tmp_path: Path, model: str, after: int
) -> None:
    study = read(POPULATION, models={"A": model}, seeds=2, sets=["N=[4, 6]", "rounds=3"])
    whole, parts = tmp_path / "whole.db", tmp_path / "parts.db"
    execute(plan(study), whole)

    def stop(done: int, planned: int) -> None:
        assert planned == 6
        if done == after:
            raise Stopped

    with pytest.raises(Stopped):
        execute(plan(study), parts, Execution(progress=stop))
    with RunFile(parts) as file:
        assert file.statuses().get("completed", 0) >= after
    seen: list[int] = []
    execute(plan(study), parts, Execution(progress=lambda done, planned: seen.append(done)))
    assert seen[0] >= after
    assert seen[-1] == 6
    assert digests(parts) == digests(whole)
    with RunFile(parts) as file, RunFile(whole) as other:
        assert file.calls()["made"] == other.calls()["made"]
    execute(plan(study), parts)
    assert digests(parts) == digests(whole)


class Failing(Gossip):
    """A mind that cannot be reached once it heard four entries."""

    def __init__(self, *, waits: bool) -> None:
        super().__init__()
        self.waits = waits

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        if sum(len(part.entries) for part in observation.heard) >= 4:
            raise ModelError("no answer from the back end")
        answer = observation.answers[0]
        return Reply(answer, answer)


@pytest.mark.parametrize("waits", [False, True])
def test_a_trial_whose_mind_fails_is_noted_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    def failing(*given: object) -> Failing:
        return Failing(waits=waits)

    study = read(PROTOCOLS, models={"A": "simulated/literal"}, seeds=1, sets=["N=4", "rounds=1"])
    path = tmp_path / "run.db"
    monkeypatch.setattr("socialcircuits.studies.planning.load_mind", failing)
    execute(plan(study), path)
    with RunFile(path) as file:
        failures = file.failures()
        assert file.statuses() == {"completed": 1, "failed": 2}
        assert {plan.condition["protocol"] for plan, _ in failures} == {"broadcast", "manager"}
        assert {why for _, why in failures} == {"no answer from the back end"}


@pytest.mark.parametrize("model", [ERRING, LATE])
def test_a_file_that_fails_in_the_middle_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    def full(*args: object, **options: object) -> None:
        raise RunFileError("the disk is full")

    monkeypatch.setattr(RunStore, "finish", full)
    study = read(POPULATION, models={"A": model}, seeds=1, sets=["N=[4, 6]", "rounds=1"])
    with pytest.raises(RunFileError, match="the disk is full"):
        execute(plan(study), tmp_path / "run.db")


@pytest.mark.parametrize("model", [ERRING, LATE])
def test_a_replay_asks_nobody_and_gives_the_same_record(tmp_path: Path, model: str) -> None:
    origin, again = tmp_path / "a.db", tmp_path / "b.db"
    first = small(origin, model)
    assert small(again, f"replay/{origin}") == first
    with RunFile(again) as file, RunFile(origin) as recorded:
        calls, asked = file.calls(), recorded.calls()
        assert (calls["made"], calls["reused"]) == (0, asked["made"])
        assert calls["invalid"] == asked["invalid"] > 0
        assert file.notes["origin"] == str(origin)


@pytest.mark.parametrize("seed", [1, 10, 14])
def test_examples_that_share_a_crop_with_an_estimate_can_be_replayed(
    tmp_path: Path, seed: int
) -> None:
    origin, settings = tmp_path / "a.db", {"N": [4, 16], "rounds": 1, "stop": 0}
    with run(POPULATION, out=origin, seeds=1, seed=seed, settings=settings) as done:
        first, counted, calls = done.digests(), count(done.plan), done.file.calls()
    replayed = run(
        POPULATION,
        model=f"replay/{origin}",
        out=tmp_path / "b.db",
        seeds=1,
        seed=seed,
        settings=settings,
    )
    with replayed:
        assert replayed.digests() == first
        assert replayed.file.calls()["made"] == 0
    assert calls["made"] <= counted.steps + counted.example_steps


def test_a_replay_of_fewer_seeds_is_a_part_of_the_record(tmp_path: Path) -> None:
    origin = tmp_path / "a.db"
    small(origin)
    part = run(POPULATION, model=f"replay/{origin}", out=tmp_path / "b.db", seeds=1, settings=SMALL)
    with part, RunFile(origin) as recorded:
        assert part.trials()["completed"] == 4
        by_number = {record.plan.condition["N"]: record.digest for record in recorded.trials()
                     if record.plan.seed == 1 and record.plan.role == "estimate"}  # fmt: skip
        for record in part.file.trials():
            if record.plan.role == "estimate":
                assert record.digest == by_number[record.plan.condition["N"]]


@pytest.mark.parametrize(
    ("seeds", "settings", "words"),
    [
        (2, {"N": [4, 6], "rounds": 4}, r"\$\.trial\.rounds: 3 there, 4 now"),
        (3, {"N": [4, 6], "rounds": 3}, 'no completed trial .*"seed":3'),
    ],
)
def test_a_replay_of_more_than_was_recorded_is_refused(
    tmp_path: Path, seeds: int, settings: dict[str, Any], words: str
) -> None:
    origin = tmp_path / "a.db"
    small(origin)
    out = tmp_path / "b.db"
    with pytest.raises(RunFileError, match=words):
        run(POPULATION, model=f"replay/{origin}", out=out, seeds=seeds, settings=settings)
    assert not out.exists()


def test_a_replay_takes_all_models_from_its_origin(tmp_path: Path) -> None:
    small(tmp_path / "a.db")
    mixed = {"A": f"replay/{tmp_path / 'a.db'}", "B": "simulated/literal"}
    with pytest.raises(SettingError, match="replay/RUN alone"):
        prepare(PROTOCOLS, mixed)
    with pytest.raises(RunFileError, match="there is no such run file"):
        prepare(POPULATION, {"A": "replay/nowhere.db"})


def test_a_run_file_of_another_study_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    before = small(path)
    with pytest.raises(RunFileError, match=r"\$\.seed: 1 there, 2 now"):
        small(path, seed=2)
    assert digests(path) == before


@pytest.fixture(name="finished", scope="module")
def a_finished_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    path = tmp_path_factory.mktemp("run") / "run.db"
    with run(POPULATION, model=ERRING, out=path, seeds=3, settings=SMALL) as done:
        yield done


def test_a_run_knows_its_study_and_trials(finished: Run) -> None:
    assert finished.study.name == POPULATION
    assert finished.trials() == {"planned": 8, "completed": 8, "failed": 0, "excluded": 2}
    assert "simulated agents" in finished.label
    assert len(finished.summaries()) == 6
    assert [record.plan.role for record in finished.examples()] == ["example"] * 2
    assert "8 of 8 trials" in repr(finished)


def test_examples_enter_no_estimate(finished: Run) -> None:
    rows = finished.rows()
    assert {row.as_json()["n"] for row in rows if row.measure == "collective_accuracy"} == {3}
    assert all("truth" not in row.condition for row in rows)


def test_a_run_has_all_its_tables(finished: Run) -> None:
    assert len(finished.table("trials")) == 8
    estimates = finished.table("estimates")
    assert list(estimates.columns)[:2] == ["measure", "N"]
    assert {"value", "low", "high", "n", "levels", "method", "minus"} <= set(estimates.columns)
    with pytest.raises(SettingError, match="did you mean 'trials'"):
        finished.table("trails")


def test_what_run_prints_is_json(finished: Run) -> None:
    import json

    shown = finished.as_json()
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    assert shown["digest"] == finished.digests()["run"]
    assert "simulated agents" in shown["agents"]


def test_an_unknown_model_or_truth_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    for options in (
        {"model": "gpt-4o"},
        {"model": "simulated/literal?invalid=1001"},
        {"settings": {"truth": "Atlantis"}},
        {"settings": {"pool": "nowhere"}},
    ):
        with pytest.raises(SettingError):
            run(POPULATION, out=tmp_path / "run.db", **options)
    assert list(tmp_path.iterdir()) == []
    assert issubclass(ReplayError, ModelError)
