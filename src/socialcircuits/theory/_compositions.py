"""Which groups to average over: a lattice of numbers of decided agents with their probabilities.

Small groups take every composition. In large ones both numbers are binomial with thousands of
likely values, and the outcome varies smoothly over them; a sum over every s-th value is then exact
up to the Fourier component of the summand at 2 pi / s. For a summand as smooth as a Poisson law of
variance v that is exp(-v (1 - cos(2 pi / s))), kept below 1e-11.
"""

from __future__ import annotations

from math import floor, log1p, sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from socialcircuits.theory._binomial import binomial_pmf
from socialcircuits.theory._limits import balance

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_NEGLIGIBLE = 1e-14
_ABSENT = -23.0
"""Logarithm of the largest probability of no zealot that a lattice may miss."""

_REACH = 7.8
"""Half the width of a range in standard deviations."""

_POISSON_REACH = 30.0
"""What is added to it for laws that are far from normal."""


@njit(cache=True, error_model="numpy")
def _step(variance: float) -> int:
    if variance < 23.4:
        return 1 if variance < 17.5 else 2
    return 3 if variance < 35 else int(0.7 * sqrt(variance))


@njit(cache=True, error_model="numpy")
def _every(n: float, share: float) -> bool:
    """Whether a binomial number is few-valued or may be zero, where the outcome jumps."""
    return _step(n * share * (1 - share)) == 1 or n * log1p(-share) > _ABSENT


@njit(cache=True, error_model="numpy")
def _range(n: int, share: float, step: int) -> tuple[int, int]:
    """First value of the lattice and number of values; the lattice holds the rounded mean."""
    centre = int(n * share)
    reach = _REACH * sqrt(n * share * (1 - share)) + _POISSON_REACH
    low, high = max(0.0, centre - reach), min(float(n), centre + reach)
    first = centre - step * floor((centre - low) / step)
    return first, floor((high - first) / step) + 1


@njit(cache=True, error_model="numpy")
def _roughness(
    n: int, truth: float, rival: float, bias: float, transient: bool
) -> tuple[float, float, float]:
    """How k depends on (z_T, z_R): variance given both, and derivatives by each.

    On the way to the limit the law of k is no narrower than the narrower of start and limit.
    """
    k, deviation = balance(n, truth, rival, bias)
    variance = deviation * deviation
    by_truth = variance / max(k - truth, 1e-12)
    by_rival = -variance / max(n - rival - k, 1e-12)
    if transient:
        variance = min(variance, (n - truth - rival) / 4) + 1e-12
        by_truth, by_rival = max(by_truth, 0.5), min(by_rival, -0.5)
    return variance, by_truth, by_rival


@njit(cache=True, error_model="numpy")
def _inner_step(n: int, zealots: float, chance: float, bias: float, transient: bool) -> int:
    """Step in z_R given z_T."""
    rest = n - zealots
    spread = rest * chance * (1 - chance)
    if _every(rest, chance):
        return 1
    variance, _, slope = _roughness(n, zealots, rest * chance, bias, transient)
    return _step(1 / (1 / spread + slope * slope / variance))


@njit(cache=True, error_model="numpy")
def _outer_step(n: int, truth: float, chance: float, bias: float, transient: bool) -> int:
    """Step in z_T, where z_R is averaged over."""
    spread, rest = n * truth * (1 - truth), n - n * truth
    if _every(float(n), truth):
        return 1
    variance, slope, by_rival = _roughness(n, n * truth, rest * chance, bias, transient)
    variance += by_rival * by_rival * rest * chance * (1 - chance)
    slope -= by_rival * chance
    return _step(1 / (1 / spread + slope * slope / variance))


