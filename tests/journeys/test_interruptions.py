"""Ctrl-C and a full disk: what was answered is kept, and the run goes on from there."""

from __future__ import annotations

import resource
import shlex
import signal
from pathlib import Path

import pytest

from tests.journeys.command import SMALL, listing, refused, result, run, start

AT_ONCE = "simulated/literal"
WAITING = "simulated/literal?latency=10"
LONG = ("flag-game/population", "--seeds", "3", "--set", "N=[4, 32]")


@pytest.mark.parametrize("model", [AT_ONCE, WAITING])
def test_an_interrupted_run_says_how_to_go_on(model: str, tmp_path: Path) -> None:
    undisturbed = result("run", *LONG, "--out", "whole.db", at=tmp_path)
    process = start("run", *LONG, "--model", model, "--out", "a.db", at=tmp_path)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    line = err.splitlines()[-1]
    assert line.startswith("error: interrupted; go on with: ")
    begun = result("status", "a.db", at=tmp_path)
    assert begun["trials"]["completed"] < undisturbed["trials"]["completed"]
    assert listing(tmp_path) == {"a.db", "whole.db"}
    program, *words = shlex.split(line.partition("go on with: ")[2])
    assert program == "socialcircuits"
    resumed = result(*words, at=tmp_path)
    assert resumed["digest"] == undisturbed["digest"]
    assert resumed["calls"]["made"] == undisturbed["calls"]["made"]
    assert listing(tmp_path) == {"a.db", "whole.db"}


@pytest.mark.parametrize("model", [AT_ONCE, WAITING])
def test_a_full_disk_keeps_what_was_committed(model: str, tmp_path: Path) -> None:
    undisturbed = result("run", *SMALL, "--out", "whole.db", at=tmp_path)
    size = (tmp_path / "whole.db").stat().st_size
    words = ("run", *SMALL, "--model", model, "--out", "a.db")
    for share in (0.5, 0.8):
        full = run(*words, at=tmp_path, before=files_of_at_most(int(size * share)))
        line = refused(full)
        assert "a.db" in line
        assert "what was committed is kept" in line
        # What does not fit into the file stays beside it until there is room.
        assert listing(tmp_path) <= {"a.db", "a.db-wal", "a.db-shm", "whole.db"}
    resumed = result("resume", "a.db", at=tmp_path)
    assert resumed["digest"] == undisturbed["digest"]
    assert listing(tmp_path) == {"a.db", "whole.db"}


def test_a_disk_that_is_full_from_the_start_is_left_clean(tmp_path: Path) -> None:
    done = run("run", *SMALL, "--out", "a.db", at=tmp_path, before=files_of_at_most(5000))
    assert "a.db" in refused(done)
    assert listing(tmp_path) == set()


class files_of_at_most:  # noqa: N801 - reads as what it does where a process is started
    """Called in a new process: writing beyond so many bytes of a file fails, as on a full disk."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __call__(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (self._size, self._size))
