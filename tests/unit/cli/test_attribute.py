"""The verb that attributes: a table, one JSON object, and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import socialcircuits
from socialcircuits.cli.app import app
from socialcircuits.errors import SettingError


@pytest.fixture(scope="module")
def preset(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("runs") / "patching.db"
    socialcircuits.run("flag-game/patching", out=out, seeds=2, settings={"rounds": 2}).close()
    return str(out)


def call(*words: str) -> str:
    return CliRunner().invoke(app, ["attribute", *words], catch_exceptions=False).stdout


def test_one_trial_as_a_table(preset: str) -> None:
    text = call(preset, "--trial", "0")
    assert "SIMULATED AGENTS: CHECKS THE SOFTWARE" in text
    assert "informative evidence 9,3; 10 probes of each crop." in text
    assert [f"A{agent} " in text for agent in range(8)] == [True] * 8
    assert "Nobody was asked" in text
    assert "shapley" not in text


def test_one_object(preset: str, tmp_path: Path) -> None:
    out = tmp_path / "out.db"
    found = json.loads(call(preset, "--trial", "0", "--direct", "--out", str(out), "--json"))
    assert (found["origin"], found["run"]) == (preset, str(out))
    assert 0 < found["calls"]["saved"] < 1
    assert found["calls"]["asked"] > 0
    [one] = found["trials"]
    assert len(one["agents"]) == 8
    assert {"dp", "D", "E", "S", "dA", "direct", "relayed"} <= set(one["agents"][0])
    assert set(one["tree"][0]) == {"source", "agent", "time", "speaker", "step", "round"}


def test_all_seeds_are_ranked(preset: str) -> None:
    found = json.loads(call(preset, "--trial", "0", "--every-seed", "--json"))
    assert len(found["trials"]) == found["ranked"]["schedules"] == 2
    assert found["ranked"]["rankings"][0]["predictor"] == "S"
    text = call(preset, "--trial", "0", "--every-seed")
    assert "random in hits of the first agent" in text


def test_a_wrong_trial_is_refused(preset: str) -> None:
    with pytest.raises(SettingError, match="--trial: 99 is not allowed"):
        call(preset, "--trial", "99")
