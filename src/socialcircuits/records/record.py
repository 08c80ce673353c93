"""One trial as it was recorded, and what measures see of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from socialcircuits.graph import Graph, Reply
from socialcircuits.records.courses import (
    RULES,
    Judged,
    courses,
    hostile,
    judged,
    places,
    primary,
)
from socialcircuits.records.odds import read_odds
from socialcircuits.records.rooms import room
from socialcircuits.records.seats import seated
from socialcircuits.records.summary import TrialSummary
from socialcircuits.records.trial import NO_KEY, Attempt, Label, Provided, TrialPlan

Probed = dict[str, dict[int, dict[str | None, Fraction]]]
"""Kind of isolated probe -> seat -> answer -> how often, or how probable."""


@dataclass(frozen=True)
class TrialRecord:
    """One trial as it was recorded. `graph`, `attempts` and `provided` exist once it completed."""

    plan: TrialPlan
    digest: str
    cut: int
    counts: Mapping[str, int]
    graph: Graph
    attempts: list[Attempt]
    provided: Provided
    labels: list[Label]

    @cached_property
    def outcomes(self) -> dict[int, Reply]:
        """Step index -> the reply that stands for it: that of its last attempt."""
        return {attempt.step: attempt.reply for attempt in self.attempts}

    def answer(self, step: int) -> str | None:
        """Return a step's valid answer; None where it is invalid."""
        reply = self.outcomes[step]
        return reply.answer if reply.valid else None

    def summary(self, judge: str = RULES) -> TrialSummary:
        """Reduce the trial to what measures need.

        Args:
            judge: the judge whose labels are read; where it has none, those of the rules.
        """
        labels = primary(self.labels, judge)
        read = judged(self, labels)
        (probed, guesses), apart = self._probed(read), hostile(self)
        asked = [attempt for attempt in self.attempts if attempt.key != NO_KEY]
        facts, states = self.provided.facts, self.graph.readout.seats
        return TrialSummary(
            trial=self.plan.number,
            condition=self.plan.condition,
            seed=self.plan.seed,
            truth=facts["truth"],
            answers=tuple(dict.fromkeys([*facts["answers"], *filter(None, read.answers.values())])),
            bearers=sum(bool(seen) for seen in self.provided.evidence),
            guesses=tuple(guesses[seat] for seat in sorted(guesses) if seat not in apart),
            readouts=self._readouts(read),
            rounds=self.graph.rounds,
            population=len(states) > 1,
            managed=any(self.graph.seats[seat].role == "manager" for seat in states),
            asked=len(asked),
            invalid=sum(not attempt.reply.valid for attempt in asked),
            facts=facts,
            probed={
                kind: tuple(tallies[seat] for seat in sorted(tallies))
                for kind, tallies in probed.items()
            },
            courses=courses(self, labels),
            labels=labels,
            labelled={label.step: self.graph.steps[label.step].round for label in labels},
            unjudged=read.unjudged,
            adversaries=places(self, apart),
            room=room(self, labels),
            seat=seated(self, labels),
            protocol=str(self.provided.briefs[0]["protocol"]) if self.provided.briefs else "",
        )

    def _readouts(self, read: Judged) -> dict[int, tuple[str | None, ...]]:
        """Round -> the answers of the readout's seats, in seat order; what is asked again with
        another instruction is none."""
        found: dict[int, dict[int, str | None]] = {}
        steps, readout = self.graph.steps, self.graph.readout
        for index in self.outcomes:
            step = steps[index]
            asked = (step.purpose, step.variant) == (readout.purpose, "")
            if asked and step.seat in readout.seats:
                found.setdefault(step.round, {})[step.seat] = read.answers[index]
        return {r: tuple(held[seat] for seat in sorted(held)) for r, held in found.items()}

    def _probed(self, read: Judged) -> tuple[Probed, dict[int, str | None]]:
        """The tallies of isolated probes, by kind and seat, and the isolated guess of each seat."""
        probed: Probed = {}
        guesses: dict[int, str | None] = {}
        for index in self.outcomes:
            step = self.graph.steps[index]
            if step.purpose == "guess" and self.provided.evidence[step.seat]:
                tally = probed.setdefault(step.variant, {}).setdefault(step.seat, {})
                for answer, weight in self._weights(index, read).items():
                    tally[answer] = tally.get(answer, Fraction(0)) + weight
                if not step.variant and step.form == "label":
                    guesses.setdefault(step.seat, read.answers[index])
        return probed, guesses

    def _weights(self, step: int, read: Judged) -> Mapping[str | None, Fraction]:
        """What one isolated probe adds to the tally of its seat."""
        reply = self.outcomes[step]
        if self.graph.steps[step].form == "odds" and reply.valid:
            return {answer: Fraction(p) for answer, p in read_odds(reply.text).items()}
        return {read.answers[step]: Fraction(1)}
