"""`worlds questions`: what a set of questions holds, and what is left out and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from socialcircuits.cli.worlds import app
from socialcircuits.errors import SettingError

ROWS = [
    {"id": "a", "question": "How many?", "answer": "12", "answer_type": "exactMatch"},
    {"id": "b", "question": "Which?", "answer": "C", "answer_type": "multipleChoice"},
    {"id": "c", "question": "Who?", "answer": "Ada", "answer_type": "exactMatch"},
]


def run(*words: str) -> str:
    done = CliRunner().invoke(app, ["questions", *words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_the_bundled_set_is_counted() -> None:
    found: dict[str, Any] = json.loads(run("--json"))
    assert (found["questions"], found["shareable"], found["without_lure"]) == (82, True, 0)
    assert found["kinds"] == {"exact": 40, "choice": 42}
    assert sum(found["categories"].values()) == 82
    assert found["left_out"] == {}
    assert "questions: 82; their texts may be published" in run()


def test_what_is_left_out_is_said_with_its_reason(tmp_path: Path) -> None:
    path, ids = tmp_path / "hle.jsonl", tmp_path / "ids.txt"
    path.write_text("\n".join(map(json.dumps, ROWS)))
    ids.write_text("a\nb\nx\n")
    lines = run("--file", str(path), "--verified", str(ids)).splitlines()
    assert lines == [
        "questions: 1; exports withhold texts that may not be published",
        "kinds:",
        "       1  exact",
        "categories:",
        "       1  (not named)",
        "left out:",
        "       1  its answer is not among the options read from the text (none)",
        "       1  not in the list of verified ids",
        "without a wrong answer for simulated agents to choose: 1",
        "verified ids that no question has: 1",
    ]


def test_a_missing_file_is_one_clear_error() -> None:
    with pytest.raises(SettingError, match=r"\$\.world\.file: 'no\.csv'"):
        run("--file", "no.csv")
