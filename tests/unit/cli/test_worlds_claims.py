"""`worlds claims`: what a set of claims holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from socialcircuits.cli.worlds import app
from socialcircuits.errors import SettingError

ROWS = """id,question,truth,lure,truth_statement,false_statement,relation,shareable
peru,What is the capital of Peru?,Lima,Cusco,It is Lima.,It is Cusco.,capital,true
chad,What is the capital of Chad?,N'Djamena,Abeche,It is N'Djamena.,It is Abeche.,capital,
moby,Who wrote Moby-Dick?,Melville,London,Melville wrote it.,London wrote it.,author,
"""


def run(*words: str) -> str:
    done = CliRunner().invoke(app, ["claims", *words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_the_bundled_claims_are_counted() -> None:
    found = json.loads(run("--json"))
    assert (found["claims"], found["shareable"]) == (80, 80)
    assert set(found["relations"].values()) == {4}
    assert len(found["relations"]) == 20


def test_a_file_is_counted_by_relation(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(ROWS, encoding="utf-8")
    assert run("--file", str(path)).splitlines() == [
        "claims: 3; texts of 1 may be published",
        "relations: 2",
        "       2  capital",
        "       1  author",
    ]


def test_a_missing_file_is_one_clear_error() -> None:
    with pytest.raises(SettingError, match=r"\$\.world\.file: 'no\.csv'"):
        run("--file", "no.csv")
