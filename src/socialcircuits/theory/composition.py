"""Which evidence a group of N agents holds: who is decided for the truth, for the rival, for none.

Each agent draws its type by itself: decided for the truth with probability a_T, for the rival with
a_R, ambiguous with a_0 = 1 - a_T - a_R. The decided agents are the zealots of the dynamics.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1, inf, log1p

import numpy as np

from socialcircuits.theory import _checks
from socialcircuits.theory._binomial import binomial_pmf

__all__ = ["Composition", "Coverage", "composition", "composition_pmf", "coverage"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True)
class Composition:
    """Probabilities of the four kinds of groups; they add up to 1.

    Args:
        neither: nobody is decided.
        truth_only: somebody is decided for the truth and nobody for the rival.
        rival_only: somebody is decided for the rival and nobody for the truth.
        both: each has somebody.

    >>> composition(1, 0.25, 0.5).neither
    0.25
    """

    neither: float
    truth_only: float
    rival_only: float
    both: float


@dataclass(frozen=True)
class Coverage:
    """Sizes at which a group starts to hold evidence: N a = 1, a crossover and no sharp boundary.

    Args:
        truth: 1 / a_T, in agents; infinite if a_T = 0.
        rival: 1 / a_R, in agents; infinite if a_R = 0.

    >>> coverage(0.25, 0.0)
    Coverage(truth=4.0, rival=inf)
    """

    truth: float
    rival: float


def composition(n: int, truth: float, rival: float) -> Composition:
    """Return the probabilities of the four kinds of groups.

    Each is accurate relative to itself, also where it is tiny.

    Args:
        n: number of agents N, from 1.
        truth: a_T, probability that an agent is decided for the truth.
        rival: a_R, the same for the rival; a_T + a_R <= 1.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, equations 7 and 8.

    >>> round(composition(8, 0.2925, 0.1575).both, 6)
    0.691755
    """
    n = _checks.whole("n", n, least=1)
    truth, rival = _checks.evidence(truth, rival)
    return Composition(
        neither=_none(n, truth + rival),
        truth_only=_none(n, rival) * _some(n, _part(truth, rival)),
        rival_only=_none(n, truth) * _some(n, _part(rival, truth)),
        both=_both(n, max(truth, rival), min(truth, rival)),
    )


def composition_pmf(n: int, zealots: tuple[int, int], truth: float, rival: float) -> float:
    """Return the probability that exactly so many agents are decided.

    The numbers of agents decided for the truth, for the rival and for none are multinomial.

    Args:
        n: number of agents N, from 1.
        zealots: (z_T, z_R), numbers decided for the truth and for the rival; z_T + z_R <= N.
        truth: a_T.
        rival: a_R; a_T + a_R <= 1.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, appendix G, evidence composition.

    >>> round(composition_pmf(8, (2, 1), 0.2925, 0.1575), 6)
    0.113934
    """
    n = _checks.whole("n", n, least=1)
    for_truth = _checks.whole("zealots[0]", zealots[0], most=n)
    for_rival = _checks.whole("zealots[1]", zealots[1], most=n - for_truth)
    truth, rival = _checks.evidence(truth, rival)
    rest = n - for_truth
    first: float = binomial_pmf(float(for_truth), float(n), truth)
    return first * binomial_pmf(float(for_rival), float(rest), _part(rival, truth))


def coverage(truth: float, rival: float) -> Coverage:
    """Return the sizes at which a group starts to hold evidence for the truth and for the rival.

    Args:
        truth: a_T.
        rival: a_R; a_T + a_R <= 1.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, section 5.2, evidence coverage.

    >>> coverage(0.2, 0.01)
    Coverage(truth=5.0, rival=100.0)
    """
    truth, rival = _checks.evidence(truth, rival)
    return Coverage(truth=1 / truth if truth else inf, rival=1 / rival if rival else inf)


def _part(share: float, other: float) -> float:
    """Probability of one type among agents that are not of the other."""
    return min(1.0, share / (1 - other)) if other < 1 else 0.0


def _none(n: int, share: float) -> float:
    return float(np.exp(n * log1p(-share))) if share < 1 else 0.0


def _some(n: int, share: float) -> float:
    return -expm1(n * log1p(-share)) if share < 1 else 1.0


def _both(n: int, more: float, less: float) -> float:
    if n * less > 1:
        return _some(n, less) - _none(n, more) * _some(n, _part(less, more))
    # The closed form would be a small difference of large numbers; its derivative with respect to
    # the rarer type is positive and smooth on this range.
    at = less * (1 + _NODES) / 2
    others = np.array([_some(n - 1, _part(more, share)) for share in at])
    slope = n * np.exp((n - 1) * np.log1p(-at)) * others
    return float(less / 2 * (_WEIGHTS @ slope))
