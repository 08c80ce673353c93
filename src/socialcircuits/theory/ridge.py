"""What endpoint classes alone say about h_0: next to nothing.

Counts of how groups ended have a likelihood too, but other (a_T, a_R) make up for another h_0. The
likelihood of h_0 with the best (a_T, a_R) for each shows it as a flat ridge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from socialcircuits.errors import SettingError
from socialcircuits.theory import _checks
from socialcircuits.theory._profile import DROP, probability
from socialcircuits.theory.outcomes import CLASSES, outcome

__all__ = ["Ends", "Ridge", "ridge"]

Floats = NDArray[np.float64]

_LEAST = 1e-300


@dataclass(frozen=True)
class Ends:
    """How groups of one size ended.

    Args:
        n: number of agents N, as in `outcome`.
        counts: groups that ended correct, wrong, polarized, fragmented; from 0, also fractions,
            such as expected counts.
        rounds: kappa; None for t to infinity.
        self_pairs: whether a speaker may be its own listener.

    Raises:
        SettingError: a count is negative or not finite.

    >>> Ends(8, (20, 2, 18, 0), rounds=20, self_pairs=False).n
    8
    """

    n: int
    counts: tuple[float, float, float, float]
    rounds: int | None = None
    self_pairs: bool = True

    def __post_init__(self) -> None:
        for count in self.counts:
            if _checks.finite("counts", count) < 0:
                raise SettingError("counts", count, "a number from 0")


@dataclass(frozen=True)
class Ridge:
    """The profile likelihood of h_0 by endpoint classes.

    Args:
        bias: shape (values,), h_0.
        log_likelihood: shape (values,), natural logarithm at the best (a_T, a_R).
        truth: shape (values,), that a_T.
        rival: shape (values,), that a_R.

    >>> Ridge(np.array([0.0, 1.0]), np.array([-3.0, -3.5]), *np.zeros((2, 2))).held.tolist()
    [True, True]
    """

    bias: Floats
    log_likelihood: Floats
    truth: Floats
    rival: Floats

    @property
    def held(self) -> NDArray[np.bool_]:
        """Which values of h_0 the counts do not exclude at level .95; shape (values,)."""
        return np.asarray(self.log_likelihood >= self.log_likelihood.max() - DROP)


def ridge(ends: Sequence[Ends], biases: Sequence[float]) -> Ridge:
    """Return how likely the endpoint classes are for values of h_0, at the best (a_T, a_R) of each.

    Args:
        ends: counts of one or more sizes, at least one group in all.
        biases: values of h_0.

    Raises:
        SettingError: there is no group, or a number is out of range.

    Source: multinomial likelihood of the classes of Flag Game, section 3.3.

    >>> ridge([Ends(4, (1, 0, 0, 0))], [0.0, 1.0]).held.tolist()
    [True, True]
    """
    if not ends or sum(sum(end.counts) for end in ends) <= 0:
        raise SettingError("ends", len(ends), "at least one group that ended")
    found = np.array([_best(ends, _checks.finite("biases", bias)) for bias in biases])
    return Ridge(np.array(biases, float), *found.reshape(-1, 3).T)


def _best(ends: Sequence[Ends], bias: float) -> tuple[float, float, float]:
    def shares(at: Floats) -> tuple[float, float]:
        first = probability(float(at[0]))
        return first, (1 - first) * probability(float(at[1]))

    def loss(at: Floats) -> float:
        value = 0.0
        for end in ends:
            came = outcome(end.n, *shares(at), bias, end.rounds, end.self_pairs)
            for count, name in zip(end.counts, CLASSES, strict=True):
                value -= count * float(np.log(max(getattr(came, name), _LEAST)))
        return value

    starts = [np.array(start) for start in ((-1.0, -1.0), (-3.0, -3.0))]
    best = min((minimize(loss, start, method="Nelder-Mead") for start in starts),
               key=lambda found: float(found.fun))  # fmt: skip
    return -float(best.fun), *shares(best.x)
