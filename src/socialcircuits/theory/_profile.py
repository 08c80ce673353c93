"""The top of the log-likelihood of a fit, and how far around it the likelihood holds up.

Coordinates without bounds: for each group of agents with the same evidence the log-odds of its
first decided share and those of the second among agents who are not of the first; then h, and the
log-odds of twice the slip. The first share is the rival's or the truth's, so that either can be
held fixed. A probability at an end of its range is a coordinate at its limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, log, log1p, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from socialcircuits.theory import _likelihood
from socialcircuits.theory._likelihood import Factor, Floats
from socialcircuits.theory.chain import acceptance
from socialcircuits.theory.histories import GAVE_RIVAL, GAVE_TRUTH, Histories

LIMIT = 40.0
"""h is sought from minus this to this."""

_SURE = 36.0
"""Log-odds of a probability that differs from 1 by 2e-16."""

_EDGE = 14.0
"""Log-odds beyond this are at their end: the probability is within a millionth of 0 or 1."""

_LOOSE = 1e3
"""A standard deviation of log-odds that says that nothing is known."""

DROP = 3.841458820694124 / 2
"""Half the .95 quantile of chi-square with one degree of freedom."""

_GAIN = 1e-9
_STEPS = 200
_STRIDE = 4.0
_LEAST = 1e-6
_FLAT = 1e-9
_CLOSE = 1e-7

Places = NDArray[np.intp]


class Top(NamedTuple):
    """Where the likelihood is highest, how high, and its second derivatives there."""

    at: Floats
    value: float
    bend: Floats


class _Slope(NamedTuple):
    gradient: Floats
    value: float
    bend: Floats


def probability(odds: float) -> float:
    """Return the probability with these log-odds.

    >>> probability(0.0), probability(-inf)
    (0.5, 0.0)
    """
    return 1 / (1 + exp(-odds)) if odds >= 0 else exp(odds) / (1 + exp(odds))


def log_odds(share: float) -> float:
    """Return the log-odds of a probability, kept within the limits.

    >>> log_odds(0.5), log_odds(0.0)
    (0.0, -36.0)
    """
    if share <= 0 or share >= 1:
        return _SURE if share > 0 else -_SURE
    return min(max(log(share) - log1p(-share), -_SURE), _SURE)


class Surface:
    """The log-likelihood of groups of histories over the coordinates.

    Args:
        groups: the agents' events, a group of equal evidence each.
        rival_first: whether the first share is the rival's.
    """

    def __init__(self, groups: Sequence[Histories], rival_first: bool = False) -> None:
        self._groups = groups
        self._order = [1, 0, 2] if rival_first else [0, 1, 2]
        self.bias = 2 * len(groups)
        self.slip = self.bias + 1
        self._limits = np.array([_SURE] * self.bias + [LIMIT, _SURE])
        self._edges = np.array([_EDGE] * self.bias + [LIMIT - 1, _EDGE])

    @property
    def answers(self) -> int:
        """Number of answers that name the truth or the rival."""
        return sum(own.count(GAVE_TRUTH, GAVE_RIVAL) for own in self._groups)

    def shares(self, at: Floats, group: int = 0) -> Floats:
        """Return the log-shares of truth zealots, rival zealots and ambiguous agents with their
        first and second derivatives in the group's two coordinates; shape (5, 3)."""
        one, two = float(at[2 * group]), float(at[2 * group + 1])
        first, second = probability(one), probability(two)
        rest, others = probability(-one), probability(-two)
        stays, leaves = -np.logaddexp(0, one), -np.logaddexp(0, two)
        bend, turn = -first * rest, -second * others
        parts = np.array(
            [
                [-np.logaddexp(0, -one), stays - np.logaddexp(0, -two), stays + leaves],
                [rest, -first, -first],
                [0.0, others, -second],
                [bend, bend, bend],
                [0.0, turn, turn],
            ]
        )
        return np.ascontiguousarray(parts[:, self._order])

    def slope(self, at: Floats) -> _Slope:
        """Return the log-likelihood with its gradient and Hessian."""
        value, gradient, bend = 0.0, np.zeros(at.size), np.zeros((at.size, at.size))
        factors = _factors(float(at[self.bias]), float(at[self.slip]))
        for group, own in enumerate(self._groups):
            shares = self.shares(at, group)
            part = _likelihood.total(own.events, own.offsets, factors, shares)
            places = np.array([2 * group, 2 * group + 1, self.bias, self.slip])
            value += part[0]
            gradient[places] += part[1]
            bend[np.ix_(places, places)] += part[2]
        return _Slope(gradient, value, bend)

    def climb(self, start: Floats, fixed: int | None = None) -> Top:
        """Return the top that Newton's method reaches, one coordinate held fixed if asked.

        Where the surface does not curve downward, steps follow the absolute curvature.
        """
        free = np.arange(start.size) if fixed is None else np.delete(np.arange(start.size), fixed)
        at = np.clip(start, -self._limits, self._limits)
        here = self.slope(at)
        for _ in range(_STEPS):
            step = _newton(here.gradient[free], here.bend[np.ix_(free, free)])
            found = self._better(at, here, free, step)
            if found is None:
                break
            at, here = found
        return Top(at, here.value, here.bend)

    def _better(
        self, at: Floats, here: _Slope, free: Places, step: Floats
    ) -> tuple[Floats, _Slope] | None:
        """The longest part of a step that leads higher; None at the top."""
        part = 1.0
        while part > _LEAST:
            there = at.copy()
            there[free] += part * step
            there = np.clip(there, -self._limits, self._limits)
            if here.gradient @ (there - at) < _GAIN * part:
                return None
            found = self.slope(there)
            if found.value > here.value:
                return there, found
            part /= 4
        return None

    def ends(self, top: Top, which: int) -> tuple[float, float]:
        """Return between which values of a coordinate the profile likelihood holds up.

        Infinite where it does so up to the limit.
        """
        return self._end(top, which, -1.0), self._end(top, which, 1.0)

    def _end(self, top: Top, which: int, side: float) -> float:
        limit = side * float(self._limits[which])
        known = {float(top.at[which]): top.at}

        def left(value: float) -> float:
            # From the nearest place already found: a surface with two tops must not change sides.
            start = known[min(known, key=lambda place: abs(place - value))].copy()
            start[which] = value
            found = self.climb(start, which)
            known[value] = found.at
            return found.value - top.value + DROP

        inner = float(top.at[which])
        stride = min(_STRIDE, 2 / sqrt(max(-float(top.bend[which, which]), _CLOSE)))
        while inner != limit:
            outer = inner + side * stride
            outer = min(outer, limit) if side > 0 else max(outer, limit)
            if left(outer) < 0:
                return float(brentq(left, inner, outer, xtol=_CLOSE, rtol=_CLOSE))
            inner, stride = outer, 2 * stride
        return side * inf

    def deviation(self, top: Top, which: int) -> float | None:
        """Return the standard deviation of a coordinate by the observed information.

        None where the coordinate is at its end, infinite where the information does not fix it.
        """
        active = np.flatnonzero(abs(top.at) < self._edges)
        if which not in active:
            return None
        information = -top.bend[np.ix_(active, active)]
        place, own = int(np.searchsorted(active, which)), information.diagonal()
        if own[place] < _FLAT:
            return inf
        scale = np.sqrt(np.maximum(own, _FLAT))
        values, axes = np.linalg.eigh(information / np.outer(scale, scale))
        variance = float((axes[place] ** 2 / np.maximum(values, _FLAT**2)).sum())
        found = sqrt(variance) / float(scale[place])
        return found if found < _LOOSE else inf


def _newton(gradient: Floats, bend: Floats) -> Floats:
    curves, axes = np.linalg.eigh(bend)
    steps: Floats = (axes.T @ gradient) / np.maximum(abs(curves), _FLAT)
    return np.asarray(axes @ np.clip(steps, -_STRIDE, _STRIDE))


def _factors(bias: float, odds: float) -> tuple[Factor, Factor, Factor]:
    """q_T, q_R and the slip with their derivatives in h and in the slip's coordinate."""
    take, drop = acceptance(bias)
    slope = take * drop
    bend = slope * (drop - take)
    low, high = probability(odds), probability(-odds)
    turn = low * high
    slip = (low / 2, turn / 2, turn * (high - low) / 2)
    return (take, slope, bend), (drop, -slope, -bend), slip
