"""Means over cells, with clusters that reach over cells."""

from __future__ import annotations

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.statistics import ratio
from socialcircuits.statistics.macro import macro_ratio


def test_one_cell_is_the_pooled_ratio() -> None:
    hits, sizes = [0, 4, 1, 3, 2], [4, 4, 2, 5, 4]
    one = macro_ratio([dict(enumerate(zip(hits, sizes, strict=True)))])
    same = ratio(hits, sizes)
    assert (one.value, one.n) == (same.value, same.n)
    assert one.low == pytest.approx(same.low)
    assert one.high == pytest.approx(same.high)


def test_cells_count_alike() -> None:
    found = macro_ratio([{1: (1, 1), 2: (0, 1)}, {3: (30, 100), 4: (10, 100)}])
    assert found.value == pytest.approx((0.5 + 0.2) / 2)
    assert found.n == 4


def test_a_cluster_in_many_cells_is_one() -> None:
    # Two items that differ in every cell in the same way say no more than in one cell.
    cell = {"easy": (9, 10), "hard": (1, 10), "middle": (5, 10)}
    one, three = macro_ratio([cell]), macro_ratio([cell] * 3)
    assert three.low == pytest.approx(one.low)
    assert three.n == one.n == 3
    # Where they differ in opposite ways, that is averaged out.
    turned = {"easy": (1, 10), "hard": (9, 10), "middle": (5, 10)}
    both = macro_ratio([cell, turned])
    assert one.low is not None
    assert both.low is not None
    assert both.low > one.low


def test_at_the_ends_clusters_are_the_evidence() -> None:
    found = macro_ratio([dict.fromkeys(range(10), (0, 50))] * 2)
    assert (found.value, found.low) == (0.0, 0.0)
    assert found.high == ratio([0] * 10, [50] * 10).high


def test_too_little_to_say() -> None:
    assert macro_ratio([]).value is None
    assert macro_ratio([{}, {1: (0, 0)}]).value is None
    one = macro_ratio([{1: (1, 4)}, {2: (0, 0)}])
    assert (one.value, one.low, one.high, one.n) == (0.25, 0.0, 1.0, 1)
    with pytest.raises(SettingError, match="cells"):
        macro_ratio([{1: (3, 2)}])
