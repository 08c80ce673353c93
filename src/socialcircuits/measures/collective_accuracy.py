"""Collective accuracy A_coll: the mass on the truth at the end of a population's trial."""

from __future__ import annotations

from fractions import Fraction

from socialcircuits.measures._base import Measure, final, no_population
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURE"]


def _count(summary: TrialSummary) -> tuple[Fraction, int]:
    return Fraction(summary.final.count(summary.truth)), len(summary.final)


MEASURE = Measure(
    name="collective_accuracy",
    title="Collective accuracy",
    definition=(
        "Share of all seats of the last readout that hold the truth; invalid answers stay in the "
        "denominator. Population protocols only. Flag Game, section 3.3, eq. 3 (A_coll)."
    ),
    kind="mean",
    bounds=(0.0, 1.0),
    undefined=no_population,
    count=_count,
    answers=final,
    reads="final",
)
