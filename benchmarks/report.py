"""What a report costs: a run of 100,000 calls, its page and its figures.

The bar: at most 20 s, from the command to the files; and a page below 5 MB, which can be mailed.

    python benchmarks/report.py
"""

# ruff: noqa: T201 - a benchmark prints what it found

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from machine import machine

CALLS = 100_000
MOST_SECONDS, MOST_BYTES = 20, 5_000_000


class Size(NamedTuple):
    """A study, and the seeds at which it asks for about so many replies."""

    preset: str
    seeds: int


SIZES = (Size("flag-game/population", 8), Size("chatroom/sybils", 36))


def measure(size: Size, folder: Path) -> dict[str, float]:
    """Run a study, then report it; return calls, seconds and bytes of the report."""
    from socialcircuits.studies import Execution, Run, execute, plan, read

    path = folder / "run"
    execute(plan(read(size.preset, seeds=size.seeds)), path, Execution())
    with Run(path) as run:
        calls = run.file.calls()["made"]
    # A process of its own: what has to be loaded counts too.
    command = [sys.executable, "-m", "socialcircuits", "report", str(path), "--json"]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603
    seconds = time.perf_counter() - began
    found = json.loads(done.stdout)
    return {
        "calls": calls,
        "seconds": seconds,
        "bytes": Path(found["report"][0]).stat().st_size,
        "numbers": len(found["numbers"]),
    }


def main() -> None:
    """Run the benchmark."""
    print(machine())
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            found = measure(size, Path(folder))
        print(
            f"{size.preset}: {found['calls']:,} calls, {found['numbers']} numbers: "
            f"{found['seconds'] * CALLS / found['calls']:.1f} s a {CALLS:,} calls (bar: "
            f"{MOST_SECONDS}), page of {found['bytes'] / 1e6:.1f} MB (bar: {MOST_BYTES / 1e6:.0f})"
        )


if __name__ == "__main__":
    main()
