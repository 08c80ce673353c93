"""From a finished trial to a study that changes one thing in it, and what that may cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from socialcircuits.agents import BackEnd
from socialcircuits.checking import checked
from socialcircuits.errors import SettingError
from socialcircuits.interventions import cone
from socialcircuits.records import TrialPlan
from socialcircuits.studies.planning import Builder, Plan
from socialcircuits.studies.run import Run
from socialcircuits.studies.study import INTERVENTION, Study


def find(run: Run, number: int) -> TrialPlan:
    """Return a completed trial of a run by its number.

    Raises:
        SettingError: the run holds no such trial.
    """
    plans = {plan.number: plan for plan in run.file.plans()}
    if number not in plans:
        last = max(plans, default=-1)
        expected = f"a completed trial of {run.path}: 0 to {last}" if plans else "a completed trial"
        raise SettingError("--trial", number, expected)
    return plans[number]


def patched(
    run: Run, plan: TrialPlan, interventions: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Study:
    """Return the study that runs one trial of a run again, as it was and after each intervention.

    Everything else is the trial's own: study seed, replicate, world, models and settings. What an
    intervention of the trial itself changed stays changed.

    Args:
        run: the run.
        plan: which trial.
        interventions: name -> changes, each a table with its ``kind``.

    Raises:
        SettingError: a change is not allowed.
    """
    own = str(plan.condition.get(INTERVENTION, run.study.trial.intervention))
    before = run.study.interventions.get(own, [])
    named = {own: before} if own else {}
    for name, changes in interventions.items():
        named[f"{own} {name}".strip()] = [*before, *map(dict, changes)]
    axes = {n: [value] for n, value in plan.condition.items() if n != INTERVENTION}
    values = {
        **run.study.model_dump(mode="json"),
        "name": f"{run.study.name}/trial-{plan.number}",
        "about": f"Trial {plan.number} of {run.study.name}, with one thing changed",
        "seeds": 1,
        "first": plan.seed,
        "interventions": named,
        "sweep": [{**axes, INTERVENTION: [own, *(name for name in named if name != own)]}],
        "example": [],
        "figures": [],
        "contrast": "",
    }
    return checked(Study, values, "$")


@dataclass(frozen=True)
class Foreseen:
    """What an intervention may cost, before anything is asked.

    Args:
        intervention: its name.
        steps: steps of the changed trial, shared ones included.
        reached: how many of them may have to be asked anew, if every reply is valid and the trial
            runs to its end.
    """

    intervention: str
    steps: int
    reached: int


def foresee(plan: Plan) -> list[Foreseen]:
    """Count for each intervention the steps that it can reach, in the first replicate of the first
    condition in which it stands beside the trial that it changes."""
    back = BackEnd.unreached(plan.study.models.values())
    builder, found = Builder(plan.study, back=back), dict[str, Foreseen]()
    planned = {one.plan.number: one for one in plan.trials}
    for number, base in plan.bases.items():
        one = planned[number]
        name = one.cell.trial.intervention
        if name not in found:
            before, after = (builder.build(trial)[0] for trial in (planned[base.number], one))
            reached = len(cone(before, after))
            found[name] = Foreseen(name, len(after.graph.steps), reached)
    return list(found.values())
