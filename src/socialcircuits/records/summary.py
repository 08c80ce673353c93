"""What measures see of one trial: plain values, derived from the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Tally = Mapping[str | None, Fraction]
"""answer (None: invalid) -> how many probes gave it, or how probable it is."""


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

    @property
    def final(self) -> tuple[str | None, ...]:
        """The last readout's answers, in seat order."""
        return self.readouts[max(self.readouts)]
