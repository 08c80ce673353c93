"""Groups that differ in their evidence: what the theory expects of a collection of runs.

A collection whose runs differ does not behave as one at the mean of its evidence: each probability
is averaged over the runs instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory import _checks, _compositions
from socialcircuits.theory.outcomes import (
    Outcome,
    _limit_cells,
    _speeds,
    _stepped_cells,
    outcome,
    phase_map,
)

__all__ = ["Cohort", "cohort", "mean_outcome"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_EVERY = 128
"""Up to this size every composition is calculated once for all runs."""

_LIKELY = 1e-17


@dataclass(frozen=True)
class Cohort:
    """Mean truth share of the model at each size, over the evidence of the runs of that size.

    Args:
        sizes: shape (sizes,), numbers of agents, ascending.
        runs: shape (sizes,), number of runs of each.
        truth_share: shape (sizes,), the model's truth share, averaged over the runs.
        fixed: the mean rival share of all runs.
        fixed_truth_share: shape (sizes,), the model's truth share if all runs had that one.

    >>> found = cohort([4, 8, 8], [0.25, 0.25, 0.75], 0.5, 0.0)
    >>> found.runs.tolist(), found.peak
    ([1, 2], 4)
    """

    sizes: Ints
    runs: Ints
    truth_share: Floats
    fixed: float
    fixed_truth_share: Floats

    @property
    def peak(self) -> int:
        """The size with the highest mean truth share, the smallest of equals but for rounding."""
        near = self.truth_share >= self.truth_share.max() - _checks.ROUNDING
        return int(self.sizes[np.argmax(near)])


def cohort(
    sizes: Sequence[int],
    shares: Sequence[float],
    total: float,
    bias: float,
    rounds: int | None = None,
    self_pairs: bool = True,
) -> Cohort:
    """Average the model's truth share over runs, each at its own measured rival share.

    Args:
        sizes: shape (runs,), number of agents of each run, each as in `outcome`.
        shares: shape (runs,), rival share a_R / (a_T + a_R) of each run, from 0 to 1; runs whose
            share is not known are left out beforehand.
        total: a_T + a_R, the same in all runs.
        bias: h_0, finite.
        rounds: kappa, after kappa N interactions; None for t to infinity.
        self_pairs: whether a speaker may be its own listener; only matters with `rounds`.

    Raises:
        SettingError: there is no run, the lengths differ, or a number is out of range.

    Source: Flag Game, section 5.2, accuracy peak, and appendix G, mean accuracy.

    >>> cohort([2, 2], [0.0, 1.0], 0.5, 0.0).truth_share.tolist()
    [0.5]
    """
    if not sizes or len(sizes) != len(shares):
        given = f"{len(sizes)} sizes, {len(shares)} shares"
        raise SettingError("shares", given, "one share a run, and at least one run")
    held = np.array([_checks.share(f"shares[{i}]", share) for i, share in enumerate(shares)])
    numbers = np.array([_checks.whole("sizes", size, least=1) for size in sizes])
    fixed, unique = float(held.mean()), np.unique(numbers)
    means, slices = np.empty(unique.size), np.empty(unique.size)
    for place, size in enumerate(unique):
        own, weights = np.unique(held[numbers == size], return_counts=True)
        among = [*map(float, own), fixed]
        found = phase_map([int(size)], among, total, bias, rounds, self_pairs).truth_share[0]
        means[place] = np.average(found[:-1], weights=weights)
        slices[place] = found[-1]
    runs = np.array([(numbers == size).sum() for size in unique])
    return Cohort(unique, runs, means, fixed, slices)


def mean_outcome(
    n: int,
    evidence: Sequence[tuple[float, float]],
    bias: float,
    rounds: int | None = None,
    self_pairs: bool = True,
) -> Outcome:
    """Average the outcome of a group over kinds of evidence, all equally likely.

    What becomes of a composition (z_T, z_R) does not depend on the evidence, so up to 128 agents
    the average costs hardly more than one outcome.

    Args:
        n: number of agents N, as in `outcome`.
        evidence: shape (kinds, 2), (a_T, a_R) of each; at least one.
        bias: h_0, finite.
        rounds: kappa, after kappa N interactions; None for t to infinity.
        self_pairs: whether a speaker may be its own listener; only matters with `rounds`.

    Raises:
        SettingError: there is no kind of evidence, or a number is out of range.

    Source: Flag Game, equations 5 and 8 to 13, averaged.

    >>> mean_outcome(2, [(1.0, 0.0), (0.0, 1.0)], 0.3)
    Outcome(correct=0.5, wrong=0.5, polarized=0.0, fragmented=0.0, truth_share=0.5)
    """
    if not len(evidence):
        raise SettingError("evidence", 0, "at least one (a_T, a_R)")
    kinds = [_checks.evidence(*map(float, kind)) for kind in evidence]
    if _checks.whole("n", n, least=1) > _EVERY:
        ends = [outcome(n, *kind, bias, rounds, self_pairs) for kind in kinds]
        parts = np.array([(e.correct, e.wrong, e.polarized, e.fragmented, e.truth_share)
                          for e in ends])  # fmt: skip
        return Outcome(*map(float, parts.mean(axis=0)))
    truth, rival = _compositions.every(int(n))
    laws = [_compositions.probabilities(int(n), truth, rival, kind) for kind in kinds]
    weights = np.mean(laws, axis=0)
    likely = weights > _LIKELY
    truth, rival, weights = truth[likely], rival[likely], weights[likely] / weights[likely].sum()
    bias = _checks.finite("bias", bias)
    if rounds is None:
        cells = _limit_cells(int(n), truth, rival, bias)
    else:
        speeds = _speeds(int(n), bias, self_pairs)
        cells = _stepped_cells(
            int(n),
            truth,
            rival,
            weights,
            speeds,
            _checks.whole_rounds(rounds),
        )[1]
    return Outcome(*map(float, np.minimum(1.0, weights @ cells)))
