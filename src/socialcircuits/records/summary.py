"""What measures see of one trial: plain values, derived from the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple

from socialcircuits.records.trial import Label

Tally = Mapping[str | None, Fraction]
"""answer (None: invalid) -> how many probes gave it, or how probable it is."""

Grade = Literal["right", "wrong", "invalid", "unjudged"]
"""What became of one answer. Unjudged is a state of its own, never wrong by default."""


@dataclass(frozen=True)
class Course:
    """The graded answers of one agent, from its first to its last.

    Args:
        role: what it was told to be.
        first: its answer before it heard anything.
        public: round -> its answer of that round, from round 1 on.
        final: its last answer: the vote, or the last readout.
    """

    role: str
    first: Grade
    public: Mapping[int, Grade]
    final: Grade


Private = Literal["FALSE", "TRUE", "neither", "ambiguous", "invalid", "unjudged"]
"""What a private answer holds: the planted answer, the right one, neither, or both."""

Stance = Literal["endorse", "reject", "hedge", "ignore", "unrelated", "invalid", "unjudged"]
"""What an utterance says of the planted answer."""


class Turn(NamedTuple):
    """One utterance of a benign agent of a chatroom.

    Args:
        round: its round, from 1.
        place: how many agents had their turn in this round before.
        last: whether none has it after.
        stance: what it says of the planted answer.
        exposed: whether an adversary spoke before it in the conversation.
        reached: whether one did whom this agent hears.
    """

    round: int
    place: int
    last: bool
    stance: Stance
    exposed: bool
    reached: bool


class Held(NamedTuple):
    """What an agent held before and after one of its turns, and the turn as measures read it.

    Args:
        before: its private answer before the round, and
        after: the one after it.
        stance: as in `Turn`.
        exposed: likewise.
        first: whether nobody had a turn in the round before.
        last: as in `Turn`.
    """

    before: Private
    after: Private
    stance: Stance
    exposed: bool
    first: bool
    last: bool


@dataclass(frozen=True)
class Member:
    """One benign agent of a chatroom.

    Args:
        seat: number of its seat.
        hears: the seats of the agents whose messages it can read.
        private: round -> its private answer after it; 0 is the one before round 1.
        reasks: ``own`` or ``anonymous`` -> round -> its private answer with this instruction.
        turns: its utterances, in order.
    """

    seat: int
    hears: tuple[int, ...]
    private: Mapping[int, Private]
    reasks: Mapping[str, Mapping[int, Private]]
    turns: tuple[Turn, ...]

    def held(self, current: int) -> Private:
        """Return its private answer after a round; one that was not asked for is unjudged."""
        return self.private.get(current, "unjudged")


@dataclass(frozen=True)
class Room:
    """One chatroom: what benign agents hold in private beside what they say.

    Args:
        members: the benign agents, in seat order.
        attackers: seats of the adversaries.
        rounds: the last round that ran.
        messages: how many valid messages there are, and
        attacks: how many of them are adversaries'.
    """

    members: tuple[Member, ...]
    attackers: tuple[int, ...]
    rounds: int
    messages: int
    attacks: int

    @cached_property
    def turns(self) -> Mapping[Held, int]:
        """All turns of all members: how many of each kind there are.

        >>> turn = Turn(1, place=1, last=True, stance="hedge", exposed=True, reached=True)
        >>> one = Member(0, (1,), {0: "TRUE", 1: "FALSE"}, {}, (turn,))
        >>> (held,) = Room((one,), (1,), rounds=1, messages=2, attacks=1).turns
        >>> held.before, held.after, held.stance, held.first
        ('TRUE', 'FALSE', 'hedge', False)
        """
        return Counter(
            Held(
                member.held(turn.round - 1),
                member.held(turn.round),
                turn.stance,
                turn.exposed,
                turn.place == 0,
                turn.last,
            )
            for member in self.members
            for turn in member.turns
        )


@dataclass(frozen=True)
class Seated:
    """The subject of a seat test: what it answers alone, and after recorded guests have spoken.

    Args:
        wrong: how many guests speak for the wrong answer, and
        right: for the right one.
        said: ``argued`` or ``repeated``.
        alone: wording of the question (empty: the first) -> its answer before anything was said.
        after: wording -> its private answer after them.
        stance: what it says of the wrong answer in public; None where it is not asked to speak.
        fresh: private answers of the fresh seats that heard it and nothing else.
        refused: how many of its replies are refusals.
    """

    wrong: int
    right: int
    said: str
    alone: Mapping[str, Private]
    after: Mapping[str, Private]
    stance: Stance | None
    fresh: tuple[Private, ...]
    refused: int


@dataclass(frozen=True)
class TrialSummary:
    """One completed trial, reduced to what measures need.

    Args:
        trial: number of the trial in its run.
        condition: the swept settings of the trial's cell, for example ``{"N": 16}``.
        seed: the replicate, from 1; trials of equal seed share truth, evidence and schedule.
        truth: the right answer.
        answers: the allowed answers.
        bearers: number of agents that bear evidence.
        guesses: the isolated guesses of the honest of these agents in seat order; None where
            invalid. Adversaries, who are told the truth, do not guess.
        readouts: round -> answers of the readout's seats in seat order, for the rounds that ran;
            None where invalid.
        rounds: the last round that was planned (later than the last key of `readouts` where the
            trial stopped early).
        population: whether the readout is that of a population (probes or decisions of many
            seats).
        managed: whether the readout is a manager's.
        asked: replies asked for, attempts included; given and computed steps are not asked.
        invalid: how many of these replies were invalid.
        facts: what the world recorded, such as the compatible sets of each bearer's evidence.
        probed: kind of isolated probe -> a tally for each agent that bears evidence, in seat
            order. The kind is empty where all answers were open, ``two-way`` where only the truth
            and one rival were.
        courses: the graded answers of each agent, in seat order; empty where agents give no first
            or no last answer.
        labels: what the judge says whose labels are read.
        labelled: index of each labelled step -> its round.
        unjudged: how many answers no judge has settled: ``guesses``, and ``final`` for those of the
            last readout; no entry where all are settled.
        adversaries: their places, from 0: ``evidence``, among the agents that bear evidence;
            ``final``, in the last readout.
        protocol: name of the protocol in whose words agents were asked.
        room: private answers beside utterances, in a chatroom; None elsewhere.
        seat: the subject of a seat test; None elsewhere.
    """

    trial: int
    condition: Mapping[str, Any]
    seed: int
    truth: str
    answers: tuple[str, ...]
    bearers: int
    guesses: tuple[str | None, ...]
    readouts: Mapping[int, tuple[str | None, ...]]
    rounds: int
    population: bool
    managed: bool
    asked: int
    invalid: int
    facts: Mapping[str, Any]
    probed: Mapping[str, tuple[Tally, ...]] = field(default_factory=dict)
    courses: tuple[Course, ...] = ()
    labels: tuple[Label, ...] = ()
    labelled: Mapping[int, int] = field(default_factory=dict)
    unjudged: Mapping[str, int] = field(default_factory=dict)
    adversaries: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    protocol: str = ""
    room: Room | None = None
    seat: Seated | None = None

    @cached_property
    def by_rubric(self) -> Mapping[str, tuple[Label, ...]]:
        """Rubric -> its labels, by step."""
        rubrics = dict.fromkeys(label.rubric for label in self.labels)
        return {name: tuple(one for one in self.labels if one.rubric == name) for name in rubrics}

    @property
    def final(self) -> tuple[str | None, ...]:
        """The last readout's answers, in seat order."""
        return self.readouts[max(self.readouts)]

    @property
    def honest_final(self) -> tuple[str | None, ...]:
        """Those of them that are no adversary's."""
        apart = self.adversaries.get("final", ())
        return tuple(answer for place, answer in enumerate(self.final) if place not in apart)
