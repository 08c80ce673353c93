"""Binomial probabilities that stay accurate at any size.

A product of factorials loses digits as N grows: at N = 10^6 the logarithms are of order 10^7. The
saddle-point form needs only the deviance from the mean and Stirling's remainder, both small.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p, pi, sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

_HALF_LOG_TAU = 0.5 * log(2 * pi)


@njit(cache=True, error_model="numpy")
def _remainder(n: float) -> float:
    """Logarithm of n! less Stirling's formula without its series."""
    if n < 16:
        return lgamma(n + 1) - (n + 0.5) * log(n) + n - _HALF_LOG_TAU
    square = n * n
    inner = 1 / 1260 - (1 / 1680 - (1 / 1188 - 691 / 360360 / square) / square) / square
    return (1 / 12 - (1 / 360 - inner / square) / square) / n


@njit(cache=True, error_model="numpy")
def _deviance(x: float, mean: float) -> float:
    """Return x log(x / mean) + mean - x without cancellation near the mean."""
    gap = x - mean
    if abs(gap) > 0.1 * (x + mean):
        return x * log(x / mean) - gap
    ratio = gap / (x + mean)
    total, term, order = gap * ratio, 2 * x * ratio, 1
    while True:
        term *= ratio * ratio
        order += 2
        grown = total + term / order
        if grown == total:
            return total
        total = grown


@njit(cache=True, error_model="numpy")
def binomial_pmf(x: float, n: float, p: float) -> float:
    """Return C(n, x) p^x (1 - p)^(n - x); n may be real, with factorials as gamma functions.

    Source: Loader (2000).

    >>> round(binomial_pmf(2.0, 4.0, 0.5), 12)
    0.375
    """
    if x < 0 or x > n:
        return 0.0
    if p <= 0 or p >= 1:
        certain = 0.0 if p <= 0 else n
        return 1.0 if x == certain else 0.0
    if x == 0:
        return exp(n * log1p(-p))
    if x == n:
        return exp(n * log(p))
    rest = n - x
    exponent = _remainder(n) - _remainder(x) - _remainder(rest)
    exponent -= _deviance(x, n * p) + _deviance(rest, n * (1 - p))
    return exp(exponent) * sqrt(n / (2 * pi * x * rest))


@njit(cache=True, error_model="numpy")
def binomial_law(n: int, p: float) -> NDArray[np.float64]:
    """Return the probabilities of 0 to n, shape (n + 1,).

    >>> binomial_law(2, 0.5).round(12).tolist()
    [0.25, 0.5, 0.25]
    """
    law = np.empty(n + 1)
    for x in range(n + 1):
        law[x] = binomial_pmf(float(x), float(n), p)
    return law
