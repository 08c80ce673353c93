"""How much units differ, as a pilot shows it, and what that makes of the size of a study.

Every spread answers the same questions: the power at a number of units, the units for a power, the
effect that so many units detect, and the same for a more cautious reading of the pilot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Protocol

from scipy import special

from socialcircuits.statistics import proportion
from socialcircuits.statistics.estimate import t_quantile
from socialcircuits.statistics.power import (
    MOST,
    detectable,
    flips_detectable,
    flips_power,
    flips_size,
    matched_detectable,
    matched_power,
    matched_sides,
    matched_size,
    slope_power,
    slope_size,
)

__all__ = ["CAUTION", "Changes", "Differences", "Precision", "Slope", "Spread", "deviation_limit"]

CAUTION = 0.8
"""The cautious reading of a pilot is the upper limit that holds in so many of all pilots."""


class Spread(Protocol):
    """How much units differ."""

    @property
    def test(self) -> str:
        """The test, or the interval, that the study will use."""

    @property
    def means(self) -> str:
        """What the deviation is, in words."""

    @property
    def deviation(self) -> float:
        """What is uncertain, as one number."""

    def power(self, effect: float, units: int) -> float | None:
        """Return the power at so many units; None where there is no test."""

    def size(self, effect: float, power: float) -> int | None:
        """Return the units for this power; None where no number is enough."""

    def detects(self, units: int, power: float) -> float | None:
        """Return the smallest effect that so many units find; None where there is none."""

    def cautious(self) -> Spread:
        """Return the spread at the upper limit of what the pilot leaves open."""


@dataclass(frozen=True)
class Changes:
    """Yes or no on matched units: how many changed.

    Args:
        changed: units of the pilot with different answers on both sides.
        n: matched units of the pilot, at least 1.
        share: chance that a unit changes; by default that of the pilot. It grows with the effect
            as in `matched_sides`.

    >>> Changes(changed=6, n=20).size(0.2, 0.8)
    53
    """

    changed: int
    n: int
    share: float | None = None
    test: str = "McNemar mid-p"
    means: str = "share that changes"

    @property
    def deviation(self) -> float:
        """Share of units that change, from 0 to 1."""
        return self.changed / self.n if self.share is None else self.share

    def power(self, effect: float, units: int) -> float:
        """Return the power of McNemar's mid-p test; 0 for no units."""
        return matched_power(*matched_sides(self.deviation, effect), units) if units else 0.0

    def size(self, effect: float, power: float) -> int:
        """Return the number of matched units."""
        return matched_size(*matched_sides(self.deviation, effect), power)

    def detects(self, units: int, power: float) -> float | None:
        """Return the smallest difference of the two shares; None where none is enough."""
        return matched_detectable(self.deviation, units, power)

    def cautious(self) -> Changes:
        """Return the changes at the exact upper limit of their share."""
        rest = self.n - self.changed
        high = float(special.betaincinv(self.changed + 1, rest, CAUTION)) if rest else 1.0
        return replace(self, share=high)


@dataclass(frozen=True)
class Differences:
    """Differences of matched units.

    Args:
        deviation: their standard deviation, above 0.
        n: matched units of the pilot, at least 2.
        most: the largest possible difference; what is detected only above it is None.

    >>> Differences(0.2, 20).size(0.05, 0.8)
    128
    """

    deviation: float
    n: int
    most: float = 1.0
    test: str = "sign flips"
    means: str = "deviation of differences"

    def power(self, effect: float, units: int) -> float:
        """Return the power of the sign-flip test; 0 for fewer than six units."""
        return flips_power(effect, self.deviation, units)

    def size(self, effect: float, power: float) -> int:
        """Return the number of matched units, at least six."""
        return flips_size(effect, self.deviation, power)

    def detects(self, units: int, power: float) -> float | None:
        """Return the smallest mean difference; None with fewer than six units."""
        return _possible(flips_detectable(self.deviation, units, power), self.most)

    def cautious(self) -> Differences:
        """Return the differences at the upper limit of their deviation."""
        return replace(self, deviation=deviation_limit(self.deviation, self.n - 1))


