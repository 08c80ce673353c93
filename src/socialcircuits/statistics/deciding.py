"""Decisions: on which side of a limit a whole interval lies, also when it is looked at repeatedly.

Intervals are given by their ends at any level and, for planning, at any n with the estimate held,
so counts need not be whole numbers here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from operator import ge, gt, le, lt
from statistics import fmean, stdev
from typing import Literal, NamedTuple

from scipy import special

from socialcircuits.errors import SettingError
from socialcircuits.statistics.estimate import LEVEL
from socialcircuits.statistics.intervals import EQUAL
from socialcircuits.statistics.power import MOST
from socialcircuits.statistics.sequential import boundaries, equal_looks

__all__ = [
    "Ends",
    "Limit",
    "Moments",
    "Side",
    "decide",
    "deciding_size",
    "look_level",
    "matched_ends",
    "mean_ends",
    "moments",
    "share_ends",
]

Side = Literal["inside", "outside", "open"]
Ends = tuple[float, float]
Sign = Literal["<", "<=", ">", ">="]

_COMPARED: dict[Sign, Callable[[float, float], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}

_PRECISION = 60
"""Halvings of the range of a difference."""


class Moments(NamedTuple):
    """Mean and standard deviation of units, the deviation 0 where they are equal."""

    value: float
    deviation: float


@dataclass(frozen=True)
class Limit:
    """What a number has to be.

    Args:
        sign: how it has to compare, and
        bound: with what.

    >>> limit = Limit("<", 0.2)
    >>> limit.side(0.05, 0.15), limit.side(0.2, 0.4), limit.side(0.1, 0.3)
    ('inside', 'outside', 'open')
    """

    sign: Sign
    bound: float

    def side(self, low: float, high: float) -> Side:
        """Return whether a whole interval lies inside the limit, wholly outside, or neither."""
        holds = [_COMPARED[self.sign](end, self.bound) for end in (low, high)]
        return "inside" if all(holds) else "open" if any(holds) else "outside"


def share_ends(successes: float, n: int, level: float = LEVEL) -> Ends:
    """Return the exact interval of a share of independent units (Clopper and Pearson's).

    Args:
        successes: from 0 to n; at `LEVEL` and a whole number the ends are those of `proportion`.
        n: number of units; 0 gives the whole range.
        level: above 0 and below 1.

    Raises:
        SettingError: successes or level are outside their range.

    Source: Clopper and Pearson (1934).

    >>> [round(end, 3) for end in share_ends(0, 40, 0.99)]
    [0.0, 0.124]
    """
    _check_level(level)
    if not 0 <= successes <= n:
        raise SettingError("successes", successes, f"a number from 0 to {n}")
    tail, failures = (1 - level) / 2, n - successes
    low = float(special.betaincinv(successes, failures + 1, tail)) if successes else 0.0
    high = float(special.betaincinv(successes + 1, failures, 1 - tail)) if failures else 1.0
    return low, high


def moments(values: Sequence[float]) -> Moments:
    """Return mean and deviation of at least one unit.

    >>> moments([0.0, 3.0, 0.0])
    Moments(value=1.0, deviation=1.7320508075688772)
    """
    if max(values) - min(values) <= EQUAL:
        return Moments(float(values[0]), 0.0)
    return Moments(fmean(values), stdev(values))


def mean_ends(found: Moments, n: int, bounds: Ends, level: float = LEVEL) -> Ends:
    """Return the interval of a mean of bounded units.

    It is the t interval clipped to the bounds. Equal units do not show how they differ: then any
    other value has a chance that is at most the exact upper end for none of n, and the mean is as
    far from theirs as that chance of the worst value moves it. One unit or none gives the bounds.

    Args:
        found: mean and deviation of the units.
        n: number of units.
        bounds: smallest and largest possible value.
        level: above 0 and below 1.

    Raises:
        SettingError: the level or the mean is outside its range.

    Source: Student (1908); Clopper and Pearson (1934) for equal units.

    >>> [round(end, 3) for end in mean_ends(Moments(0.0, 0.0), 30, (0.0, 3.0))]
    [0.0, 0.347]
    >>> [round(end, 3) for end in mean_ends(Moments(0.5, 0.8), 30, (0.0, 3.0))]
    [0.201, 0.799]
    """
    _check_level(level)
    smallest, largest = bounds
    if not smallest <= found.value <= largest:
        raise SettingError("value", found.value, f"a number from {smallest:g} to {largest:g}")
    if n < 2:
        return bounds
    if not found.deviation:
        other = share_ends(0, n, level)[1]
        low = found.value - other * (found.value - smallest)
        return low, found.value + other * (largest - found.value)
    half = float(special.stdtrit(n - 1, (1 + level) / 2)) * found.deviation / sqrt(n)
    return max(smallest, found.value - half), min(largest, found.value + half)


def matched_ends(gained: float, lost: float, n: int, level: float = LEVEL) -> Ends:
    """Return the score interval of the difference of two shares of matched units (Tango's).

    Unlike the t interval it is honest where few units or none changed.

    Args:
        gained: units with yes on the first side only, 0 or more, and
        lost: with yes on the second side only; together at most n.
        n: number of matched units; 0 gives the whole range.
        level: above 0 and below 1.

    Raises:
        SettingError: a count or the level is outside its range.

    Source: Tango (1998); recommended by Fagerland, Lydersen and Laake (2014).

    >>> [round(end, 3) for end in matched_ends(1, 7, 21)]
    [-0.517, -0.026]
    >>> [round(end, 3) for end in matched_ends(0, 0, 100)]
    [-0.037, 0.037]
    """
    _check_level(level)
    for name, count in (("gained", gained), ("lost", lost)):
        if not 0 <= count <= n - (gained + lost - count) + EQUAL * n:
            raise SettingError(name, count, f"a number of units, with the other at most {n}")
    if not n:
        return -1.0, 1.0
    bar = float(special.ndtri((1 + level) / 2))
    centre = (gained - lost) / n
    low = -1.0 if centre == -1 else _crossing(gained, lost, n, bar, (centre, -1.0))
    high = 1.0 if centre == 1 else _crossing(gained, lost, n, bar, (centre, 1.0))
    return low, high


def deciding_size(ends: Callable[[int], Ends], limit: Limit, least: int = 1) -> int | None:
    """Return the smallest n at which the interval, with its estimate held, is on one side.

    Args:
        ends: the interval by n, which shrinks as n grows.
        limit: what it must lie inside or outside of.
        least: the smallest n to consider, 1 or more.

    Returns:
        None where ten million units would not do: the estimate is at the limit, or nearly.

    >>> deciding_size(lambda n: share_ends(0.1 * n, n), Limit("<", 0.2))
    65
    >>> deciding_size(lambda n: share_ends(0.2 * n, n), Limit("<", 0.2)) is None
    True
    """

    def undecided(n: int) -> bool:
        return limit.side(*ends(n)) == "open"

    low = high = least
    while undecided(high):
        if high >= MOST:
            return None
        low, high = high + 1, min(2 * high, MOST)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if undecided(middle) else (low, middle)
    return high


def look_level(look: int, looks: int) -> float:
    """Return the level of the interval at one of several declared, equally spaced looks.

    All intervals of a study, each at its level, hold the true value together in at least 95 % of
    studies, so that one may stop at any of them: a repeated confidence interval.

    Args:
        look: which one, from 1.
        looks: how many are declared.

    Raises:
        SettingError: there is no such look.

    Source: Jennison and Turnbull (1989); O'Brien and Fleming (1979) for the boundaries.

    >>> [round(look_level(look, 4), 5) for look in (1, 2, 3, 4)]
    [0.99995, 0.9958, 0.98058, 0.95706]
    """
    if not 1 <= look <= looks:
        raise SettingError("look", look, f"an integer from 1 to {looks}")
    return float(1 - 2 * special.ndtr(-boundaries(equal_looks(looks))[look - 1]))


def decide(successes: int, n: int, limit: Limit, look: int, looks: int) -> Side:
    """Return on which side of a limit a share lies, at one of several declared looks.

    A study that stops at the first look that is not open is wrong in at most 5 % of all.

    Args:
        successes: units so far of which it holds.
        n: units so far.
        limit: what the share has to be.
        look: which look it is, from 1.
        looks: how many are declared.

    Raises:
        SettingError: there is no such look, or the counts are no counts.

    Source: as in `look_level`; the interval is exact at the level of the look.

    >>> decide(0, 30, Limit("<", 0.2), 2, 4), decide(0, 15, Limit("<", 0.2), 1, 4)
    ('inside', 'open')
    """
    return limit.side(*share_ends(successes, n, look_level(look, looks)))


def _crossing(gained: float, lost: float, n: int, bar: float, between: Ends) -> float:
    """Where from the estimate outwards the score reaches the bar."""
    inside, outside = between
    for _ in range(_PRECISION):
        middle = (inside + outside) / 2
        if abs(_score(gained, lost, n, middle)) < bar:
            inside = middle
        else:
            outside = middle
    return inside


def _score(gained: float, lost: float, n: int, difference: float) -> float:
    """How many standard errors the counts are from a difference, which is their smallest."""
    linear = (2 * n - gained + lost) * difference - gained - lost
    product = lost * difference * (1 - difference)
    rarer = (sqrt(max(0.0, linear**2 + 8 * n * product)) - linear) / (4 * n)
    variance = n * (2 * rarer + difference * (1 - difference))
    # The variance vanishes only at the ends of the range, which are then impossible.
    return (gained - lost - n * difference) / sqrt(variance) if variance > 0 else inf


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise SettingError("level", level, "a number above 0 and below 1")
