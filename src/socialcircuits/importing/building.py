"""From one conversation to a trial: seats, steps with their known readers, and what was said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from socialcircuits.errors import GraphError, SettingError
from socialcircuits.graph import Brief, Readout, Reply, Seat, Step, build
from socialcircuits.graph.vocabulary import PRIVATE_TO_ALL, PRIVATE_TO_SELF
from socialcircuits.importing.lines import ALL, PRIVATE, Line
from socialcircuits.importing.reading import OF_SPEAKER, Conversation, key
from socialcircuits.records import NO_KEY, Attempt, Played, Provided

__all__ = ["LINEAGE", "Built", "round_of", "trial"]

LINEAGE = "lineage"
"""Under this name the facts of an imported trial say of how many messages the readers are known."""

OBSERVER = "observer"
"""Role of a speaker of which nothing is said."""

UNKNOWN = "unknown"
"""What sits in a seat of which nothing is said."""

CHATROOM = "chatroom"
"""The protocol as which a talk with a planted answer is read and judged."""

MOST_READINGS = 10_000_000
"""Most pairs of a line and a reader in one conversation."""

STATED = ("vote", "probe", "decision")
"""Purposes of lines that state what a seat holds, the first that there is counts."""


@dataclass(frozen=True)
class Built:
    """A conversation as a trial.

    Args:
        conversation: the conversation.
        played: its graph, and what was said.
        provided: what is known of its seats, and its facts.
    """

    conversation: Conversation
    played: Played
    provided: Provided

    @property
    def lineage(self) -> Mapping[str, int]:
        """How many messages there are, of how many the readers are known, and how many lines lack
        their text."""
        found = self.provided.facts[LINEAGE]
        return {name: found[name] for name in ("messages", "known", "untold")}


def trial(conversation: Conversation) -> Built:
    """Return a conversation as a trial.

    Nobody was asked by us: steps have no keys. A message is a step of its speaker, which may pass
    on what was addressed to it before; so it is of kind ``model`` unless the line says otherwise.
    Where it is unknown who could read a message, the step has no readers, and is counted.

    Args:
        conversation: its lines in their order.

    Raises:
        SettingError: a line leaves the privacy of its purpose, or there are too many readers.

    >>> said = Line(1, "7", "Ada", "Lima.", to=("Bo",)), Line(2, "7", "Bo", "Cusco!")
    >>> built = trial(Conversation("7", said))
    >>> built.lineage
    {'messages': 2, 'known': 1, 'untold': 0}
    """
    lines = conversation.lines
    places, held = _places(lines), _held(lines)
    steps, cuts = _steps(lines, places)
    cast = [Seat(key(name), held.get((name, "role")) or OBSERVER) for name in places]
    try:
        graph = build(cast, steps, _readout(lines, places)).cutting(cuts)
    except GraphError as error:
        raise SettingError("purpose", str(error), "lines that nobody reads but who may") from None
    said = tuple(
        Attempt(place, 0, NO_KEY, _reply(line))
        for place, line in enumerate(lines)
        if line.text is not None
    )
    played = Played(graph, said, graph.rounds, made=0, reused=0, invalid=0, voided=0)
    return Built(conversation, played, _provided(conversation, places, held))


def _places(lines: Sequence[Line]) -> dict[str, int]:
    """The seats of all who speak or are spoken to, in order of first appearance."""
    found: dict[str, int] = {}
    for line in lines:
        for name in (line.speaker, *(line.to if isinstance(line.to, tuple) else ())):
            found.setdefault(name, len(found))
    return found


def _held(lines: Sequence[Line]) -> dict[tuple[str, str], str]:
    """(speaker, field) -> what its lines say of it; no entry where they say nothing."""
    found: dict[tuple[str, str], str] = {}
    for line in lines:
        for name in OF_SPEAKER:
            value = getattr(line, name)
            if value:
                found.setdefault((line.speaker, name), value)
    return found


def _steps(
    lines: Sequence[Line], places: Mapping[str, int]
) -> tuple[list[Step], set[tuple[int, int]]]:
    everyone = tuple(places.values())
    steps, cuts, readings = [], set[tuple[int, int]](), 0
    for number, line in enumerate(lines):
        seat = places[line.speaker]
        if line.to == ALL:
            to = everyone
        elif line.to is None:
            to = (seat,) if line.purpose in PRIVATE_TO_SELF else ()
        else:
            to = tuple(sorted(places[name] for name in line.to))
        readings += len(to)
        if readings > MOST_READINGS:
            expected = f"at most {MOST_READINGS:,} readers of the lines of one conversation"
            raise SettingError("to", f"{len(to):,} readers of line {line.number}", expected)
        cuts |= {(number, places[name]) for name in line.undelivered}
        steps.append(
            Step(
                seat, line.purpose, round_of(line), -1, to, line.reads, line.variant, line.kind,
                form="spoken",
            )
        )  # fmt: skip
    return steps, cuts


def round_of(line: Line) -> int:
    """Return its round; where no line of a conversation has one, all of it is one round."""
    return 1 if line.round is None else line.round


def _readout(lines: Sequence[Line], places: Mapping[str, int]) -> Readout:
    """What states what seats hold: none where no line does."""
    for purpose in STATED:
        found = [line for line in lines if line.purpose == purpose and line.text is not None]
        if found:
            seats = sorted({places[line.speaker] for line in found})
            return Readout(purpose, tuple(seats), min(map(round_of, found)))
    return Readout(STATED[0], (), 0)


def _reply(line: Line) -> Reply:
    text, answer = line.text or "", line.answer
    if line.purpose in PRIVATE_TO_ALL:
        # What is answered in private is the answer, whatever form it has.
        answer = text if answer is None else answer
        return Reply(text, answer, line.reason or "", line.valid, line.why)
    reason = text if line.reason is None else line.reason
    return Reply(text, answer, reason, line.valid, line.why)


def _provided(
    conversation: Conversation, places: Mapping[str, int], held: Mapping[tuple[str, str], str]
) -> Provided:
    lines = conversation.lines
    truth, lure, question = (
        next((value for line in lines if (value := getattr(line, name))), "")
        for name in ("truth", "lure", "question")
    )
    talk = CHATROOM if lure else "imported"
    briefs = tuple(
        Brief(
            held.get((name, "role")) or OBSERVER,
            name=held.get((name, "name"), ""),
            world="questions",
            protocol=talk,
        )
        for name in places
    )
    facts: dict[str, Any] = {
        "world": "questions",
        "item": conversation.name,
        "question": question,
        "truth": truth,
        "lure": lure,
        "answers": list(dict.fromkeys(filter(None, (truth, lure)))),
        "aliases": [],
        "options": {},
        LINEAGE: {"seats": len(places), **_lineage(lines)},
    }
    return Provided(
        minds=tuple(held.get((name, "model"), UNKNOWN) for name in places),
        briefs=tuple({**b._asdict(), "wording": [], "fellows": []} for b in briefs),
        evidence=("",) * len(places),
        facts=facts,
    )


def _lineage(lines: Sequence[Line]) -> dict[str, Any]:
    messages = [
        place
        for place, line in enumerate(lines)
        if line.text is not None and line.purpose not in PRIVATE
    ]
    unknown = [place for place in messages if lines[place].to is None]
    return {
        "messages": len(messages),
        "known": len(messages) - len(unknown),
        "unknown": unknown,
        "untold": sum(line.text is None for line in lines),
    }
