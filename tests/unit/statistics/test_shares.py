"""Two shares against scipy, hand, and the coverage of all tables."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from socialcircuits.errors import SettingError
from socialcircuits.statistics.shares import fisher, two_shares


def test_fisher_by_hand() -> None:
    # Of C(6, 3) = 20 ways to choose three, all three of the first group or none: 2 ways.
    assert fisher(3, 3, 0, 3).p == pytest.approx(2 / 20)
    assert fisher(2, 4, 2, 4).p == pytest.approx(1)
    assert fisher(0, 0, 2, 4).p == 1


def test_interval_by_hand() -> None:
    # 8 of 10 and 3 of 10 with one of each kind more: 9/12 - 4/12.
    found = two_shares(8, 10, 3, 10)
    error = sqrt((9 * 3 + 4 * 8) / 12**3)
    assert found.value == pytest.approx(0.5)
    assert found.low == pytest.approx(5 / 12 - 1.959964 * error, abs=1e-6)
    assert found.high == pytest.approx(5 / 12 + 1.959964 * error, abs=1e-6)
    assert found.detectable == pytest.approx(2.801585 * error, abs=1e-5)
    assert found.test == fisher(8, 10, 3, 10)
    assert (found.n, found.levels["units"]) == (20, {"first": 10, "second": 10})
    assert found.warnings == ()
    assert two_shares(8, 10, 1, 2).warnings == ("only 2 units of evidence",)


@pytest.mark.parametrize(("n", "m"), [(10, 10), (37, 38), (40, 10)])
def test_the_interval_covers(n: int, m: int) -> None:
    ends = {(x, y): two_shares(x, n, y, m) for x in range(n + 1) for y in range(m + 1)}
    low, high = (
        np.array([[getattr(ends[x, y], side) for y in range(m + 1)] for x in range(n + 1)])
        for side in ("low", "high")
    )
    coverage = []
    for p in np.arange(0.05, 1, 0.1):
        for q in np.arange(0.05, 1, 0.1):
            chance = np.outer(
                stats.binom.pmf(np.arange(n + 1), n, p), stats.binom.pmf(np.arange(m + 1), m, q)
            )
            coverage.append(float(chance[(low <= p - q) & (p - q <= high)].sum()))
    assert np.mean(coverage) > 0.95
    assert min(coverage) > 0.9


def test_an_empty_group_gives_no_value() -> None:
    found = two_shares(0, 0, 2, 4)
    assert (found.value, found.low, found.n, found.test) == (None, None, 4, None)
    all_or_none = two_shares(12, 12, 0, 12)
    assert (all_or_none.value, all_or_none.high) == (1.0, 1.0)


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(SettingError, match="successes: 5"):
        fisher(5, 4, 1, 2)
    with pytest.raises(SettingError, match="others: -1"):
        two_shares(1, 4, -1, 2)
