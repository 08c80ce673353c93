"""Reports as a user makes them: files that hold together, wherever they are opened."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from socialcircuits.report.written import read
from tests.journeys.command import SMALL, listing, refused, result, run

LABEL = "simulated agents: checks the software, not a finding about any model"
FIGURES = {
    f"report/figures/{name}.{kind}"
    for name in ("population", "robustness", "beliefs")
    for kind in ("pdf", "png", "csv")
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs that differ in their seeds, one of another model, one of another preset."""
    made = tmp_path_factory.mktemp("reports")
    result("run", *SMALL, "--out", "a.db", at=made)
    result("run", *SMALL, "--seed", "2", "--out", "b.db", at=made)
    result("run", *SMALL, "--model", "simulated/sycophantic", "--out", "c.db", at=made)
    result("run", "flag-game/protocols", "--seeds", "1", "--set", "N=4", "--out", "d.db", at=made)
    return made


def test_a_report_is_printed_and_written(folder: Path) -> None:
    done = run("report", "a.db", "--out", "report", at=folder)
    assert done.returncode == 0, done.stderr
    assert LABEL.upper() in done.stdout
    assert "report/report.html" in done.stdout
    assert {path for path in listing(folder) if path.startswith("report/")} == {
        "report/report.html",
        "report/report.md",
        *FIGURES,
    }
    text = (folder / "report" / "report.html").read_text()
    assert f'aria-label="Kind of agents">{LABEL}</aside>' in text
    assert text.count("data:image/png;base64,") == 3
    for link in re.findall(r'href="([^#"][^"]*)"', text):
        assert (folder / "report" / link).is_file(), link


def test_every_number_of_the_object_is_in_the_page(folder: Path) -> None:
    found = result("report", "a.db", "--out", "numbers", at=folder)
    text = (folder / "numbers" / "report.html").read_text()
    numbers = found["numbers"]
    assert len(numbers) > 40
    for number in numbers:
        assert f'id="{number["id"]}"' in text
        low, value, high = number["low"], number["value"], number["high"]
        assert low is None or low <= value <= high
    tested = [number for number in numbers if number["p"] is not None]
    assert tested
    assert all(number["p"] <= number["adjusted"] <= 1 for number in tested)
    stated = read(folder / "numbers" / "report.html").numbers
    assert {name: one.text for name, one in stated.items()} == {
        number["id"]: number["text"] for number in numbers
    }


def test_runs_of_two_models_stand_side_by_side_and_seeds_are_pooled(folder: Path) -> None:
    found = result("report", "a.db", "c.db", "b.db", "--out", "both", at=folder)
    assert [(one["run"], one["pooled"]) for one in found["runs"]] == [
        ("a.db", ["b.db"]),
        ("c.db", []),
    ]
    written = read(folder / "both" / "report.md")
    assert [path.name for path in written.runs] == ["a.db", "b.db", "c.db"]
    text = (folder / "both" / "report.html").read_text()
    assert "Between runs</h2>" in text
    assert text.count("data:image/png;base64,") == 6


def test_runs_of_two_presets_are_refused(folder: Path) -> None:
    before = listing(folder)
    line = refused(run("report", "a.db", "d.db", at=folder))
    assert "flag-game/protocols" in line
    assert "flag-game/population" in line
    assert listing(folder) == before


def test_a_report_of_something_else_is_refused(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")
    assert "notes.txt" in refused(run("report", "notes.txt", at=folder))
    assert "nothing.db" in refused(run("report", "a.db", "nothing.db", at=folder))
