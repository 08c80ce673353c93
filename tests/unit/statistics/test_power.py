"""Power against scipy's noncentral t, enumeration, statsmodels and simulated tests."""

from __future__ import annotations

from importlib import import_module
from itertools import product
from math import comb, inf, sqrt

import numpy as np
import pytest
from scipy import stats

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream
from socialcircuits.statistics import mcnemar, sign_flip
from socialcircuits.statistics._binomial import at_most, chance, fewest
from socialcircuits.statistics.power import (
    FEWEST_FLIPS,
    detectable,
    flips_detectable,
    flips_power,
    flips_size,
    matched_detectable,
    matched_power,
    matched_sides,
    matched_size,
    paired_power,
    slope_power,
    slope_size,
)


@pytest.mark.parametrize("degrees", [1, 3, 11, 59, 400])
@pytest.mark.parametrize("power", [0.2, 0.8, 0.95])
def test_detectable_against_noncentral_t(degrees: int, power: float) -> None:
    found = detectable(0.3, degrees, power) / 0.3
    bar = stats.t.ppf(0.975, degrees)
    reached = stats.nct.sf(bar, degrees, found) + stats.nct.sf(bar, degrees, -found)
    assert reached == pytest.approx(power, abs=1e-6)


def test_detectable_of_a_normal_test_is_nearly_the_textbook_multiple() -> None:
    textbook = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert detectable(1.0) == pytest.approx(textbook, abs=1e-5)
    assert detectable(1.0, 1e6) == pytest.approx(detectable(1.0, inf), abs=1e-4)
    # With few degrees of freedom the sum of two t quantiles is not the answer.
    assert detectable(1.0, 3) > stats.t.ppf(0.975, 3) + stats.t.ppf(0.8, 3) + 0.09
    assert detectable(0.0, 5) == 0


@pytest.mark.parametrize("n", [2, 5, 20, 128])
def test_paired_power_against_statsmodels(n: int) -> None:
    power = import_module("statsmodels.stats.power").TTestPower().power
    expected = power(effect_size=0.25, nobs=n, alpha=0.05, alternative="two-sided")
    assert paired_power(0.05, 0.2, n) == pytest.approx(expected, abs=1e-6)
    assert paired_power(-0.05, 0.2, n) == paired_power(0.05, 0.2, n)
    assert paired_power(0.0, 0.2, n) == pytest.approx(0.05, abs=1e-9)


def test_flips_size_is_the_first_that_is_enough() -> None:
    n = flips_size(0.05, 0.2, 0.9)
    assert paired_power(0.05, 0.2, n) >= 0.9 > paired_power(0.05, 0.2, n - 1)
    with pytest.raises(SettingError, match="10,000,000 units"):
        flips_size(1e-6, 1.0)


def test_sign_flips_find_nothing_below_six_units() -> None:
    assert sign_flip([1.0] * (FEWEST_FLIPS - 1)).p > 0.05 >= sign_flip([1.0] * FEWEST_FLIPS).p
    assert flips_size(30.0, 0.2) == FEWEST_FLIPS
    assert flips_power(30.0, 0.2, 5) == 0
    assert flips_detectable(0.2, 5) is None


def test_six_units_must_all_have_one_sign() -> None:
    found = flips_detectable(0.3, 6, 0.9)
    assert found is not None
    same = stats.norm.cdf(found / 0.3) ** 6 + stats.norm.cdf(-found / 0.3) ** 6
    assert same == pytest.approx(0.9, abs=1e-9)
    assert flips_detectable(0.3, 7) == detectable(0.3 / sqrt(7), 6)


@pytest.mark.parametrize("n", [5, 10, 40])
@pytest.mark.parametrize("changed", [0.0, 0.3, 1.0])
def test_what_matched_answers_detect_has_the_power(changed: float, n: int) -> None:
    found = matched_detectable(changed, n)
    assert found is not None
    assert matched_power(*matched_sides(changed, found), n) == pytest.approx(0.8, abs=1e-9)
    assert matched_power(*matched_sides(changed, 0.99 * found), n) < 0.8


def test_four_matched_answers_detect_nothing() -> None:
    assert mcnemar(4, 0).mid > 0.05
    assert matched_detectable(0.5, 4) is None
    assert matched_detectable(0.5, 0) is None
    # Five that all change are found; .8 to the fifth part do so with this chance.
    assert matched_detectable(0.0, 5) == pytest.approx(0.8 ** (1 / 5), abs=1e-9)


@pytest.mark.parametrize("n", [1, 5, 6, 17, 60, 999, 1000])
def test_the_fewest_changes_are_those_of_the_test(n: int) -> None:
    found = int(fewest(np.array([n]), 0.05)[0])
    assert found < 0 or mcnemar(found, n - found).mid <= 0.05
    assert mcnemar(max(found + 1, 0), n - max(found + 1, 0)).mid > 0.05


