"""What was asked, in the settings that make the study."""

from __future__ import annotations

from pathlib import Path

from socialcircuits.report.sections.asked import blocks
from socialcircuits.studies import run
from tests.support.pages import made

STUDY = """
seeds = 2
family = ["collective_accuracy"]
contrast = "N"
[trial]
rounds = { 4 = 1, 6 = 2 }
alpha = 0.75
[[sweep]]
N = [4, 6]
[models]
A = "simulated/literal"
[looks]
measure = "collective_accuracy"
axis = "N"
number = 2
"""


def test_settings_that_differ_from_the_defaults_are_there(tmp_path: Path) -> None:
    source = tmp_path / "mine.toml"
    source.write_text(STUDY, encoding="utf-8")
    with run(source, out=tmp_path / "run.db") as done:
        rows = made(done, blocks).rows("asked")
    assert {key: row["value"] for key, row in rows.items()} == {
        "world": "kind flags",
        "conditions": "N 4, 6",
        "in all": "alpha 0.75, rounds (4: 1, 6: 2)",
        "seeds": "2 a condition, from 1; study seed 1",
        "models": "A simulated/literal",
        "contrast": "largest less smallest N",
        "declared tests": "collective accuracy",
        "declared looks": "2 at collective accuracy over N",
    }
