"""The main tables, the contrasts and the thresholds: the numbers of the run."""

from __future__ import annotations

from pathlib import Path

import pytest

import socialcircuits
from socialcircuits.report.page import Number
from socialcircuits.report.sections import contrasts, measured, thresholds
from socialcircuits.report.words import where
from socialcircuits.statistics import Estimate
from socialcircuits.studies import Run
from tests.support.pages import made, number


@pytest.fixture(scope="module")
def population(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("measured") / "run.db"
    settings = {"N": [4, 8], "rounds": 2}
    return socialcircuits.run("flag-game/population", out=out, seeds=4, settings=settings)


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("planted") / "run.db"
    settings = {"cast": "A", "m": 1, "evidence": "weak", "lure": "agrees"}
    return socialcircuits.run("flag-game/memory-conflict", out=out, seeds=3, settings=settings)


def test_each_estimate_stands_in_its_table(population: Run) -> None:
    found = made(population, measured.blocks)
    assert found.tables() == ["accuracy", "alone", "endpoints"]
    shown = 0
    for row in (one for one in population.rows() if "minus" not in one.condition):
        for name, (columns, _) in measured.TABLES.items():
            if row.measure in columns:
                cell = number(found.rows(name)[where(row.condition)][row.measure])
                assert (cell.value, cell.low, cell.high, cell.n) == (
                    row.estimate.value,
                    row.estimate.low,
                    row.estimate.high,
                    row.estimate.n,
                )
                shown += 1
    assert shown > 20


def test_trials_add_up_to_a_ratio(tmp_path: Path) -> None:
    settings = {"N": [5, 6], "rounds": 1}
    with socialcircuits.run(
        "deliberation/scaling", seeds=6, out=tmp_path / "run.db", settings=settings
    ) as run:
        rows = made(run, measured.blocks).rows("adversaries")
    for row in rows.values():
        found, whole = number(row["honest_defection"]), number(row["honest_defection_of"])
        assert found.unit == "questions"
        assert found.trail.adds
        assert whole.trail.adds
        parts = [found.trail.adds(trial).split(" of ") for trial in found.trail.trials]
        assert sum(int(of) for _, of in parts) == whole.value
        assert sum(int(whole.trail.adds(trial)) for trial in whole.trail.trials) == whole.value
        if found.value is not None:
            counted = sum(int(part) for part, _ in parts)
            assert found.value == pytest.approx(counted / sum(int(of) for _, of in parts))


def test_a_yield_point_says_what_each_trial_answers(planted: Run) -> None:
    rows = made(planted, measured.blocks).rows("yields")
    (row,) = rows.values()
    found = number(row["yield_point"])
    assert "Spearman" in found.trail.definition
    assert found.trail.adds
    said = [found.trail.adds(trial) for trial in found.trail.trials]
    assert len(said) == 3 * 9
    away = sum(text.startswith("not the lure") for text in said)
    assert found.value == pytest.approx(away / 3 - 0.5)


@pytest.mark.parametrize(
    ("value", "excluded", "method", "expected"),
    [
        (0.5, {}, "a mean", []),
        (0.5, {"tied": 2}, "a mean", []),
        (None, {"tied": 2, "invalid": 1}, "a mean", ["none, since tied (2), invalid (1)"]),
        (0.5, {"was not judged": 2}, "a mean", ["2 left out, was not judged"]),
        (0.5, {}, "a mean; 2 unjudged, not counted: 0.2 to 0.4 however they are judged",
         ["2 unjudged, not counted: 0.2 to 0.4 however they are judged"]),
    ],
)  # fmt: skip
def test_what_must_be_known_of_an_estimate(
    value: float | None, excluded: dict[str, int], method: str, expected: list[str]
) -> None:
    found = Estimate(value, value, value, 9, method, levels={"excluded": excluded})
    assert list(measured.remarks(found)) == expected


def test_contrasts_say_what_is_subtracted(population: Run) -> None:
    rows = made(population, contrasts.blocks).rows("contrasts")
    found = [row for row in population.rows() if "minus" in row.condition]
    assert len(rows) == len(found) == 6
    for row in found:
        key = f"{row.measure.replace('_', ' ')}: N = 8 minus 4"
        cell = number(rows[key]["difference"])
        assert cell.test == row.estimate.test
        assert cell.test is not None
        assert len(cell.trail.trials) == 8
        assert cell.text == f"{row.estimate.value:+.3f}" or not row.estimate.value


def test_thresholds_give_the_range_of_each_class(population: Run) -> None:
    rows = made(population, thresholds.blocks).rows("thresholds")
    for sweep in population.thresholds():
        found = number(rows[where(sweep.condition)][sweep.endpoint])
        assert found.text == f"{sweep.smallest:.2f} to {sweep.largest:.2f}"
        assert (found.value, found.n) == (sweep.chosen, 4)
        assert found.trail.adds
        pairs = [int(found.trail.adds(trial).split()[4]) for trial in found.trail.trials]
        assert sum(pairs) == sum(sweep.counts.values())


def test_of_a_run_without_them_there_is_nothing(planted: Run) -> None:
    found = made(planted, contrasts.blocks, thresholds.blocks)
    assert not found.tables()
    assert all(isinstance(one, Number) for _, _, one in found.page.numbers())
