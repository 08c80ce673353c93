"""How probable an agent's answers are, given what it heard, with first and second derivatives.

An ambiguous agent is a chain of two states that heard labels drive and answers show. Every number
is carried with its derivatives in the bias h and in u, on which the slip depends, as a tuple
(value, h, u, hh, hu, uu): factors depend on one of the two only, so each product is six lines.
"""

from __future__ import annotations

from math import exp, inf, log

import numpy as np
from numba import njit
from numpy.typing import NDArray

from socialcircuits.theory.histories import GAVE_RIVAL, GAVE_TRUTH, HEARD_RIVAL, HEARD_TRUTH

Floats = NDArray[np.float64]
Events = NDArray[np.int8]
Offsets = NDArray[np.int64]
Jet = tuple[float, float, float, float, float, float]
Factor = tuple[float, float, float]
"""A function of one variable: its value, first and second derivative."""

_SMALL = 1e-100


@njit(cache=True, error_model="numpy")
def _by_bias(jet: Jet, f: Factor) -> Jet:
    v, h, u, hh, hu, uu = jet
    return (
        f[0] * v,
        f[0] * h + f[1] * v,
        f[0] * u,
        f[0] * hh + 2 * f[1] * h + f[2] * v,
        f[0] * hu + f[1] * u,
        f[0] * uu,
    )


@njit(cache=True, error_model="numpy")
def _by_slip(jet: Jet, f: Factor) -> Jet:
    v, h, u, hh, hu, uu = jet
    return (
        f[0] * v,
        f[0] * h,
        f[0] * u + f[1] * v,
        f[0] * hh,
        f[0] * hu + f[1] * h,
        f[0] * uu + 2 * f[1] * u + f[2] * v,
    )


@njit(cache=True, error_model="numpy")
def _plus(a: Jet, b: Jet) -> Jet:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@njit(cache=True, error_model="numpy")
def _scaled(a: Jet, c: float) -> Jet:
    return a[0] * c, a[1] * c, a[2] * c, a[3] * c, a[4] * c, a[5] * c


@njit(cache=True, error_model="numpy")
def _ambiguous(events: Events, take: Factor, drop: Factor, slip: Factor) -> Jet:
    """Log of the probability of an ambiguous agent's answers, with its derivatives."""
    hold = (1 - slip[0], -slip[1], -slip[2])
    true: Jet = (0.5, 0.0, 0.0, 0.0, 0.0, 0.0)
    false: Jet = (0.5, 0.0, 0.0, 0.0, 0.0, 0.0)
    scale = 0.0
    for event in events:
        if event == HEARD_TRUTH:
            true = _plus(true, _by_bias(false, take))
            false = _by_bias(false, drop)
        elif event == HEARD_RIVAL:
            false = _plus(false, _by_bias(true, drop))
            true = _by_bias(true, take)
        elif event == GAVE_TRUTH:
            true, false = _by_slip(true, hold), _by_slip(false, slip)
        elif event == GAVE_RIVAL:
            true, false = _by_slip(true, slip), _by_slip(false, hold)
        total = true[0] + false[0]
        if 0 < total < _SMALL:
            scale += log(total)
            true, false = _scaled(true, 1 / total), _scaled(false, 1 / total)
    v, h, u, hh, hu, uu = _plus(true, false)
    if v == 0:
        return -inf, 0.0, 0.0, 0.0, 0.0, 0.0
    h, u = h / v, u / v
    return log(v) + scale, h, u, hh / v - h * h, hu / v - h * u, uu / v - u * u


@njit(cache=True, error_model="numpy")
def _decided(right: int, wrong: int, slip: Factor) -> Jet:
    """The same of an agent that holds one label: so many answers show it, so many the other."""
    value = gain = bend = 0.0
    if right:
        value += right * log(1 - slip[0])
        gain -= right / (1 - slip[0])
        bend -= right / (1 - slip[0]) ** 2
    if wrong:
        if slip[0] == 0:
            return -inf, 0.0, 0.0, 0.0, 0.0, 0.0
        value += wrong * log(slip[0])
        gain += wrong / slip[0]
        bend -= wrong / slip[0] ** 2
    return value, 0.0, gain * slip[1], 0.0, 0.0, gain * slip[2] + bend * slip[1] ** 2


@njit(cache=True, error_model="numpy")
def _three(events: Events, take: Factor, drop: Factor, slip: Factor) -> tuple[Jet, Jet, Jet]:
    true = false = 0
    for event in events:
        true += event == GAVE_TRUTH
        false += event == GAVE_RIVAL
    return (
        _decided(true, false, slip),
        _decided(false, true, slip),
        _ambiguous(events, take, drop, slip),
    )


@njit(cache=True, error_model="numpy")
def terms(events: Events, offsets: Offsets, take: Factor, drop: Factor, slip: Factor) -> Floats:
    """Return log-probabilities of each agent's answers as a truth zealot, a rival zealot and an
    ambiguous agent; shape (agents, 3)."""
    out = np.empty((len(offsets) - 1, 3))
    for agent in range(len(out)):
        kinds = _three(events[offsets[agent] : offsets[agent + 1]], take, drop, slip)
        for kind in range(3):
            out[agent, kind] = kinds[kind][0]
    return out


@njit(cache=True, error_model="numpy")
def _add(kinds: tuple[Jet, Jet, Jet], parts: Floats, gradient: Floats, bend: Floats) -> float:
    """Add one agent to the gradient and to the upper half of the Hessian; return its log."""
    logs = (parts[0, 0] + kinds[0][0], parts[0, 1] + kinds[1][0], parts[0, 2] + kinds[2][0])
    top = max(logs)
    mass = exp(logs[0] - top) + exp(logs[1] - top) + exp(logs[2] - top)
    mean, slope = np.zeros(4), np.empty(4)
    for kind in range(3):
        weight = exp(logs[kind] - top) / mass
        _, h, u, hh, hu, uu = kinds[kind]
        slope[0], slope[1], slope[2], slope[3] = parts[1, kind], parts[2, kind], h, u
        bend[0, 0] += weight * parts[3, kind]
        bend[1, 1] += weight * parts[4, kind]
        bend[2, 2] += weight * hh
        bend[2, 3] += weight * hu
        bend[3, 3] += weight * uu
        for i in range(4):
            mean[i] += weight * slope[i]
            for j in range(i, 4):
                bend[i, j] += weight * slope[i] * slope[j]
    for i in range(4):
        gradient[i] += mean[i]
        for j in range(i, 4):
            bend[i, j] -= mean[i] * mean[j]
    value: float = top + log(mass)
    return value


@njit(cache=True, error_model="numpy")
def total(
    events: Events,
    offsets: Offsets,
    factors: tuple[Factor, Factor, Factor],
    parts: Floats,
) -> tuple[float, Floats, Floats]:
    """Return the log-likelihood, its gradient (4,) and its Hessian (4, 4).

    The coordinates are two on which the shares of the three types depend, then h and u. `factors`
    are q_T, q_R and the slip; `parts`, shape (5, 3), are for each type its log-share, the two
    first derivatives and the two second ones; there are no mixed ones.
    """
    value, gradient, bend = 0.0, np.zeros(4), np.zeros((4, 4))
    for agent in range(len(offsets) - 1):
        own = events[offsets[agent] : offsets[agent + 1]]
        kinds = _three(own, factors[0], factors[1], factors[2])
        value += _add(kinds, parts, gradient, bend)
    for i in range(4):
        for j in range(i):
            bend[i, j] = bend[j, i]
    return value, gradient, bend
