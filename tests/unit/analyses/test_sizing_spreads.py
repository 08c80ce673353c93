"""Spreads: power, size and what is detected fit together, and caution asks for more."""

from __future__ import annotations

from math import sqrt

import pytest

from socialcircuits.analyses.spreads import (
    Changes,
    Differences,
    Precision,
    Slope,
    Spread,
    deviation_limit,
)
from socialcircuits.statistics import proportion

TESTED: list[Spread] = [
    Changes(8, 20),
    Differences(0.3, 20),
    Slope(0.006, 0.00002, 12, 20),
]


@pytest.mark.parametrize("spread", TESTED)
@pytest.mark.parametrize("power", [0.6, 0.8, 0.95])
def test_the_size_is_the_first_with_the_power(spread: Spread, power: float) -> None:
    units = spread.size(0.05, power)
    assert units is not None
    before, after = spread.power(0.05, units - 1), spread.power(0.05, units)
    assert before is not None
    assert after is not None
    assert before < power <= after


@pytest.mark.parametrize("spread", TESTED)
def test_what_is_detected_has_the_power(spread: Spread) -> None:
    found = spread.detects(60, 0.8)
    assert found is not None
    assert spread.power(found, 60) == pytest.approx(0.8, abs=0.002)


@pytest.mark.parametrize("spread", TESTED)
def test_caution_asks_for_more(spread: Spread) -> None:
    plain, cautious = spread.size(0.1, 0.8), spread.cautious().size(0.1, 0.8)
    assert plain is not None
    assert cautious is not None
    assert cautious > plain
    assert spread.cautious().deviation > spread.deviation


def test_an_effect_needs_as_many_changes_as_it_makes() -> None:
    """A share of changes below the effect would be no share at all."""
    assert Changes(0, 20).size(0.3, 0.8) == Changes(6, 20).size(0.3, 0.8)
    assert Changes(0, 20).cautious().deviation == pytest.approx(1 - 0.2 ** (1 / 20))
    assert Changes(20, 20).cautious().deviation == 1.0


def test_nothing_is_found_with_too_few_units() -> None:
    assert Changes(2, 20).detects(3, 0.8) is None
    assert [one.power(0.1, 1) for one in (Differences(0.3, 9), Slope(0.1, 0.1, 12, 9))] == [
        0.0,
        0.0,
    ]
    assert Differences(0.3, 9).detects(1, 0.8) is None
    assert Slope(0.1, 0.1, 12, 9).detects(1, 0.8) is None


def test_what_is_not_possible_is_not_detected() -> None:
    assert Differences(0.7, 9).detects(6, 0.8) is None
    assert Differences(0.7, 9, most=2.0).detects(6, 0.8) == pytest.approx(1.255, abs=1e-3)
    assert [Differences(0.01, 9).detects(n, 0.8) is None for n in (5, 6)] == [True, False]
    assert Differences(0.01, 9).size(1.0, 0.8) == 6
    assert Slope(0.1, 0.1, 12, 9).detects(9, 0.8) is None
    assert Slope(0.1, 0.1, 12, 9, most=2.0).detects(9, 0.8) is not None
    assert Precision(0.5, 9).detects(2, 0.8) is None


def test_more_questions_do_not_always_reach() -> None:
    assert Slope(0.018, 0.0004, 12, 20).size(0.05, 0.8) is None


def test_the_deviation_of_a_slope_is_its_error_in_the_pilot() -> None:
    assert Slope(0.02, 0.0003, 12, 20).deviation == pytest.approx(sqrt(0.0013))


def test_a_share_is_as_wide_as_its_interval() -> None:
    one: Spread = Precision(sqrt(0.21), 20, share=0.3)
    n = one.size(0.08, 0.8)
    assert n is not None
    found = proportion(round(0.3 * n), n)
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / 2 <= 0.08
    assert one.power(0.08, n) is None
    assert (one.test, Precision(0.2, 20).test) == ("exact interval", "t interval")


@pytest.mark.parametrize(("share", "cautious"), [(0.5, 0.5), (0.0, 0.0774), (1.0, 0.9226)])
def test_the_cautious_share_is_the_nearest_to_a_half(share: float, cautious: float) -> None:
    found = Precision(0.5, 20, share=share).cautious()
    assert found.share == pytest.approx(cautious, abs=1e-4)


def test_no_number_of_units_is_enough_for_a_hair() -> None:
    assert Precision(0.5, 20).size(1e-9, 0.8) is None


def test_the_limit_of_a_deviation_comes_down_to_it() -> None:
    assert deviation_limit(1.0, 10) > deviation_limit(1.0, 100) > 1.0
    assert deviation_limit(1.0, 100_000) == pytest.approx(1.0, abs=0.003)
