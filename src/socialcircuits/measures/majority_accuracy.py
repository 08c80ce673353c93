"""Majority-vote accuracy A_maj: whether the isolated guesses, taken as votes, elect the truth."""

from __future__ import annotations

from fractions import Fraction

from socialcircuits.measures._base import Measure, guesses, leaders, no_guesses
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURE"]


def _count(summary: TrialSummary) -> tuple[Fraction, int]:
    elected = leaders(summary.guesses)
    return Fraction(summary.truth in elected, max(1, len(elected))), 1


MEASURE = Measure(
    name="majority_accuracy",
    title="Majority-vote accuracy",
    definition=(
        "Credit of the plurality vote over the isolated guesses: 1 where the truth has the most "
        "votes, 1/k where it ties with k - 1 others, else 0. Invalid guesses are no votes; with "
        "no valid guess the credit is 0. Adversaries have no vote. Flag Game, section 3.3, eq. 1, "
        "which leaves ties open."
    ),
    kind="mean",
    bounds=(0.0, 1.0),
    undefined=no_guesses,
    count=_count,
    answers=guesses,
    reads="guesses",
)
