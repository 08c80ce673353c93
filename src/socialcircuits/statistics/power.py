"""What a study can detect, and how large it must be: numbers in, numbers out.

All tests are two-sided at the level of 5 %. Noncentral t and binomial distributions are exact; what
is assumed is that the units are independent and that their deviations are the ones that are given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, inf, sqrt

import numpy as np
from scipy import optimize, special

from socialcircuits.errors import SettingError
from socialcircuits.statistics.estimate import LEVEL, t_quantile

__all__ = [
    "POWER",
    "Allocation",
    "allocation",
    "detectable",
    "matched_power",
    "matched_size",
    "paired_power",
    "paired_size",
    "slope_power",
    "slope_size",
]

POWER = 0.8
"""The power that is wanted where nothing else is said."""

MOST = 10_000_000
"""No study is planned with more units."""

_ALPHA = 1 - LEVEL
_TAIL = 1e-10
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Allocation:
    """How many seeds each cell gets, so that all together tell as much for less.

    Args:
        seeds: shape (cells,), at least 1 each.
        cost: of all of them, in the unit of the given costs.
        saving: part of the cost of equal numbers that is saved, from 0 to below 1.
    """

    seeds: tuple[int, ...]
    cost: float
    saving: float


def detectable(error: float, degrees: float = inf, power: float = POWER) -> float:
    """Return the smallest effect that a t test with this standard error finds with this power.

    Args:
        error: standard error of the estimate, 0 or more, in its unit.
        degrees: degrees of freedom of the test, at least 1; infinite for a normal test.
        power: from above .05 to below 1.

    Returns:
        The effect, as a distance from zero in the unit of the estimate.

    Raises:
        SettingError: a number is outside its range.

    Source: the noncentral t distribution; Bloom (1995) for the multiple of the standard error.

    >>> round(detectable(0.02), 4), round(detectable(0.02, degrees=5), 4)
    (0.056, 0.0703)
    """
    _check("error", error, error >= 0, "a finite number, 0 or more")
    _check("degrees", degrees, degrees >= 1, "1 or more", finite=False)
    _check_power(power)
    return error * _multiple(degrees, power)


def paired_power(effect: float, deviation: float, n: int) -> float:
    """Return the power of the paired t test.

    Args:
        effect: true mean difference, of either sign.
        deviation: standard deviation of the units' differences, above 0, in the same unit.
        n: number of matched units, at least 2.

    Raises:
        SettingError: a number is outside its range.

    Source: the noncentral t distribution.

    >>> round(paired_power(0.05, 0.2, 128), 3)
    0.802
    """
    _check("effect", effect, True, "a finite number")
    _check("deviation", deviation, deviation > 0, "a number above 0")
    _check("n", n, n >= 2, "2 or more")
    return _t_power(abs(effect) / deviation * sqrt(n), n - 1)


def paired_size(effect: float, deviation: float, power: float = POWER) -> int:
    """Return the smallest number of matched units at which the paired t test has this power.

    Args:
        effect: true mean difference, not 0.
        deviation: standard deviation of the units' differences, above 0.
        power: from above .05 to below 1.

    Raises:
        SettingError: a number is outside its range, or ten million units are not enough.

    Source: as in `paired_power`.

    >>> paired_size(0.05, 0.2)
    128
    """
    _check("effect", effect, effect != 0, "a number other than 0")
    _check_power(power)
    n = _smallest(lambda n: paired_power(effect, deviation, n), 2, power)
    if n is None:
        raise SettingError("effect", effect, f"an effect that {MOST:,} units can show")
    return n


def matched_power(gained: float, lost: float, n: int) -> float:
    """Return the power of McNemar's mid-p test of yes/no answers on matched units.

    The power at each number of changed units, over the binomial distribution of that number.

    Args:
        gained: chance that a unit is yes on the first side only, and
        lost: that it is yes on the second only; together at most 1. Their difference is the effect.
        n: number of matched units, at least 1.

    Raises:
        SettingError: a number is outside its range.

    Source: Fagerland, Lydersen and Laake (2013) for the test; the sum is exact to 1e-9.

    >>> round(matched_power(0.25, 0.1, 120), 3)
    0.81
    """
    _check("gained", gained, gained >= 0, "a share, 0 or more")
    _check("lost", lost, 0 <= lost <= 1 - gained + _ROUNDING, "a share, with gained at most 1")
    _check("n", n, n >= 1, "1 or more")
    changed = min(1.0, gained + lost)
    if not changed:
        return 0.0
    # Half of what a report takes to start, for what plans alone need.
    from scipy import stats

    least, most = (int(stats.binom.ppf(tail, n, changed)) for tail in (_TAIL, 1 - _TAIL))
    counts = np.arange(least, most + 1)
    middle = np.asarray(stats.binom.ppf(_ALPHA / 2, counts, 0.5))
    mid = stats.binom.cdf(middle, counts, 0.5) - stats.binom.pmf(middle, counts, 0.5) / 2
    fewest = np.where(mid > _ALPHA / 2, middle - 1, middle)
    share = gained / changed
    found = stats.binom.cdf(fewest, counts, share) + stats.binom.cdf(fewest, counts, 1 - share)
    return float(stats.binom.pmf(counts, n, changed) @ found)


def matched_size(gained: float, lost: float, power: float = POWER) -> int:
    """Return a number of matched units at which McNemar's mid-p test has this power.

    The power of a test of counts does not rise at every step; with one unit less it is below.

    Args:
        gained: as in `matched_power`, and
        lost: likewise; not equal.
        power: from above .05 to below 1.

    Raises:
        SettingError: a number is outside its range, or ten million units are not enough.

    Source: as in `matched_power`.

    >>> matched_size(0.25, 0.1)
    118
    """
    _check("gained", gained, gained != lost, "a share other than that of lost")
    _check_power(power)
    n = _smallest(lambda n: matched_power(gained, lost, n), 1, power)
    if n is None:
        raise SettingError("gained", gained, f"a difference that {MOST:,} units can show")
    return n


def slope_power(
    effect: float, by_question: float, by_composition: float, questions: int, compositions: int
) -> float:
    """Return the power of the t test of a slope that is clustered by question and composition.

    The variance of the slope is `by_question` / questions + `by_composition`; t has the smaller
    number of clusters less 1 degrees of freedom, as in `linear_on_counts`.

    Args:
        effect: true slope, of either sign.
        by_question: the variance of the slope that questions give times their number: the first of
            `LinearFit.parts` times the questions of that fit.
        by_composition: what the given compositions leave, however many questions there are: the
            second part.
        questions: number of questions, at least 2.
        compositions: number of compositions, at least 2.

    Raises:
        SettingError: a number is outside its range, or both variances are 0.

    Source: Cameron, Gelbach and Miller (2011) for the variance.

    >>> round(slope_power(0.05, 0.018, 0.0001, 60, 12), 3)
    0.625
    """
    _check("effect", effect, True, "a finite number")
    _check("by_question", by_question, by_question >= 0, "a variance, 0 or more")
    _check("by_composition", by_composition, by_composition >= 0, "a variance, 0 or more")
    _check("by_question", by_question, by_question + by_composition > 0, "above 0, or the other")
    _check("questions", questions, questions >= 2, "2 or more")
    _check("compositions", compositions, compositions >= 2, "2 or more")
    error = sqrt(by_question / questions + by_composition)
    return _t_power(abs(effect) / error, min(questions, compositions) - 1)


def slope_size(
    effect: float,
    by_question: float,
    by_composition: float,
    compositions: int,
    power: float = POWER,
) -> int | None:
    """Return the smallest number of questions at which `slope_power` reaches this power.

    Args:
        effect: true slope, not 0.
        by_question: as in `slope_power`.
        by_composition: likewise.
        compositions: their number, at least 2.
        power: from above .05 to below 1.

    Returns:
        None where no number of questions does: what the compositions leave is too much alone, and
        only more of them would help.

    Raises:
        SettingError: a number is outside its range.

    Source: as in `slope_power`.

    >>> slope_size(0.05, 0.018, 0.0001, 12), slope_size(0.05, 0.018, 0.0004, 12)
    (110, None)
    """
    _check("effect", effect, effect != 0, "a number other than 0")
    _check_power(power)
    return _smallest(
        lambda n: slope_power(effect, by_question, by_composition, n, compositions), 2, power
    )


def allocation(costs: Sequence[float], deviations: Sequence[float], seeds: int) -> Allocation:
    """Share out seeds over cells so that the sum of their variances costs least.

    A cell gets seeds in proportion to its deviation over the square root of its cost, as many as
    give the sum of variances (deviation squared over seeds) that equal numbers give; rounded up.
    Where rounding makes that dearer, numbers stay equal.

    Args:
        costs: shape (cells,), of one seed in each cell, above 0.
        deviations: shape (cells,), standard deviation between seeds in each cell, above 0.
        seeds: the equal number in each cell that is to be matched, at least 1.

    Raises:
        SettingError: the lengths differ, there is no cell, or a number is outside its range.

    Source: Neyman (1934), optimum allocation; Cochran (1977), section 5.5, for costs.

    >>> found = allocation([1, 4, 16, 64], [0.4, 0.4, 0.4, 0.4], 40)
    >>> found.seeds, round(found.saving, 3)
    ((150, 75, 38, 19), 0.331)
    """
    if not costs or len(costs) != len(deviations):
        raise SettingError("deviations", len(deviations), f"one a cell ({len(costs)}), at least 1")
    for name, values in (("costs", costs), ("deviations", deviations)):
        for value in values:
            _check(name, value, value > 0, "numbers above 0")
    _check("seeds", seeds, seeds >= 1, "1 or more")
    pairs = list(zip(costs, deviations, strict=True))
    scale = sum(d * sqrt(c) for c, d in pairs) / sum(d**2 for d in deviations)
    shared = tuple(ceil(seeds * scale * d / sqrt(c) - _ROUNDING) for c, d in pairs)
    cost, equal = sum(c * n for c, n in zip(costs, shared, strict=True)), seeds * sum(costs)
    if cost >= equal:
        return Allocation((seeds,) * len(costs), float(equal), 0.0)
    return Allocation(shared, float(cost), 1 - cost / equal)


@lru_cache(maxsize=1024)
def _multiple(degrees: float, power: float) -> float:
    """The noncentrality at which the two-sided t test has this power."""
    high = 1.0
    while _t_power(high, degrees) < power:
        high *= 2
    return float(optimize.brentq(lambda shift: _t_power(shift, degrees) - power, 0.0, high))


def _t_power(shift: float, degrees: float) -> float:
    """The chance that noncentral t is beyond the two-sided quantile: its square is noncentral F."""
    if degrees == inf:
        bar = float(special.ndtri((1 + LEVEL) / 2))
        return float(special.ndtr(shift - bar) + special.ndtr(-shift - bar))
    return 1 - float(special.ncfdtr(1, degrees, shift**2, t_quantile(degrees) ** 2))


def _smallest(power_of: Callable[[int], float], least: int, power: float) -> int | None:
    """The first n from `least` on with this power, by bisection; None where `MOST` has less."""
    low, high = least, least
    while power_of(high) < power:
        if high >= MOST:
            return None
        low, high = high + 1, min(2 * high, MOST)
    while low < high:
        middle = (low + high) // 2
        if power_of(middle) < power:
            low = middle + 1
        else:
            high = middle
    return high


def _check_power(power: float) -> None:
    _check("power", power, _ALPHA < power < 1, f"a number above {_ALPHA:g} and below 1")


def _check(name: str, value: float, allowed: bool, expected: str, *, finite: bool = True) -> None:
    if not allowed or (finite and not np.isfinite(value)):
        raise SettingError(name, value, expected)
