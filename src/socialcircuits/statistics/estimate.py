"""What a reported number consists of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LEVEL = 0.95
"""Level of every interval."""


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

    >>> Estimate(value=0.5, low=0.3, high=0.7, n=20, method="by hand").high
    0.7
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    levels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def t_quantile(degrees: int) -> float:
    """Return the two-sided quantile of Student's t at `LEVEL`.

    Args:
        degrees: degrees of freedom, at least 1.

    >>> round(t_quantile(39), 4)
    2.0227
    """
    from scipy import special

    return float(special.stdtrit(degrees, (1 + LEVEL) / 2))
