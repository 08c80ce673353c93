"""How a group ends: the endpoint classes of Flag Game averaged over which evidence it holds.

Given (z_T, z_R) the outcome does not depend on (a_T, a_R). So a phase map needs one table of
compositions for each size, and each class probability is a polynomial in the rival share.

Groups of up to 256 are summed over every composition and state. Larger ones are summed over a
lattice of compositions and, where the law is broad, by quadrature over states, to 1e-9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory import _checks, _compositions, _limits, _steps
from socialcircuits.theory._binomial import binomial_pmf
from socialcircuits.theory.chain import acceptance, pace

__all__ = [
    "CLASSES",
    "LARGEST",
    "LARGEST_STEPPED",
    "Class",
    "Outcome",
    "PhaseMap",
    "class_of",
    "outcome",
    "phase_map",
    "share_by_round",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Class = Literal["correct", "wrong", "polarized", "fragmented"]

CLASSES: tuple[Class, ...] = ("correct", "wrong", "polarized", "fragmented")
"""The four classes, in the order of tables."""

LARGEST = 1_000_000
"""Largest group whose limit is calculated."""

LARGEST_STEPPED = 2_048
"""Largest group that is stepped forward; simulation serves larger ones."""

_EVERY_STEPPED = 128
"""Up to this size every composition is stepped."""

_FULL, _CUT = 1e-300, 1e-17
"""Least weights of states, relative to the mode, in small groups and in large ones."""


@dataclass(frozen=True)
class Outcome:
    """Probabilities of the four endpoint classes, which add up to 1, and the mean truth share.

    Args:
        correct: at least 17/20 of all agents hold the truth.
        wrong: at least 17/20 hold the rival.
        polarized: no consensus, and both have at least 1/4.
        fragmented: none of these.
        truth_share: mean share of agents that hold the truth.

    >>> outcome(1, 0.5, 0.5, 0.0).correct
    0.5
    """

    correct: float
    wrong: float
    polarized: float
    fragmented: float
    truth_share: float

    def most_likely(self, classes: int = 4) -> Class:
        """Return the most probable class, the first in `CLASSES` of equals.

        With three classes fragmentation is left out, as the paper's figure leaves it out: its
        probability stays with itself, the other three are neither raised nor rescaled and add up
        to 1 - fragmented, and the largest of the three is named even where fragmentation is larger.

        Args:
            classes: 4, or 3 to leave fragmentation out.

        Raises:
            SettingError: another number of classes.

        Source: Flag Game, figure 8, for three classes.

        >>> outcome(64, 0.34, 0.11, 0.3).most_likely(), outcome(64, 0.34, 0.11, 0.3).most_likely(3)
        ('fragmented', 'correct')
        """
        values = np.array([self.correct, self.wrong, self.polarized, self.fragmented])
        return CLASSES[int(_first(values[: _class_number(classes)]))]


@dataclass(frozen=True)
class PhaseMap:
    """Outcomes over group size and rival share.

    Args:
        sizes: shape (sizes,), numbers of agents.
        shares: shape (shares,), rival shares a_R / (a_T + a_R).
        correct: shape (sizes, shares), probability; likewise the next three, which with it add up
            to 1 in every cell.
        wrong: probability.
        polarized: probability.
        fragmented: probability.
        truth_share: shape (sizes, shares), mean truth share.

    >>> phase_map([2, 4], [0.0, 1.0], 0.5, 0.0).correct.round(6).tolist()
    [[0.875, 0.125], [0.96875, 0.03125]]
    """

    sizes: Ints
    shares: Floats
    correct: Floats
    wrong: Floats
    polarized: Floats
    fragmented: Floats
    truth_share: Floats

    def most_likely(self, classes: int = 4) -> Ints:
        """Return the index in `CLASSES` of the most probable class, shape (sizes, shares).

        With three classes fragmentation is left out as `Outcome.most_likely` says.

        Args:
            classes: 4, or 3 to leave fragmentation out.

        Raises:
            SettingError: another number of classes.

        Source: Flag Game, figure 8c, for three classes.

        >>> phase_map([8], [0.0, 0.5, 1.0], 0.45, 0.3).most_likely().tolist()
        [[0, 2, 1]]
        """
        values = np.stack([self.correct, self.wrong, self.polarized, self.fragmented])
        return _first(values[: _class_number(classes)])


def class_of(n: int, holders: int) -> Class:
    """Return the class of a group of n in which so many hold the truth and all others the rival.

    Args:
        n: number of agents, from 1.
        holders: k, number of truth holders, from 0 to n.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, section 3.3, thresholds from its appendix D; compared in integers, 20 k
    against 17 N and 4 min(k, N - k) against N.

    >>> class_of(20, 17), class_of(128, 96), class_of(128, 97)
    ('correct', 'polarized', 'fragmented')
    """
    n = _checks.whole("n", n, least=1)
    holders = _checks.whole("holders", holders, most=n)
    begins = _limits.edges(n)[1:5]
    in_order: tuple[Class, ...] = ("wrong", "fragmented", "polarized", "fragmented", "correct")
    return in_order[int(np.searchsorted(begins, holders, side="right"))]


def outcome(
    n: int,
    truth: float,
    rival: float,
    bias: float,
    rounds: int | None = None,
    self_pairs: bool = True,
) -> Outcome:
    """Return how a group ends, averaged over which evidence it holds and over fair initial beliefs.

    Args:
        n: number of agents N, from 1 to 1,000,000; to 2,048 with `rounds`.
        truth: a_T, probability that an agent is decided for the truth.
        rival: a_R, the same for the rival; a_T + a_R <= 1.
        bias: h_0, finite; above 0 ambiguous agents take the truth over more readily.
        rounds: kappa, after kappa N interactions, from 0 to 1,000,000; None for t to infinity.
        self_pairs: whether a speaker may be its own listener; only matters with `rounds`.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, equations 5 and 8 to 13; classes of section 3.3.

    >>> end = outcome(128, 0.2925, 0.1575, 0.3)
    >>> round(end.correct, 4), round(end.polarized, 4), round(end.fragmented, 4)
    (0.018, 0.6919, 0.2901)
    >>> after_ten = outcome(128, 0.2925, 0.1575, 0.3, rounds=10)
    >>> round(after_ten.correct, 4), round(after_ten.polarized, 3)
    (0.0114, 0.747)
    """
    n, shares, bias = _checked(n, truth, rival, bias, rounds)
    groups, weights = _groups(n, shares, bias, rounds)
    if rounds is None:
        cells = _limit_cells(n, *groups, bias)
    else:
        cells = _stepped_cells(n, *groups, weights, _speeds(n, bias, self_pairs), int(rounds))[1]
    return Outcome(*(float(value) for value in np.minimum(1.0, weights @ cells)))


def share_by_round(
    n: int,
    truth: float,
    rival: float,
    bias: float,
    rounds: int,
    self_pairs: bool = True,
) -> Floats:
    """Return the exact mean truth share after 0, 1, ... rounds of N interactions.

    Args:
        n: number of agents N, from 1 to 2,048.
        truth: a_T.
        rival: a_R; a_T + a_R <= 1.
        bias: h_0, finite.
        rounds: last round, from 0 to 1,000,000.
        self_pairs: whether a speaker may be its own listener.

    Returns:
        Shape (rounds + 1,), shares of all N agents.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, equation 9 averaged over equation 8.

    >>> share_by_round(8, 0.2925, 0.1575, 0.3, 1).round(6).tolist()
    [0.5675, 0.597854]
    """
    n, shares, bias = _checked(n, truth, rival, bias, rounds)
    groups, weights = _groups(n, shares, bias, rounds)
    return _stepped_cells(n, *groups, weights, _speeds(n, bias, self_pairs), int(rounds))[0]


def phase_map(
    sizes: Sequence[int],
    shares: Sequence[float],
    total: float,
    bias: float,
    rounds: int | None = None,
    self_pairs: bool = True,
) -> PhaseMap:
    """Return outcomes over group size and rival share at a fixed share of decided agents.

    Args:
        sizes: numbers of agents, each as in `outcome`.
        shares: rival shares a_R / (a_T + a_R), each from 0 to 1.
        total: a_T + a_R, from 0 to 1.
        bias: h_0, finite.
        rounds: kappa, after kappa N interactions; None for t to infinity.
        self_pairs: whether a speaker may be its own listener; only matters with `rounds`.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, figure 8c.

    >>> phase_map([128], [0.35], 0.45, 0.3).polarized.round(4).tolist()
    [[0.6919]]
    """
    total = _checks.share("total", total)
    among = np.array([_checks.share(f"shares[{i}]", value) for i, value in enumerate(shares)])
    cells = np.empty((5, len(sizes), len(among)))
    for row, size in enumerate(sizes):
        n, _, bias = _checked(size, 0.0, 0.0, bias, rounds)
        if n <= (_limits.EXACT if rounds is None else _EVERY_STEPPED):
            cells[:, row] = _polynomials(n, among, total, bias, (rounds, self_pairs))
            continue
        for column, value in enumerate(among):
            rival = total * float(value)
            end = outcome(n, total - rival, rival, bias, rounds, self_pairs)
            values = (end.correct, end.wrong, end.polarized, end.fragmented, end.truth_share)
            cells[:, row, column] = values
    return PhaseMap(np.array(sizes, dtype=np.int64), among, *cells)


def _first(values: Floats) -> Ints:
    # Rounding must not choose between classes that are equally probable.
    near = values >= values.max(axis=0) - _checks.ROUNDING
    return np.asarray(np.argmax(near, axis=0), dtype=np.int64)


def _class_number(classes: int) -> int:
    if classes not in (3, 4):
        raise SettingError("classes", classes, "3 or 4")
    return classes


def _checked(
    n: int, truth: float, rival: float, bias: float, rounds: int | None
) -> tuple[int, tuple[float, float], float]:
    if rounds is not None:
        _checks.whole_rounds(rounds)
        if _checks.whole("n", n, least=1) > LARGEST_STEPPED:
            limit = f"an integer from 1 to {LARGEST_STEPPED}, a limit that rounds alone set"
            raise SettingError("n", n, f"{limit}; `theory simulate` serves larger groups")
    n = _checks.whole("n", n, least=1, most=LARGEST)
    return n, _checks.evidence(truth, rival), _checks.finite("bias", bias)


def _speeds(n: int, bias: float, self_pairs: bool) -> tuple[float, float]:
    take, drop = acceptance(bias)
    return take * pace(n, self_pairs), drop * pace(n, self_pairs)


def _groups(
    n: int, shares: tuple[float, float], bias: float, rounds: int | None
) -> tuple[tuple[Ints, Ints], Floats]:
    if n > (_limits.EXACT if rounds is None else _EVERY_STEPPED):
        return _compositions.lattice(n, shares, bias, rounds is not None)
    truth, rival = _compositions.every(n)
    weights = _compositions.probabilities(n, truth, rival, shares)
    likely = weights > (_FULL if rounds is None else _CUT)
    weights = weights[likely]
    return (truth[likely], rival[likely]), weights / weights.sum()


def _polynomials(
    n: int, among: Floats, total: float, bias: float, horizon: tuple[int | None, bool]
) -> Floats:
    """Class probabilities and truth share over rival shares, shape (5, shares)."""
    rounds, self_pairs = horizon
    truth, rival = _compositions.every(n)
    # Weights at rival share 1/2 cannot overflow; powers of 2 r and 2 (1 - r) lead to share r.
    weights = _compositions.probabilities(n, truth, rival, (total / 2, total / 2))
    if rounds is None:
        cells = _limit_cells(n, truth, rival, bias)
    else:
        cells = _stepped_cells(n, truth, rival, weights, _speeds(n, bias, self_pairs), rounds)[1]
    powers = np.arange(n + 1)[:, None]
    towards_rival, towards_truth = (2 * among) ** powers, (2 * (1 - among)) ** powers
    out = np.empty((5, len(among)))
    for part in range(5):
        table = np.zeros((n + 1, n + 1))
        table[truth, rival] = weights * cells[:, part]
        out[part] = (towards_truth * (table @ towards_rival)).sum(axis=0)
    out /= out[:4].sum(axis=0)
    return np.minimum(1.0, out, out=out)


@njit(cache=True, error_model="numpy")
def _limit_cells(n: int, truth: Ints, rival: Ints, bias: float) -> Floats:
    """Outcome in the limit for each composition, shape (compositions, 5)."""
    cells = np.zeros((len(truth), 5))
    weights, bounds = np.zeros(n + 1), _limits.edges(n)
    odds, floor = _limits.tilt(bias), _FULL if n <= _limits.EXACT else _CUT
    for i in range(len(truth)):
        zealots = (truth[i], rival[i])
        out = cells[i]
        if zealots[0] == 0 or zealots[1] == 0:
            chance = 1.0 if zealots[0] else 0.0
            if zealots[0] == zealots[1]:
                chance = _limits.fair_fixation(n, bias)
            out[0], out[1], out[4] = chance, 1 - chance, chance
            continue
        centre, deviation = _limits.balance(n, float(zealots[0]), float(zealots[1]), bias)
        if deviation > _limits.BROAD:
            _limits.tally_broad(out, n, zealots, bias, bounds)
        else:
            first, last = _limits.fill(weights, n, zealots, centre, odds, floor)
            _limits.tally(out, weights, first, last, bounds)
    return cells


@njit(cache=True, error_model="numpy")
def _stepped_cells(
    n: int,
    truth: Ints,
    rival: Ints,
    weights: Floats,
    speeds: tuple[float, float],
    rounds: int,
) -> tuple[Floats, Floats]:
    """Mean truth share by round, and each composition's outcome at the end."""
    shares, cells = np.zeros(rounds + 1), np.zeros((len(truth), 5))
    up, down, bounds = np.empty(n + 3), np.empty(n + 3), _limits.edges(n)
    for i in range(len(truth)):
        zealots, out = (truth[i], rival[i]), cells[i]
        _steps.rates(up, down, n, zealots, speeds)
        ambiguous = n - truth[i] - rival[i]
        law = np.zeros(n + 3)
        for held in range(ambiguous + 1):
            law[truth[i] + held + 1] = binomial_pmf(float(held), float(ambiguous), 0.5)
        change = 1.0
        for done in range(rounds + 1):
            if done and change * n * (rounds - done + 1) > _steps.SETTLED:
                change = _steps.advance(law, up, down, n)
                _limits.tally(out, law[1:-1], 0, n, bounds)
            elif not done:
                _limits.tally(out, law[1:-1], 0, n, bounds)
            shares[done] += weights[i] * out[4]
    return shares, cells
