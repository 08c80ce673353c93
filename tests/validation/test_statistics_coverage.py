"""The bars of `tests.validation.coverage`, whose tables show what is simulated here.

Few sets are simulated by default, many with SOCIALCIRCUITS_LONG=1; a bar is missed where so many
sets beyond it have a chance below one in a thousand.
"""

from __future__ import annotations

import os

import pytest

from socialcircuits.statistics.sequential import equal_looks, inflation
from tests.validation.coverage import (
    ALIKE,
    BEYOND,
    RARE,
    Design,
    averages,
    held,
    peeks,
    rates,
    rejections,
    slopes,
    with_trials,
)

LONG = "SOCIALCIRCUITS_LONG" in os.environ


def test_the_bars_themselves_can_be_missed() -> None:
    assert held(95, 100, 0.93, 0.98)
    assert not held(80, 100, 0.93, 0.98)
    assert not held(1000, 1000, 0.93, 0.98)
    assert not held(8, 20, 0.03, 0.08)


@pytest.mark.parametrize("composition", [0.0, 0.003, 0.01])
def test_the_slope_clustered_two_ways_covers(composition: float) -> None:
    found = slopes(1000 if LONG else 100, composition)
    assert held(found.two_way, found.sets, 0.93, 0.98)
    assert found.naive < found.two_way
    if composition == 0.01:
        assert not held(found.naive, found.sets, 0.93, 0.98)


def test_the_count_is_rejected_as_often_as_said() -> None:
    found = rejections(1000 if LONG else 12, with_trials)
    assert found.refused <= found.sets / 100
    assert held(found.rejected, found.sets, 0.03, 0.08)


@pytest.mark.parametrize("design", [*RARE, *ALIKE], ids=str)
def test_a_rate_is_covered_by_its_effective_n(design: Design) -> None:
    found = rates(1000 if LONG else 200, design)
    assert held(found.effective, found.sets, 0.9, 0.97)
    assert found.clustered < found.effective
    if design.icc == 0.5:
        assert held(found.naive, found.sets, 0.6, 0.7)


def test_a_normal_interval_of_a_rare_thing_is_far_too_narrow() -> None:
    found = rates(200, RARE[0])
    assert held(found.clustered, found.sets, 0.58, 0.7)


def test_where_the_effective_n_falls_short() -> None:
    # A dozen events in four or five of a hundred items: little tells how items differ.
    found = rates(1000 if LONG else 200, BEYOND)
    assert held(found.effective, found.sets, 0.84, 0.9)


def test_the_mean_of_ratios_makes_an_effect_of_the_group() -> None:
    expected = {n: averages(10_000, n) for n in (4, 8, 12)}
    for found, mean in zip(expected.values(), (0.223, 0.239, 0.242), strict=True):
        assert found.pooled == pytest.approx(0.188, abs=1e-3)
        assert found.of_ratios == pytest.approx(mean, abs=1.5e-3)
        # Standard errors of both simulated numbers are below .004.
        assert found.simulated_pooled == pytest.approx(found.pooled, abs=0.014)
        assert found.simulated_of_ratios == pytest.approx(found.of_ratios, abs=0.014)


@pytest.mark.parametrize("looks", [1, 4, 64])
def test_looks_with_and_without_boundaries(looks: int) -> None:
    found = peeks(2000, looks)
    exact = inflation(equal_looks(looks))
    assert held(found.naive, found.sets, exact, exact)
    assert held(found.bounded, found.sets, 0.05, 0.05)


def test_sixty_four_looks_make_the_known_machine() -> None:
    assert inflation(equal_looks(64)) == pytest.approx(0.34, abs=5e-4)
    assert inflation(range(10, 201)) == pytest.approx(0.335, abs=5e-4)
