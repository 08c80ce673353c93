"""Initial accuracy A_init: how often seats are right before they communicate."""

from __future__ import annotations

from fractions import Fraction

from socialcircuits.measures._base import Measure, guesses, no_guesses
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURE"]


def _count(summary: TrialSummary) -> tuple[Fraction, int]:
    return Fraction(summary.guesses.count(summary.truth)), len(summary.guesses)


MEASURE = Measure(
    name="initial_accuracy",
    title="Initial accuracy",
    definition=(
        "Share of the seats that bear evidence whose isolated guess is the truth; an invalid guess "
        "is not right and stays in the denominator; a manager, who bears no evidence, and "
        "adversaries, who are told the truth, are not counted. Flag Game, section 3.3, eq. 2."
    ),
    kind="mean",
    bounds=(0.0, 1.0),
    undefined=no_guesses,
    count=_count,
    answers=guesses,
    reads="guesses",
)
