"""The verbs that compare and pool runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import socialcircuits
from socialcircuits.cli import parity, report
from socialcircuits.studies import Run


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Runs of seeds 1 and 2, and one of another uptake."""
    folder = tmp_path_factory.mktemp("runs")
    made = []
    for name, seed, alpha in (("a", 1, "off"), ("b", 2, "off"), ("c", 3, 0.75)):
        settings = {"N": [4, 6], "rounds": 2, "alpha": alpha}
        out = folder / f"{name}.db"
        socialcircuits.run("flag-game/population", out=out, seeds=1, seed=seed, settings=settings)
        made.append(str(out))
    return made


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_parity_prints_the_difference_of_two_runs(
    runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    parity.command(runs[0], runs[2])
    text = printed(capsys)
    assert "\n    +Let the transcript memory count for somewhat more than your own crop.\n" in text
    parity.command(runs[0])
    assert printed(capsys).endswith("No prompt differs.\n")


def test_parity_prints_one_object(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    parity.command(runs[0], runs[2], json=True)
    found = json.loads(printed(capsys))
    assert found["runs"] == [runs[0], runs[2]]
    assert found["same"] is False
    assert len(found["contrasts"]) == 1
    parity.command(runs[0], json=True)
    found = json.loads(printed(capsys))
    assert (found["runs"], found["same"], found["contrasts"]) == ([runs[0]], True, [])


def test_report_pools_runs(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    report.command(runs[:2], json=True)
    found = json.loads(printed(capsys))
    assert (found["run"], found["pooled"]) == (runs[0], [runs[1]])
    assert found["estimates"][0]["levels"]["seeds"]["planned"] == 2
    assert found["report"][0].endswith("/a-and-1-more-report/report.html")
    assert {Path(path).parent.parent.name for path in found["figures"]} == {"a-and-1-more-report"}


def test_report_of_one_run_says_all_that_run_says(
    runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    report.command(runs[:1], json=True)
    found = json.loads(printed(capsys))
    assert found["pooled"] == []
    assert {Path(path).parent.parent.name for path in found["figures"]} == {"a-report"}
    with Run(runs[0]) as run:
        assert found.items() >= run.as_json().items()


def test_report_puts_side_by_side_what_cannot_be_pooled(
    runs: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report.command([runs[0], runs[2], runs[1]], out=tmp_path, json=True)
    found = json.loads(printed(capsys))
    assert [(one["run"], one["pooled"]) for one in found["runs"]] == [
        (runs[0], [runs[1]]),
        (runs[2], []),
    ]
    folders = {Path(path).parent.name for path in found["figures"]}
    assert folders == {"1-a", "2-c"}
