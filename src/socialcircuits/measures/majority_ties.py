"""Majority ties: how often the vote over isolated guesses elects more than one answer."""

from __future__ import annotations

from fractions import Fraction

from socialcircuits.measures._base import Measure, guesses, leaders, no_guesses
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURE"]


def _count(summary: TrialSummary) -> tuple[Fraction, int]:
    return Fraction(len(leaders(summary.guesses)) > 1), 1


MEASURE = Measure(
    name="majority_ties",
    title="Ties of the majority vote",
    definition=(
        "Share of trials in which two or more answers share the highest number of isolated "
        "guesses; a trial with no valid guess has no tie. Read it beside the majority-vote "
        "accuracy (Flag Game, section 3.3, eq. 1), in which ties give partial credit."
    ),
    kind="proportion",
    bounds=(0.0, 1.0),
    undefined=no_guesses,
    count=_count,
    answers=guesses,
    reads="guesses",
)
