"""How long a user waits for --help and for the import, against bare Python.

The bar: --help in at most 12 x the time of bare Python, the import in at most 0.3 s.

    python benchmarks/help.py
"""

# ruff: noqa: T201 - a benchmark prints what it found

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

from machine import machine

REPEATS = 15
MOST_TIMES, MOST_SECONDS = 12, 0.3
COMMANDS = {
    "bare": ["-c", "pass"],
    "import": ["-c", "import socialcircuits"],
    "help": ["-m", "socialcircuits", "--help"],
}


def seconds(words: list[str]) -> float:
    """How long one process takes."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)  # noqa: S603
    return time.perf_counter() - began


def main() -> None:
    """Run the commands in turn, so that what else the machine does meets all of them alike."""
    rounds = [{name: seconds(words) for name, words in COMMANDS.items()} for _ in range(REPEATS)]
    took = {name: median(times[name] for times in rounds) for name in COMMANDS}
    print(machine())
    print(f"bare Python {took['bare'] * 1000:.0f} ms, --help {took['help'] * 1000:.0f} ms")
    print(f"{took['help'] / took['bare']:.1f} x bare Python for --help (bar: {MOST_TIMES})")
    imported = took["import"] - took["bare"]
    print(f"{imported * 1000:.0f} ms for the import (bar: {MOST_SECONDS * 1000:.0f})")


if __name__ == "__main__":
    main()
