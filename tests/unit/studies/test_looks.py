"""Declared looks stop a run where they should, and looks that were not declared are kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.checking import checked
from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.records import Provided, RunFile, RunStore
from socialcircuits.seeds import Stream
from socialcircuits.statistics import Estimate, Significance, mcnemar
from socialcircuits.statistics.sequential import inflation
from socialcircuits.studies import Builder, Execution, Run, Study, execute, plan, prepare, read
from socialcircuits.studies.execution import Progress
from socialcircuits.studies.interim import LOOKS, Look, decide, marks, stop
from socialcircuits.studies.looks import Looks, peeked, recorded, sidecar
from socialcircuits.studies.planning import Planned
from socialcircuits.studies.study import compared
from socialcircuits.trial import Setup
from tests.support.clock import run as run_virtually

NOW, LATE = "simulated/literal", "simulated/literal?latency=900"

STUDY = """
seeds = {seeds}
[world]
kind = "flags"
pool = "stripe24"
[trial]
N = 4
rounds = 1
truth = "Germany"
[models]
A = "{model}"
{looks}
[interventions]
all = [{{ kind = "evidence", agents = "first 1/2", view = "9,3" }}]
[[sweep]]
intervention = ["", "all"]
[[example]]
N = [2]
"""
LOOKED = '[looks]\nmeasure = "collective_accuracy"\naxis = "intervention"'
SEEDS, STOPPED = 24, 12
"""The seeds of the study, and those after which it stops, at the second of four looks."""


@pytest.fixture(autouse=True)
def virtual_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "run", run_virtually)


def study(folder: Path, model: str = NOW, seeds: int = SEEDS, looks: str = LOOKED) -> Study:
    path = folder / "mine.toml"
    path.write_text(STUDY.format(model=model, seeds=seeds, looks=looks))
    return read(str(path))


def digest(path: Path) -> str:
    with RunFile(path) as file:
        return file.digests()["run"]


def looks(path: Path) -> Looks:
    with Run(path) as run:
        return recorded(run.parts[0])


def declared_at(path: Path) -> list[dict[str, Any]]:
    """The declared looks of a run, without the time."""
    return [{**asdict(look), "when": ""} for look in looks(path).declared]


@pytest.fixture(name="whole", scope="module")
def a_stopped_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("looks")
    execute(plan(study(folder)), folder / "whole.db")
    return folder / "whole.db"


def made(**values: Any) -> Study:
    return checked(Study, {"name": "mine", "models": {"A": NOW}, **values}, "$")


def refusal(**values: Any) -> str:
    with pytest.raises(SettingError) as caught:
        plan(made(**values))
    return str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"measure": "colective_accuracy", "axis": "N"}, "mean 'collective_accuracy'?"),
        ({"measure": "initial_accuracy", "axis": "N"}, "a measure that is contrasted"),
        ({"measure": "polarization", "axis": "n"}, "$.looks.axis: 'n' is not allowed"),
        ({"measure": "polarization"}, "$.looks.axis: None is not allowed; expected a value"),
        ({"measure": "polarization", "axis": "N", "number": 1}, "$.looks.number: 1 is not"),
        ({"measure": "polarization", "axis": "N", "of": 4}, "$.looks: 'of' is not allowed"),
    ],
)
def test_looks_that_are_not_allowed(change: dict[str, Any], words: str) -> None:
    assert words in refusal(sweep=[{"N": [4, 8, 16]}], looks=change)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"sweep": [{"N": [4, 8], "m": [1, 3]}]}, "swept settings, not in 2"),
        ({"sweep": [{"N": [4]}]}, "swept settings, not in 0"),
        ({"seeds": 3}, "at most the 3 seeds"),
        ({"allocation": {"16": 2}}, "at most the 2 seeds"),
        ({"sweep": [{"N": [8], "deceivers": ["0", "1/4"]}]}, "numbers, or of one name beside none"),
    ],
)
def test_looks_that_do_not_fit_the_study(more: dict[str, Any], words: str) -> None:
    axis = "deceivers" if "deceivers" in str(more) else "N"
    looked = {"measure": "polarization", "axis": axis}
    assert words in refusal(**{"sweep": [{"N": [4, 8, 16]}], **more}, looks=looked)


def test_an_axis_of_a_name_beside_none_is_compared_with_none() -> None:
    declared = {"measure": "final_infection", "axis": "defence"}
    trial = {"protocol": "chatroom", "rounds": 1, "adversary": "sybil", "deceivers": 1}
    laid = made(trial=trial, sweep=[{"defence": ["", "check"]}], looks=declared)
    sides = compared(laid, plan(laid).cells)
    assert sides is not None
    assert [side.condition for side in sides] == [{"defence": "check"}, {"defence": ""}]


def test_fewer_seeds_than_looks_give_fewer_looks() -> None:
    assert marks(40, 4) == (10, 20, 30, 40)
    assert marks(2, 4) == (1, 2)
    assert marks(0, 4) == ()


def test_four_looks_find_something_in_five_percent_of_studies_where_nothing_is() -> None:
    stream, planned = Stream(b"looks", "null"), marks(80, 4)
    crossed = naive = 0
    studies = 1500
    for _ in range(studies):
        moved = [stream.below(4) for _ in range(planned[-1])]
        found = []
        for number, seeds in enumerate(planned, 1):
            gained, lost = moved[:seeds].count(0), moved[:seeds].count(1)
            test = Significance(mcnemar(gained, lost).mid, "McNemar mid-p")
            value = (gained - lost) / seeds
            estimate = Estimate(value, value, value, seeds, "by hand", test=test)
            found.append(decide(estimate, number, planned, seeds))
        crossed += any(look.crossed for look in found)
        naive += any(look.p is not None and look.p < 0.05 for look in found)
    assert 0.035 < crossed / studies < 0.065
    assert naive / studies > 0.10


def test_nothing_to_test_never_crosses() -> None:
    look = decide(Estimate(None, None, None, 0, "nothing"), 1, (5, 10), 5)
    assert (look.z, look.crossed) == (None, False)
    assert "had nothing to test" in Looks((look,), (), None, None).verdict


def test_a_run_stops_at_the_look_that_crosses(whole: Path, tmp_path: Path) -> None:
    found = looks(whole)
    assert [look.seeds for look in found.declared] == [6, STOPPED]
    assert [look.crossed for look in found.declared] == [False, True]
    assert (found.stopped, found.inflation) == (2, None)
    last = found.declared[-1]
    assert last.z is not None
    assert last.z > last.boundary == pytest.approx(2.863, abs=0.001)
    assert found.verdict.startswith("stopped by look 2 of 4 that were declared, at 12 of 24 seeds")
    assert [row["part"] for row in found.rows()] == [0.25, 0.5]
    short = tmp_path / "short.db"
    execute(plan(study(tmp_path, seeds=STOPPED, looks="")), short)
    assert digest(whole) == digest(short)


def test_a_look_is_the_contrast_of_the_table(whole: Path) -> None:
    last = looks(whole).declared[-1]
    with Run(whole) as run:
        rows = [row.estimate for row in run.rows() if row.measure == "collective_accuracy"]
    assert (rows[-1].value, rows[-1].n) == (last.estimate, last.n)
    assert rows[-1].test is not None
    assert rows[-1].test.p == last.p


def test_what_a_look_made_needless_is_not_planned(whole: Path) -> None:
    with Run(whole) as run:
        groups = run.parts[0].groups()
        trials = [one for group in groups for one in group.trials]
        assert len(trials) == run.trials()["completed"] == 2 * STOPPED + 1
        assert stop(run.file) == STOPPED


@pytest.mark.parametrize("sequential", [False, True])
def test_minds_that_wait_stop_at_the_same_look(
    whole: Path, tmp_path: Path, sequential: bool
) -> None:
    late, told = tmp_path / "late.db", list[tuple[int, int]]()
    how = Execution(sequential=sequential, progress=lambda *counts: told.append(counts))
    execute(plan(study(tmp_path, LATE)), late, how)
    assert digest(late) == digest(whole)
    assert declared_at(late) == declared_at(whole)
    assert told[0] == (0, 2 * SEEDS + 1)
    assert told[-1] == (2 * STOPPED + 1, 2 * STOPPED + 1)


def test_a_finished_run_does_nothing_more(whole: Path, tmp_path: Path) -> None:
    before, told = (digest(whole), looks(whole)), list[tuple[int, int]]()
    execute(plan(study(tmp_path)), whole, Execution(progress=lambda *counts: told.append(counts)))
    assert (digest(whole), looks(whole)) == before
    assert {done for done, _ in told} == {2 * STOPPED + 1}


class Killed(BaseException):
    """Stands for a kill."""


def killer(trials: int) -> Progress:
    def killed(done: int, planned: int) -> None:
        if done == trials:
            raise Killed

    return killed


@pytest.mark.parametrize(("model", "kept"), [(NOW, False), (NOW, True), (LATE, True)])
def test_a_kill_at_a_look_changes_nothing(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, kept: bool
) -> None:
    path, laid, remember = tmp_path / "a.db", plan(study(tmp_path, model)), RunStore.remember

    def killed(self: RunStore, name: str, value: Any) -> None:
        if name != LOOKS or kept:
            remember(self, name, value)
        if name == LOOKS:
            raise Killed

    for number in (1, 2):
        with monkeypatch.context() as patched:
            patched.setattr(RunStore, "remember", killed)
            with pytest.raises(Killed):
                execute(laid, path)
        with RunFile(path) as file:
            assert len(file.recall(LOOKS) or ()) == number * kept
            block = number if kept else 1
            assert file.statuses() == {"completed": 12 * block}
    execute(laid, path)
    assert digest(path) == digest(whole)
    assert declared_at(path) == declared_at(whole)


def test_a_kill_within_a_block_takes_no_look(whole: Path, tmp_path: Path) -> None:
    path, laid = tmp_path / "a.db", plan(study(tmp_path, LATE))

    with pytest.raises(Killed):
        execute(laid, path, Execution(progress=killer(19)))
    assert len(looks(path).declared) == 1
    execute(laid, path)
    assert digest(path) == digest(whole)
    assert declared_at(path) == declared_at(whole)


def failing(seeds: set[int]) -> Callable[[Builder, Planned], tuple[Setup, Provided]]:
    build = Builder.build

    def built(self: Builder, planned: Planned) -> tuple[Setup, Provided]:
        if planned.plan.seed in seeds and planned.plan.role == "estimate":
            raise SettingError("seed", planned.plan.seed, "another one")
        return build(self, planned)

    return built


def test_later_seeds_stand_in_for_those_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, laid = tmp_path / "a.db", plan(study(tmp_path))
    with monkeypatch.context() as patched:
        patched.setattr(Builder, "build", failing({3, 8}))
        execute(laid, path)
    first = declared_at(path)
    assert [(look["seeds"], look["last"]) for look in first] == [(6, 7), (12, 14)]
    with RunFile(path) as file:
        assert file.statuses() == {"completed": 25, "failed": 4}
    execute(laid, path)
    assert declared_at(path) == first
    with Run(path) as run:
        assert run.file.statuses() == {"completed": 29}
        assert len(run.parts[0].groups()) == 15


def test_no_look_is_at_fewer_seeds_than_declared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, laid = tmp_path / "a.db", plan(study(tmp_path, seeds=4))
    with monkeypatch.context() as patched:
        patched.setattr(Builder, "build", failing({2}))
        execute(laid, path)
    assert [look["seeds"] for look in declared_at(path)] == [1, 2, 3]
    execute(laid, path)
    assert [look["seeds"] for look in declared_at(path)] == [1, 2, 3, 4]


def test_a_stopped_run_can_be_replayed(whole: Path, tmp_path: Path) -> None:
    study(tmp_path)
    resolved, origin = prepare(str(tmp_path / "mine.toml"), {"A": f"replay/{whole}"})
    again = tmp_path / "again.db"
    execute(plan(resolved), again, Execution(origin=origin))
    assert digest(again) == digest(whole)
    assert declared_at(again) == declared_at(whole)
    with pytest.raises(RunFileError, match="holds no completed trial"):
        prepare(str(tmp_path / "mine.toml"), {"A": f"replay/{whole}"}, seeds=23)


def interrupted(path: Path, laid: Study, *moments: int) -> None:
    """Run a study, look at it after so many trials, and stop it after the last one."""

    def tell(done: int, planned: int) -> None:
        if done in moments:
            with Run(path) as run:
                peeked(run.parts[0])
                peeked(run.parts[0])
        if done == moments[-1]:
            raise Killed

    with pytest.raises(Killed):
        execute(plan(laid), path, Execution(progress=tell))


def test_looks_that_were_not_declared_go_into_the_run_file(tmp_path: Path) -> None:
    path, laid = tmp_path / "a.db", study(tmp_path, seeds=4, looks="")
    interrupted(path, laid, 2, 4)
    assert not sidecar(path).exists()
    with Run(path) as run:
        peeked(run.parts[0])
        assert not sidecar(path).exists()
    found = looks(path)
    assert [peek.fraction for peek in found.undeclared] == [0.25, 0.5]
    assert found.inflation == pytest.approx(inflation([1, 2, 4]))
    assert (found.declared, found.stopped) == ((), None)
    assert "at 25 % and 50 % of the trials" in found.verdict
    execute(plan(laid), path)
    with Run(path) as run:
        peeked(run.parts[0])
    assert not sidecar(path).exists()
    assert looks(path) == found
    assert [row["declared"] for row in found.rows()] == ["no", "no"]


def test_a_run_that_nobody_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    execute(plan(study(tmp_path, seeds=1, looks="")), path)
    with Run(path) as run:
        peeked(run.parts[0])
    assert looks(path) == Looks((), (), None, None)
    assert looks(path).verdict == "nobody looked at results before the end"


def test_looks_stand_beside_a_run_until_it_goes_on(tmp_path: Path) -> None:
    path, laid = tmp_path / "a.db", study(tmp_path, seeds=4, looks="")
    interrupted(path, laid, 2)
    with sidecar(path).open("w") as file:
        file.write(json.dumps({"trials": 3, "planned": 8, "when": "then"}) + "\n")
        file.write('[]\n{"trials": 9, "planned": 8, "when": ""}\n{"trials": 5, "pla')
    assert [peek.trials for peek in looks(path).undeclared] == [2, 3]
    execute(plan(laid), path)
    assert not sidecar(path).exists()
    assert [peek.trials for peek in looks(path).undeclared] == [2, 3]


def test_looks_less_than_a_hundredth_apart_are_one_in_what_they_give(tmp_path: Path) -> None:
    path, laid = tmp_path / "a.db", study(tmp_path, seeds=2, looks="")
    interrupted(path, laid, 2)
    lines = [{"trials": 2000 + n, "planned": 4000, "when": ""} for n in (0, 1, 2)]
    with RunStore(path, laid.model_dump(mode="json"), {}, paid=False) as store:
        store.remember("peeks", lines)
    assert len(looks(path).undeclared) == 3
    assert looks(path).inflation == inflation([1])


def test_where_nothing_can_be_written_nothing_is_noted(tmp_path: Path) -> None:
    path, laid = tmp_path / "a.db", study(tmp_path, seeds=4, looks="")
    with pytest.raises(Killed):
        execute(plan(laid), path, Execution(progress=killer(2)))
    sidecar(path).mkdir()
    with Run(path) as run:
        peeked(run.parts[0])
    assert looks(path).undeclared == ()


def test_looks_at_a_file_that_was_deleted_are_forgotten(tmp_path: Path) -> None:
    path, laid = tmp_path / "a.db", study(tmp_path, seeds=2, looks="")
    sidecar(path).write_text(json.dumps({"trials": 1, "planned": 4, "when": ""}) + "\n")
    execute(plan(laid), path)
    assert looks(path).undeclared == ()


def test_a_damaged_record_of_looks_is_one_clear_error(tmp_path: Path) -> None:
    path, laid = tmp_path / "a.db", study(tmp_path, seeds=1, looks="")
    execute(plan(laid), path)
    for name in (LOOKS, "peeks"):
        with RunStore(path, laid.model_dump(mode="json"), {}, paid=False) as store:
            store.remember(name, [{"surprise": 1}])
        with pytest.raises(RunFileError, match="damaged"):
            looks(path)


def test_the_last_look_is_no_early_stop() -> None:
    estimate = Estimate(0.5, 0.2, 0.8, 40, "by hand", test=Significance(0.001, "sign flips"))
    look = decide(estimate, 4, (10, 20, 30, 40), 40)
    assert (look.crossed, look.stops) == (True, False)
    assert "at 40 of 40 seeds, crossed" in Looks((look,), (), None, None).verdict
    assert Look(**asdict(look)) == look
