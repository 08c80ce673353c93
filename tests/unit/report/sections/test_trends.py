"""Slopes, forms and likelihood ratios on a page: the numbers of the analyses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from socialcircuits.analyses.counting import counted
from socialcircuits.analyses.trends import FIXED_SEATING, explained, trends
from socialcircuits.report.sections import trends as section
from socialcircuits.studies import Run, run
from tests.support.pages import made, made_again, number


@pytest.fixture(scope="module")
def scaled(tmp_path_factory: pytest.TempPathFactory) -> Run:
    settings = {"rounds": 2, "N": [2, 8, 5, 6, 7]}
    out = tmp_path_factory.mktemp("scaling") / "a.db"
    return run("deliberation/scaling", seeds=6, out=out, settings=settings)


def words(measure: str) -> str:
    return measure.replace("_", " ")


def test_slopes_have_their_intervals_tests_and_counts(scaled: Run) -> None:
    found, shown = trends(counted(scaled.summaries())), made(scaled, section.blocks).rows("trends")
    assert [one.change for one in found] == ["honest_defection", "correction"]
    assert len(shown) == 2
    for one in found:
        row, cells = one.row(), shown[f"{words(one.change)}, all"]
        slope, means = number(cells["slope"]), number(cells["means"])
        assert slope.text == f"{100 * row['slope']:.2f}"
        assert slope.interval == f"{100 * row['low']:.2f} to {100 * row['high']:.2f}"
        assert slope.test == one.slope.test is not None
        assert slope.detectable == f"{100 * (one.slope.detectable or 0):.2f}"
        assert slope.trail.levels["trials"]["used"] == row["trials"] == len(slope.trail.trials)
        assert (means.value, means.n, means.unit) == (row["means_slope"], 5, "compositions")
        assert means.test is None  # the slope is tested once
        assert number(cells["r2"]).text == f"{row['r2']:.2f}"
        counts = [number(cells[name]).value for name in ("questions", "trials", "none")]
        assert counts == [row["questions"], row["trials"], row["none"]]
    names = [number(cells["slope"]).name for cells in shown.values()]
    assert names == ["defection_slope", "correction_slope"]


def test_what_trials_add_to_a_slope_is_what_was_counted(scaled: Run) -> None:
    counts = counted(scaled.summaries())
    slope = number(made(scaled, section.blocks).rows("trends")["honest defection, all"]["slope"])
    adds = slope.trail.adds
    assert adds is not None
    said = [adds(trial).split() for trial in slope.trail.trials]
    assert sum(int(one[0]) for one in said) == sum(one.defected for one in counts) > 0
    assert sum(int(one[2]) for one in said) == sum(one.right for one in counts)


def test_forms_are_ordered_with_their_scores(scaled: Run) -> None:
    found, page = trends(counted(scaled.summaries())), made(scaled, section.blocks)
    shown = page.rows("forms")
    forms = [row for one in found for row in one.form_rows()]
    assert len(shown) == len(forms) > 8
    for row, (key, cells) in zip(forms, shown.items(), strict=True):
        name = row["form"].replace("0.3333", "1/3").replace("0.2", "1/5")
        assert key == f"{words(row['measure'])}, all, {name}"
        score = number(cells["score"])
        assert (score.text, score.unit) == (f"{row['score']:.4f}", "questions")
        assert number(cells["aic"]).text == f"{row['aic']:.1f}"
        assert bool(row["behind"]) == (cells["behind"] != "") == (cells["error"] != "")
    parts = min(one.questions for one in found)
    assert f"({parts} parts or more)" in page.table("forms").caption


def test_likelihood_ratios_stand_beside_their_effects(scaled: Run) -> None:
    (found,) = explained(counted(scaled.summaries()))
    shown = made(scaled, section.blocks).rows("explained")
    for tested, given, test in (
        ("proportion", "count", found.proportion),
        ("count", "proportion", found.count),
    ):
        cells = shown[f"{tested} given {given}, all"]
        effect, chi2 = number(cells["effect"]), number(cells["chi2"])
        assert effect.name == f"{tested}_given_{given}"
        assert effect.n == chi2.n == found.data["questions"]
        assert len(effect.trail.trials) == len(found.counts) == len(scaled.summaries())
        if test.why:
            assert (effect.text, chi2.text, effect.test) == ("none", "none", None)
            assert f"no test: {test.why}" in effect.warnings
        else:
            assert chi2.text == f"{test.statistic:.2f}"
            assert effect.test is not None
            assert effect.test.p == test.p


def test_every_number_is_that_of_the_trials_of_its_trail(scaled: Run) -> None:
    numbers = list(made(scaled, section.blocks).page.numbers())
    assert len(numbers) > 60
    for _, place, found in numbers:
        assert found.trail.trials, place
        assert found.n is not None or isinstance(found.value, int), place
        assert found.n is None or found.unit, place
    assert list(made_again(scaled, [section.blocks])) == []


def test_the_weakness_of_fixed_seating_stands_beside_the_result(scaled: Run) -> None:
    assert scaled.study.trial.seating == "composition"
    assert FIXED_SEATING in made(scaled, section.blocks).lines()


@pytest.mark.parametrize("seating", [["trial"], ["trial", "composition"]])
def test_the_weakness_is_that_of_the_conditions_that_were_run(
    tmp_path: Path, seating: list[str]
) -> None:
    """The study's own default is the composition's; what counts is what was swept."""
    settings: dict[str, Any] = {"N": [4], "deceivers": [1], "seating": seating, "strata": False}
    settings |= {"rounds": 1}
    out = tmp_path / "a.db"
    with run("deliberation/timing", seeds=2, out=out, settings=settings) as finished:
        assert finished.study.trial.seating == "composition"
        shown = made(finished, section.blocks).lines()
        assert (FIXED_SEATING in shown) == ("composition" in seating)


def test_a_slope_that_cannot_be_had_says_why(tmp_path: Path) -> None:
    """Two questions: as many clusters as coefficients."""
    settings = {"rounds": 1, "strata": False}
    out = tmp_path / "a.db"
    with run("deliberation/timing", seeds=2, out=out, settings=settings) as finished:
        page = made(finished, section.blocks)
        slope = number(page.rows("trends")["correction, all"]["slope"])
        again = list(made_again(finished, [section.blocks]))
    assert (slope.text, slope.n, slope.unit, slope.test) == ("none", 2, "questions", None)
    assert "No slope of correction, all: 2 clusters for 2 coefficients." in page.lines()
    assert again == []
