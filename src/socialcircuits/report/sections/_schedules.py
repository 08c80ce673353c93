"""Schedules whose agents a run has patched, each with all the trials that it takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from socialcircuits.analyses.attributing import all_held, attributed
from socialcircuits.analyses.attribution import Attribution
from socialcircuits.analyses.ranking import Ranked, rank
from socialcircuits.measures import collective_accuracy, manager_accuracy
from socialcircuits.records import TrialPlan, TrialSummary
from socialcircuits.report import reading
from socialcircuits.report.words import where
from socialcircuits.studies import Run
from socialcircuits.studies.pooling import Part
from socialcircuits.studies.study import INTERVENTION

SCHEDULES = "schedules"
"""The unit of evidence: agents of one schedule move together."""

READS = reading.readout | reading.probes
"""What is read of their trials."""

AGREEMENT = (
    "Spearman's coefficient of the predictor and dA, of ranks within equal dp, agents of dp 0 left "
    "out: what the schedule alone explains"
)
HIT = (
    "Whether the agent that is ranked first is the one whose patch does most: of tied agents, the "
    "chance that one of them is"
)
CHANCE = "The same for an agent drawn at random"
"""What is said of a ranking."""


@dataclass(frozen=True)
class Schedule:
    """A schedule whose agents are attributed.

    Args:
        found: what is known of its agents.
        condition: its settings in words; empty where no others are attributed.
        seed: its replicate.
        trials: the trial as it was, its patches and the isolated probes; none where they are not
            to be walked to.
    """

    found: Attribution
    condition: str
    seed: int
    trials: Sequence[TrialSummary] = ()

    @cached_property
    def ranked(self) -> Ranked:
        """How predicted and measured ranks agree in this schedule alone."""
        return rank([self.found])

    def adds(self, trial: TrialSummary) -> str:
        """Say what one of the trials shows."""
        if not trial.readouts:
            return "isolated probes"
        measure = manager_accuracy.MEASURE if trial.managed else collective_accuracy.MEASURE
        right, agents = measure.count(trial)
        name = str(trial.condition.get(INTERVENTION, ""))
        return f"{name or 'as it was'}: {right} of {agents} right"


def schedules(run: Run) -> Iterator[Schedule]:
    """The schedules of which the run, as far as it is kept, has every trial."""
    kept = {run.place(one): one for one in run.summaries()}
    several = len(attributed(run)) > 1
    for part in run.parts:
        with ExitStack() as opened:
            alone = len(run.parts) == 1
            own = run if alone else opened.enter_context(Run(part.file.path))
            for found in all_held(own):
                places = [(part.file.path, number) for number in _needed(part, found)]
                if all(place in kept for place in places):
                    original = kept[part.file.path, found.trial]
                    condition = where(_plain(original)) if several else ""
                    trials = tuple(kept[place] for place in places)
                    yield Schedule(found, condition, original.seed, trials)


def _needed(part: Part, found: Attribution) -> Iterator[int]:
    """The trial, its patches and the isolated probes of its replicate."""
    plans = {plan.number: plan for plan in part.file.plans() if plan.role == "estimate"}
    original = plans[found.trial]
    for planned in part.plan.trials:
        plan = plans.get(planned.plan.number)
        if plan is not None and plan.seed == original.seed:
            same = _plain(plan) == _plain(original)
            if same or planned.cell.trial.protocol == "isolated":
                yield plan.number


def _plain(trial: TrialPlan | TrialSummary) -> Mapping[str, Any]:
    return {name: value for name, value in trial.condition.items() if name != INTERVENTION}
