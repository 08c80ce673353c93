"""Means, proportions and clustered ratios with intervals that stay honest at small n.

Two cases where the textbook interval claims too much are handled alike in means and ratios. One
unit says nothing about how units differ, so its interval is the whole range. Units that are all
equal have a sample variance of zero; the interval then uses the largest variance that a quantity of
this range and mean can have, which on [0, 1] is Bernoulli's and gives Wilson's interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

from socialcircuits.errors import SettingError
from socialcircuits.statistics.estimate import LEVEL, Estimate, t_quantile

EQUAL = 1e-12
"""Units nearer to each other than this, as a part of the range, are equal up to rounding."""

FEW = 10
"""Estimates from fewer units warn of it."""

TOGETHER = 4
"""Pooled trials that are worth fewer than one in so many warn of it."""


def few(n: int) -> tuple[str, ...]:
    """Return the warning of an estimate from few units; empty where there are enough or none.

    >>> few(3), few(10)
    (('only 3 units of evidence',), ())
    """
    return (f"only {n} unit{'s' * (n > 1)} of evidence",) if 0 < n < FEW else ()


def mean(values: Sequence[float], bounds: tuple[float, float] = (0.0, 1.0)) -> Estimate:
    """Estimate the mean of a bounded quantity over independent units.

    The interval is the t interval clipped to the bounds. Where all units are equal it is Wilson's
    with a t quantile: for bounds other than [0, 1] the values are mapped to [0, 1] and the ends
    mapped back, which is conservative for the same reason (on [-1, 1] the variance is at most
    1 - mean^2). No unit gives no value; one unit gives the whole range.

    Args:
        values: shape (n,), one number a unit of evidence, within the bounds; no missing values.
        bounds: smallest and largest possible value.

    Raises:
        SettingError: a value lies outside the bounds or is not a number.

    Source: Student (1908); Wilson (1927) for equal units.

    >>> estimate = mean([0.0, 0.5, 1.0, 0.5])
    >>> round(estimate.value, 3), round(estimate.low, 3), estimate.high
    (0.5, 0.0, 1.0)
    >>> round(mean([1.0] * 40).low, 3)
    0.907
    """
    smallest, largest = bounds
    for value in values:
        if not smallest <= value <= largest:
            raise SettingError("values", value, f"a number from {smallest:g} to {largest:g}")
    n = len(values)
    if n < 2:
        return _too_few(list(values), bounds)
    centre, width = fmean(values), largest - smallest
    quantile = t_quantile(n - 1)
    if max(values) - min(values) <= EQUAL * width:
        low, high = _wilson((centre - smallest) / width, n, quantile)
        low, high = smallest + width * low, smallest + width * high
        kind = "all units equal: Wilson interval on n with t quantile"
        warnings = (*few(n), f"all {n} units are equal: how they differ cannot be seen")
    else:
        half = quantile * stdev(values) / sqrt(n)
        low, high = max(smallest, centre - half), min(largest, centre + half)
        kind = f"t interval clipped to [{smallest:g}, {largest:g}]"
        warnings = few(n)
    return Estimate(
        value=centre,
        low=min(low, centre),
        high=max(high, centre),
        n=n,
        method=f"mean over units, {kind}, level {LEVEL:g}",
        warnings=warnings,
    )


def proportion(successes: int, n: int) -> Estimate:
    """Estimate the share of independent units of which something holds.

    The interval is exact (Clopper and Pearson's): it covers every share in at least 95 % of
    samples, also near 0 and 1 and with one unit. No unit gives no value.

    Args:
        successes: number of units of which it holds, from 0 to n.
        n: number of units.

    Raises:
        SettingError: `successes` is not within 0 and n.

    Source: Clopper and Pearson (1934).

    >>> estimate = proportion(10, 38)
    >>> round(estimate.value, 3), round(estimate.low, 3), round(estimate.high, 3)
    (0.263, 0.134, 0.431)
    """
    if not 0 <= successes <= n:
        raise SettingError("successes", successes, f"an integer from 0 to {n}")
    if not n:
        return _too_few([], (0.0, 1.0))
    from scipy import special

    tail, failures = (1 - LEVEL) / 2, n - successes
    low = float(special.betaincinv(successes, failures + 1, tail)) if successes else 0.0
    high = float(special.betaincinv(successes + 1, failures, 1 - tail)) if failures else 1.0
    method = f"proportion of units, exact interval (Clopper-Pearson), level {LEVEL:g}"
    return Estimate(successes / n, low, high, n, method, warnings=few(n))


def ratio(successes: Sequence[int], trials: Sequence[int]) -> Estimate:
    """Estimate a rate pooled over trials that come in clusters.

    The value is all successes over all trials. The interval is Wilson's on the effective number of
    trials, which is the number of trials over the design effect (the linearised variance between
    clusters over the binomial one, taken as at least 1), with the t quantile of clusters - 1
    degrees of freedom. Where no trial or every trial succeeds the design effect cannot be seen and
    the effective number is the number of clusters. Clusters without trials are left out; no cluster
    gives no value; one cluster gives the whole range.

    Args:
        successes: shape (clusters,), from 0 to the cluster's trials.
        trials: shape (clusters,), number of trials of each cluster.

    Raises:
        SettingError: the lengths differ or a cluster has more successes than trials.

    Source: Wilson (1927) on Kish's (1965) effective sample size; Korn and Graubard (1998) for the
    t quantile.

    >>> estimate = ratio([0, 4, 1, 3], [4, 4, 4, 4])
    >>> estimate.value, round(estimate.low, 3), round(estimate.high, 3), estimate.n
    (0.5, 0.088, 0.912, 4)
    """
    if len(successes) != len(trials):
        raise SettingError("successes", len(successes), f"one number a cluster ({len(trials)})")
    for count, size in zip(successes, trials, strict=True):
        if not 0 <= count <= size:
            raise SettingError("successes", count, f"an integer from 0 to the cluster's {size}")
    kept = [(c, size) for c, size in zip(successes, trials, strict=True) if size]
    n, hits, total = len(kept), sum(c for c, _ in kept), sum(size for _, size in kept)
    if n < 2:
        return _too_few([hits / total] * n if n else [], (0.0, 1.0))
    rate, warnings = hits / total, few(n)
    if hits in {0, total}:
        effective = float(n)
        what = "none" if not hits else "all"
        warnings += (f"it holds of {what} of {total}: how units differ cannot be seen",)
    else:
        spread = sum((c - rate * size) ** 2 for c, size in kept) * n / (n - 1) / total**2
        binomial = rate * (1 - rate)
        effective = min(float(total), binomial / spread) if spread else float(total)
        if TOGETHER * effective < total:
            what = f"{total} count as {effective:.0f}"
            warnings += (f"{what}: those of one unit move together",)
    low, high = _wilson(rate, effective, t_quantile(n - 1))
    method = (
        f"pooled over clusters, Wilson interval on effective n {effective:.1f} of {total} "
        f"with t quantile, level {LEVEL:g}"
    )
    return Estimate(rate, low, high, n, method, warnings=warnings)


def _too_few(values: list[float], bounds: tuple[float, float]) -> Estimate:
    if not values:
        return Estimate(value=None, low=None, high=None, n=0, method="no unit of evidence")
    method = f"one unit of evidence, interval is the whole range, level {LEVEL:g}"
    warning = "one unit of evidence: the interval is the whole range"
    return Estimate(values[0], bounds[0], bounds[1], 1, method, warnings=(warning,))


def _wilson(share: float, n: float, quantile: float) -> tuple[float, float]:
    square = quantile**2 / n
    centre = (share + square / 2) / (1 + square)
    half = sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    # The ends at 0 and 1 are exact in theory; rounding must not move them past the share.
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))
