"""The posterior of (a_T, a_R, h_0) on a grid: what a fit leaves open, all at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory import _checks
from socialcircuits.theory.fit import Fit, Interval, answer_terms
from socialcircuits.theory.histories import Histories

__all__ = ["Axis", "Posterior", "posterior"]

Floats = NDArray[np.float64]
Axis = Literal["truth", "rival", "bias"]

_AXES: tuple[Axis, ...] = ("truth", "rival", "bias")
_FAR = 6.0
"""Where the data set no limit to h_0 the grid ends here."""

_SMALL = 1e-100
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Posterior:
    """Probabilities on a grid; they add up to 1.

    Args:
        truth: shape (points,), values of a_T, ascending.
        rival: shape (points,), values of a_R.
        bias: shape (points,), values of h_0.
        mass: shape (points, points, points) in this order; 0 where a_T + a_R > 1.

    >>> share, bias = np.array([0.1, 0.3]), np.array([0.0, 1.0])
    >>> Posterior(share, share, bias, np.full((2, 2, 2), 0.125)).mean("bias")
    0.5
    """

    truth: Floats
    rival: Floats
    bias: Floats
    mass: Floats

    def marginal(self, axis: Axis) -> Floats:
        """Return the probabilities of one parameter's values; shape (points,)."""
        place = _AXES.index(axis)
        found: Floats = self.mass.sum(axis=tuple(i for i in range(3) if i != place))
        return found

    def mean(self, axis: Axis) -> float:
        """Return the posterior mean of one parameter."""
        return float(self.marginal(axis) @ np.asarray(getattr(self, axis)))

    def interval(self, axis: Axis, level: float = 0.95) -> tuple[float, float]:
        """Return the central credible interval of one parameter.

        Args:
            axis: the parameter.
            level: its probability, from 0 to 1.

        Raises:
            SettingError: the level is no probability.
        """
        level, values = _checks.share("level", level), np.asarray(getattr(self, axis))
        marginal = self.marginal(axis)
        # A value stands for its cell, of which half lies below it.
        below = np.cumsum(marginal) - marginal / 2
        low, high = np.interp([(1 - level) / 2, (1 + level) / 2], below, values)
        return float(low), float(high)


def posterior(histories: Histories, fitted: Fit, points: int = 31) -> Posterior:
    """Return the posterior around a fit, with the slip at its estimate.

    The prior is uniform over all (a_T, a_R, a_0) that add up to 1, and over h_0 within the grid.
    The grid spans each interval of the fit and its width again on both sides, as far as the range
    goes; where h_0 has no limit it ends at -6 or 6, or at twice the limit on the other side if that
    is farther. A value stands for a cell around it.

    Args:
        histories: the agents' events.
        fitted: their fit.
        points: values of each parameter, from 3.

    Raises:
        SettingError: a number is out of range.

    Source: the likelihood of `socialcircuits.theory.fit`.

    >>> from socialcircuits.theory.fit import fit
    >>> from socialcircuits.theory.histories import GAVE_TRUTH, HEARD_RIVAL
    >>> stays = Histories([GAVE_TRUTH, HEARD_RIVAL, GAVE_TRUTH], [0, 3])
    >>> round(posterior(stays, fit(stays)).mean("rival"), 2)
    0.25
    """
    points = _checks.whole("points", points, least=3)
    if fitted.slip.value is None:
        raise SettingError("fitted", "slip not identified", "a fit with a slip")
    truth, rival = (_span(one, 0.0, 1.0, points) for one in (fitted.truth, fitted.rival))
    ends = [abs(end) for end in (fitted.bias.low, fitted.bias.high) if isfinite(end)]
    far = max([_FAR, *(2 * end for end in ends)])
    bias = _span(fitted.bias, -far, far, points)
    heights = np.empty((points, points, points))
    for place, value in enumerate(bias):
        terms = answer_terms(histories, float(value), fitted.slip.value)
        top = terms.max(axis=1)
        heights[:, :, place] = top.sum() + _heights(np.exp(terms - top[:, None]), truth, rival)
    mass = np.exp(heights - heights.max())
    return Posterior(truth, rival, bias, mass / mass.sum())


def _span(found: Interval, least: float, most: float, points: int) -> Floats:
    low, high = max(found.low, least), min(found.high, most)
    edges = np.linspace(max(2 * low - high, least), min(2 * high - low, most), points + 1)
    return (edges[1:] + edges[:-1]) / 2


@njit(cache=True, error_model="numpy")
def _heights(chances: Floats, truth: Floats, rival: Floats) -> Floats:
    """Sums of log a_T A + a_R B + a_0 C over agents; minus infinity where a_T + a_R > 1."""
    out = np.full((len(truth), len(rival)), -np.inf)
    for i in range(len(truth)):
        for j in range(len(rival)):
            rest = 1 - truth[i] - rival[j]
            if rest < -_ROUNDING:
                continue
            height, product = 0.0, 1.0
            for agent in range(len(chances)):
                own = chances[agent]
                product *= truth[i] * own[0] + rival[j] * own[1] + max(0.0, rest) * own[2]
                # One logarithm serves many agents.
                if product < _SMALL:
                    height += log(product) if product > 0 else -np.inf
                    product = 1.0
            out[i, j] = height + log(product)
    return out
