"""The tables and figures of a run."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import socialcircuits
from socialcircuits.agents import LABEL
from socialcircuits.errors import RunFileError
from socialcircuits.report.assembling import page
from socialcircuits.report.pictures import draw_all
from socialcircuits.report.tables import export
from socialcircuits.report.text import WIDTH, show
from socialcircuits.studies import Run

FIGURE_KINDS = ("pdf", "png", "csv")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("report") / "run"
    settings = {"N": [4, 8], "rounds": 4}
    return socialcircuits.run("flag-game/population", out=out, seeds=3, settings=settings)


@pytest.fixture(scope="module")
def protocols(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("report") / "run"
    model = {"A": "simulated/literal"}
    settings = {"N": 4, "rounds": 2}
    return socialcircuits.run(
        "flag-game/protocols", model=model, out=out, seeds=2, settings=settings
    )


def test_text_shows_each_number_with_its_interval(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    show(page(run))
    text = capsys.readouterr().out
    assert LABEL.upper() in text
    cells = [row for row in run.rows() if "minus" not in row.condition]
    for found in (row.estimate for row in cells if row.measure != "majority_ties"):
        if found.value is not None:
            assert f"{found.value:.2f}" in text
            assert f"{found.low:.2f} to {found.high:.2f}" in text
    assert "N = 8 minus 4" in text
    assert "Trials: 8 of 8 completed, 0 failed, 2 outside all estimates." in text
    assert f"run digest         {run.digests()['run']}" in text
    assert text.splitlines()[-1] == (
        f"Where a number comes from: socialcircuits explain {run.path}#accuracy.1, or any other "
        "row by its first column."
    )


def test_text_names_each_row_and_keeps_words_and_numbers_whole(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    found = page(run)
    show(found)
    lines = capsys.readouterr().out.splitlines()
    firsts = {line.split()[0] for line in lines if line.strip()}
    rows = {name.rpartition(".")[0] for name, place, _ in found.numbers() if place.row}
    assert rows <= firsts
    assert max(map(len, (line for line in lines if line.startswith("  ")))) <= WIDTH
    assert "\u2026" not in "".join(lines)
    numbers = [one for _, place, one in found.numbers() if place.row]
    for one in numbers:
        assert any(one.text in line for line in lines)
        assert any(one.interval in line for line in lines)


def test_text_counts_what_was_dropped(protocols: Run, capsys: pytest.CaptureFixture[str]) -> None:
    show(page(protocols))
    (line,) = [
        line for line in capsys.readouterr().out.splitlines() if "conditions dropped" in line
    ]
    assert line.split()[-1] == str(len(protocols.plan.dropped)) == "9"


def test_figures_come_with_their_data(run: Run, protocols: Run, tmp_path: Path) -> None:
    for finished in (run, protocols):
        written = draw_all(finished, tmp_path / finished.study.figures[0]).files
        names = {path.name for path in written}
        expected = {f"{name}.{kind}" for name in finished.study.figures for kind in FIGURE_KINDS}
        assert names == expected
        assert all(path.stat().st_size for path in written)
    data = pd.read_csv(tmp_path / "population" / "population.csv")
    assert set(data["N"]) == {4, 8}


def test_a_folder_that_cannot_be_made_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(RunFileError, match="cannot be written"):
        draw_all(run, tmp_path / "file")
    with pytest.raises(RunFileError, match="cannot be written"):
        export(run, tmp_path / "file")


def test_exported_estimates_are_those_of_the_run(run: Run, tmp_path: Path) -> None:
    export(run, tmp_path)
    parquet = pd.read_parquet(tmp_path / "estimates.parquet")
    csv = pd.read_csv(tmp_path / "estimates.csv", keep_default_na=True)
    rows = run.rows()
    assert len(parquet) == len(csv) == len(rows)
    for (_, stored), row in zip(parquet.iterrows(), rows, strict=True):
        assert stored["measure"] == row.measure
        assert stored["n"] == row.estimate.n
        assert pd.isna(stored["value"]) == (row.estimate.value is None)
        assert row.estimate.value is None or stored["value"] == row.estimate.value
        assert json.loads(stored["levels"]) == row.as_json()["levels"]


def test_exported_protocols_have_axes_that_do_not_apply(protocols: Run, tmp_path: Path) -> None:
    export(protocols, tmp_path)
    stored = pd.read_parquet(tmp_path / "estimates.parquet")
    by_manager = stored[stored["protocol"] == "manager"]
    assert set(by_manager["manager"]) == {"A"}
    assert len(by_manager) < len(stored)


def test_a_figure_is_drawn_once_for_each_value_of_another_setting(tmp_path: Path) -> None:
    settings = {"N": [4, 6], "rounds": 1, "m": [1, 3]}
    out = tmp_path / "run.db"
    with socialcircuits.run("flag-game/population", seeds=2, settings=settings, out=out) as done:
        drawn = draw_all(done, tmp_path / "figures")
    names = {path.stem for path in drawn.files}
    assert names >= {"population-m-1", "population-m-3", "robustness-m-1", "robustness-m-3"}
    assert not drawn.left_out


def test_a_figure_that_cannot_be_drawn_says_why(tmp_path: Path) -> None:
    settings = {"cast": ["A"], "probes": "exact"}
    out = tmp_path / "run.db"
    with socialcircuits.run("flag-game/single-agent", seeds=2, settings=settings, out=out) as done:
        drawn = draw_all(done, tmp_path / "figures")
    assert not drawn.files
    assert "disagree" in drawn.left_out["gallery"]
    assert "initial_accuracy" in drawn.left_out["single_agent"]
