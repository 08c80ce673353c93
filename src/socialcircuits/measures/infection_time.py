"""Infection time: when half, and most, of the final private infection is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from socialcircuits.measures._base import Measure, no_answers
from socialcircuits.measures._turns import unasked
from socialcircuits.records.summary import Room, TrialSummary

__all__ = ["HALF", "MEASURES", "MOST", "infected", "reached"]

HALF = Fraction(1, 2)
MOST = Fraction(4, 5)
"""The parts of the final infection of which the paper speaks."""


def infected(room: Room) -> list[int]:
    """Return how many benign agents are FALSE before round 1 and after each round."""
    rounds = range(room.rounds + 1)
    return [sum(member.held(r) == "FALSE" for member in room.members) for r in rounds]


def reached(counts: Sequence[int], part: Fraction) -> int | None:
    """Return the first round after which a part of the final infection is there.

    Args:
        counts: shape (rounds + 1,), how many are infected before round 1 and after each round.
        part: above 0, at most 1.

    Returns:
        The round, 0 for before round 1; None where nobody is infected at the end.

    >>> reached([0, 2, 4, 3, 5], HALF), reached([0, 2, 3, 3, 5], MOST), reached([0, 1, 0], HALF)
    (2, 4, None)
    """
    goal = part * counts[-1]
    return next(r for r, n in enumerate(counts) if n >= goal) if goal else None


def _undefined(summary: TrialSummary) -> str | None:
    room = summary.room
    return unasked(room, *range(room.rounds + 1)) if room else "the trial is no chatroom"


def _count(part: Fraction) -> Callable[[TrialSummary], tuple[Fraction, int]]:
    def count(summary: TrialSummary) -> tuple[Fraction, int]:
        when = reached(infected(summary.room), part) if summary.room else None
        return (Fraction(0), 0) if when is None else (Fraction(when), summary.rounds)

    return count


def _measure(name: str, what: str, part: Fraction) -> Measure:
    return Measure(
        name=name,
        title=f"Time to {what} of the final infection",
        definition=(
            f"First round after which {what} of a trial's final number of FALSE benign agents is "
            "there, as a part of all rounds (0: before round 1), the mean over trials with any at "
            "the end. Unjudged answers count as not FALSE. Believed but not said, section 4.6."
        ),
        kind="mean",
        bounds=(0.0, 1.0),
        undefined=_undefined,
        count=_count(part),
        answers=no_answers,
        reads="private",
        empty="nobody was infected at the end",
    )


MEASURES = (_measure("half_round", "half", HALF), _measure("most_round", "80 %", MOST))
"""How fast it spreads."""
