"""Means, proportions and clustered ratios against hand, scipy, statsmodels and enumeration."""

from __future__ import annotations

from importlib import import_module
from math import comb, nan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from socialcircuits.errors import SettingError
from socialcircuits.statistics import Estimate, mean, proportion, ratio


def ends(estimate: Estimate) -> tuple[float, float, float]:
    assert estimate.value is not None
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.value, estimate.high


def test_mean_by_hand() -> None:
    # sd .2, standard error .2 / sqrt 3 = .115470, t(2) = 4.302653: half width .496828.
    estimate = mean([0.2, 0.4, 0.6])
    assert ends(estimate) == pytest.approx((0.0, 0.4, 0.896828), abs=1e-6)
    assert estimate.n == 3
    assert "t interval clipped to [0, 1], level 0.95" in estimate.method
    assert ends(mean([0.2, 0.4, 0.6], (-1, 1)))[0] == pytest.approx(-0.096828, abs=1e-6)


def test_mean_against_scipy() -> None:
    values = [0.31, 0.36, 0.5, 0.42, 0.28, 0.47, 0.39]
    low, high = stats.t.interval(0.95, 6, np.mean(values), stats.sem(values))
    assert ends(mean(values)) == pytest.approx((low, np.mean(values), high), abs=1e-12)


def test_equal_units_are_not_certain() -> None:
    # All right: the lower end is n / (n + t^2), with t(39) = 2.022691.
    low, value, high = ends(mean([1.0] * 40))
    assert (value, high) == (1.0, 1.0)
    assert low == pytest.approx(40 / (40 + 2.022691**2), abs=1e-6)
    assert "Wilson" in mean([1.0] * 40).method


def test_equal_differences_use_the_largest_variance() -> None:
    # On [-1, 1] zero maps to 1/2; half = 2 t sqrt(1/16 + t^2/64) / (1 + t^2/4), t(3) = 3.182446.
    square = 3.182446**2
    half = 2 * 3.182446 * sqrt(1 / 16 + square / 64) / (1 + square / 4)
    assert ends(mean([0.0] * 4, (-1, 1))) == pytest.approx((-half, 0, half), abs=1e-6)


def test_units_equal_up_to_rounding_are_equal() -> None:
    values = [0.3 - 0.1, 0.7 - 0.5, 0.9 - 0.7]
    assert len(set(values)) > 1
    assert "Wilson" in mean(values).method


@pytest.mark.parametrize("one", [mean([0.25]), ratio([2], [8])])
def test_one_unit_gives_the_whole_range(one: Estimate) -> None:
    assert (one.low, one.high, one.n) == (0.0, 1.0, 1)
    assert "whole range" in one.method
    assert one.warnings == ("one unit of evidence: the interval is the whole range",)


def test_one_unit_of_a_proportion() -> None:
    # All of one: the lower end is the share at which it happens in 2.5 % of cases.
    assert ends(proportion(1, 1)) == pytest.approx((0.025, 1.0, 1.0), abs=1e-12)
    assert proportion(0, 1).high == pytest.approx(0.975, abs=1e-12)
    assert proportion(0, 1).warnings == ("only 1 unit of evidence",)


@pytest.mark.parametrize("none", [mean([]), proportion(0, 0), ratio([], []), ratio([0], [0])])
def test_no_unit_gives_no_value(none: Estimate) -> None:
    assert (none.value, none.low, none.high, none.n) == (None, None, None, 0)


@pytest.mark.parametrize(("successes", "n"), [(10, 38), (0, 37), (22, 37), (37, 37)])
def test_proportion_against_statsmodels(successes: int, n: int) -> None:
    interval = import_module("statsmodels.stats.proportion").proportion_confint
    low, high = interval(successes, n, alpha=0.05, method="beta")
    assert ends(proportion(successes, n)) == pytest.approx((low, successes / n, high), abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 4, 10, 40])
