from __future__ import annotations

import math

import numpy as np
import pytest

from socialcircuits.worlds.flags import CropIndex
from socialcircuits.worlds.flags.crops import log_beliefs

FIRST = np.array([[0, 0, 1]], dtype=np.uint8)
SECOND = np.array([[0, 1, 1]], dtype=np.uint8)
THIRD = np.array([[2, 2, 2]], dtype=np.uint8)


@pytest.fixture(scope="module")
def index() -> CropIndex:
    """Crops of 2 x 1: 00 01, 01 11, 22 22."""
    return CropIndex([FIRST, SECOND, THIRD], (2, 1))


def test_patterns_are_numbered_by_content(index: CropIndex) -> None:
    assert index.ids.tolist() == [[0, 1], [1, 2], [3, 3]]
    assert index.counts.tolist() == [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 2]]
    assert index.positions == 2


def test_compatible_at_any_and_at_the_same_position(index: CropIndex) -> None:
    assert index.compatible(0, 1) == index.compatible(1, 0) == (0, 1)
    assert index.compatible_at(0, 1) == (0,)
    assert index.compatible_at(2, 0) == (2,)


def test_statistics(index: CropIndex) -> None:
    assert index.statistics(["a", "b", "c"]) == {
        "crops": 6,
        "unique_share": 4 / 6,
        "mean_compatible": 8 / 6,
        "unique_share_at": 1.0,
        "mean_compatible_at": 1.0,
        "without_unique": [],
    }


def test_a_flag_without_a_unique_crop_is_named() -> None:
    halves = [np.array([row], dtype=np.uint8) for row in ([0, 1], [1, 0], [2, 2])]
    assert CropIndex(halves, (1, 1)).statistics("xyz")["without_unique"] == ["x", "y"]


def test_log_belief_counts_positions(index: CropIndex) -> None:
    assert index.patterns[1].log_belief == (-693, -693, None)
    assert index.patterns[3].log_belief == (None, None, 0)


def test_raster_crops_lie_at_multiples_of_the_scale() -> None:
    doubled = [np.kron(flag, np.ones((2, 2), np.uint8)) for flag in (FIRST, SECOND, THIRD)]
    coarse, fine = CropIndex([FIRST, SECOND, THIRD], (2, 1)), CropIndex(doubled, (2, 1), 2)
    assert fine.ids.tolist() == coarse.ids.tolist()


def test_no_log_belief_lies_near_a_rounding_boundary() -> None:
    """Logarithms of two processors may differ in the last bits; the integers may not."""
    positions = (24 - 6 + 1) * (16 - 4 + 1)
    values = [1000 * math.log(count / positions) for count in range(1, positions + 1)]
    assert min(abs(value - math.floor(value) - 0.5) for value in values) > 1e-6
    assert log_beliefs(positions)[1:] == [round(value) for value in values]
