"""Looks at an unfinished study: boundaries that keep the level, and what looks without them cost.

A z statistic that is formed again and again from growing data moves as Brownian motion in the part
of the data (the information fraction) does. The chance to be beyond a boundary at some look is
integrated look by look. A look at less than one part in 10,000 more data than the one before it
counts as the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from socialcircuits.errors import SettingError
from socialcircuits.statistics.estimate import LEVEL
from socialcircuits.statistics.power import POWER, detectable

__all__ = ["boundaries", "enlargement", "equal_looks", "expected_part", "inflation", "z_score"]

Floats = NDArray[np.float64]

_ALPHA = 1 - LEVEL
_BLOCK = 48
_PER_STEP = 2.5
"""Points of the integration: so many a standard deviation of a step, in whole blocks."""

_NEAR = 1e-4
"""A look at less than this part more data than the one before is the same look."""


def equal_looks(number: int) -> tuple[float, ...]:
    """Return the information fractions of equally spaced looks, the last at 1.

    Raises:
        SettingError: there is not at least one look.

    >>> equal_looks(4)
    (0.25, 0.5, 0.75, 1.0)
    """
    if number < 1:
        raise SettingError("number", number, "1 look or more")
    return tuple(k / number for k in range(1, number + 1))


def boundaries(fractions: Sequence[float]) -> tuple[float, ...]:
    """Return O'Brien and Fleming's boundaries: |z| at least this large at a look ends the study.

    The boundary at fraction t is C / sqrt(t), with C such that a study in which nothing is there
    crosses at one of its looks with a chance of 5 %.

    Args:
        fractions: shape (looks,), part of the data at each, increasing, above 0, the last one 1.

    Raises:
        SettingError: fractions are not such.

    Source: O'Brien and Fleming (1979); the integration of Armitage, McPherson and Rowe (1969).

    >>> [round(z, 3) for z in boundaries(equal_looks(4))]
    [4.049, 2.863, 2.337, 2.024]
    """
    return _boundaries(_checked(fractions, whole=True))


def inflation(fractions: Sequence[float]) -> float:
    """Return the chance of a false positive of a study that is tested anew, at 5 %, at each look.

    Args:
        fractions: shape (looks,), the data at each look in any unit, increasing, above 0.

    Raises:
        SettingError: fractions are not such.

    Source: Armitage, McPherson and Rowe (1969), Table 2.

    >>> round(inflation(equal_looks(5)), 3)
    0.142
    """
    checked = _checked(fractions, whole=False)
    bar = float(special.ndtri((1 + LEVEL) / 2))
    return float(sum(_crossings((bar,) * len(checked), checked)))


def enlargement(fractions: Sequence[float], power: float = POWER) -> float:
    """Return how much larger a study with these looks must be planned, to have the same power.

    Args:
        fractions: as in `boundaries`.
        power: from above .05 to below 1.

    Returns:
        The largest number of units as a multiple of that of a study without looks, at least 1.

    Raises:
        SettingError: fractions or power are not such.

    Source: Jennison and Turnbull (2000), section 2.4.

    >>> round(enlargement(equal_looks(4)), 3)
    1.024
    """
    return (_drift(_checked(fractions, whole=True), power) / detectable(1.0, inf, power)) ** 2


def expected_part(fractions: Sequence[float], power: float = POWER) -> float:
    """Return the part of the planned data that is used on average, if the effect is there.

    Args:
        fractions: as in `boundaries`.
        power: of the study to find the effect, from above .05 to below 1.

    Returns:
        Above 0, at most 1; times `enlargement`, it is the part of a study without looks.

    Raises:
        SettingError: fractions or power are not such.

    Source: Jennison and Turnbull (2000), section 2.4.

    >>> round(expected_part(equal_looks(4)), 3)
    0.812
    """
    checked = _checked(fractions, whole=True)
    stopped = _crossings(_boundaries(checked), checked, _drift(checked, power))[:-1]
    saved = sum(p * (1 - t) for p, t in zip(stopped, checked[:-1], strict=True))
    return 1 - float(saved)


def z_score(p: float, sign: float) -> float:
    """Return the z of which a two-sided p value is, on the side of the estimate.

    Args:
        p: two-sided, above 0 and at most 1.
        sign: the estimate, or any number with its sign; 0 gives 0.

    Raises:
        SettingError: p is not above 0 and at most 1.

    >>> round(z_score(0.05, -0.3), 2)
    -1.96
    """
    if not 0 < p <= 1:
        raise SettingError("p", p, "a number above 0 and at most 1")
    return float(np.sign(sign) * -special.ndtri(p / 2))


class _Inside(NamedTuple):
    """Where the motion is if it has crossed nowhere: points, and the mass at each."""

    points: Floats
    mass: Floats


def _checked(fractions: Sequence[float], *, whole: bool) -> tuple[float, ...]:
    found = tuple(float(t) for t in fractions)
    expected = "increasing fractions above 0" + (", the last one 1" if whole else "")
    rising = all(a < b < inf for a, b in zip((0.0, *found), found, strict=False))
    if not found or not rising or (whole and found[-1] != 1):
        raise SettingError("fractions", found, expected)
    return found


@lru_cache(maxsize=64)
def _boundaries(fractions: tuple[float, ...]) -> tuple[float, ...]:
    def excess(constant: float) -> float:
        return sum(_crossings([constant / sqrt(t) for t in fractions], fractions)) - _ALPHA

    constant = optimize.brentq(excess, 1.9, 4.0, xtol=1e-9)
    return tuple(float(constant) / sqrt(t) for t in fractions)


@lru_cache(maxsize=64)
def _drift(fractions: tuple[float, ...], power: float) -> float:
    """The mean of z at the last look at which the boundaries are crossed with this power."""
    bounds, alone = _boundaries(fractions), detectable(1.0, inf, power)

    def excess(drift: float) -> float:
        return sum(_crossings(bounds, fractions, drift)) - power

    return float(optimize.brentq(excess, alone - 1e-6, 2 * alone, xtol=1e-9))


def _crossings(
    bounds: Sequence[float], fractions: Sequence[float], drift: float = 0.0
) -> list[float]:
    """The chance to cross first at each look; drift is the mean of z where the fraction is 1."""
    inside, before, found = _Inside(np.zeros(1), np.ones(1)), 0.0, []
    for bound, now in zip(bounds, fractions, strict=True):
        step, bar = now - before, bound * sqrt(now)
        if step < _NEAR * before:
            found.append(0.0)
            continue
        middle, width = inside.points + drift * step, sqrt(step)
        beyond = special.ndtr((middle - bar) / width) + special.ndtr((-bar - middle) / width)
        found.append(float(inside.mass @ beyond))
        points, weights = _grid(bar, width)
        apart = (points[:, None] - middle) / width
        density = np.exp(-(apart**2) / 2) @ inside.mass / (width * sqrt(2 * np.pi))
        inside, before = _Inside(points, weights * density), now
    return found


def _grid(bar: float, width: float) -> tuple[Floats, Floats]:
    points, weights = _legendre(_BLOCK * ceil(_PER_STEP * 2 * bar / width / _BLOCK))
    return points * bar, weights * bar


@lru_cache(maxsize=256)
def _legendre(number: int) -> tuple[Floats, Floats]:
    points, weights = np.polynomial.legendre.leggauss(number)
    return points, weights