def test_proportion_covers(n: int) -> None:
    intervals = [ends(proportion(k, n)) for k in range(n + 1)]
    coverage = []
    for percent in range(1, 100):
        rate = percent / 100
        hit = [k for k, (low, _, high) in enumerate(intervals) if low <= rate <= high]
        coverage.append(sum(comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in hit))
    assert min(coverage) >= 0.95


def test_ratio_against_a_cluster_robust_regression() -> None:
    successes, trials = [0, 4, 1, 3, 2, 0], [4, 4, 6, 3, 5, 4]
    rate, total = 10 / 26, 26
    regression = import_module("statsmodels.api")
    outcome = [float(i < c) for c, m in zip(successes, trials, strict=True) for i in range(m)]
    groups = [g for g, m in enumerate(trials) for _ in range(m)]
    fit = regression.OLS(outcome, np.ones(total)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True}
    )
    effective = rate * (1 - rate) / float(fit.bse[0]) ** 2
    square = stats.t.ppf(0.975, 5) ** 2 / effective
    half = sqrt(square * (rate * (1 - rate) + square / 4)) / (1 + square)
    centre = (rate + square / 2) / (1 + square)
    found = ratio(successes, trials)
    assert ends(found) == pytest.approx((centre - half, rate, centre + half), abs=1e-9)
    assert f"effective n {effective:.1f} of 26" in found.method


def test_clusters_that_move_together_count_once() -> None:
    # All or nothing in each cluster of five: the effective n is 10 - 1, not 50.
    found = ratio([5] * 3 + [0] * 7, [5] * 10)
    assert "effective n 9.0 of 50" in found.method
    assert found.warnings == ("50 count as 9: those of one unit move together",)


def test_independent_trials_are_not_counted_as_more() -> None:
    assert "effective n 40.0 of 40" in ratio([2] * 10, [4] * 10).method


def test_no_event_counts_clusters() -> None:
    # Wilson's upper end of none is t^2 / (n + t^2), with t(11) = 2.200985.
    upper = 2.200985**2 / (12 + 2.200985**2)
    none, every = ratio([0] * 12, [30] * 12), ratio([30] * 12, [30] * 12)
    assert ends(none) == pytest.approx((0.0, 0.0, upper), abs=1e-6)
    assert ends(every) == pytest.approx((1 - upper, 1.0, 1.0), abs=1e-6)
    assert none.warnings == ("it holds of none of 360: how units differ cannot be seen",)
    assert every.warnings == ("it holds of all of 360: how units differ cannot be seen",)


def test_few_units_and_equal_ones_are_said() -> None:
    assert mean([0.2, 0.4] * 5).warnings == proportion(3, 10).warnings == ()
    assert mean([0.2, 0.4, 0.3]).warnings == ("only 3 units of evidence",)
    assert mean([0.5] * 12).warnings == ("all 12 units are equal: how they differ cannot be seen",)
    assert mean([]).warnings == proportion(0, 0).warnings == ratio([], []).warnings == ()
    assert ratio([1, 0] * 6, [4] * 12).warnings == ()


def test_empty_clusters_are_left_out() -> None:
    assert ratio([1, 0, 2], [4, 0, 4]) == ratio([1, 2], [4, 4])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_intervals_hold_the_value_and_stay_in_range(values: list[float]) -> None:
    low, value, high = ends(mean(values))
    assert 0 <= low <= value <= high <= 1


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12))
def test_ratio_interval_holds_the_value(pairs: list[tuple[int, int]]) -> None:
    found = ratio([min(pair) for pair in pairs], [max(pair) for pair in pairs])
    if found.n:
        low, value, high = ends(found)
        assert 0 <= low <= value <= high <= 1


@pytest.mark.parametrize("value", [1.5, -0.1, nan])
def test_mean_refuses_values_out_of_range(value: float) -> None:
    with pytest.raises(SettingError, match="expected a number from 0 to 1"):
        mean([0.5, value])


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(SettingError, match=r"successes: 5 .* from 0 to 4"):
        proportion(5, 4)
    with pytest.raises(SettingError, match="one number a cluster"):
        ratio([1], [2, 3])
    with pytest.raises(SettingError, match="from 0 to the cluster's 2"):
        ratio([3], [2])
