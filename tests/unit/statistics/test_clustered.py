"""Straight lines through counts against statsmodels on agents and fits without a cluster."""

from __future__ import annotations

from importlib import import_module
from math import sqrt

import numpy as np
import pytest
from scipy import stats

from socialcircuits.errors import SettingError
from socialcircuits.statistics.clustered import composition_means, linear_on_counts

EVENTS = [0, 1, 1, 3, 2, 3, 0, 2, 4, 1, 0, 5]
SIZES = [3, 4, 2, 5, 4, 3, 2, 6, 5, 4, 3, 6]
PROPORTION = [0.0, 0.0, 0.2, 0.2, 0.3, 0.3, 0.0, 0.2, 0.3, 0.0, 0.2, 0.4]
QUESTION = list("abcabcdddeea")
COMPOSITION = [0, 1, 2, 3, 4, 5, 0, 2, 4, 1, 3, 6]


def agents() -> tuple[np.ndarray, np.ndarray, list[int]]:
    """One value an agent, its columns, and its row."""
    rows = [i for i, size in enumerate(SIZES) for _ in range(size)]
    values = [float(j < EVENTS[i]) for i, size in enumerate(SIZES) for j in range(size)]
    return np.array(values), np.array([[1.0, PROPORTION[i]] for i in rows]), rows


def test_one_way_against_statsmodels_on_agents() -> None:
    values, design, rows = agents()
    numbers = np.array([sorted(set(QUESTION)).index(QUESTION[i]) for i in rows])
    fit = (
        import_module("statsmodels.api")
        .OLS(values, design)
        .fit(cov_type="cluster", cov_kwds={"groups": numbers, "use_correction": False})
    )
    found = linear_on_counts(EVENTS, SIZES, {"proportion": PROPORTION}, [QUESTION])
    assert [e.value for e in found.coefficients.values()] == pytest.approx(fit.params, abs=1e-12)
    errors = np.array(list(found.errors.values()))
    assert errors == pytest.approx(fit.bse * sqrt(5 / 4), abs=1e-12)
    slope = found.coefficients["proportion"]
    assert slope.high is not None
    assert slope.value is not None
    assert slope.n == 5
    assert slope.high - slope.value == pytest.approx(stats.t.ppf(0.975, 4) * errors[1], abs=1e-12)


def left_out(labels: list[str] | list[int]) -> float:
    """The jackknife variance of the slope, by fitting anew without each cluster."""
    values, design, rows = agents()
    whole = np.linalg.lstsq(design, values)[0][1]
    moved = []
    for label in set(labels):
        kept = np.array([labels[i] != label for i in rows])
        moved.append(np.linalg.lstsq(design[kept], values[kept])[0][1] - whole)
    return float(np.sum(np.square(moved)) * (len(moved) - 1) / len(moved))


def test_two_ways_against_fits_without_each_cluster() -> None:
    found = linear_on_counts(EVENTS, SIZES, {"proportion": PROPORTION}, [QUESTION, COMPOSITION])
    crossed = [f"{q}{c}" for q, c in zip(QUESTION, COMPOSITION, strict=True)]
    once = linear_on_counts(EVENTS, SIZES, {"proportion": PROPORTION}, [crossed])
    singles = left_out(QUESTION), left_out(COMPOSITION)
    expected = max(sum(singles) - once.errors["proportion"] ** 2, *singles)
    assert found.errors["proportion"] ** 2 == pytest.approx(expected, rel=1e-9)
    assert found.coefficients["proportion"].n == 5
    first, second = found.parts["proportion"]
    assert first == pytest.approx(singles[0], rel=1e-9)
    assert first + second == pytest.approx(expected, rel=1e-9)


def test_a_slope_has_its_test_and_what_it_would_have_detected() -> None:
    found = linear_on_counts(EVENTS, SIZES, {"p": PROPORTION}, [QUESTION])
    slope, error = found.coefficients["p"], found.errors["p"]
    assert slope.value is not None
    assert slope.test is not None
    assert slope.detectable is not None
    assert slope.test.p == pytest.approx(2 * stats.t.sf(slope.value / error, 4), rel=1e-9)
    noncentral, bar = stats.nct(4, slope.detectable / error), stats.t.ppf(0.975, 4)
    assert noncentral.sf(bar) == pytest.approx(0.8, abs=1e-4)
    assert slope.warnings == ("only 5 units of evidence",)
    assert sum(found.parts["p"]) == pytest.approx(error**2)
    intercept = found.coefficients["intercept"]
    assert (intercept.test, intercept.detectable) == (None, None)


