"""Probe accuracy: how often a crop is read rightly when it is shown many times."""

from __future__ import annotations

from fractions import Fraction

from socialcircuits.measures._base import Answers, Measure, tallied
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURE"]

OPEN = ""
"""Kind of the probes in which every answer is allowed."""


def _undefined(summary: TrialSummary) -> str | None:
    tallies = summary.probed.get(OPEN)
    if not tallies:
        return "no isolated probes were asked for"
    if summary.unjudged.get("guesses"):
        return "isolated guesses were not judged"
    # Only an answer alone is a guess: without guesses, the probes asked for the odds of all
    # answers, whose weights may add up to a little more or less than 1.
    if summary.guesses and all(sum(tally.values()) == 1 for tally in tallies):
        return "no agent was probed more than once"
    return None


def _count(summary: TrialSummary) -> tuple[Fraction, int]:
    tallies = summary.probed[OPEN]
    shares = (
        tally.get(summary.truth, Fraction(0)) / sum(tally.values(), Fraction(0))
        for tally in tallies
    )
    return sum(shares, Fraction(0)), len(tallies)


def _answers(summary: TrialSummary) -> Answers:
    return tallied(summary.probed[OPEN])


MEASURE = Measure(
    name="probe_accuracy",
    title="Accuracy of a crop",
    definition=(
        "Share of an agent's isolated probes that name the truth, or the probability its model "
        "gives it; mean over the agents that bear evidence. Invalid probes stay in the "
        "denominator. Not where agents were probed once (see initial accuracy). Flag Game, "
        "appendix F: ten probes a crop."
    ),
    kind="mean",
    bounds=(0.0, 1.0),
    undefined=_undefined,
    count=_count,
    answers=_answers,
    reads="probes",
)
