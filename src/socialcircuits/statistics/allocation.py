"""Seeds shared out over cells, so that all together tell as much for less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf, sqrt

from socialcircuits.errors import SettingError

__all__ = ["Allocation", "allocation"]

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
            if not 0 < value < inf:
                raise SettingError(name, value, "numbers above 0")
    if seeds < 1:
        raise SettingError("seeds", seeds, "1 or more")
    pairs = list(zip(costs, deviations, strict=True))
    scale = sum(d * sqrt(c) for c, d in pairs) / sum(d**2 for d in deviations)
    shared = tuple(ceil(seeds * scale * d / sqrt(c) - _ROUNDING) for c, d in pairs)
    cost, equal = sum(c * n for c, n in zip(costs, shared, strict=True)), seeds * sum(costs)
    if cost >= equal:
        return Allocation((seeds,) * len(costs), float(equal), 0.0)
    return Allocation(shared, float(cost), 1 - cost / equal)
