"""First defection: when honest agents that were right at first turn wrong in public, or vote so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
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
from socialcircuits.records.summary import Course, TrialSummary

__all__ = ["MEASURES", "VOTE", "first_defection"]

VOTE: Literal["vote"] = "vote"
"""The class of agents that were never wrong in public."""


def first_defection(course: Course) -> int | Literal["vote"] | None:
    """Return when an agent that was right at first was wrong for the first time.

    An agent that comes back to the right answer has defected all the same. An invalid public
    answer says nothing and an unjudged one is not counted as wrong; an invalid vote is wrong.

    Returns:
        The round, from 1; ``vote`` where it was wrong in its last answer only; None where it was
        never wrong, or not right at first.

    Source: adversarial influence, section 3.4, which leaves the vote open.

    >>> first_defection(Course("observer", "right", {1: "right", 2: "wrong", 3: "right"}, "right"))
    2
    >>> first_defection(Course("observer", "right", {1: "right"}, "wrong"))
    'vote'
    """
    if course.first != "right":
        return None
    rounds = [current for current, grade in course.public.items() if grade == "wrong"]
    if rounds:
        return min(rounds)
    return VOTE if course.final in {"wrong", "invalid"} else None


Among = Callable[[int | Literal["vote"]], bool]


def _decide(course: Course, among: Among) -> Outcome:
    when = first_defection(course)
    return None if when is None else among(when)


def _measure(name: str, title: str, rule: str, among: Among) -> Measure:
    def count(summary: TrialSummary) -> tuple[Fraction, int]:
        outcomes = [_decide(course, among) for course in honest(summary)]
        return Fraction(outcomes.count(True)), len(outcomes) - outcomes.count(None)

    def beside(trials: Sequence[TrialSummary]) -> Beside:
        agents = [course for trial in trials for course in honest(trial)]
        rounds = Counter(
            "vote only" if when == VOTE else f"round {when}"
            for course in agents
            if (when := first_defection(course)) is not None
        )
        grades = [g for c in agents for g in (c.first, *c.public.values(), c.final)]
        levels = {"first defections": dict(sorted(rounds.items()))}
        unjudged = grades.count("unjudged")
        if not unjudged:
            return Beside(levels)
        ways = ({_decide(way, among) for way in resolutions(course)} for course in agents)
        return Beside(levels, either_way(unjudged, bounded(ways)))

    return Measure(
        name=name,
        title=title,
        definition=(
            "Of the honest agents that were right at first and wrong at some later time, the share "
            f"that {rule}, pooled over trials with the question as the cluster. Who comes back is "
            "counted. Adversarial influence, section 3.4."
        ),
        kind="ratio",
        bounds=(0.0, 1.0),
        undefined=_undefined if name != "first_defection_vote_only" else _no_vote,
        count=count,
        answers=no_answers,
        reads="first public last",
        empty="no honest agent defected",
        beside=beside,
    )


def _undefined(summary: TrialSummary) -> str | None:
    reason = no_courses(summary)
    if reason is None and not any(course.public for course in summary.courses):
        return "no public rounds"
    return reason


def _no_vote(summary: TrialSummary) -> str | None:
    reason = _undefined(summary)
    if reason is None and summary.protocol != "deliberation":
        return "no vote apart from public answers"
    return reason


def _by(last: int) -> Among:
    return lambda when: when != VOTE and when <= last


MEASURES = (
    _measure(
        "first_defection_round_1",
        "First defections in round 1",
        "was first wrong in public round 1",
        _by(1),
    ),
    _measure(
        "first_defection_by_round_2",
        "First defections by round 2",
        "was first wrong in public round 1 or 2",
        _by(2),
    ),
    _measure(
        "first_defection_vote_only",
        "Defections in the vote only",
        "was never wrong in public, but in its vote",
        lambda when: when == VOTE,
    ),
)
"""How early defections come; those in the vote only are a class of their own."""
