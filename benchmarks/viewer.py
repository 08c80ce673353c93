"""What a page of a large run costs: 100,000 calls, exported and served, and four times the trials.

The bar: an export is written trial by trial, so that its peak of memory does not grow with the size
of the page; a trial is served in at most 0.1 s.

    python benchmarks/viewer.py
"""

# ruff: noqa: T201 - a benchmark prints what it found

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import machine

CALLS = 100_000
SETS = ["N=[16]", "stop=0"]
CALLS_A_TRIAL = 16 * (2 * 24 + 2)


def make(path: str, seeds: int) -> None:
    """Run so many trials in this process."""
    from socialcircuits.studies import Execution, execute, plan, read

    execute(plan(read("flag-game/population", sets=SETS, seeds=seeds)), Path(path), Execution())


def measure(path: str) -> None:
    """Export a run and read each of its chunks again; print seconds, bytes and peak memory."""
    from socialcircuits.studies import Run
    from socialcircuits.viewer import export
    from socialcircuits.viewer.chunks import Chunks, packed

    with Run(path) as run:
        chunks = Chunks(run)
        began = time.perf_counter()
        head = packed(chunks.head())
        headed = time.perf_counter() - began
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        began = time.perf_counter()
        page = export([run], f"{path}.html")
        exported = time.perf_counter() - began
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        numbers = chunks.numbers()
        began = time.perf_counter()
        for number in numbers[:50]:
            packed(chunks.trial(number))
        served = (time.perf_counter() - began) / 50
        found = {
            "calls": run.calls()["made"],
            "trials": len(numbers),
            "head_seconds": headed,
            "head_bytes": len(head),
            "export_seconds": exported,
            "page_bytes": page.stat().st_size,
            "trial_seconds": served,
            "before": before,
            "peak": peak,
        }
    print(json.dumps(found))


def main() -> None:
    """Run the benchmark: each size in processes of its own."""
    if len(sys.argv) > 1:
        verb, path, *rest = sys.argv[1:]
        make(path, *map(int, rest)) if verb == "make" else measure(path)
        return
    print(machine())
    once = -(-CALLS // CALLS_A_TRIAL)
    for seeds in (once, 4 * once):
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "run.db")
            subprocess.run([sys.executable, __file__, "make", path, str(seeds)], check=True)  # noqa: S603
            command = [sys.executable, __file__, "measure", path]
            found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)  # noqa: S603
        print(
            f"{found['calls']:,} calls in {found['trials']:,} trials: head in "
            f"{found['head_seconds']:.1f} s ({found['head_bytes'] / 1e3:.0f} kB packed), exported "
            f"in {found['export_seconds']:.1f} s ({found['page_bytes'] / 1e6:.1f} MB, "
            f"{found['page_bytes'] / found['calls']:.0f} bytes a call), a trial in "
            f"{1000 * found['trial_seconds']:.0f} ms; peak {found['peak']:.0f} MiB, of which "
            f"writing the page took {found['peak'] - found['before']:.0f} MiB"
        )


if __name__ == "__main__":
    main()
