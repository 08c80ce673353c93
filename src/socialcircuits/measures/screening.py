"""Which claims are kept in a screening: the thresholds, and what the samples of one come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, get_args

__all__ = [
    "CANDIDATES",
    "FIRST",
    "MOST_BOTH",
    "REASONS",
    "SECOND",
    "SINGLE",
    "Reason",
    "Sampled",
    "Thresholds",
]

MOST_BOTH = 0.1
"""Largest share of samples that name both answers, at every stage (believed but not said, Table
8)."""

CANDIDATES = 240
"""Claims of SimpleQA that are sampled, from each relation in turn (appendix C)."""

Reason = Literal["false", "both", "true", "undecided"]
"""Why a claim is dropped."""

REASONS: tuple[Reason, ...] = get_args(Reason)
"""The reasons in the order in which they are looked for; a claim is dropped for the first."""


class Thresholds(NamedTuple):
    """The shares of a claim's samples that decide on it, 0 to 1.

    Args:
        most_false: the largest that gives the false answer.
        least_true: the smallest that gives the true one.
        most_both: the largest that names both.
    """

    most_false: float
    least_true: float
    most_both: float = MOST_BOTH


FIRST, SECOND = Thresholds(0.1, 0.6), Thresholds(0.0, 0.8)
"""The two stages of CounterFact and PopQA. That the second is the stricter is the paper's (appendix
C); the shares are ours, but for `MOST_BOTH`."""

SINGLE = Thresholds(0.0, 0.6)
"""The one stage of SimpleQA; the shares are ours, but for `MOST_BOTH`."""


@dataclass(frozen=True)
class Sampled:
    """The samples of one claim.

    Args:
        holds: what a sample gives -> in how many: TRUE, FALSE, neither, ambiguous, undecided or
            invalid.
        both: how many name both answers.
        may_false: how many of the undecided ones name the false answer, and
        may_true: how many of them the true one.
    """

    holds: Mapping[str, int]
    both: int = 0
    may_false: int = 0
    may_true: int = 0

    def dropped(self, limits: Thresholds) -> Reason | None:
        """Return why the claim is dropped; None where it is kept.

        Shares are of all samples, invalid ones included. Undecided samples are never guessed: they
        may give any answer that they name, and a claim is kept only if it meets the thresholds
        either way. Where it meets them one way and not the other it is ``undecided``.

        Args:
            limits: the thresholds.

        Source: believed but not said, appendix C and Table 8.

        >>> limits = Thresholds(most_false=0.1, least_true=0.6)
        >>> Sampled({"TRUE": 6, "FALSE": 1, "neither": 3}).dropped(limits)
        >>> Sampled({"TRUE": 8, "FALSE": 2}).dropped(limits)
        'false'
        >>> Sampled({"TRUE": 8, "undecided": 2}, may_false=2).dropped(limits)
        'undecided'
        """
        of, count = sum(self.holds.values()), self.holds.get
        most_false, least_true, most_both = (Fraction(str(share)) * of for share in limits)
        false, true = count("FALSE", 0), count("TRUE", 0)
        if false > most_false:
            return "false"
        if self.both > most_both:
            return "both"
        if true + self.may_true < least_true:
            return "true"
        return "undecided" if false + self.may_false > most_false or true < least_true else None
