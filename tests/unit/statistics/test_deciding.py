from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import optimize, special, stats

from socialcircuits.errors import SettingError
from socialcircuits.statistics import mean, proportion
from socialcircuits.statistics.deciding import (
    Limit,
    Moments,
    Sign,
    decide,
    deciding_size,
    look_level,
    matched_ends,
    mean_ends,
    moments,
    share_ends,
)


@pytest.mark.parametrize(
    ("sign", "low", "high", "side"),
    [
        ("<", 0.1, 0.19, "inside"),
        ("<", 0.1, 0.2, "open"),
        ("<", 0.2, 0.3, "outside"),
        ("<=", 0.1, 0.2, "inside"),
        ("<=", 0.2, 0.3, "open"),
        ("<=", 0.21, 0.3, "outside"),
        (">", 0.21, 0.3, "inside"),
        (">", 0.1, 0.2, "outside"),
        (">=", 0.2, 0.3, "inside"),
        (">=", 0.1, 0.2, "open"),
    ],
)
def test_sides(sign: Sign, low: float, high: float, side: str) -> None:
    assert Limit(sign, 0.2).side(low, high) == side


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (0, 40), (4, 40), (40, 40), (13, 200)])
def test_share_ends_are_those_of_the_exact_interval(hits: int, n: int) -> None:
    exact = proportion(hits, n)
    assert share_ends(hits, n) == pytest.approx((exact.low, exact.high))
    wide = stats.binomtest(hits, n).proportion_ci(0.99, "exact")
    assert share_ends(hits, n, 0.99) == pytest.approx((wide.low, wide.high))


def test_no_unit_gives_the_whole_range() -> None:
    assert share_ends(0, 0) == (0, 1)
    assert matched_ends(0, 0, 0) == (-1, 1)
    assert mean_ends(Moments(2.0, 0.0), 1, (0.0, 3.0)) == (0, 3)


def test_mean_ends_are_those_of_the_mean_where_units_differ() -> None:
    values = [0.0, 3.0, 1.0, 0.0, 2.0, 0.0]
    expected = mean(values, (0, 3))
    assert mean_ends(moments(values), 6, (0, 3)) == pytest.approx((expected.low, expected.high))


def test_equal_units_have_a_bound_on_each_side() -> None:
    other = share_ends(0, 40)[1]
    assert mean_ends(Moments(1.0, 0.0), 40, (0.0, 3.0)) == (1 - other, 1 + 2 * other)
    assert mean_ends(Moments(3.0, 0.0), 40, (0.0, 3.0))[1] == 3


def score_interval(gained: int, lost: int, n: int, level: float) -> tuple[float, float]:
    """The differences that the score test does not reject, its nuisance share by maximising the
    likelihood numerically."""
    bar = special.ndtri((1 + level) / 2)

    def z(difference: float) -> float:
        def unlikely(rarer: float) -> float:
            chances = np.array([rarer + difference, rarer, 1 - 2 * rarer - difference])
            return -float(special.xlogy([gained, lost, n - gained - lost], chances).sum())

        least, most = max(0.0, -difference), (1 - difference) / 2
        found = optimize.minimize_scalar(
            unlikely, bounds=(least, most), method="bounded", options={"xatol": 1e-12}
        )
        variance = (2 * found.x + difference - difference**2) / n
        return float((gained - lost) / n - difference) / sqrt(variance)

    centre = (gained - lost) / n
    low = optimize.brentq(lambda d: z(d) - bar, -1 + 1e-9, centre - 1e-9)
    high = optimize.brentq(lambda d: z(d) + bar, centre + 1e-9, 1 - 1e-9)
    return float(low), float(high)


@pytest.mark.parametrize(
    ("gained", "lost", "n", "level"), [(1, 7, 21, 0.95), (5, 2, 40, 0.95), (3, 9, 60, 0.99)]
)
def test_matched_ends_invert_the_score_test(gained: int, lost: int, n: int, level: float) -> None:
    expected = score_interval(gained, lost, n, level)
    assert matched_ends(gained, lost, n, level) == pytest.approx(expected, abs=1e-4)


def test_matched_ends_are_mirrored_and_reach_the_ends() -> None:
    low, high = matched_ends(2, 9, 50)
    assert matched_ends(9, 2, 50) == pytest.approx((-high, -low))
    assert matched_ends(20, 0, 20)[1] == 1
    assert 0.5 < matched_ends(20, 0, 20)[0] < 0.9
    square = special.ndtri(0.975) ** 2
    assert matched_ends(0, 0, 30)[1] == pytest.approx(square / (30 + square))


def covered(gain: float, loss: float, n: int) -> float:
    """How often the interval of matched shares holds the difference, over all tables."""
    total, chances = 0.0, [gain, loss, 1 - gain - loss]
    for gained in range(n + 1):
        for lost in range(n + 1 - gained):
            chance = stats.multinomial.pmf([gained, lost, n - gained - lost], n, chances)
            if chance > 1e-9:
                low, high = matched_ends(gained, lost, n)
                total += chance * (low <= gain - loss <= high)
    return float(total)


@pytest.mark.parametrize(("gain", "loss"), [(0.02, 0.02), (0.1, 0.05), (0.2, 0.2), (0.3, 0.05)])
def test_matched_ends_cover(gain: float, loss: float) -> None:
    assert covered(gain, loss, 30) > 0.94


def test_the_deciding_size_is_the_smallest() -> None:
    limit = Limit("<", 0.2)
    n = deciding_size(lambda n: share_ends(0.1 * n, n), limit)
    assert n is not None
    assert limit.side(*share_ends(0.1 * n, n)) == "inside"
    assert limit.side(*share_ends(0.1 * (n - 1), n - 1)) == "open"
    above = deciding_size(lambda n: share_ends(0.3 * n, n), limit)
    assert above is not None
    assert limit.side(*share_ends(0.3 * above, above)) == "outside"
    assert deciding_size(lambda n: share_ends(0.1 * n, n), limit, 500) == 500


def test_nothing_decides_an_estimate_at_the_limit() -> None:
    assert deciding_size(lambda n: share_ends(0.2 * n, n), Limit("<", 0.2)) is None
    assert deciding_size(lambda n: matched_ends(0, 0, n), Limit("<=", 0.0)) is None


def test_one_look_is_no_look() -> None:
    assert look_level(1, 1) == pytest.approx(0.95, abs=1e-6)
    assert decide(0, 17, Limit("<", 0.2), 1, 1) == "inside"
    assert decide(0, 16, Limit("<", 0.2), 1, 1) == "open"
    assert decide(12, 17, Limit("<", 0.2), 1, 4) == "outside"


@pytest.mark.parametrize(("look", "looks"), [(0, 4), (5, 4), (1, 0)])
def test_looks_that_were_not_declared_are_refused(look: int, looks: int) -> None:
    with pytest.raises(SettingError):
        look_level(look, looks)


def test_counts_outside_their_range_are_refused() -> None:
    with pytest.raises(SettingError):
        share_ends(5, 4)
    with pytest.raises(SettingError):
        matched_ends(3, 3, 5)
    with pytest.raises(SettingError):
        matched_ends(-1, 3, 5)
    with pytest.raises(SettingError):
        mean_ends(Moments(4.0, 1.0), 5, (0.0, 3.0))
    with pytest.raises(SettingError):
        share_ends(1, 4, 1.0)
