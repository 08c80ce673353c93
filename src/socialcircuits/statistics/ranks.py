"""Does one ranking agree with another? Within strata, with ties, and exactly where possible."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import sqrt
from typing import TYPE_CHECKING

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Agreement", "TopHit", "agreement", "midranks", "spearman", "top_hit"]

EXACT = 9
"""Strata of up to so many units are permuted in all ways: 9! = 362,880, below 2^20."""

DRAWS = 9_999
"""Random permutations where a stratum is larger; with the observed one they are 10,000."""


@dataclass(frozen=True)
class Agreement:
    """How far two rankings agree within strata.

    Args:
        spearman: rank correlation within strata, -1 to 1; None where one side is all ties.
        kendall: tau-b over the pairs of units of one stratum, -1 to 1; None likewise.
        p: chance of an agreement at least as strong, in the direction that was predicted.
        p_two_sided: chance of one at least as far from none, in either direction.
        exact: whether all permutations were counted.
        strata: number of strata in which neither side is all ties; the others say nothing.
        n: number of units in these strata.

    >>> agreement([1, 2, 3, 4], [1, 3, 2, 4]).kendall
    0.6666666666666666
    """

    spearman: float | None
    kendall: float | None
    p: float
    p_two_sided: float
    exact: bool
    strata: int
    n: int


@dataclass(frozen=True)
class TopHit:
    """Whether the unit that is ranked first is the one that is first in truth.

    Args:
        share: chance that one of the units ranked first, chosen at random, is one of those that are
            first in truth: 0 or 1 without ties.
        chance: the same for a unit chosen among all.
    """

    share: float
    chance: float


@dataclass(frozen=True)
class _Stratum:
    """Doubled ranks of the units of one stratum: whole numbers even where there are ties."""

    x: tuple[int, ...]
    y: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(a * b for a, b in zip(self.x, self.y, strict=True))

    @property
    def expected(self) -> int:
        """The mean of the total over all permutations: all ranks have the mean (n + 1) / 2."""
        return len(self.x) * (len(self.x) + 1) ** 2


def midranks(values: Sequence[float]) -> list[float]:
    """Rank numbers from the smallest, 1, up; equal numbers share the mean of their ranks.

    Args:
        values: shape (n,), no missing values.

    Source: Kendall (1945), midranks.

    >>> midranks([0.5, 0.1, 0.5, 0.9])
    [2.5, 1.0, 2.5, 4.0]
    """
    below = {value: sum(other < value for other in values) for value in set(values)}
    equal = {value: sum(other == value for other in values) for value in below}
    return [below[value] + (equal[value] + 1) / 2 for value in values]


def agreement(
    x: Sequence[float],
    y: Sequence[float],
    strata: Sequence[Hashable] | None = None,
    seed: bytes = b"",
) -> Agreement:
    """Compare two rankings of the same units within strata.

    Units are ranked within their stratum. Spearman's coefficient is the correlation of these ranks
    about their means, summed over strata; with one stratum it is the usual one. Kendall's tau-b
    counts pairs of one stratum. The test permutes one side within strata; its statistic is the sum
    over strata of the products of ranks. Strata of up to 9 units are permuted in all ways and their
    exact distributions are folded together, whatever their number; where one is larger, 9,999
    permutations are drawn, and the observed one is counted among them.

    Args:
        x: shape (n,), what was predicted; no missing values.
        y: shape (n,), what was measured, of the same units.
        strata: shape (n,), the stratum of each unit; None: all are one.
        seed: seed of drawn permutations.

    Raises:
        SettingError: the lengths differ.

    Source: Spearman (1904); Kendall (1945), tau-b; permutation within strata as in Mantel (1963).

    >>> found = agreement([0.47, 1.01, 0.46, 1.81, 0.64, 1.19], [4, 1, 1, 6, 1, 5])
    >>> round(found.spearman, 3), round(found.p, 3), round(found.p_two_sided, 3)
    (0.698, 0.083, 0.167)
    """
    found = _strata(x, y, strata)
    exact = all(len(stratum.x) <= EXACT for stratum in found)
    p, p_two_sided = _exact(found) if exact else _drawn(found, seed)
    return Agreement(
        spearman=_spearman(found),
        kendall=_kendall(found),
        p=p,
        p_two_sided=p_two_sided,
        exact=exact,
        strata=len(found),
        n=sum(len(stratum.x) for stratum in found),
    )


def spearman(
    x: Sequence[float], y: Sequence[float], strata: Sequence[Hashable] | None = None
) -> float | None:
    """Return the rank correlation of `agreement` alone, without a test.

    Raises:
        SettingError: the lengths differ.

    >>> spearman([1, 2, 3, 4], [1, 3, 2, 4])
    0.8
    """
    return _spearman(_strata(x, y, strata))


def top_hit(predicted: Sequence[float], measured: Sequence[float]) -> TopHit | None:
    """Return whether the largest prediction points at the largest measurement.

    Args:
        predicted: shape (n,), no missing values.
        measured: shape (n,), of the same units.

    Returns:
        None where all measurements are equal: there is no first.

    Raises:
        SettingError: the lengths differ.

    >>> top_hit([1.81, 1.81, 0.4, 0.3], [0.75, 0.5, 0.0, 0.0])
    TopHit(share=0.5, chance=0.25)
    """
    if len(predicted) != len(measured):
        raise SettingError("measured", len(measured), f"one number a unit ({len(predicted)})")
    if len(set(measured)) < 2:
        return None
    first = {i for i, value in enumerate(measured) if value == max(measured)}
    named = {i for i, value in enumerate(predicted) if value == max(predicted)}
    return TopHit(len(first & named) / len(named), len(first) / len(measured))


def _strata(
    x: Sequence[float], y: Sequence[float], strata: Sequence[Hashable] | None
) -> list[_Stratum]:
    """The strata in which neither side is all ties."""
    labels = [0] * len(x) if strata is None else list(strata)
    if not len(x) == len(y) == len(labels):
        raise SettingError("y", len(y), f"one number a unit ({len(x)}), and one stratum a unit")
    units: dict[Hashable, list[int]] = {}
    for unit, label in enumerate(labels):
        units.setdefault(label, []).append(unit)
    found = []
    for members in units.values():
        stratum = _Stratum(_doubled([x[i] for i in members]), _doubled([y[i] for i in members]))
        if len(set(stratum.x)) > 1 and len(set(stratum.y)) > 1:
            found.append(stratum)
    return found


def _doubled(values: Sequence[float]) -> tuple[int, ...]:
    return tuple(round(2 * rank) for rank in midranks(values))


def _spearman(strata: Sequence[_Stratum]) -> float | None:
    if not strata:
        return None
    joint = sum(stratum.total - stratum.expected for stratum in strata)
    spread_x, spread_y = (
        sum(_Stratum(side, side).total - len(side) * (len(side) + 1) ** 2 for side in sides)
        for sides in ([s.x for s in strata], [s.y for s in strata])
    )
    return joint / sqrt(spread_x * spread_y)


def _kendall(strata: Sequence[_Stratum]) -> float | None:
    if not strata:
        return None
    joint = x_pairs = y_pairs = 0
    for stratum in strata:
        pairs = list(zip(stratum.x, stratum.y, strict=True))
        for place, (a, b) in enumerate(pairs):
            for c, d in pairs[:place]:
                joint += _sign(a - c) * _sign(b - d)
                x_pairs += a != c
                y_pairs += b != d
    return joint / sqrt(x_pairs * y_pairs)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _exact(strata: Sequence[_Stratum]) -> tuple[float, float]:
    """Fold the exact distributions of all strata, as chances of each value of the statistic."""
    import numpy as np

    chances, lowest = np.ones(1), 0
    for stratum in strata:
        totals = np.array(stratum.y)[_orders(len(stratum.y))] @ np.array(stratum.x)
        least = int(totals.min())
        chances = np.convolve(chances, np.bincount(totals - least) / totals.size)
        lowest += least
    values = lowest + np.arange(chances.size)
    away = values - sum(stratum.expected for stratum in strata)
    observed = sum(stratum.total - stratum.expected for stratum in strata)
    one, two = (float(chances[k].sum()) for k in (away >= observed, abs(away) >= abs(observed)))
    return min(1.0, one), min(1.0, two)


@lru_cache(maxsize=EXACT)
def _orders(n: int) -> NDArray[np.int8]:
    import numpy as np

    return np.array(list(permutations(range(n))), np.int8)


def _drawn(strata: Sequence[_Stratum], seed: bytes) -> tuple[float, float]:
    observed = sum(stratum.total - stratum.expected for stratum in strata)
    drawn = list(_totals(strata, seed))
    one = sum(value >= observed for value in drawn)
    two = sum(abs(value) >= abs(observed) for value in drawn)
    return (1 + one) / (1 + DRAWS), (1 + two) / (1 + DRAWS)


def _totals(strata: Sequence[_Stratum], seed: bytes) -> Iterator[int]:
    stream = Stream(seed, "permutations within strata")
    for _ in range(DRAWS):
        yield sum(
            _Stratum(stratum.x, tuple(stream.shuffled(stratum.y))).total - stratum.expected
            for stratum in strata
        )
