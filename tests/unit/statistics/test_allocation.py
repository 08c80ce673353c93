"""Seeds shared out over cells: as much variance, for less."""

from __future__ import annotations

from itertools import product
from math import inf

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.statistics.allocation import allocation


def test_allocation_keeps_the_variance_and_saves() -> None:
    costs, deviations = [1.0, 5.0, 30.0], [0.5, 0.4, 0.2]
    found = allocation(costs, deviations, 60)
    spread = sum(d**2 / n for d, n in zip(deviations, found.seeds, strict=True))
    assert spread <= sum(d**2 for d in deviations) / 60
    assert found.cost == sum(c * n for c, n in zip(costs, found.seeds, strict=True))
    assert found.saving == pytest.approx(1 - found.cost / (60 * 36))
    # No other whole numbers near these are cheaper and as good.
    for moved in product((-2, -1, 0, 1, 2), repeat=3):
        other = [n + step for n, step in zip(found.seeds, moved, strict=True)]
        if sum(d**2 / n for d, n in zip(deviations, other, strict=True)) <= spread:
            assert sum(c * n for c, n in zip(costs, other, strict=True)) > found.cost - sum(costs)


def test_equal_cells_stay_equal() -> None:
    assert allocation([2.0] * 3, [0.4] * 3, 40).seeds == (40, 40, 40)
    assert allocation([2.0] * 3, [0.4] * 3, 40).saving == 0
    # Rounded up, two seeds where one was would cost more than equal numbers.
    assert allocation([1.0, 1.01], [0.5, 0.5], 1).seeds == (1, 1)


@pytest.mark.parametrize(
    ("costs", "deviations", "seeds", "message"),
    [
        ([1.0], [0.5, 0.5], 10, "one a cell"),
        ([], [], 10, "one a cell"),
        ([1.0, 0.0], [0.5, 0.5], 10, "costs: 0"),
        ([1.0], [inf], 10, "deviations: inf"),
        ([1.0], [0.5], 0, "seeds: 0"),
    ],
)
def test_what_cannot_be_shared_out_is_refused(
    costs: list[float], deviations: list[float], seeds: int, message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        allocation(costs, deviations, seeds)
