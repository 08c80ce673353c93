"""Shares of two groups of independent units: an exact test, and an interval for the difference."""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy import special

from socialcircuits.errors import SettingError
from socialcircuits.statistics.estimate import LEVEL, Estimate, Significance
from socialcircuits.statistics.intervals import few
from socialcircuits.statistics.power import detectable

__all__ = ["fisher", "two_shares"]


def fisher(successes: int, n: int, others: int, m: int) -> Significance:
    """Test whether something holds as often of the units of one group as of those of another.

    Args:
        successes: units of the first group of which it holds, from 0 to
        n: the number of its units.
        others: units of the second group of which it holds, from 0 to
        m: the number of its units.

    Returns:
        Fisher's exact two-sided test: the chance, at the given sums, of a table that is at most as
        likely as this one. p is 1 where a group is empty.

    Raises:
        SettingError: a count is not within 0 and its number of units.

    Source: Fisher (1935).

    >>> round(fisher(0, 37, 9, 38).p, 4)
    0.0023
    """
    _check(successes, n, "successes")
    _check(others, m, "others")
    from scipy import stats

    table = np.array([[successes, n - successes], [others, m - others]])
    return Significance(float(stats.fisher_exact(table).pvalue), "Fisher's exact test")


def two_shares(successes: int, n: int, others: int, m: int) -> Estimate:
    """Estimate the difference of the shares of two groups of independent units.

    The interval is Agresti and Caffo's: normal, with one unit more of each kind in each group. From
    ten units a group on it covers 95 to 96 % on average over all pairs of shares and 90 % at the
    worst; Newcombe's, of two Wilson intervals, covers 88 % there. The test is Fisher's. Units that
    are matched tell more: see `mcnemar`.

    Args:
        successes: units of the first group of which it holds, from 0 to
        n: the number of its units.
        others: units of the second group of which it holds, from 0 to
        m: the number of its units.

    Returns:
        First less second share, -1 to 1; n is the number of units of both groups. No value where a
        group is empty.

    Raises:
        SettingError: a count is not within 0 and its number of units.

    Source: Agresti and Caffo (2000); Fisher (1935).

    >>> found = two_shares(0, 37, 9, 38)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3), round(found.test.p, 4)
    (-0.237, -0.367, -0.081, 0.0023)
    """
    test = fisher(successes, n, others, m)
    levels = {"units": {"first": n, "second": m}}
    if not n or not m:
        return Estimate(None, None, None, n + m, "no unit of evidence on a side", levels)
    first, second = (successes + 1) / (n + 2), (others + 1) / (m + 2)
    error = sqrt(first * (1 - first) / (n + 2) + second * (1 - second) / (m + 2))
    half = float(special.ndtri((1 + LEVEL) / 2)) * error
    value = successes / n - others / m
    return Estimate(
        value=value,
        low=max(-1.0, min(value, first - second - half)),
        high=min(1.0, max(value, first - second + half)),
        n=n + m,
        method=f"difference of independent shares, Agresti-Caffo interval, level {LEVEL:g}",
        levels=levels,
        test=test,
        detectable=detectable(error),
        warnings=few(min(n, m)),
    )


def _check(count: int, units: int, where: str) -> None:
    if not 0 <= count <= units:
        raise SettingError(where, count, f"an integer from 0 to {units}")