@dataclass(frozen=True)
class Slope:
    """What makes a slope uncertain that is clustered by question and composition.

    Args:
        by_question: what questions add, times their number; a variance.
        by_composition: what the compositions leave, however many questions there are; a variance.
        compositions: number of compositions, at least 3.
        n: questions of the pilot, at least 2.
        most: the largest possible slope; what is detected only above it is None.

    >>> Slope(0.018, 0.0001, 12, 20).size(0.05, 0.8), Slope(0.018, 0.0004, 12, 20).size(0.05, 0.8)
    (110, None)
    """

    by_question: float
    by_composition: float
    compositions: int
    n: int
    most: float = 1.0
    test: str = "t of a slope clustered by question and composition"
    means: str = "standard error of the slope in the pilot"

    @property
    def deviation(self) -> float:
        """Standard error of the slope with the questions of the pilot, for each 0.1."""
        return sqrt(self.by_question / self.n + self.by_composition)

    def power(self, effect: float, units: int) -> float:
        """Return the power of the t test; 0 for fewer than two questions."""
        if units < 2:
            return 0.0
        parts = (self.by_question, self.by_composition)
        return slope_power(effect, *parts, units, self.compositions)

    def size(self, effect: float, power: float) -> int | None:
        """Return the number of questions; None where more of them never are enough."""
        parts = (self.by_question, self.by_composition)
        return slope_size(effect, *parts, self.compositions, power)

    def detects(self, units: int, power: float) -> float | None:
        """Return the smallest slope, for each 0.1 of the proportion."""
        if units < 2:
            return None
        error = sqrt(self.by_question / units + self.by_composition)
        return _possible(detectable(error, min(units, self.compositions) - 1, power), self.most)

    def cautious(self) -> Slope:
        """Return both parts at their upper limits."""
        return replace(
            self,
            by_question=deviation_limit(sqrt(self.by_question), self.n - 1) ** 2,
            by_composition=deviation_limit(sqrt(self.by_composition), self.compositions - 1) ** 2,
        )


@dataclass(frozen=True)
class Precision:
    """A single number: what counts is half the width of its interval.

    Args:
        spread: standard deviation between units, above 0.
        n: units of the pilot, at least 2.
        share: of units of which something holds, where that is what is estimated; its interval is
            the exact one.
        most: the range of what is estimated; an interval that is wider on each side is None.

    >>> Precision(0.2, 20).size(0.05, 0.8), Precision(0.5, 20, share=0.5).size(0.1, 0.8)
    (64, 104)
    """

    spread: float
    n: int
    share: float | None = None
    most: float = 1.0
    means: str = "deviation between units"

    @property
    def deviation(self) -> float:
        """Standard deviation between units."""
        return self.spread

    @property
    def test(self) -> str:
        """The kind of interval."""
        return "t interval" if self.share is None else "exact interval"

    def power(self, effect: float, units: int) -> None:
        """Return None: nothing is tested."""

    def size(self, effect: float, power: float) -> int | None:
        """Return the units at which half the interval is at most `effect` wide, whatever power."""
        if self._half(MOST) > effect:
            return None
        return _first(lambda n: self._half(n) <= effect, MOST)

    def detects(self, units: int, power: float) -> float | None:
        """Return half the width of the interval, whatever power."""
        return _possible(self._half(units), self.most) if units > 1 else None

    def cautious(self) -> Precision:
        """Return the upper limit of the deviation; of a share, the end that is nearest to .5."""
        if self.share is None:
            return replace(self, spread=deviation_limit(self.spread, self.n - 1))
        yes = self.share * self.n
        ends = [
            float(special.betaincinv(yes, self.n - yes + 1, 1 - CAUTION)) if yes else 0.0,
            float(special.betaincinv(yes + 1, self.n - yes, CAUTION)) if yes < self.n else 1.0,
        ]
        share = min(max(0.5, ends[0]), ends[1])
        return replace(self, spread=sqrt(share * (1 - share)), share=share)

    def _half(self, units: int) -> float:
        if units < 2:
            return 1.0
        if self.share is None:
            return t_quantile(units - 1) * self.spread / sqrt(units)
        found = proportion(round(self.share * units), units)
        assert found.low is not None
        assert found.high is not None
        return (found.high - found.low) / 2


def deviation_limit(deviation: float, degrees: int) -> float:
    """Return the upper limit of a standard deviation that holds in `CAUTION` of all pilots.

    Args:
        deviation: that of the pilot, 0 or more.
        degrees: its degrees of freedom, at least 1.

    Source: the chi-squared distribution of a sample variance; Browne (1995) for its use in
    planning.

    >>> round(deviation_limit(0.2, 19), 3)
    0.235
    """
    return deviation * sqrt(degrees / float(special.chdtri(degrees, CAUTION)))


def _possible(effect: float | None, most: float) -> float | None:
    return None if effect is None or effect > most else effect


def _first(reached: Callable[[int], bool], most: int) -> int:
    """The smallest number from 1 to `most` at which it holds, by bisection; it holds at `most`."""
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle + 1, high)
    return low
