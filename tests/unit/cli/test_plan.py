"""The verb that says what a study takes before it is paid for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from socialcircuits.cli.app import app
from socialcircuits.errors import SettingError

STUDY = """
seeds = 12
contrast = "N"
[world]
kind = "flags"
pool = "stripe24"
[trial]
protocol = "broadcast"
m = 1
rounds = 2
[models]
A = "openai/gpt-4o-mini"
[[sweep]]
N = [2, 4]
"""


@pytest.fixture
def study(tmp_path: Path) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(STUDY, "utf-8")
    return str(path)


def call(*words: str) -> str:
    return CliRunner().invoke(app, ["plan", *words], catch_exceptions=False).stdout


def test_a_plan_in_words(study: str) -> None:
    text = call(study, "--effect", ".2")
    assert "SIMULATED AGENTS: CHECKS THE SOFTWARE" in text
    assert "Sought: a difference of 0.2 in collective accuracy, on matched seeds" in text
    assert "N = 4 minus N = 2" in text
    assert "Pilot: simulated for the moment, 20 seeds." in text
    assert "USD" in text
    assert "run a small pilot" in text


def test_a_plan_as_one_object(study: str, tmp_path: Path) -> None:
    found = json.loads(call(study, "--effect", ".2", "--power", ".9", "--json"))
    [row] = found["comparisons"]
    assert (found["wanted"]["power"], row["n"], found["needed"]["seeds"]) == (0.9, 20, row["seeds"])
    assert found["needed"]["cost_usd"][0] > 0
    assert found["needed"]["calls"] == row["seeds"] * found["own"]["calls"] // 12
    assert {path.name for path in tmp_path.iterdir()} == {"mine.toml"}


def test_a_rate_has_no_power(study: str) -> None:
    text = call(study, "--effect", ".1", "--set", "contrast=", "--measure", "collective_accuracy")
    assert "collective accuracy by itself, to within 0.1 on both sides" in text
    assert "power" not in text


def test_a_wrong_model_is_refused_before_anything_is_simulated(study: str) -> None:
    ran = CliRunner().invoke(app, ["plan", study, "--effect", ".2", "--model", "gpt"])
    assert isinstance(ran.exception, SettingError)
    assert "$.models.A" in str(ran.exception)
    assert "trials" not in ran.output
