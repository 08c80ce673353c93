"""What a study can detect, and how large it must be: numbers in, numbers out.

All tests are two-sided at the level of 5 %. Noncentral t and binomial distributions are exact; what
is assumed is that the units are independent and that their deviations are the ones that are given.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import ceil, floor, inf, log, sqrt

import numpy as np
from scipy import optimize, special

from socialcircuits.errors import SettingError
from socialcircuits.statistics._binomial import at_most, chance, fewest
from socialcircuits.statistics.estimate import LEVEL, t_quantile

__all__ = [
    "FEWEST_FLIPS",
    "POWER",
    "detectable",
    "flips_detectable",
    "flips_power",
    "flips_size",
    "matched_detectable",
    "matched_power",
    "matched_sides",
    "matched_size",
    "paired_power",
    "slope_power",
    "slope_size",
]

POWER = 0.8
"""The power that is wanted where nothing else is said."""

MOST = 10_000_000
"""No study is planned with more units."""

FEWEST_FLIPS = 6
"""With fewer units the smallest p of sign flips, 2 / 2^n, is above the level."""

_ALPHA = 1 - LEVEL
_TAIL = 1e-10
_ROUNDING = 1e-9


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


def flips_power(effect: float, deviation: float, n: int) -> float:
    """Return the power of the sign-flip test of matched units.

    With fewer than `FEWEST_FLIPS` units it is 0. With so many, it is the chance that normal
    differences all have one sign, as only these are found. With more it is that of the paired t
    test, which is at most 4 points too high.

    Args:
        effect: as in `paired_power`, and
        deviation: likewise.
        n: number of matched units, at least 0.

    Raises:
        SettingError: a number is outside its range.

    Source: Lehmann and Romano (2005), section 15.2, for how near both tests are.

    >>> [round(flips_power(0.3, 0.2, n), 3) for n in (5, 6, 7)]
    [0.0, 0.66, 0.908]
    """
    _check("n", n, n >= 0, "0 or more")
    t = paired_power(effect, deviation, max(n, 2))
    if n < FEWEST_FLIPS:
        return 0.0
    if n > FEWEST_FLIPS:
        return t
    shift = effect / deviation
    return float(special.ndtr(shift) ** n + special.ndtr(-shift) ** n)


def flips_size(effect: float, deviation: float, power: float = POWER) -> int:
    """Return the smallest number of matched units at which sign flips have this power.

    Args:
        effect: true mean difference, not 0.
        deviation: standard deviation of the units' differences, above 0.
        power: from above .05 to below 1.

    Raises:
        SettingError: a number is outside its range, or ten million units are not enough.

    Source: as in `flips_power`.

    >>> flips_size(0.05, 0.2), flips_size(0.9, 0.2)
    (128, 6)
    """
    _check("effect", effect, effect != 0, "a number other than 0")
    _check_power(power)
    n = _smallest(lambda n: flips_power(effect, deviation, n), FEWEST_FLIPS, power)
    if n is None:
        raise SettingError("effect", effect, f"an effect that {MOST:,} units can show")
    return n


def flips_detectable(deviation: float, n: int, power: float = POWER) -> float | None:
    """Return the smallest mean difference that sign flips find with this power.

    Args:
        deviation: standard deviation of the units' differences, above 0.
        n: number of matched units.
        power: from above .05 to below 1.

    Returns:
        None with fewer than `FEWEST_FLIPS` units, with which nothing is found.

    Raises:
        SettingError: a number is outside its range.

    Source: as in `flips_power`.

    >>> [flips_detectable(0.2, 5), *(round(flips_detectable(0.2, n), 3) for n in (6, 7))]
    [None, 0.359, 0.255]
    """
    _check("deviation", deviation, deviation > 0, "a number above 0")
    _check_power(power)
    if n > FEWEST_FLIPS:
        return detectable(deviation / sqrt(n), n - 1, power)
    if n < FEWEST_FLIPS:
        return None
    return deviation * _root(lambda shift: flips_power(shift, 1.0, n), power)


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
    # Hoeffding: beyond so far from the mean there is less than `_TAIL` on both sides.
    far = sqrt(n * log(2 / _TAIL) / 2)
    least, most = max(0, floor(n * changed - far)), min(n, ceil(n * changed + far))
    counts = np.arange(least, most + 1)
    rarer, share = fewest(counts, _ALPHA), gained / changed
    found = at_most(rarer, counts, share) + at_most(rarer, counts, 1 - share)
    return float(chance(counts, n, changed) @ found)


def matched_sides(changed: float, effect: float) -> tuple[float, float]:
    """Return how many units change each way when the difference of the shares is `effect`.

    As many units change in all as without it; where it needs more than these, as many as it needs.

    Args:
        changed: chance that a unit changes, from 0 to 1.
        effect: difference of the two shares, from 0 to 1.

    Returns:
        gained and lost, as in `matched_power`.

    >>> matched_sides(0.5, 0.25), matched_sides(0.5, 0.75)
    ((0.375, 0.125), (0.75, 0.0))
    """
    whole = max(changed, effect)
    return (whole + effect) / 2, (whole - effect) / 2


def matched_detectable(changed: float, n: int, power: float = POWER) -> float | None:
    """Return the smallest difference of two shares that McNemar's mid-p test finds.

    Args:
        changed: chance that a unit changes, from 0 to 1; it grows as in `matched_sides`.
        n: number of matched units, at least 0.
        power: from above .05 to below 1.

    Returns:
        None where no difference of at most 1 has this power.

    Raises:
        SettingError: a number is outside its range.

    Source: as in `matched_power`.

    >>> round(matched_detectable(0.3, 40), 3), matched_detectable(0.3, 4)
    (0.227, None)
    """
    _check("changed", changed, 0 <= changed <= 1, "a share, from 0 to 1")
    _check_power(power)
    if n < 1 or matched_power(1.0, 0.0, n) < power:
        return None
    return _root(lambda effect: matched_power(*matched_sides(changed, effect), n), power)


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


@lru_cache(maxsize=1024)
def _multiple(degrees: float, power: float) -> float:
    """The noncentrality at which the two-sided t test has this power."""
    return _root(lambda shift: _t_power(shift, degrees), power)


def _root(power_of: Callable[[float], float], power: float) -> float:
    """The effect from 0 on that has this power; it is below 1, or power rises beyond."""
    if power_of(0.0) >= power:
        return 0.0
    high = 1.0
    while power_of(high) < power:
        high *= 2
    return float(optimize.brentq(lambda effect: power_of(effect) - power, 0.0, high))


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
