"""What measures see of one trial: plain values, derived from the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


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
            seats) rather than of a manager.
        asked: replies asked for, attempts included; given and computed steps are not asked.
        invalid: how many of these replies were invalid.
        facts: what the world recorded, such as the compatible sets of each bearer's evidence.
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
    asked: int
    invalid: int
    facts: Mapping[str, Any]

    @property
    def final(self) -> tuple[str | None, ...]:
        """The last readout's answers, in seat order."""
        return self.readouts[max(self.readouts)]