@njit(cache=True, error_model="numpy")
def every(n: int) -> tuple[Ints, Ints]:
    """Return all (z_T, z_R) with z_T + z_R <= n, shape ((n + 1) (n + 2) / 2,) each."""
    size = (n + 1) * (n + 2) // 2
    truth, rival = np.empty(size, np.int64), np.empty(size, np.int64)
    i = 0
    for first in range(n + 1):
        for second in range(n - first + 1):
            truth[i], rival[i] = first, second
            i += 1
    return truth, rival


@njit(cache=True, error_model="numpy")
def probabilities(n: int, truth: Ints, rival: Ints, shares: tuple[float, float]) -> Floats:
    """Return the multinomial probability of each (z_T, z_R), shape as theirs."""
    chance = shares[1] / (1 - shares[0]) if shares[0] < 1 else 0.0
    out = np.empty(len(truth))
    previous, outer = -1, 0.0
    for i in range(len(truth)):
        if truth[i] != previous:
            previous = truth[i]
            outer = binomial_pmf(float(previous), float(n), shares[0])
        out[i] = outer * binomial_pmf(float(rival[i]), float(n - previous), min(1.0, chance))
    return out


@njit(cache=True, error_model="numpy")
def _chances(n: int, share: float, low: int, step: int, count: int) -> Floats:
    """Binomial probabilities of every step-th value from `low`."""
    out = np.empty(count)
    if step > 1 or share >= 1:
        for i in range(count):
            out[i] = binomial_pmf(float(low + i * step), float(n), share)
        return out
    start, odds = int(n * share), share / (1 - share)
    out[start - low] = binomial_pmf(float(start), float(n), share)
    for value in range(start + 1, low + count):
        out[value - low] = out[value - low - 1] * odds * (n - value + 1) / value
    for value in range(start - 1, low - 1, -1):
        out[value - low] = out[value - low + 1] / odds * (value + 1) / (n - value)
    return out


@njit(cache=True, error_model="numpy")
def _lattice(
    n: int, shares: tuple[float, float], bias: float, transient: bool
) -> tuple[Ints, Floats]:
    chance = min(1.0, shares[1] / (1 - shares[0])) if shares[0] < 1 else 0.0
    step = _outer_step(n, shares[0], chance, bias, transient)
    first, count = _range(n, shares[0], step)
    outer = _chances(n, shares[0], first, step, count)
    size, capacity = 0, 1 << 12
    pairs, weights = np.empty((2, capacity), np.int64), np.empty(capacity)
    for i in range(count):
        truth = first + i * step
        if step * outer[i] < _NEGLIGIBLE:
            continue
        inner = _inner_step(n, float(truth), chance, bias, transient)
        low, values = _range(n - truth, chance, inner)
        found = _chances(n - truth, chance, low, inner, values) * (outer[i] * step * inner)
        while size + values > capacity:
            capacity *= 2
            pairs, weights = _longer(pairs, weights)
        for j in range(values):
            if found[j] >= _NEGLIGIBLE:
                pairs[0, size], pairs[1, size], weights[size] = truth, low + j * inner, found[j]
                size += 1
    return pairs[:, :size], weights[:size] / weights[:size].sum()


@njit(cache=True, error_model="numpy")
def _longer(pairs: Ints, weights: Floats) -> tuple[Ints, Floats]:
    size = len(weights)
    more, heavier = np.empty((2, 2 * size), np.int64), np.empty(2 * size)
    more[:, :size], heavier[:size] = pairs, weights
    return more, heavier


def lattice(
    n: int, shares: tuple[float, float], bias: float, transient: bool
) -> tuple[tuple[Ints, Ints], Floats]:
    """Return compositions (z_T, z_R) that stand for all, and their weights, which add up to 1."""
    # Zealots of the side that bias works against decide alone in the extreme; they come second,
    # where taking every value is cheap.
    if bias < 0:
        (rival, truth), weights = _lattice(n, shares[::-1], -bias, transient)
    else:
        (truth, rival), weights = _lattice(n, shares, bias, transient)
    return (truth.copy(), rival.copy()), weights
