"""Manager accuracy A_mgr: whether the manager's final answer is right."""

from __future__ import annotations

from fractions import Fraction

from socialcircuits.measures._base import Measure, final, no_manager
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURE"]


def _count(summary: TrialSummary) -> tuple[Fraction, int]:
    return Fraction(summary.final[0] == summary.truth), 1


MEASURE = Measure(
    name="manager_accuracy",
    title="Manager accuracy",
    definition=(
        "Share of trials in which the manager's last decision is the truth; an invalid decision is "
        "not right. Manager protocol only. Flag Game, section 3.3, eq. 3 (A_mgr)."
    ),
    kind="proportion",
    bounds=(0.0, 1.0),
    undefined=no_manager,
    count=_count,
    answers=final,
    reads="final",
)