@pytest.mark.parametrize(("n", "share"), [(1, 0.5), (14, 0.0), (14, 1.0), (300, 0.07)])
def test_binomial_chances_against_scipy(n: int, share: float) -> None:
    k = np.arange(-1, n + 2)
    assert at_most(k, np.full_like(k, n), share) == pytest.approx(stats.binom.cdf(k, n, share))
    inside = k[1:-1]
    assert chance(inside, n, share) == pytest.approx(stats.binom.pmf(inside, n, share), abs=1e-12)


@pytest.mark.parametrize(("gained", "lost"), [(0.5, 0.1), (0.3, 0.0), (0.2, 0.2), (0.0, 1.0)])
def test_matched_power_against_enumeration(gained: float, lost: float) -> None:
    n = 14
    found = 0.0
    for up, down in product(range(n + 1), repeat=2):
        if up + down <= n and mcnemar(up, down).mid <= 0.05:
            ways = comb(n, up) * comb(n - up, down)
            stay = max(0.0, 1 - gained - lost) ** (n - up - down)
            found += ways * gained**up * lost**down * stay
    assert matched_power(gained, lost, n) == pytest.approx(found, abs=1e-9)


def test_matched_power_of_simulated_units() -> None:
    stream, gained, lost, n = Stream(b"matched", "power"), 0.25, 0.1, 60
    drawn = np.array([stream.below(1000) for _ in range(2000 * n)]).reshape(2000, n) / 1000
    ups, downs = (drawn < gained).sum(axis=1), (drawn >= 1 - lost).sum(axis=1)
    pairs = list(zip(ups.tolist(), downs.tolist(), strict=True))
    found = {pair: mcnemar(*pair).mid <= 0.05 for pair in set(pairs)}
    share = np.mean([found[pair] for pair in pairs])
    power = matched_power(gained, lost, n)
    assert abs(share - power) < 4 * sqrt(power * (1 - power) / 2000)


def test_matched_size() -> None:
    n = matched_size(0.25, 0.1)
    assert matched_power(0.25, 0.1, n) >= 0.8 > matched_power(0.25, 0.1, n - 1)
    assert matched_power(0.0, 0.0, 50) == 0
    assert matched_size(0.1, 0.25) == n


def test_slope_power_is_that_of_its_error() -> None:
    error = sqrt(0.018 / 60 + 0.0001)
    found = slope_power(detectable(error, 11), 0.018, 0.0001, 60, 12)
    assert found == pytest.approx(0.8, abs=1e-9)
    # With fewer questions than compositions, questions give the degrees of freedom.
    error = sqrt(0.018 / 5 + 0.0001)
    assert slope_power(detectable(error, 4), 0.018, 0.0001, 5, 12) == pytest.approx(0.8, abs=1e-9)


def test_slope_size_knows_when_questions_do_not_help() -> None:
    n = slope_size(0.05, 0.018, 0.0001, 12)
    assert n is not None
    assert slope_power(0.05, 0.018, 0.0001, n, 12) >= 0.8
    assert slope_power(0.05, 0.018, 0.0001, n - 1, 12) < 0.8
    limit = (0.05 / detectable(1.0, 11)) ** 2
    assert slope_size(0.05, 0.018, 1.01 * limit, 12) is None
    assert slope_size(0.05, 0.018, 0.9 * limit, 12) is not None


def test_what_cannot_be_is_refused() -> None:
    for call, message in (
        (lambda: detectable(-1.0), "error: -1"),
        (lambda: detectable(1.0, 0.5), "degrees: 0.5"),
        (lambda: detectable(1.0, 5, 1.0), "power: 1"),
        (lambda: paired_power(0.1, 0.0, 10), "deviation: 0"),
        (lambda: paired_power(inf, 1.0, 10), "effect: inf"),
        (lambda: flips_power(0.1, 1.0, -1), "n: -1"),
        (lambda: flips_size(0.0, 1.0), "effect: 0"),
        (lambda: flips_detectable(0.0, 10), "deviation: 0"),
        (lambda: matched_detectable(1.2, 10), "changed: 1.2"),
        (lambda: matched_power(0.7, 0.4, 10), "lost: 0.4"),
        (lambda: matched_size(0.2, 0.2), "other than that of lost"),
        (lambda: slope_power(0.1, 0.0, 0.0, 10, 10), "by_question: 0"),
        (lambda: slope_size(0.1, 0.1, 0.0, 1), "compositions: 1"),
    ):
        with pytest.raises(SettingError, match=message):
            call()
