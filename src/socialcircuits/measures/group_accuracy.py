"""Group accuracy: whether the plurality of the final answers is right, over all and honest only."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from socialcircuits.graph import ADVERSARIES
from socialcircuits.measures._base import Answers, Measure, leaders, no_courses, no_population
from socialcircuits.measures._base import final as all_answers
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURES"]

Read = Callable[[TrialSummary], Answers]


def _honest(summary: TrialSummary) -> Answers:
    pairs = zip(summary.courses, summary.final, strict=True)
    return tuple(answer for course, answer in pairs if course.role not in ADVERSARIES)


def _undefined(summary: TrialSummary) -> str | None:
    return no_courses(summary) or no_population(summary)


def _accuracy(name: str, title: str, read: Read, reads: str, whose: str) -> Measure:
    def count(summary: TrialSummary) -> tuple[Fraction, int]:
        elected = leaders(read(summary))
        return Fraction(summary.truth in elected, max(1, len(elected))), 1

    return Measure(
        name=name,
        title=title,
        definition=(
            f"Credit of the plurality of the final answers of {whose}: 1 where the truth has the "
            "most, 1/k where it ties with k - 1 others, else 0. Free text is counted by the judge's"
            " clusters. An invalid answer is no vote. Adversarial influence, appendix C."
        ),
        kind="mean",
        bounds=(0.0, 1.0),
        undefined=_undefined,
        count=count,
        answers=read,
        reads=reads,
    )


def _ties(name: str, title: str, read: Read, reads: str, whose: str) -> Measure:
    return Measure(
        name=name,
        title=title,
        definition=(
            f"Share of trials in which two or more final answers of {whose} have the most votes; "
            "shown beside the credit that ties get. Adversarial influence, appendix C."
        ),
        kind="proportion",
        bounds=(0.0, 1.0),
        undefined=_undefined,
        count=lambda summary: (Fraction(len(leaders(read(summary))) > 1), 1),
        answers=read,
        reads=reads,
    )


_ALL = (all_answers, "final", "all agents")
_HONEST = (_honest, "honest-final", "honest agents")

MEASURES = (
    _accuracy("group_accuracy", "Group accuracy", *_ALL),
    _ties("group_ties", "Ties of the group", *_ALL),
    _accuracy("honest_group_accuracy", "Honest group accuracy", *_HONEST),
    _ties("honest_group_ties", "Ties among honest agents", *_HONEST),
)
"""Each beside the share of its ties."""