def test_the_larger_one_way_variance_stands_and_is_said() -> None:
    # Every question has the same line, so compositions add nothing to what questions show.
    proportion = [0.0, 0.1, 0.2, 0.3] * 4
    events = [0, 1, 2, 3, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6, 7, 8]
    ways: list[list[int]] = [[i // 4 for i in range(16)], [i % 4 for i in range(16)]]
    found = linear_on_counts(events, [9] * 16, {"p": proportion}, ways)
    assert "which stands" in found.coefficients["intercept"].method
    assert found.errors["intercept"] > 0
    first, second = found.parts["intercept"]
    assert min(first, second) >= 0
    assert first + second == pytest.approx(found.errors["intercept"] ** 2)


def test_rows_without_agents_and_the_unit_of_a_column() -> None:
    more = linear_on_counts(
        [*EVENTS, 0], [*SIZES, 0], {"p": [*PROPORTION, 0.9]}, [[*QUESTION, "z"]]
    )
    found = linear_on_counts(EVENTS, SIZES, {"p": PROPORTION}, [QUESTION])
    assert more == found
    tenths = linear_on_counts(EVENTS, SIZES, {"p": [10 * p for p in PROPORTION]}, [QUESTION])
    assert found.errors["p"] == pytest.approx(10 * tenths.errors["p"])


@pytest.mark.parametrize(
    ("columns", "clusters", "why"),
    [
        ({"p": [0.2] * 12}, [QUESTION], "p is a combination"),
        ({"p": PROPORTION, "k": [3 * p + 1 for p in PROPORTION]}, [QUESTION], "k is a comb"),
        ({"p": PROPORTION}, [["a"] * 6 + ["b"] * 6], "2 clusters for 2 coefficients"),
        ({"p": [0.0] * 11 + [0.4]}, [QUESTION, COMPOSITION], "without one of the clusters"),
    ],
)
def test_what_cannot_be_estimated(
    columns: dict[str, list[float]], clusters: list[list[str]], why: str
) -> None:
    found = linear_on_counts(EVENTS, SIZES, columns, clusters)
    assert not found.errors
    for estimate in found.coefficients.values():
        assert estimate.value is None
        assert why in estimate.method


def test_no_rows() -> None:
    found = linear_on_counts([], [], {"p": []}, [[], []]).coefficients["p"]
    assert (found.value, found.n) == (None, 0)


def test_bad_input() -> None:
    with pytest.raises(SettingError, match="events: 4 is not allowed"):
        linear_on_counts([4], [3], {}, [["a"]])
    with pytest.raises(SettingError, match="one or two ways"):
        linear_on_counts(EVENTS, SIZES, {"p": PROPORTION}, [])
    with pytest.raises(SettingError, match="one label a row"):
        linear_on_counts(EVENTS, SIZES, {"p": PROPORTION}, [["a"]])
    with pytest.raises(SettingError, match="one number a row"):
        linear_on_counts(EVENTS, SIZES, {"p": [0.1]}, [QUESTION])
    with pytest.raises(SettingError, match="a finite number"):
        linear_on_counts([1], [3], {"p": [float("nan")]}, [["a"]])
    with pytest.raises(SettingError, match="every model has its intercept"):
        linear_on_counts([1], [3], {"intercept": [1.0]}, [["a"]])


def test_means_against_scipy() -> None:
    proportion = [0.0, 0.0, 0.2, 0.2, 0.3, 0.3, 0.0, 0.2, 0.3, 0.0, 0.2, 0.4]
    found = composition_means(EVENTS, SIZES, {"p": proportion}, COMPOSITION)
    rates, places = [], []
    for c in range(7):
        own = [i for i in range(12) if COMPOSITION[i] == c]
        rates.append(sum(EVENTS[i] for i in own) / sum(SIZES[i] for i in own))
        places.append(proportion[own[0]])
    line = stats.linregress(places, rates)
    slope = found.coefficients["p"]
    assert found.n == 7
    assert found.r2 == pytest.approx(line.rvalue**2, abs=1e-12)
    assert slope.value == pytest.approx(line.slope, abs=1e-12)
    assert slope.high is not None
    assert slope.value is not None
    half = stats.t.ppf(0.975, 5) * line.stderr
    assert slope.high - slope.value == pytest.approx(half, abs=1e-12)
    assert slope.test is not None
    assert slope.test.p == pytest.approx(line.pvalue, abs=1e-12)
    assert slope.detectable is not None
    assert slope.detectable > half


def test_means_that_say_nothing() -> None:
    few = composition_means([1, 2], [4, 4], {"p": [0.0, 0.2]}, ["a", "b"])
    assert (few.r2, few.coefficients["p"].value) == (None, None)
    equal = composition_means([1, 1, 1], [4, 4, 4], {"p": [0.0, 0.2, 0.3]}, ["a", "b", "c"])
    assert equal.r2 is None
    assert equal.coefficients["p"].value == pytest.approx(0, abs=1e-12)
    with pytest.raises(SettingError, match="one value a composition"):
        composition_means([1, 1], [4, 4], {"p": [0.0, 0.2]}, ["a", "a"])
