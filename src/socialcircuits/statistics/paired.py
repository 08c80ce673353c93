"""Matched conditions: the same seeds on both sides, compared seed by seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, sqrt
from statistics import stdev
from typing import TYPE_CHECKING

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream
from socialcircuits.statistics.estimate import Estimate, Significance
from socialcircuits.statistics.intervals import EQUAL, mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXACT_FLIPS = 20
"""Up to 2^20 assignments of signs are enumerated."""

DRAWS = 99_999
"""Random assignments of signs beyond that; with the observed one they are 100,000."""

_BLOCK = 4096
_WORD = 32


@dataclass(frozen=True)
class SignFlip:
    """Result of a sign-flip permutation test.

    Args:
        p: two-sided p value, above 0 and at most 1.
        exact: whether all assignments of signs were enumerated.

    >>> sign_flip([1.0, 1.0])
    SignFlip(p=0.5, exact=True)
    """

    p: float
    exact: bool

    @property
    def significance(self) -> Significance:
        """The test as it stands beside an estimate."""
        return Significance(self.p, "sign flips", self.exact)


@dataclass(frozen=True)
class McNemar:
    """Result of McNemar's test of two matched yes/no answers.

    Args:
        mid: two-sided mid-p value.
        exact: two-sided exact p value, at least `mid`.

    >>> mcnemar(5, 0)
    McNemar(mid=0.03125, exact=0.0625)
    """

    mid: float
    exact: float


def paired_difference(
    first: Sequence[float],
    second: Sequence[float],
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> Estimate:
    """Estimate the mean of first - second over matched units, with the interval of `mean`.

    Args:
        first: shape (n,), one number a unit.
        second: shape (n,), the same units in the same order; no missing values on either side.
        bounds: smallest and largest possible difference.

    Raises:
        SettingError: the lengths differ, or a difference lies outside the bounds.

    Returns:
        The estimate with what the paired t test would have detected; it is None where the units'
        differences are all equal, there are fewer than two, or it lies beyond the bounds, of which
        a warning says so.

    Source: Student (1908), the paired t interval.

    >>> estimate = paired_difference([0.9, 0.6, 0.7], [0.4, 0.5, 0.4])
    >>> round(estimate.value, 3), round(estimate.low, 3), round(estimate.high, 3)
    (0.3, -0.197, 0.797)
    """
    estimate, differences = _paired(first, second, bounds)
    deviation = _deviation(differences, bounds)
    if deviation is None:
        return estimate
    from socialcircuits.statistics.power import detectable

    n = estimate.n
    return _detecting(estimate, detectable(deviation / sqrt(n), n - 1), bounds)


def matched_difference(
    first: Sequence[float],
    second: Sequence[float],
    bounds: tuple[float, float] = (-1.0, 1.0),
    seed: bytes = b"",
) -> Estimate:
    """Estimate the mean of first - second as `paired_difference` does, with its `sign_flip` test.

    Args:
        first: shape (n,), one number a unit.
        second: shape (n,), the same units in the same order; no missing values on either side.
        bounds: smallest and largest possible difference.
        seed: seed of drawn assignments of signs.

    Returns:
        The estimate with what sign flips would have detected; it is None where the units'
        differences are all equal, and, with a warning, where there are fewer than six, with which
        sign flips find nothing, or it lies beyond the bounds. Without a unit there is no test.

    Raises:
        SettingError: the lengths differ, or a difference lies outside the bounds.

    Source: Student (1908) for the interval; Fisher (1935) for the test.

    >>> estimate = matched_difference([0.9, 0.6, 0.7], [0.4, 0.5, 0.4])
    >>> round(estimate.value, 3), estimate.test.p
    (0.3, 0.25)
    """
    estimate, differences = _paired(first, second, bounds)
    n = estimate.n
    if not n:
        return estimate
    estimate = replace(estimate, test=sign_flip(differences, seed).significance)
    from socialcircuits.statistics.power import FEWEST_FLIPS, flips_detectable

    if n < FEWEST_FLIPS:
        nothing = f"with {n} unit{'s' * (n > 1)} no difference can be found by sign flips"
        return replace(estimate, warnings=(*estimate.warnings, nothing))
    deviation = _deviation(differences, bounds)
    if deviation is None:
        return estimate
    return _detecting(estimate, flips_detectable(deviation, n), bounds)


def matched_proportions(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """Estimate the difference of two shares of matched units, with McNemar's mid-p test.

    Args:
        first: shape (n,), 1 for yes and 0 for no; no missing values.
        second: shape (n,), the same units in the same order.

    Returns:
        The difference with the interval of `paired_difference`, how many units changed each way
        (level "changed"), and what the test would have detected if at least as many changed; it is
        None, with a warning, where that is no difference up to 1. Without a unit there is no test.

    Raises:
        SettingError: the lengths differ, or a value is neither 0 nor 1.

    Source: Student (1908) for the interval; McNemar (1947); Fagerland, Lydersen and Laake (2013).

    >>> estimate = matched_proportions([1, 1, 1, 1, 1, 0, 1, 1], [0, 0, 0, 0, 0, 0, 1, 1])
    >>> estimate.value, estimate.test.p, round(estimate.detectable, 3)
    (0.625, 0.03125, 0.697)
    """
    for value in (*first, *second):
        if value not in {0, 1}:
            raise SettingError("first or second", value, "1 for yes or 0 for no")
    bounds = (-1.0, 1.0)
    estimate, differences = _paired(first, second, bounds)
    if not estimate.n:
        return estimate
    gained, lost = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    test = mcnemar(gained, lost)
    estimate = replace(
        estimate,
        levels={"changed": {"gained": gained, "lost": lost}},
        method=f"{estimate.method}; McNemar exact p = {test.exact:.3g}",
        test=Significance(test.mid, "McNemar mid-p"),
    )
    from socialcircuits.statistics.power import matched_detectable

    n = estimate.n
    return _detecting(estimate, matched_detectable((gained + lost) / n, n), bounds)


def sign_flip(differences: Sequence[float], seed: bytes = b"") -> SignFlip:
    """Test whether matched differences are symmetric about zero.

    The p value is the share of assignments of signs whose sum is at least as far from zero as the
    observed one. Differences of zero change no sum and are left out. Up to 2^20 assignments are
    enumerated; beyond that 99,999 are drawn from a named stream, and the observed one is counted
    among them. No difference from zero gives p = 1.

    Args:
        differences: shape (n,), one number a matched unit; no missing values.
        seed: seed of the drawn assignments.

    Source: Fisher (1935); Phipson and Smyth (2010) for drawn assignments.

    >>> sign_flip([0.5, 0.25, 0.25, 0.0]).p
    0.25
    """
    moved = [abs(d) for d in differences if d]
    # Sums that are equal in theory may differ by rounding; they count as equal.
    limit = abs(sum(differences)) - 1e-9 * sum(moved)
    if len(moved) <= EXACT_FLIPS:
        extreme = sum(int((abs(sums) >= limit).sum()) for sums in _all_sums(moved))
        return SignFlip(p=extreme / 2 ** len(moved), exact=True)
    extreme = sum(int((abs(sums) >= limit).sum()) for sums in _drawn_sums(moved, seed))
    return SignFlip(p=(1 + extreme) / (1 + DRAWS), exact=False)


def mcnemar(gained: int, lost: int) -> McNemar:
    """Test whether matched yes/no answers change as often one way as the other.

    Args:
        gained: units with yes on the first side only.
        lost: units with yes on the second side only.

    Raises:
        SettingError: a count is negative.

    Source: McNemar (1947); Fagerland, Lydersen and Laake (2013) for the mid-p value.

    >>> mcnemar(9, 6)
    McNemar(mid=0.454498291015625, exact=0.60723876953125)
    """
    for name, count in (("gained", gained), ("lost", lost)):
        if count < 0:
            raise SettingError(name, count, "0 or more")
    changed, fewer = gained + lost, min(gained, lost)
    at_most = Fraction(sum(comb(changed, k) for k in range(fewer + 1)), 2**changed)
    point = Fraction(comb(changed, fewer), 2**changed)
    return McNemar(mid=float(2 * at_most - point), exact=float(min(Fraction(1), 2 * at_most)))


def _paired(
    first: Sequence[float], second: Sequence[float], bounds: tuple[float, float]
) -> tuple[Estimate, list[float]]:
    """The mean difference, untested, and the differences."""
    if len(first) != len(second):
        raise SettingError("second", len(second), f"one number a unit ({len(first)})")
    differences = [a - b for a, b in zip(first, second, strict=True)]
    estimate = mean(differences, bounds)
    return replace(estimate, method=f"paired differences: {estimate.method}"), differences


def _deviation(differences: Sequence[float], bounds: tuple[float, float]) -> float | None:
    """How much units differ; None where that is not seen."""
    width = bounds[1] - bounds[0]
    if len(differences) < 2 or max(differences) - min(differences) <= EQUAL * width:
        return None
    return stdev(differences)


def _detecting(
    estimate: Estimate, detectable: float | None, bounds: tuple[float, float]
) -> Estimate:
    if detectable is None or detectable > max(map(abs, bounds)):
        nothing = "no possible difference would have been found"
        return replace(estimate, warnings=(*estimate.warnings, nothing))
    return replace(estimate, detectable=detectable)


def _all_sums(sizes: list[float]) -> Iterator[NDArray[np.float64]]:
    import numpy as np

    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums + size, sums - size])
    yield sums


def _drawn_sums(sizes: list[float], seed: bytes) -> Iterator[NDArray[np.float64]]:
    import numpy as np

    stream = Stream(seed, "sign flip")
    words = -(-len(sizes) // _WORD)
    weights = np.array(sizes)
    for start in range(0, DRAWS, _BLOCK):
        rows = min(_BLOCK, DRAWS - start)
        drawn = [stream.below(1 << _WORD) for _ in range(rows * words)]
        octets = np.array(drawn, dtype="<u4").view(np.uint8).reshape(rows, -1)
        signs = 1.0 - 2.0 * np.unpackbits(octets, axis=1)[:, : len(sizes)]
        yield signs @ weights
