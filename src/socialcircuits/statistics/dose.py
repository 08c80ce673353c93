"""The dose at which half are lost, from shares at a few doses, without a model of the curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import expm1, inf, log1p

from socialcircuits.errors import SettingError
from socialcircuits.statistics.estimate import LEVEL
from socialcircuits.statistics.intervals import few, proportion

__all__ = ["HalfDose", "half_dose", "monotone"]

HALF = 0.5


@dataclass(frozen=True)
class HalfDose:
    """A dose with its interval. Each may lie outside the doses that were given, and says so.

    Args:
        value: the dose; or ``below 1`` or ``beyond 8``, with the smallest dose above 0 and the
            largest one; None where there is nothing to estimate from.
        low: lower end of the interval, likewise.
        high: upper end, likewise.
        n: number of units at the dose that has the fewest.
        method: estimator and kind of interval.
        warnings: what a reader must know before trusting it.

    >>> HalfDose(3.5, 1.2, "beyond 8", 40, "by hand").high
    'beyond 8'
    """

    value: float | str | None
    low: float | str | None
    high: float | str | None
    n: int
    method: str
    warnings: tuple[str, ...] = ()


def half_dose(doses: Sequence[float], lost: Sequence[int], n: Sequence[int]) -> HalfDose:
    """Estimate the dose at which half are lost.

    The value is where the isotonic curve of the shares, which is straight between doses on
    log(1 + dose), crosses one half. The interval holds every dose at which the curve may be one
    half: a share between two doses lies between the exact ends of its neighbours, interpolated in
    the same way. So no draws are needed, and units may be the same at all doses or not. It is wider
    than it need be, never narrower; nothing is said of where below the smallest or beyond the
    largest dose the half is.

    Args:
        doses: shape (doses,), increasing, 0 or more, at least one above 0.
        lost: shape (doses,), units lost at each.
        n: shape (doses,), units at each. A dose without units is left out.

    Raises:
        SettingError: lengths differ, doses do not increase, or a count is not within 0 and its n.

    Source: Ayer and others (1955) for the isotonic curve; Clopper and Pearson (1934) for its ends;
    the inversion of tests at each dose as in Fieller (1954).

    >>> found = half_dose([0, 1, 3, 8], [1, 8, 22, 36], [40, 40, 40, 40])
    >>> round(found.value, 2), round(found.low, 2), round(found.high, 2)
    (2.62, 1.66, 4.12)
    >>> half_dose([0, 1, 3, 8], [0, 0, 1, 2], [40, 40, 40, 40]).low
    'beyond 8'
    """
    _check(doses, lost, n)
    rows = [row for row in zip(doses, lost, n, strict=True) if row[2]]
    given = [dose for dose, _, _ in rows]
    if not any(given):
        return HalfDose(None, None, None, 0, "no unit of evidence at a dose above 0")
    scale = _Scale(tuple(given))
    ends = [proportion(hits, size) for _, hits, size in rows]
    value = scale.first(monotone([hits / size for _, hits, size in rows], [r[2] for r in rows]))
    low = scale.first([_known(end.high) for end in ends])
    high = scale.last([_known(end.low) for end in ends])
    fewest = min(size for _, _, size in rows)
    return HalfDose(
        value=scale.named(value),
        # Pooling may move the curve out of the ends of single doses.
        low=scale.named(min(low, value)),
        high=scale.named(max(high, value)),
        n=fewest,
        method=(
            "isotonic curve on log(1 + dose); doses at which the exact ends of the shares allow "
            f"one half, level {LEVEL:g}"
        ),
        warnings=few(fewest),
    )


def monotone(shares: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the nearest shares that never fall, by pooling adjacent ones.

    Args:
        shares: shape (doses,).
        weights: shape (doses,), above 0.

    Source: Ayer and others (1955).

    >>> monotone([0.1, 0.4, 0.2, 0.6], [1, 1, 1, 1])
    [0.1, 0.30000000000000004, 0.30000000000000004, 0.6]
    """
    blocks: list[tuple[float, float, int]] = []
    for share, weight in zip(shares, weights, strict=True):
        block = (share * weight, float(weight), 1)
        while blocks and blocks[-1][0] * block[1] >= block[0] * blocks[-1][1]:
            before = blocks.pop()
            block = (before[0] + block[0], before[1] + block[1], before[2] + block[2])
        blocks.append(block)
    return [total / weight for total, weight, number in blocks for _ in range(number)]


@dataclass(frozen=True)
class _Scale:
    """Doses on log(1 + dose), and where straight lines between shares at them reach one half.

    Below the smallest dose above 0 a place is minus infinity, beyond the largest infinity.
    """

    doses: tuple[float, ...]

    def first(self, shares: Sequence[float]) -> float:
        """The smallest place at which the share is at least one half."""
        return self._place(shares, lambda share: share >= HALF, 1)

    def last(self, shares: Sequence[float]) -> float:
        """The largest place at which the share is at most one half."""
        return self._place(shares, lambda share: share <= HALF, -1)

    def _place(self, shares: Sequence[float], reached: Callable[[float], bool], way: int) -> float:
        kept = [(log1p(d), s) for d, s in zip(self.doses, shares, strict=True) if d][::way]
        outside = inf * way
        if reached(kept[0][1]):
            # One half at the very end of the scale is not outside it.
            return kept[0][0] if kept[0][1] == HALF else -outside
        for (x, before), (y, after) in pairwise(kept):
            if reached(after):
                return x + (y - x) * (HALF - before) / (after - before)
        return outside

    def named(self, place: float) -> float | str:
        """The dose of a place, or on which side of all doses it lies."""
        if place == -inf:
            return f"below {next(dose for dose in self.doses if dose):g}"
        return f"beyond {self.doses[-1]:g}" if place == inf else expm1(place)


def _known(end: float | None) -> float:
    assert end is not None
    return end


def _check(doses: Sequence[float], lost: Sequence[int], n: Sequence[int]) -> None:
    rising = all(a < b for a, b in pairwise(doses))
    if not doses or doses[0] < 0 or not rising or not any(doses):
        raise SettingError("doses", list(doses), "increasing doses, 0 or more, one above 0")
    for name, counts in (("lost", lost), ("n", n)):
        if len(counts) != len(doses):
            raise SettingError(name, len(counts), f"one number a dose ({len(doses)})")
    for hits, size in zip(lost, n, strict=True):
        if not 0 <= hits <= size:
            raise SettingError("lost", hits, f"an integer from 0 to {size}")
