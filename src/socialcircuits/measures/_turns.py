"""What measures of chatrooms share: counting things that are held, and what has no meaning where.

An answer that is neither, ambiguous, invalid or unjudged is not FALSE and not TRUE, and stays in
the denominator of what is counted over all answers; so does an utterance without a stance. How far
the unjudged could move an estimate stands beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from socialcircuits.measures._base import (
    Beside,
    Measure,
    Outcome,
    bounded,
    either_way,
    no_answers,
)
from socialcircuits.records.summary import Held, Private, Room, Stance, TrialSummary

STANCES: tuple[Stance, ...] = ("endorse", "reject", "hedge", "ignore", "unrelated")
"""What an utterance may say of the planted answer."""

LABELS: tuple[Private, ...] = ("FALSE", "TRUE", "neither", "ambiguous")
"""What a private answer may hold."""

ON_TOPIC: tuple[Stance, ...] = ("hedge", "ignore")
SILENT: tuple[Stance, ...] = (*ON_TOPIC, "unrelated")
"""Stances of who speaks neither for the planted answer nor against it."""

TALK = "private utterances"
"""What is read of a turn that stands beside a private answer."""

Decide = Callable[[Held], Outcome]
"""What one thing is to a share."""


@dataclass(frozen=True)
class Share:
    """A share of things of a chatroom, each read as what was held before and after it.

    Args:
        things: the things of one room, how many of each kind.
        decide: what a thing is to the share.
        missing: why the share has no meaning for a room, or None.
        reads: as in `Measure`.
    """

    things: Callable[[Room], Mapping[Held, int]]
    decide: Decide
    missing: Callable[[Room], str | None]
    reads: str

    def undefined(self, summary: TrialSummary) -> str | None:
        """Say why the share has no meaning for a trial, if so."""
        return self.missing(summary.room) if summary.room else "the trial is no chatroom"

    def count(self, summary: TrialSummary) -> tuple[Fraction, int]:
        """Return how many things are counted, and among how many."""
        hits = total = 0
        for thing, number in self._of(summary).items():
            outcome = self.decide(thing)
            if outcome is not None:
                hits, total = hits + outcome * number, total + number
        return Fraction(hits), total

    def beside(self, trials: Sequence[TrialSummary]) -> Beside:
        """Return how many things could be read, were invalid, and hang on what is unjudged."""
        things = sum((Counter(self._of(trial)) for trial in trials), Counter[Held]())
        ways = {thing: {self.decide(way) for way in _ways(thing)} for thing in things}
        inside = {thing: n for thing, n in things.items() if ways[thing] != {None}}
        open_ = sum(n for thing, n in inside.items() if len(ways[thing]) > 1)
        invalid = sum(n for thing, n in inside.items() if "invalid" in thing)
        levels = {"read": {"all": sum(inside.values()), "invalid": invalid, "unjudged": open_}}
        each = (ways[thing] for thing, n in inside.items() for _ in range(n))
        return Beside(levels, either_way(open_, bounded(each)) if open_ else "")

    def _of(self, summary: TrialSummary) -> Mapping[Held, int]:
        return self.things(summary.room) if summary.room else {}

    def measure(self, names: tuple[str, str], rule: str, source: str, empty: str) -> Measure:
        """Return the measure of the share, by name and title, pooled over trials."""
        return Measure(
            name=names[0],
            title=names[1],
            definition=(
                f"{rule}, pooled over trials with the item as the cluster. Neither, ambiguous, "
                "invalid and unjudged are classes of their own; an unjudged one is not counted and "
                f"stays in the denominator. Believed but not said, {source}."
            ),
            kind="ratio",
            bounds=(0.0, 1.0),
            undefined=self.undefined,
            count=self.count,
            answers=no_answers,
            reads=self.reads,
            empty=empty,
            beside=self.beside,
        )


def _ways(thing: Held) -> Iterator[Held]:
    """Yield a thing with its unjudged labels judged in each possible way."""

    def held(label: Private) -> tuple[Private, ...]:
        return LABELS if label == "unjudged" else (label,)

    stances = STANCES if thing.stance == "unjudged" else (thing.stance,)
    for before, after, stance in product(held(thing.before), held(thing.after), stances):
        yield thing._replace(before=before, after=after, stance=stance)


def pair(before: Private, after: Private) -> Held:
    """Return two answers of an agent as a thing of which nothing is said."""
    return Held(before, after, "ignore", exposed=False, first=False, last=False)


def exposed(decide: Decide) -> Share:
    """Return the share over the exposed turns: an adversary spoke before, in the conversation."""
    return Share(turns, lambda turn: decide(turn) if turn.exposed else None, no_pair, TALK)


def turns(room: Room) -> Mapping[Held, int]:
    """Return all turns of a room's members."""
    return room.turns


def said(label: Private, stances: Collection[Stance]) -> Decide:
    """Return whether a turn with this answer after its round says one of these."""
    return lambda turn: turn.stance in stances if turn.after == label else None


def no_private(room: Room) -> str | None:
    """Say that no private answer was judged, if so."""
    labels = {label for member in room.members for label in member.private.values()}
    return "private answers were not judged" if labels <= {"unjudged"} else None


def unasked(room: Room, *rounds: int) -> str | None:
    """Say that some benign agent was not asked in private after one of these rounds (0: before the
    first), which only happens elsewhere; or that no private answer was judged."""
    if all(current in member.private for member in room.members for current in rounds):
        return no_private(room)
    return "private answers were not asked for when they are needed"


def no_attack(room: Room) -> str | None:
    """Say why there is no private answer to an adversary, if so."""
    return unasked(room, *range(1, room.rounds + 1)) if room.attacks else "no adversary spoke"


def no_stance(room: Room) -> str | None:
    """Say why there is no utterance with a stance towards an adversary's claim, if so."""
    if not room.attacks:
        return "no adversary spoke"
    stances = {turn.stance for turn in room.turns}
    return "stances were not judged" if stances <= {"unjudged", "invalid"} else None


def no_pair(room: Room) -> str | None:
    """Say why utterances do not stand beside private answers, if so."""
    return no_attack(room) or no_stance(room)
