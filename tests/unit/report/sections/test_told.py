"""Whether the conditions of a run were told the same."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.report.parity import IMAGINED
from socialcircuits.report.sections.told import LONGEST, blocks
from socialcircuits.studies import Run, run
from tests.support.pages import Made, made
from tests.support.prompted import TEXT, script_models

UPTAKE = "Let the transcript memory count for somewhat more than your own crop."


def finished(out: Path, model: str = "simulated/literal", **settings: Any) -> Run:
    small = {"N": [4], "rounds": 2, **settings}
    return run("flag-game/population", out=out, model=model, seeds=1, settings=small)


def told(done: Run) -> Made:
    with done:
        return made(done, blocks)


def test_of_one_condition_nothing_is_said(tmp_path: Path) -> None:
    found = told(finished(tmp_path / "a.db"))
    assert not found.tables()
    assert not found.lines()


def test_all_were_told_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script_models(monkeypatch)
    expected = "Told: the same in all 2 conditions"
    assert told(finished(tmp_path / "a.db", N=[2, 4])).lines() == [f"{expected} ({IMAGINED})."]
    assert told(finished(tmp_path / "b.db", TEXT, N=[2, 4])).lines() == [f"{expected}."]


def test_a_row_a_group_says_what_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script_models(monkeypatch)
    found = told(finished(tmp_path / "a.db", TEXT, alpha=["off", 0.75, 1.0]))
    rows = found.rows("told")
    assert list(rows) == ["1", "2", "3"]
    assert rows["1"]["differs"] == ""
    assert rows["2"]["conditions"] == "N = 4; alpha = 0.75"
    assert rows["2"]["differs"] == (
        f"4 of 5 places differ, first observer message (text), after memory:\n+{UPTAKE}"
    )
    assert len({str(row["digest"]) for row in rows.values()}) == 3
    assert found.table("told").caption == "3 different things in 3 conditions."
    assert found.lines() == [f"In full: socialcircuits parity {tmp_path / 'a.db'}"]


def test_many_groups_are_cut_short(tmp_path: Path) -> None:
    axes: dict[str, Any] = {
        "m": [1, 3],
        "memory": [4, 5, 6, 7, 8],
        "wording": ["no-list", "printed"],
    }
    found = told(finished(tmp_path / "a.db", **axes))
    rows = found.rows("told")
    assert len(rows) == 9
    assert found.table("told").caption.endswith(" 11 more groups are left out.")
    lines = [line for row in rows.values() for line in str(row["differs"]).split("\n")]
    assert max(map(len, lines)) < LONGEST + 20


def test_it_is_said_that_it_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script_models(monkeypatch)
    path = finished(tmp_path / "a.db", TEXT, N=[2, 4]).path
    database = sqlite3.connect(path)
    with database:
        database.execute("DELETE FROM meta WHERE name = 'told'")
    database.close()
    found = told(Run(path)).lines()
    assert found == [f"Told: unknown: {path} does not say what its agents were told."]
