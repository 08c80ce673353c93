"""Defection and correction: what becomes of honest agents that were right, or wrong, at first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from statistics import mean
from typing import Literal

from socialcircuits.measures._base import (
    Beside,
    Measure,
    Outcome,
    bounded,
    either_way,
    honest,
    no_answers,
    no_courses,
    resolutions,
)
from socialcircuits.records.summary import Course, Grade, TrialSummary

__all__ = ["MEASURES", "corrected", "defected"]

WRONG: tuple[Grade, ...] = ("wrong", "invalid")
"""Grades that count as wrong: who gives no answer has not given the right one."""


def defected(course: Course) -> Outcome:
    """Return whether an agent that was right at first was wrong at the end; None for others.

    An invalid last answer is wrong; an unjudged one is not counted as wrong.

    >>> defected(Course("observer", "right", {}, "invalid")), defected(
    ...     Course("observer", "wrong", {}, "wrong"))
    (True, None)
    """
    return course.final in WRONG if course.first == "right" else None


def corrected(course: Course) -> Outcome:
    """Return whether an agent that was wrong at first was right at the end; None for others.

    An invalid first answer is wrong; an unjudged last one is not counted as right.

    >>> corrected(Course("observer", "invalid", {}, "right"))
    True
    """
    return course.final == "right" if course.first in WRONG else None


Decide = Callable[[Course], Outcome]
Bounds = tuple[Fraction | None, Fraction | None]
Kind = Literal["ratio", "mean"]


def _counted(decide: Decide) -> Callable[[TrialSummary], tuple[Fraction, int]]:
    def count(summary: TrialSummary) -> tuple[Fraction, int]:
        outcomes = [out for course in honest(summary) if (out := decide(course)) is not None]
        return Fraction(sum(outcomes)), len(outcomes)

    return count


def _beside(decide: Decide, kind: Kind) -> Callable[[Sequence[TrialSummary]], Beside]:
    def beside(trials: Sequence[TrialSummary]) -> Beside:
        agents = [course for trial in trials for course in honest(trial)]
        inside = [course for course in agents if decide(course) is not None]
        ends = Counter(course.final for course in inside)
        lost = sum(course.first == "unjudged" for course in agents)
        unjudged = lost + ends["unjudged"]
        levels: dict[str, Mapping[str, int]] = {
            "agents": {"honest": len(agents), "unjudged at first": lost},
            "at the end": {str(grade): number for grade, number in ends.items()},
        }
        if not unjudged:
            return Beside(levels)
        ways = [[{decide(w) for w in resolutions(c)} for c in honest(trial)] for trial in trials]
        bounds = bounded(chain(*ways)) if kind == "ratio" else _averaged(map(bounded, ways))
        return Beside(levels, either_way(unjudged, bounds))

    return beside


def _averaged(bounds: Iterable[Bounds]) -> Bounds:
    """The means of both ends over the trials that have them."""
    known = [(low, high) for low, high in bounds if low is not None and high is not None]
    if not known:
        return None, None
    return mean(low for low, _ in known), mean(high for _, high in known)


def _measure(decide: Decide, names: tuple[str, str], rule: str, empty: str, kind: Kind) -> Measure:
    pooled = "pooled over trials with the question as the cluster"
    return Measure(
        name=names[0],
        title=names[1],
        definition=(
            f"{rule}, {pooled if kind == 'ratio' else 'in each trial, then the mean over trials'}. "
            "An invalid answer is wrong and counted apart; an unjudged one is not counted and stays"
            " in the denominator. Adversarial influence, section 2.5."
        ),
        kind=kind,
        bounds=(0.0, 1.0),
        undefined=no_courses,
        count=_counted(decide),
        answers=no_answers,
        reads="first last",
        empty=empty,
        beside=_beside(decide, kind),
    )


_DEFECTION = "Of the honest agents right at first, the share wrong at the end"
_CORRECTION = "Of the honest agents wrong at first, the share right at the end"
_NONE_RIGHT = "no honest agent was right at first"
_NONE_WRONG = "no honest agent was wrong at first"


def _unknown(summary: TrialSummary) -> str | None:
    """Say why it is not known whether any honest agent was right at first, if so."""
    reason, firsts = no_courses(summary), [course.first for course in honest(summary)]
    if reason is None and "right" not in firsts and "unjudged" in firsts:
        return "first answers were not judged"
    return reason


def _none_right(summary: TrialSummary) -> tuple[Fraction, int]:
    return Fraction(all(course.first != "right" for course in honest(summary))), 1


MEASURES = (
    _measure(defected, ("honest_defection", "Honest defection"), _DEFECTION, _NONE_RIGHT, "ratio"),
    _measure(
        defected,
        ("honest_defection_macro", "Honest defection by question"),
        _DEFECTION,
        _NONE_RIGHT,
        "mean",
    ),
    _measure(corrected, ("correction", "Correction"), _CORRECTION, _NONE_WRONG, "ratio"),
    _measure(
        corrected, ("correction_macro", "Correction by question"), _CORRECTION, _NONE_WRONG, "mean"
    ),
    Measure(
        name="none_right_at_first",
        title="No honest agent right at first",
        definition=(
            "Share of trials in which no honest agent is right at first; they add nothing to "
            "defection. A trial in which that hangs on unjudged answers is left out and counted. "
            "Adversarial influence, section 2.5."
        ),
        kind="proportion",
        bounds=(0.0, 1.0),
        undefined=_unknown,
        count=_none_right,
        answers=no_answers,
        reads="first",
    ),
)
"""Both directions, each pooled over agents and weighted by question, and what defection lacks."""
