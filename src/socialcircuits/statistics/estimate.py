"""What a reported number consists of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from sys import float_info

LEVEL = 0.95
"""Level of every interval."""

SMALLEST = float_info.min
"""Smallest p value: one that is calculated from a distribution must not be rounded to 0."""


@dataclass(frozen=True)
class Significance:
    """Result of the test that stands beside an estimate: whether it could be nothing.

    Args:
        p: two-sided p value, above 0 and at most 1, not corrected for the number of tests.
        test: its name, with the distribution it is from.
        exact: whether it was calculated; a p that was drawn at random has a smallest value.

    >>> Significance(0.031, "sign flips").exact
    True
    """

    p: float
    test: str
    exact: bool = True


@dataclass(frozen=True)
class Estimate:
    """A number with its interval, what it rests on and how it was made.

    Args:
        value: the estimate, in the unit of the quantity; None where there is nothing to estimate
            from (n = 0), never NaN and never zero.
        low: lower end of the interval, at most `value`; None with `value`.
        high: upper end of the interval, at least `value`; None with `value`.
        n: number of units of evidence in the estimate.
        method: estimator, kind of interval and level.
        levels: counts at each level, for example
            ``{"seeds": {"planned": 40, "completed": 39, "excluded": 1}}``; empty until the caller,
            who knows what the units are, says so.
        test: the test of whether it is zero, or another value that its name says; None where
            nothing is tested.
        detectable: smallest distance from zero that as many units would have found with power .8
            at the level of 5 %, in the unit of the value; None where nothing is tested or it
            cannot be told.
        warnings: what a reader must know before trusting it, a sentence each without full stop.

    >>> Estimate(value=0.5, low=0.3, high=0.7, n=20, method="by hand").high
    0.7
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    levels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    test: Significance | None = None
    detectable: float | None = None
    warnings: tuple[str, ...] = ()


def t_quantile(degrees: float) -> float:
    """Return the two-sided quantile of Student's t at `LEVEL`.

    Args:
        degrees: degrees of freedom, at least 1.

    >>> round(t_quantile(39), 4)
    2.0227
    """
    from scipy import special

    return float(special.stdtrit(degrees, (1 + LEVEL) / 2))
