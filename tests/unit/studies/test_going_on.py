"""Going on with a run: what may have changed meanwhile, and what may not."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.records import RunFile
from socialcircuits.studies import plan, read, run
from socialcircuits.studies.driving import drive
from tests.support.clock import timed

POPULATION = "flag-game/population"
LATE = "simulated/literal?latency=100"

POOL = """
[classes]
red = "#ff0000"
white = "#ffffff"
blue = "#0000ff"
"""
FLAG = """
[[flag]]
name = "{name}"
iso = "xx"
layout = "horizontal"
stripes = [["{upper}", 1, "#ff0000"], ["{lower}", 1, "#ffffff"]]
pools = ["mine"]
"""


def pool(path: Path, *names: str) -> Path:
    pairs = [("red", "white"), ("white", "blue"), ("blue", "red")]
    flags = [
        FLAG.format(name=name, upper=upper, lower=lower)
        for name, (upper, lower) in zip(names, pairs, strict=True)
    ]
    path.write_text(POOL + "".join(flags))
    return path


def test_a_run_does_not_go_on_with_another_pool_of_the_same_name(tmp_path: Path) -> None:
    file = pool(tmp_path / "mine.toml", "Aland", "Bland", "Cland")
    out = tmp_path / "a.db"
    study = tmp_path / "study.toml"
    study.write_text(f'[world]\nkind = "flags"\npool = "{file}"\n[trial]\nN = 2\nrounds = 1\n')
    run(study, out=out, seeds=2).close()
    run(study, out=out, seeds=2).close()
    pool(file, "Aland", "Bland", "Dland")
    for options in ({"out": out}, {"out": tmp_path / "b.db", "model": f"replay/{out}"}):
        with pytest.raises(RunFileError, match=r"data of its world .* have changed"):
            run(study, seeds=2, **options)


def test_a_run_can_be_made_where_a_loop_is_running(tmp_path: Path) -> None:
    async def notebook() -> int:
        made = run(
            POPULATION,
            model="simulated/literal?latency=1",
            out=tmp_path / "a.db",
            seeds=1,
            settings={"N": [2], "rounds": 1},
        )
        with made:
            return made.trials()["completed"]

    assert asyncio.run(notebook()) == 2


def test_trials_of_different_seeds_are_in_progress_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    took = []
    monkeypatch.setattr(asyncio, "run", lambda work: took.append(timed(work)[1]))
    for seeds in (1, 6):
        out = tmp_path / f"{seeds}.db"
        settings = {"N": [4], "rounds": 4, "stop": 0}
        run(POPULATION, model=LATE, out=out, seeds=seeds, settings=settings).close()
    assert took[1] < 2 * took[0]


def test_models_that_a_file_declares_are_named(tmp_path: Path) -> None:
    study = tmp_path / "mine.toml"
    study.write_text(
        '[trial]\nN = 4\ncast = "A B"\n[models]\nA = "simulated/literal"\n'
        'B = "simulated/compatibility"\n'
    )
    resolved = read(str(study), models={"A": "simulated/sycophantic"})
    assert resolved.models == {"A": "simulated/sycophantic", "B": "simulated/compatibility"}
    assert len(plan(resolved).cells) == 1


def test_a_study_of_which_nothing_is_left_is_refused() -> None:
    with pytest.raises(SettingError, match="models for at least one condition"):
        plan(read("flag-game/protocols", models={"A": "simulated/literal"}, sets=["cast=B"]))


@pytest.mark.parametrize("written", ["0, 1", "0.0, 1.0"])
def test_a_condition_is_as_checked_not_as_written(written: str) -> None:
    cells = plan(read(POPULATION, seeds=1, sets=["N=4", f"alpha=[{written}]"])).cells
    assert [repr(cell.condition["alpha"]) for cell in cells] == ["0.0", "1.0"]


def test_a_file_of_another_world_says_which(tmp_path: Path) -> None:
    out = tmp_path / "a.db"
    run(POPULATION, out=out, seeds=1, settings={"N": [2], "rounds": 1}).close()
    with RunFile(out) as file:
        assert len(file.recall("world")) == 32
        assert file.recall("nothing") is None


def test_a_notebook_that_is_stopped_stops_the_run(tmp_path: Path) -> None:
    ended = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    async def notebook() -> None:
        # As the kernel does it: the signal arrives in the thread that waits for the run.
        asyncio.get_running_loop().call_soon(signal.setitimer, signal.ITIMER_REAL, 0.05)
        await asyncio.sleep(0)
        with pytest.raises(KeyboardInterrupt):
            drive(work())

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        asyncio.run(notebook())
    finally:
        signal.signal(signal.SIGALRM, before)
    assert ended
