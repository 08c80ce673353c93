"""What loading the package and asking for help may load: neither the science stack nor pydantic."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = "numpy scipy numba pandas pyarrow statsmodels matplotlib pydantic aiohttp jinja2 PIL"

IMPORT = "import socialcircuits"
HELP = """
import runpy
sys.argv = ["socialcircuits", "--help"]
try:
    runpy.run_module("socialcircuits", run_name="__main__", alter_sys=True)
except SystemExit as stop:
    assert not stop.code, stop.code
"""


def loaded(script: str) -> list[str]:
    """Run a script in a fresh interpreter; return the heavy packages it has loaded at the end."""
    report = f"print(*(set({HEAVY!r}.split()) & set(sys.modules)), file=sys.stderr)"
    whole = f"import sys\n{script}\n{report}"
    command = [sys.executable, "-c", whole]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stderr.split()


@pytest.mark.parametrize("script", [IMPORT, HELP], ids=["import", "help"])
def test_nothing_heavy_is_loaded(script: str) -> None:
    assert loaded(script) == []


def test_heavy_packages_are_seen() -> None:
    assert "pydantic" in loaded("import pydantic")
