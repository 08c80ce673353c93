"""The mean field: what a very large group does, and how far a finite one strays from it.

x is the share of ambiguous agents that hold the truth; time counts rounds of N interactions. The
shares f_T, f_R and f_0 = 1 - f_T - f_R of the kinds of agents are those of one group. The mean
field is exact for the mean of a finite group at h_0 = 0 and an approximation otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory import _checks
from socialcircuits.theory.chain import acceptance

__all__ = ["FixedPoint", "Stability", "drift", "fixed_points", "path", "slope", "spread"]

Floats = NDArray[np.float64]
Stability = Literal["stable", "unstable", "marginal"]

_FLAT = 1e-14
"""A slope nearer to zero than this is zero up to rounding."""


@dataclass(frozen=True)
class FixedPoint:
    """A state that the mean field does not leave.

    Args:
        x: share of ambiguous agents that hold the truth, from 0 to 1.
        share: f_T + f_0 x, share of all agents that hold it.
        slope: A'(x), the rate per round at which a small distance grows; below 0 it shrinks.
        stability: "stable" (slope below 0), "unstable" (above), "marginal" (0).
        variance: N times the variance of `share` around a stable point in the linear-noise
            approximation; None if the point is not stable.

    >>> fixed_points(0.2, 0.1, 0.0)[0].stability
    'stable'
    """

    x: float
    share: float
    slope: float
    stability: Stability
    variance: float | None


def drift(x: float, truth: float, rival: float, bias: float) -> float:
    """Return A(x) = dx / d tau, change of x per round.

    Args:
        x: share of ambiguous agents that hold the truth, from 0 to 1.
        truth: f_T, share of agents decided for the truth.
        rival: f_R; f_T + f_R <= 1.
        bias: h_0, finite.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, equation 6.

    >>> round(drift(0.0, 0.2, 0.1, 0.3), 6)
    0.114889
    """
    x = _checks.share("x", x)
    toward, away, pull = _forces(truth, rival, bias)
    return toward * (1 - x) - away * x + pull * x * (1 - x)


def slope(x: float, truth: float, rival: float, bias: float) -> float:
    """Return A'(x), derivative of the drift by x, per round.

    Args:
        x: share of ambiguous agents that hold the truth, from 0 to 1.
        truth: f_T.
        rival: f_R; f_T + f_R <= 1.
        bias: h_0, finite.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, equation 6.

    >>> round(slope(0.0, 0.2, 0.1, 0.3), 6)
    -0.053225
    """
    x = _checks.share("x", x)
    toward, away, pull = _forces(truth, rival, bias)
    return pull * (1 - 2 * x) - toward - away


def fixed_points(truth: float, rival: float, bias: float) -> tuple[FixedPoint, ...]:
    """Return all fixed points from 0 to 1, by x; none if the drift is zero everywhere.

    Args:
        truth: f_T.
        rival: f_R; f_T + f_R <= 1.
        bias: h_0, finite.

    Returns:
        One or two points; none without zealots at h_0 = 0.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, equation 6; section 5.2 for stability.

    >>> [(round(p.x, 6), p.stability) for p in fixed_points(0.0, 0.2, 0.3)]
    [(0.0, 'unstable'), (0.285426, 'stable')]
    """
    roots = _roots(*_forces(truth, rival, bias))
    return tuple(_point(x, truth, rival, bias) for x in roots)


def path(rounds: ArrayLike, truth: float, rival: float, bias: float, start: float = 0.5) -> Floats:
    """Return x after some rounds, in closed form.

    Args:
        rounds: any shape, tau = t / N, from 0.
        truth: f_T.
        rival: f_R; f_T + f_R <= 1.
        bias: h_0, finite.
        start: x at tau = 0, from 0 to 1.

    Returns:
        Shape of `rounds`, from 0 to 1.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, equation 6, a Riccati equation with constant coefficients.

    >>> path([0, 10], 0.2925, 0.1575, 0.3).round(6).tolist()
    [0.5, 0.757406]
    """
    times = _times(rounds)
    speed, growth = drift(start, truth, rival, bias), slope(start, truth, rival, bias)
    forces = _forces(truth, rival, bias)
    root, pull = _discriminant(*forces), forces[2]
    if speed == 0:
        return np.full(times.shape, float(start))
    if root == 0:
        return np.clip(start + speed * times / (1 - growth * times / 2), 0, 1)
    gone = np.exp(-root * times)
    # root - growth would cancel when an unstable point is left slowly.
    gap = 4 * pull * speed / (root + growth) if growth > 0 else root - growth
    moved = 2 * speed * -np.expm1(-root * times)
    return np.clip(start + moved / (gap + (root + growth) * gone), 0, 1)


def spread(
    rounds: ArrayLike, n: int, shares: tuple[float, float], bias: float, start: float = 0.5
) -> Floats:
    """Return the standard deviation of the truth share in the linear-noise approximation.

    It starts as that of independent beliefs and falls as N^-1/2 at fixed shares. The composition of
    the group is given; that it varies too is not part of it.

    Args:
        rounds: shape (times,), tau = t / N, from 0, ascending.
        n: number of agents N, from 1.
        shares: (f_T, f_R); f_T + f_R <= 1.
        bias: h_0, finite.
        start: chance of each ambiguous agent to hold the truth at tau = 0.

    Returns:
        Shape (times,), in shares of all N agents.

    Raises:
        SettingError: a number is out of range, or the rounds do not ascend.

    Source: Flag Game, equations 6 and 10; van Kampen (2007) for the approximation.

    >>> spread([0, 1000], 128, (0.2925, 0.1575), 0.3).round(4).tolist()
    [0.0328, 0.0377]
    """
    from scipy.integrate import solve_ivp

    times, n = _times(rounds), _checks.whole("n", n, least=1)
    truth, rival = _checks.evidence(*shares)
    if times.ndim != 1 or (np.diff(times) < 0).any():
        raise SettingError("rounds", rounds, "ascending numbers")
    start = _checks.share("start", start)
    first = (1 - truth - rival) * start * (1 - start)
    if not times.size or times[-1] == 0:
        return np.full(times.shape, sqrt(first / n))

    def change(time: float, variance: Floats) -> Floats:
        x = float(path(time, truth, rival, bias, start))
        grow = 2 * slope(x, truth, rival, bias)
        return grow * variance + _noise(x, truth, rival, bias)

    span = (0.0, float(times[-1]))
    found = solve_ivp(change, span, [first], "LSODA", t_eval=times, rtol=1e-9, atol=1e-12)
    return np.asarray(np.sqrt(np.maximum(0.0, found.y[0]) / n), dtype=np.float64)


def _forces(truth: float, rival: float, bias: float) -> tuple[float, float, float]:
    """q_T f_T, q_R f_R and (q_T - q_R) f_0."""
    truth, rival = _checks.evidence(truth, rival)
    take, drop = acceptance(bias)
    return take * truth, drop * rival, (take - drop) * (1 - truth - rival)


def _discriminant(toward: float, away: float, pull: float) -> float:
    """Distance between the roots of the drift times |pull|, without cancellation."""
    return hypot(pull + toward - away, 2 * sqrt(toward * away))


def _roots(toward: float, away: float, pull: float) -> list[float]:
    """Roots of the drift in [0, 1], ascending."""
    if toward == 0:
        others = [(pull - away) / pull] if pull > away or (away == 0 and pull) else []
        return [0.0, *others] if away or pull else []
    if away == 0:
        return [-toward / pull, 1.0] if pull < -toward else [1.0]
    middle, root = pull - toward - away, _discriminant(toward, away, pull)
    # Of the two forms of the root the one that does not cancel.
    upper = 2 * toward / (root - middle) if middle < 0 else (middle + root) / (2 * pull)
    return [min(1.0, upper)]


def _point(x: float, truth: float, rival: float, bias: float) -> FixedPoint:
    rate = slope(x, truth, rival, bias)
    stability: Stability = "stable" if rate < 0 else "unstable"
    if abs(rate) < _FLAT:
        stability = "marginal"
    return FixedPoint(
        x=x,
        share=truth + (1 - truth - rival) * x,
        slope=rate,
        stability=stability,
        variance=_noise(x, truth, rival, bias) / (-2 * rate) if stability == "stable" else None,
    )


def _noise(x: float, truth: float, rival: float, bias: float) -> float:
    """N times the variance that one round adds to the truth share."""
    take, drop = acceptance(bias)
    free = 1 - truth - rival
    share = truth + free * x
    return take * free * (1 - x) * share + drop * free * x * (1 - share)


def _times(rounds: ArrayLike) -> Floats:
    times = np.asarray(rounds, dtype=np.float64)
    if not (np.isfinite(times) & (times >= 0)).all():
        raise SettingError("rounds", rounds, "finite numbers from 0")
    return times
