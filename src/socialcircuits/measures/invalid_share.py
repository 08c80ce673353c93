"""Invalid share: how many of the replies asked for could not be read."""

from __future__ import annotations

from fractions import Fraction

from socialcircuits.measures._base import Answers, Measure
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURE"]


def _undefined(_: TrialSummary) -> str | None:
    return None


def _count(summary: TrialSummary) -> tuple[Fraction, int]:
    return Fraction(summary.invalid), summary.asked


def _answers(_: TrialSummary) -> Answers:
    return ()


MEASURE = Measure(
    name="invalid_share",
    title="Invalid replies",
    definition=(
        "Invalid replies over all replies asked for, each attempt counted, pooled over trials with "
        "the seed as the cluster; a trial that asked for none is left out and counted. The Flag "
        "Game paper gives no such rate; it says how far the other measures can be trusted."
    ),
    kind="ratio",
    bounds=(0.0, 1.0),
    undefined=_undefined,
    count=_count,
    answers=_answers,
)
