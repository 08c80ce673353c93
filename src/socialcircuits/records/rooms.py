"""What is held in a chatroom beside what is said there: plain values, derived from the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from socialcircuits.records.courses import OPEN, Played, hostile
from socialcircuits.records.summary import Member, Private, Room, Stance, Turn
from socialcircuits.records.trial import PEERS, Label

__all__ = ["CHATROOM", "Labels", "room"]

CHATROOM = "chatroom"
"""Name of the protocol in which members are probed in private after each round."""


def room(record: Played, labels: Sequence[Label] = ()) -> Room | None:
    """Return what benign agents of a chatroom hold and say; None for a trial of another protocol
    and for a seat test, where one agent is spoken to and nobody talks.

    Adversaries are those that were told to be. A private answer is what its label says; without
    one it is unjudged if answers are free text, and else compared with the truth and the lure.
    An utterance is what its label says, and unjudged without one. Invalid replies say nothing: that
    of an adversary exposes nobody, but it had its turn.

    Args:
        record: the trial.
        labels: of `socialcircuits.records.courses.primary`; the rubrics ``private_answer`` and
            ``stance`` count.

    Source: believed but not said, section 3.2.
    """
    briefs = record.provided.briefs
    talks = bool(briefs) and briefs[0].get("protocol") == CHATROOM
    if not talks or PEERS in record.provided.facts:
        return None
    talk = _Talk.of(record)
    heard = Labels.of(record, labels)
    return Room(
        members=tuple(
            _member(seat, talk, heard)
            for seat in record.graph.readout.seats
            if seat not in talk.attackers
        ),
        attackers=tuple(sorted(talk.attackers)),
        rounds=max(talk.rounds, default=0),
        messages=sum(record.outcomes[index].valid for index in talk.said),
        attacks=len(talk.attacks),
    )


@dataclass(frozen=True)
class _Talk:
    """The messages of a trial.

    Args:
        record: the trial.
        attackers: seats that were told to be adversaries.
        said: steps of the messages, in order.
        rounds: round -> steps of its messages, in order.
        attacks: steps of adversaries' valid messages, in order.
    """

    record: Played
    attackers: frozenset[int]
    said: Sequence[int]
    rounds: Mapping[int, Sequence[int]]
    attacks: Sequence[int]

    @classmethod
    def of(cls, record: Played) -> _Talk:
        steps, outcomes = record.graph.steps, record.outcomes
        said = [index for index in sorted(outcomes) if steps[index].purpose == "message"]
        rounds: dict[int, list[int]] = {}
        for index in said:
            rounds.setdefault(steps[index].round, []).append(index)
        attackers = hostile(record)
        attacks = [i for i in said if steps[i].seat in attackers and outcomes[i].valid]
        return cls(record, attackers, said, rounds, attacks)

    def reaches(self, index: int, reader: int) -> bool:
        """Whether a seat can read a message, as far as the network and cut edges go."""
        graph = self.record.graph
        return reader in graph.steps[index].to and (index, reader) not in graph.cuts


@dataclass(frozen=True)
class Labels:
    """What labels, or else the answers themselves, say of a trial's steps."""

    record: Played
    values: Mapping[tuple[str, int], str]
    closed: Mapping[str, Private] | None

    @classmethod
    def of(cls, record: Played, labels: Sequence[Label]) -> Labels:
        """Return the labels of a trial by rubric and step."""
        keys = {"private_answer": "holds", "stance": "stance"}
        values = {
            (label.rubric, label.step): str(label.value[keys[label.rubric]])
            for label in labels
            if label.rubric in keys and label.value is not None
        }
        facts = record.provided.facts
        known: dict[str, Private] = {str(facts["lure"]): "FALSE", str(facts["truth"]): "TRUE"}
        return cls(record, values, None if facts.get("world") in OPEN else known)

    def private(self, index: int) -> Private:
        """What a private answer holds."""
        answer = self.record.answer(index)
        if answer is None:
            return "invalid"
        value = self.values.get(("private_answer", index))
        if value is None and self.closed is not None:
            return self.closed.get(answer, "neither")
        return _PRIVATE.get(value or "", "unjudged")

    def stance(self, index: int) -> Stance:
        """What an utterance says of the planted answer."""
        if not self.record.outcomes[index].valid:
            return "invalid"
        return _STANCES.get(self.values.get(("stance", index), ""), "unjudged")


_PRIVATE: Mapping[str, Private] = {name: name for name in get_args(Private)}
_STANCES: Mapping[str, Stance] = {name: name for name in get_args(Stance)}


def _member(seat: int, talk: _Talk, labels: Labels) -> Member:
    steps = talk.record.graph.steps
    private: dict[str, dict[int, Private]] = {"": {}}
    for index in sorted(talk.record.outcomes):
        step = steps[index]
        if step.purpose == "probe" and step.seat == seat:
            private.setdefault(step.variant, {})[step.round] = labels.private(index)
    # Who could hear nobody yet is after all messages.
    first = next((i for i in talk.attacks if talk.reaches(i, seat)), len(steps))
    hears = {steps[i].seat for i in talk.said if talk.reaches(i, seat)}
    return Member(
        seat=seat,
        hears=tuple(sorted(hears - {seat})),
        private=private.pop(""),
        reasks=private,
        turns=tuple(
            _turn(index, first, talk, labels) for index in talk.said if steps[index].seat == seat
        ),
    )


def _turn(index: int, first: int, talk: _Talk, labels: Labels) -> Turn:
    current = talk.record.graph.steps[index].round
    order = talk.rounds[current]
    return Turn(
        round=current,
        place=order.index(index),
        last=index == order[-1],
        stance=labels.stance(index),
        exposed=bool(talk.attacks) and talk.attacks[0] < index,
        reached=first < index,
    )
