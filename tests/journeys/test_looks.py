"""A study with declared looks as a user runs it: it stops by itself, and kills change nothing."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

from socialcircuits.seeds import Stream
from socialcircuits.studies import Run
from socialcircuits.studies.looks import Looks, recorded
from tests.journeys.command import listing, refused, result, run, start

KILLS = 4

STUDY = """
preset = "flag-game/population-patching"
seeds = 24
[models]
A = "simulated/literal?latency=2"
[trial]
N = 4
rounds = 1
[looks]
measure = "collective_accuracy"
axis = "intervention"
[[sweep]]
intervention = ["", "eighth"]
[interventions]
eighth = [{ kind = "evidence", agents = "first 1/2", view = "9,3" }]
"""


def looks(path: Path) -> Looks:
    with Run(path) as opened:
        return recorded(opened.parts[0])


def numbers(path: Path) -> list[tuple[Any, ...]]:
    """The declared looks of a run without their time."""
    return [(look.seeds, look.last, look.p, look.crossed) for look in looks(path).declared]


def written(folder: Path, text: str = STUDY) -> None:
    (folder / "mine.toml").write_text(text)


def test_a_run_with_looks_stops_and_survives_kills(tmp_path: Path) -> None:
    written(tmp_path)
    whole = result("run", "mine.toml", "--out", "whole.db", at=tmp_path)
    assert numbers(tmp_path / "whole.db")[-1][::3] == (12, True)
    moments, killed = Stream(b"looks", "kills"), 0
    for _ in range(KILLS):
        process = start("run", "mine.toml", "--out", "a.db", at=tmp_path)
        for _ in range(moments.below(3)):
            assert process.stderr is not None
            process.stderr.readline()
        process.kill()
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
    assert killed > 1
    found = result("run", "mine.toml", "--out", "a.db", at=tmp_path)
    assert found["digest"] == whole["digest"]
    assert found["calls"]["made"] == whole["calls"]["made"]
    assert numbers(tmp_path / "a.db") == numbers(tmp_path / "whole.db")
    assert looks(tmp_path / "a.db").undeclared == ()
    assert listing(tmp_path) == {"mine.toml", "whole.db", "a.db"}
    written(tmp_path, STUDY.replace("[[sweep]]", "number = 2\n[[sweep]]"))
    line = refused(run("run", "mine.toml", "--out", "a.db", at=tmp_path))
    assert "$.looks.number: 4 there, 2 now" in line
