"""How much truth a group keeps: the mean share of agents that hold it.

Closed forms for neutral copying, the exact mean for every bias and horizon, and its course in time
beside the mean field.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1, log1p

import numpy as np
from numpy.typing import NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory import _checks
from socialcircuits.theory.chain import pace
from socialcircuits.theory.mean_field import path, spread
from socialcircuits.theory.outcomes import outcome, share_by_round

__all__ = ["Trajectory", "neutral_moments", "neutral_truth_share", "trajectory", "truth_share"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Trajectory:
    """The truth share over time: exact mean of finite groups, and the mean field.

    Args:
        rounds: shape (rounds + 1,), 0, 1, ...; a round is N interactions.
        exact: shape (rounds + 1,), mean truth share of groups of N, averaged over which evidence
            they hold.
        mean_field: shape (rounds + 1,), truth share of a very large group with f_T = a_T and
            f_R = a_R.
        spread: shape (rounds + 1,), linear-noise standard deviation of the truth share of a group
            of N with just these shares of decided agents.

    >>> trajectory(8, 0.25, 0.25, 0.0, 2).exact.round(12).tolist()
    [0.5, 0.5, 0.5]
    """

    rounds: NDArray[np.int64]
    exact: Floats
    mean_field: Floats
    spread: Floats


def neutral_truth_share(n: int, truth: float, rival: float) -> float:
    """Return the mean truth share as t goes to infinity under neutral copying.

    Args:
        n: number of agents N, from 1.
        truth: a_T.
        rival: a_R; a_T + a_R <= 1.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, equation 12.

    >>> round(neutral_truth_share(1, 0.2925, 0.1575), 6)
    0.5675
    """
    n = _checks.whole("n", n, least=1)
    truth, rival = _checks.evidence(truth, rival)
    total = truth + rival
    if total == 0:
        return 0.5
    decided = -expm1(n * log1p(-total)) if total < 1 else 1.0
    return truth / total * decided + (1 - decided) / 2


def neutral_moments(n: int, zealots: tuple[int, int]) -> tuple[float, float]:
    """Return mean and variance of x = n / z_0 as t goes to infinity under neutral copying.

    Args:
        n: number of agents N, from 2.
        zealots: (z_T, z_R), 0 < z_T + z_R < N.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, equation 14, of the beta-binomial law.

    >>> mean, variance = neutral_moments(128, (37, 20))
    >>> round(mean, 6), round(variance, 6)
    (0.649123, 0.00708)
    """
    n = _checks.whole("n", n, least=2)
    truth = _checks.whole("zealots[0]", zealots[0], most=n - 1)
    rival = _checks.whole("zealots[1]", zealots[1], most=n - 1 - truth)
    total = truth + rival
    if total == 0:
        raise SettingError("zealots", zealots, "at least one zealot")
    variance = truth * rival * n / ((n - total) * total * total * (total + 1))
    return truth / total, variance


def truth_share(
    n: int,
    truth: float,
    rival: float,
    bias: float,
    rounds: int | None = None,
    self_pairs: bool = True,
) -> float:
    """Return the mean truth share of a group, averaged over which evidence it holds.

    Args:
        n: number of agents N, from 1 to 1,000,000; to 2,048 with `rounds`.
        truth: a_T.
        rival: a_R; a_T + a_R <= 1.
        bias: h_0, finite.
        rounds: after kappa N interactions, from 0; None for t to infinity.
        self_pairs: whether a speaker may be its own listener; only matters with `rounds`.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, appendix G, mean accuracy.

    >>> round(truth_share(128, 0.2925, 0.1575, 0.3), 4)
    0.7182
    """
    return outcome(n, truth, rival, bias, rounds, self_pairs).truth_share


def trajectory(
    n: int,
    truth: float,
    rival: float,
    bias: float,
    rounds: int,
    self_pairs: bool = True,
) -> Trajectory:
    """Return the truth share round by round from fair beliefs: exact mean and mean field.

    Args:
        n: number of agents N, from 1 to 2,048.
        truth: a_T.
        rival: a_R; a_T + a_R <= 1.
        bias: h_0, finite.
        rounds: last round, from 0.
        self_pairs: whether a speaker may be its own listener; if not, time runs N / (N - 1) faster.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, equations 6, 9 and 10.

    >>> course = trajectory(128, 0.2925, 0.1575, 0.3, 10)
    >>> round(float(course.exact[-1]), 4), round(float(course.mean_field[-1]), 4)
    (0.708, 0.7091)
    """
    exact = share_by_round(n, truth, rival, bias, rounds, self_pairs)
    times = np.arange(len(exact)) * pace(n, self_pairs)
    x = path(times, truth, rival, bias)
    return Trajectory(
        rounds=np.arange(len(exact)),
        exact=exact,
        mean_field=truth + (1 - truth - rival) * x,
        spread=spread(times, n, (truth, rival), bias),
    )
