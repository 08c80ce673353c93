"""Social uplift: what communication adds to isolated accuracy."""

from __future__ import annotations

from fractions import Fraction

from socialcircuits.measures._base import Answers, Measure, no_guesses, no_readout
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURE"]


def _undefined(summary: TrialSummary) -> str | None:
    why = no_guesses(summary) or no_readout(summary)
    return why or (None if summary.honest_final else "the readout is adversaries' alone")


def _count(summary: TrialSummary) -> tuple[Fraction, int]:
    before, after = summary.guesses, summary.honest_final
    gain = Fraction(after.count(summary.truth), len(after))
    return gain - Fraction(before.count(summary.truth), len(before)), 1


def _answers(summary: TrialSummary) -> Answers:
    return summary.guesses + summary.honest_final


MEASURE = Measure(
    name="uplift",
    title="Social uplift",
    definition=(
        "Collective accuracy (population protocols) or the manager's being right (1 or 0) minus "
        "initial accuracy, paired within the trial; invalid answers are not right and stay in the "
        "denominators. Adversaries are counted on neither side. From -1 to 1. Flag Game, section "
        "3.3, eq. 4."
    ),
    kind="mean",
    bounds=(-1.0, 1.0),
    undefined=_undefined,
    count=_count,
    answers=_answers,
    reads="guesses honest-final",
)
