"""More than two labels: the stationary law of copiers among zealots.

Among N agents z_i never change from label i and the other m copy: a copier takes over a heard
label i with probability q_i. Its move from i to j has probability q_j n_i (z_j + n_j) / N^2, so
detailed balance holds with

    P(n) proportional to the product over i of q_i^n_i (z_i)_n_i / n_i!,  sum of n_i = m,

where (z)_n = z (z + 1) ... (z + n - 1). With equal q this is the Dirichlet-multinomial law, with
two labels the law of the finite chain. A label without zealots dies out.

Source: Eq. 13 and 14 for two labels; the general law is ours, by the same detailed balance. Mobilia
et al. (2007) for zealots.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from socialcircuits.errors import SettingError
from socialcircuits.theory._checks import whole

__all__ = ["log_probability", "marginals"]

Floats = NDArray[np.float64]

SLACK = 1 + 1e-6


def log_probability(
    counts: Sequence[int], zealots: Sequence[int], acceptance: Sequence[float] | None = None
) -> float:
    """Return the log of the stationary probability that so many copiers hold each label.

    Args:
        counts: shape (labels,), copiers that hold each label, from 0.
        zealots: shape (labels,), zealots of each label, from 0, not all 0.
        acceptance: shape (labels,), probability that a heard label is taken over, above 0; None for
            equal ones, the neutral law.

    Returns:
        Natural logarithm; minus infinity where the law has no weight.

    Raises:
        SettingError: the lengths differ, a number is out of range, or there is no zealot: the end
            then depends on the start.

    Source: the module's law; Dirichlet-multinomial when neutral.

    >>> round(log_probability([2, 1, 0], [1, 1, 1]), 6) == round(-log(10), 6)
    True
    """
    if len(counts) != len(zealots):
        raise SettingError("counts", len(counts), f"one number a label ({len(zealots)})")
    held = [whole("counts", count) for count in counts]
    logs = _log_laws(sum(held), zealots, acceptance)
    own = sum(float(law[n]) for law, n in zip(logs, held, strict=True))
    return own - log(_convolved(np.exp(logs))[-1])


def marginals(
    copiers: int, zealots: Sequence[int], acceptance: Sequence[float] | None = None
) -> Floats:
    """Return the stationary law of the number of copiers that hold each label.

    Work grows with labels^2 m^2: a tenth of a second for ten labels and 3,000 copiers.

    Args:
        copiers: m, from 0.
        zealots: shape (labels,), zealots of each label, from 0, not all 0.
        acceptance: shape (labels,), as for `log_probability`.

    Returns:
        Shape (labels, m + 1): row i sums to 1; entry n is the probability that n hold label i.

    Raises:
        SettingError: as for `log_probability`.

    Source: the module's law; beta-binomial when neutral (Eq. 14).

    >>> marginals(2, [1, 1, 1]).round(3)[0].tolist()
    [0.5, 0.333, 0.167]
    """
    logs = _log_laws(whole("copiers", copiers), zealots, acceptance)
    laws = np.exp(logs)
    joint = [
        law * _convolved(np.delete(laws, label, axis=0))[::-1] for label, law in enumerate(laws)
    ]
    return np.array([row / row.sum() for row in joint])


def _log_laws(copiers: int, zealots: Sequence[int], acceptance: Sequence[float] | None) -> Floats:
    """Logs of one negative binomial law a label, whose sum has the mean m; shape (labels, m + 1).

    Given that they sum to m, their numbers have the stationary law, whatever the common factor of
    the q; the factor that puts the mean at m keeps the convolution away from underflow.
    """
    z = np.array([whole("zealots", number) for number in zealots], np.float64)
    q = np.ones(z.size) if acceptance is None else np.array(acceptance, np.float64)
    if not z.any():
        raise SettingError("zealots", tuple(zealots), "at least one zealot")
    if q.shape != z.shape or not ((q > 0) & (q <= 1)).all():
        expected = f"one number a label ({z.size}), above 0 and at most 1"
        raise SettingError("acceptance", acceptance, expected)
    q = np.where(z > 0, q / q[z > 0].max(), 0)

    def excess(factor: float) -> float:
        return float((z * q * factor / (1 - q * factor)).sum()) - copiers

    # The mean is that of all zealots at the largest q at most, of those alone at least; the slack
    # keeps rounding from moving an end past the root, which a tilt need not meet exactly.
    ends = [copiers / (copiers + n) for n in (z.sum() * SLACK, z[q == 1].sum() / SLACK)]
    odds = q * (brentq(excess, *ends) if copiers else 0.0)
    k = np.arange(1, copiers + 1)
    with np.errstate(divide="ignore"):
        rises = np.log(odds[:, None] * (z[:, None] + k - 1) / k)
    logs = np.cumsum(np.concatenate([np.zeros((z.size, 1)), rises], axis=1), axis=1)
    return logs + (z * np.log1p(-odds))[:, None]


def _convolved(laws: Floats) -> Floats:
    """The law of a sum, up to m; shape (m + 1,). All terms are positive, so nothing cancels."""
    none = np.zeros(laws.shape[1])
    none[0] = 1
    return reduce(lambda done, law: np.convolve(done, law)[: done.size], laws, none)
