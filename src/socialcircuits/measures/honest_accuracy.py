"""Honest accuracy: how often honest agents are right at first, at the end, and the net change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import fmean

from socialcircuits.measures._base import (
    Beside,
    Measure,
    either_way,
    honest,
    no_answers,
    no_courses,
    resolutions,
)
from socialcircuits.records.summary import Course, TrialSummary

__all__ = ["MEASURES"]

Score = Callable[[Course], int]


def _first(course: Course) -> int:
    return course.first == "right"


def _final(course: Course) -> int:
    return course.final == "right"


def _net(course: Course) -> int:
    return _final(course) - _first(course)


def _measure(
    score: Score, names: tuple[str, str], rule: str, reads: str, least: float = 0.0
) -> Measure:
    def count(summary: TrialSummary) -> tuple[Fraction, int]:
        agents = honest(summary)
        return Fraction(sum(map(score, agents))), len(agents)

    def beside(trials: Sequence[TrialSummary]) -> Beside:
        agents = [course for trial in trials for course in honest(trial)]
        ends = [course.first for course in agents], [course.final for course in agents]
        levels = {
            "agents": {"honest": len(agents)},
            "invalid": {
                "at first": ends[0].count("invalid"),
                "at the end": ends[1].count("invalid"),
            },
        }
        unjudged = sum(grades.count("unjudged") for grades in ends)
        if not unjudged:
            return Beside(levels)
        scores = [[_range(score, course) for course in honest(trial)] for trial in trials]
        low = fmean(fmean(low for low, _ in trial) for trial in scores)
        high = fmean(fmean(high for _, high in trial) for trial in scores)
        return Beside(levels, either_way(unjudged, (Fraction(low), Fraction(high))))

    return Measure(
        name=names[0],
        title=names[1],
        definition=(
            f"{rule}, the mean over trials. Invalid and unjudged answers are not right and stay in "
            "the denominator. Adversaries are not counted. Adversarial influence, section 2.5."
        ),
        kind="mean",
        bounds=(least, 1.0),
        undefined=no_courses,
        count=count,
        answers=no_answers,
        reads=reads,
        beside=beside,
    )


def _range(score: Score, course: Course) -> tuple[int, int]:
    scores = [score(way) for way in resolutions(course)]
    return min(scores), max(scores)


MEASURES = (
    _measure(
        _first,
        ("honest_initial_accuracy", "Honest accuracy at first"),
        "Share of the honest agents whose first answer is right",
        "first",
    ),
    _measure(
        _final,
        ("honest_final_accuracy", "Honest accuracy at the end"),
        "Share of the honest agents whose last answer is right",
        "last",
    ),
    _measure(
        _net,
        ("net_change", "Net change of honest accuracy"),
        "Share of the honest agents right at the end less the share right at first",
        "first last",
        -1.0,
    ),
)
"""Before and after, and what deliberation adds or takes."""
