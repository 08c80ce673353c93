"""What a simulated step costs: 100,000 steps with full record, and the same four times over.

The bar: at most 5 s, at most 64 bytes of run file a step, and a peak of memory that does not grow
with the number of trials.

    python benchmarks/steps.py
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

STEPS = 100_000
MOST_SECONDS, MOST_BYTES = 5, 64
SETS = ["N=[16]", "stop=0"]
STEPS_A_TRIAL = 16 * (2 * 24 + 2)


def measure(seeds: int) -> dict[str, float]:
    """Run so many trials in this process; return steps, seconds, bytes and peak memory (MiB)."""
    from socialcircuits.studies import Execution, Run, execute, plan, read

    laid = plan(read("flag-game/population", sets=SETS, seeds=seeds))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        began = time.perf_counter()
        execute(laid, path, Execution())
        seconds = time.perf_counter() - began
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        with Run(path) as run:
            steps = run.file.calls()["made"]
        return {"steps": steps, "seconds": seconds, "bytes": path.stat().st_size, "peak": peak}


def main() -> None:
    """Run the benchmark: each size in a process of its own."""
    if len(sys.argv) > 1:
        print(json.dumps(measure(int(sys.argv[1]))))
        return
    print(machine())
    once = -(-STEPS // STEPS_A_TRIAL)
    peaks = []
    for seeds in (once, 4 * once):
        command = [sys.executable, __file__, str(seeds)]
        found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)  # noqa: S603
        steps, peak = found["steps"], found["peak"]
        peaks.append(peak)
        print(
            f"{steps:,} steps: {found['seconds'] * STEPS / steps:.2f} s a 100,000 steps (bar: "
            f"{MOST_SECONDS}), {found['bytes'] / steps:.1f} bytes a step (bar: {MOST_BYTES}), "
            f"peak {peak:.0f} MiB"
        )
    print(
        f"{peaks[1] / peaks[0]:.2f} x the peak of memory at four times the trials (bar: 1, noise)"
    )


if __name__ == "__main__":
    main()
