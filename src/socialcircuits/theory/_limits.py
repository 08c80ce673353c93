"""The chain's law as t goes to infinity, given how many agents are decided.

With both kinds of zealots the weight of k truth holders is
exp(h_0 k) C(k - 1, z_T - 1) C(N - k - 1, z_R - 1), log-concave in k. Narrow laws are summed state
by state from their mode; broad ones, wider than a few hundred states, by Gauss quadrature
with the Euler-Maclaurin correction between a sum and an integral.
"""

from __future__ import annotations

from math import ceil, exp, expm1, log1p, sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from socialcircuits.theory._binomial import binomial_pmf

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EXACT = 256
"""Groups up to this size are summed over every composition and every state."""

BROAD = 300.0
"""A law with a larger standard deviation than this is summed by quadrature."""

_STEEPEST = 600.0

_FAINT = 1e-17
"""Below this N |h_0| changes no digit of an even chance."""

_WALL = 32
"""So many states from either end are summed one by one."""

_TAIL = _TINY = 1e-12
_PANEL = 3.5
"""Length of a stretch of quadrature in standard deviations; 12 nodes then err by 1e-13."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


@njit(cache=True, error_model="numpy")
def edges(n: int) -> Ints:
    """Return where the classes of k begin: wrong, fragmented, polarized, fragmented, correct, end.

    Shape (6,). Integers throughout: consensus is 20 k >= 17 N, a camp is 4 k >= N.
    """
    top, camp = (17 * n + 19) // 20, (n + 3) // 4
    return np.array([0, n - top + 1, camp, n - camp + 1, top, n + 1])


@njit(cache=True, error_model="numpy")
def _lower_balance(n: int, truth: float, rival: float, bias: float) -> float:
    curve = -expm1(bias)
    slope = curve * (n - rival) + truth + rival
    root = sqrt(max(0.0, slope * slope - 4 * curve * truth * n))
    return 2 * truth * n / (slope + root)


@njit(cache=True, error_model="numpy")
def balance(n: int, truth: float, rival: float, bias: float) -> tuple[float, float]:
    """Return the k at which both rates are equal and the curvature's standard deviation there.

    Both real, also for numbers of zealots that are not whole; at least one of them above 0.
    """
    if bias > 0:
        k = n - _lower_balance(n, rival, truth, -bias)
    else:
        k = _lower_balance(n, truth, rival, bias)
    k = min(max(k, truth), n - rival)
    agree, differ = max(k - truth, _TINY), max(n - rival - k, _TINY)
    return k, 1 / sqrt(rival / (max(n - k, _TINY) * differ) + truth / (max(k, _TINY) * agree))


@njit(cache=True, error_model="numpy")
def tilt(bias: float) -> float:
    """Return exp(h_0), kept where products with it stay finite; beyond that nothing changes."""
    return exp(min(max(bias, -_STEEPEST), _STEEPEST))


@njit(cache=True, error_model="numpy")
def fill(
    weights: Floats, n: int, zealots: tuple[int, int], centre: float, odds: float, floor: float
) -> tuple[int, int]:
    """Write the weights of k, about 1 at their mode; return the first and last k written.

    Both kinds of zealots must be there; `centre` is their `balance`, `odds` are exp(h_0). Weights
    below `floor` are left out.
    """
    low, high = zealots[0], n - zealots[1]
    first = last = min(max(int(centre), low), high)
    weights[first] = weight = 1.0
    while first > low:
        k = float(first)
        weight *= (k - low) * (n - k) / (odds * (high - k + 1) * (k - 1))
        if weight < floor:
            break
        first -= 1
        weights[first] = weight
    weight = 1.0
    while last < high:
        k = float(last)
        weight *= odds * (high - k) * k / ((k + 1 - low) * (n - k - 1))
        if weight < floor:
            break
        last += 1
        weights[last] = weight
    return first, last


@njit(cache=True, error_model="numpy")
def tally(out: Floats, weights: Floats, first: int, last: int, bounds: Ints) -> None:
    """Write the shares of the classes and the mean truth share of a law given by its weights.

    `out`: correct, wrong, polarized, fragmented, truth share; shape (5,). Index k of `weights` is
    k truth holders, its length N + 1; `bounds` are `edges`.
    """
    n = len(weights) - 1
    slots = (1, 3, 2, 3, 0)
    out[:] = 0.0
    total, moment = 0.0, 0.0
    for part in range(5):
        mass = 0.0
        for k in range(max(first, bounds[part]), min(last + 1, bounds[part + 1])):
            mass += weights[k]
            moment += k * weights[k]
        out[slots[part]] += mass
        total += mass
    out[:4] /= total
    out[4] = moment / total / n


@njit(cache=True, error_model="numpy")
def _weight(k: float, n: int, zealots: tuple[int, int], chances: tuple[float, float]) -> float:
    """The weight of k, also between whole numbers, up to a factor that is the same for all k."""
    here = binomial_pmf(zealots[0] - 1.0, k - 1.0, chances[0])
    return here * binomial_pmf(zealots[1] - 1.0, n - k - 1.0, chances[1])


@njit(cache=True, error_model="numpy")
def _stretch(
    span: tuple[int, int],
    panel: float,
    n: int,
    zealots: tuple[int, int],
    chances: tuple[float, float],
) -> tuple[float, float]:
    """Sum the weights and k times the weights over whole numbers from span[0] to span[1]."""
    first, last = span
    mass, moment = 0.0, 0.0
    while first <= last and (first < zealots[0] + _WALL or last - first < 2 * _WALL):
        weight = _weight(float(first), n, zealots, chances)
        mass, moment, first = mass + weight, moment + first * weight, first + 1
    while first <= last and last > n - zealots[1] - _WALL:
        weight = _weight(float(last), n, zealots, chances)
        mass, moment, last = mass + weight, moment + last * weight, last - 1
    if first > last:
        return mass, moment
    panels = ceil((last - first + 1) / panel)
    half = (last - first + 1) / panels / 2
    for i in range(panels):
        for node in range(len(_NODES)):
            k = first - 0.5 + (2 * i + 1 + _NODES[node]) * half
            weight = half * _WEIGHTS[node] * _weight(k, n, zealots, chances)
            mass, moment = mass + weight, moment + k * weight
    for k, sign in ((last, -1.0), (first - 1, 1.0)):
        below = _weight(float(k), n, zealots, chances)
        above = _weight(k + 1.0, n, zealots, chances)
        mass += sign * (above - below) / 24
        moment += sign * ((k + 1) * above - k * below) / 24
    return mass, moment


@njit(cache=True, error_model="numpy")
def tally_broad(out: Floats, n: int, zealots: tuple[int, int], bias: float, bounds: Ints) -> None:
    """Write what `tally` writes, for a law that is too broad to be summed state by state."""
    centre, deviation = balance(n, float(zealots[0]), float(zealots[1]), bias)
    chance = zealots[1] / (n - centre)
    # With these two chances the tilt exp(h_0 k) is part of the two binomial probabilities.
    chances = (-expm1(bias + log1p(-chance)), chance)
    floor = _TAIL * _weight(centre, n, zealots, chances)
    low, high = int(centre), int(centre)
    while low > zealots[0] and _weight(float(low), n, zealots, chances) > floor:
        low = max(zealots[0], low - int(deviation))
    while high < n - zealots[1] and _weight(float(high), n, zealots, chances) > floor:
        high = min(n - zealots[1], high + int(deviation))
    slots = (1, 3, 2, 3, 0)
    out[:] = 0.0
    total, moment = 0.0, 0.0
    for part in range(5):
        span = (max(low, bounds[part]), min(high, bounds[part + 1] - 1))
        mass, first = _stretch(span, _PANEL * deviation, n, zealots, chances)
        out[slots[part]] += mass
        total += mass
        moment += first
    out[:4] /= total
    out[4] = moment / total / n


@njit(cache=True, error_model="numpy")
def fair_fixation(n: int, bias: float) -> float:
    """Return the probability that n agents without zealots end at the truth from fair starts.

    The binomial average of equation 11 in closed form, with q = (1 + exp(-h_0)) / 2:
    (1 - q^n) / (1 - exp(-h_0 n)). Accurate relative to itself for every bias.

    >>> round(fair_fixation(2, 0.3), 9)
    0.537221258
    """
    size = abs(bias)
    if n * size < _FAINT:
        return 0.5
    loss = log1p(expm1(-size) / 2)
    if bias > 0:
        return expm1(n * loss) / expm1(-n * size)
    return exp(n * loss) * expm1(-n * (size + loss)) / expm1(-n * size)
