"""Binomial chances of many counts at once; as `scipy.stats` has them, which takes long to load."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


def at_most(k: Counts, n: Counts, share: float) -> Floats:
    """Return the chance of at most k of n; k may be below 0."""
    inside = np.clip(k, 0, np.maximum(n - 1, 0))
    below = special.betainc(np.maximum(n - inside, 1), inside + 1, 1 - share)
    return np.where(k < 0, 0.0, np.where(k >= n, 1.0, below))


def chance(k: Counts, n: int, share: float) -> Floats:
    """Return the chance of exactly k of n, for the k that are likely: in sum 1."""
    ways = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    exact = np.exp(ways + special.xlogy(k, share) + special.xlog1py(n - k, -share))
    return np.asarray(exact / exact.sum(), np.float64)


def fewest(n: Counts, level: float) -> Counts:
    """Return the most changes of the rarer way, of n, whose McNemar mid-p is at most the level.

    Below 0 where there is none. The normal quantile is less than two changes away from it.
    """
    near = np.floor(n / 2 + special.ndtri(level / 2) * np.sqrt(n) / 2).astype(np.int64)
    found = near - 2
    for k in (near - 1, near, near + 1, near + 2):
        mid = (at_most(k, n, 0.5) + at_most(k - 1, n, 0.5)) / 2
        found = np.where(mid <= level / 2, k, found)
    return found
