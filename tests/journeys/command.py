"""The command line as a user runs it: a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "socialcircuits"]
SMALL = ("flag-game/population", "--seeds", "2", "--set", "N=[4, 8]")
"""A study of four trials and two examples: it takes a fraction of a second."""

Done = subprocess.CompletedProcess[str]


def run(
    *words: str,
    at: Path,
    env: Mapping[str, str] | None = None,
    before: Callable[[], None] | None = None,
) -> Done:
    """Run a command in a folder and return what came of it."""
    return subprocess.run(
        [*COMMAND, *words],
        cwd=at,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        preexec_fn=before,
    )


def start(*words: str, at: Path, program: list[str] = COMMAND) -> subprocess.Popen[str]:
    """Start a command and return once it has opened its run file and begun its first trial."""
    process = subprocess.Popen(
        [*program, *words],
        cwd=at,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    assert " trials" in first, first + process.stderr.read()
    return process


def result(*words: str, at: Path, **options: Any) -> dict[str, Any]:
    """Run a command that must succeed, with --json, and return the one object that it prints."""
    done = run(*words, "--json", at=at, **options)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def refused(done: Done) -> str:
    """Return the one line in which a command refuses a user's mistake."""
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if not line.endswith(" trials")]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    return lines[0]


def listing(folder: Path) -> set[str]:
    """All files below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
