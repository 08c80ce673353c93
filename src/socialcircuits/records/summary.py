"""What measures see of one trial: plain values, derived from the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

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
        guesses: the isolated guesses of these agents in seat order; None where invalid.
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
        protocol: name of the protocol in whose words agents were asked.
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
    protocol: str = ""

    @cached_property
    def by_rubric(self) -> Mapping[str, tuple[Label, ...]]:
        """Rubric -> its labels, by step."""
        rubrics = dict.fromkeys(label.rubric for label in self.labels)
        return {name: tuple(one for one in self.labels if one.rubric == name) for name in rubrics}

    @property
    def final(self) -> tuple[str | None, ...]:
        """The last readout's answers, in seat order."""
        return self.readouts[max(self.readouts)]
