"""The next command to type, where a path holds what hides or turns text."""

from __future__ import annotations

from pathlib import Path

import pytest

import socialcircuits
from socialcircuits.cli.report import _say
from socialcircuits.report.assembling import page
from socialcircuits.report.page import Line, Page
from socialcircuits.report.publishing import Published

HOSTILE = "a b\u202egnp\x1b[31m\x07"
WORD = "a b\\u202egnp\\u001b[31m\\u0007"


def test_the_hints_of_a_report_hide_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    files = (Path(HOSTILE, "report.html"), Path(HOSTILE, "report.md"))
    _say(Published(Page("mine", "simulated agents", (), ()), (), files))
    told = capsys.readouterr().out
    assert told.replace("\n", "").isprintable()
    assert f"explain $'{WORD}/report.html'#ID" in told
    assert f"view $'{WORD}/report.html'\n" in told


def test_the_commands_in_a_report_hide_nothing(tmp_path: Path) -> None:
    out = tmp_path / f"{HOSTILE}.db"
    with socialcircuits.run("flag-game/population", out=out, seeds=1, settings={"N": 4}) as run:
        lines = [block for block in page(run).blocks() if isinstance(block, Line)]
    told = ["".join(part for part in one.parts if isinstance(part, str)) for one in lines]
    (hint,) = [one for one in told if "socialcircuits explain" in one]
    assert f"socialcircuits explain $'{tmp_path}/{WORD}.db'#" in hint
