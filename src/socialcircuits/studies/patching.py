"""From a finished trial to a study that changes one thing in it, and what that may cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from socialcircuits.agents import Access, BackEnd
from socialcircuits.checking import checked
from socialcircuits.errors import SettingError
from socialcircuits.interventions import cone, read
from socialcircuits.records import TrialPlan
from socialcircuits.studies.execution import Execution, execute
from socialcircuits.studies.planning import Builder, Plan, plan
from socialcircuits.studies.preparing import default_path
from socialcircuits.studies.run import Run
from socialcircuits.studies.study import INTERVENTION, Study

PATCHED = "patched"
"""Name of the intervention of one patch."""


def find(run: Run, number: int) -> TrialPlan:
    """Return a completed trial of a run by its number.

    Raises:
        SettingError: the run holds no such trial, or it is one of four answers alone, which only
            choose items: a patched study has none.
    """
    plans = {plan.number: plan for plan in run.file.plans()}
    if number not in plans:
        last = max(plans, default=-1)
        expected = f"a completed trial of {run.path}: 0 to {last}" if plans else "a completed trial"
        raise SettingError("--trial", number, expected)
    if plans[number].role == "stratum":
        others = [plan.number for plan in plans.values() if plan.role != "stratum"]
        expected = f"another trial: this is a trial of four answers alone, of {run.path}"
        if others:
            expected += f"; the others are {min(others)} to {max(others)}"
        raise SettingError("--trial", number, expected)
    return plans[number]


def patched(
    run: Run,
    trial: TrialPlan,
    interventions: Mapping[str, Sequence[Mapping[str, Any]]],
    models: Mapping[str, str] | None = None,
) -> Study:
    """Return the study that runs one trial of a run again, as it was and after each intervention.

    Everything else is the trial's own: study seed, replicate, world, models and settings. What an
    intervention of the trial itself changed stays changed. Its item was chosen before: nobody
    answers it alone again.

    Args:
        run: the run.
        trial: which trial.
        interventions: name -> changes, each a table with its ``kind``.
        models: further models that changes may seat, by name.

    Raises:
        SettingError: a change is not allowed, or seats a model that was not declared.
    """
    own = str(trial.condition.get(INTERVENTION, run.study.trial.intervention))
    before = run.study.interventions.get(own, [])
    named = {own: before} if own else {}
    for name, changes in interventions.items():
        named[f"{own} {name}".strip()] = [*before, *map(dict, changes)]
    declared = {**run.study.models, **(models or {})}
    for name, changes in named.items():
        for model in (model for change in read(name, changes) for model in change.models()):
            if model not in declared:
                expected = "a declared model: " + ", ".join(declared)
                raise SettingError("$.interventions.model", model, expected, among=declared)
    axes = {n: [value] for n, value in trial.condition.items() if n != INTERVENTION}
    values = {
        **run.study.model_dump(mode="json"),
        "name": f"{run.study.name}/trial-{trial.number}",
        "about": f"Trial {trial.number} of {run.study.name}, with one thing changed",
        "seeds": 1,
        "first": trial.seed,
        "interventions": named,
        "models": declared,
        "strata": False,
        "sweep": [{**axes, INTERVENTION: [own, *(name for name in named if name != own)]}],
        "example": [],
        "figures": [],
        "contrast": "",
        "looks": None,
        "allocation": {},
    }
    return checked(Study, values, "$")


def patch(
    path: str | Path,
    trial: int,
    changes: Sequence[Mapping[str, Any]],
    out: str | Path | None = None,
    models: Mapping[str, str] | None = None,
    access: Access | None = None,
) -> Run:
    """Change one thing in a trial of a run, and return the run that holds the trial as it was and
    after the change. What is not changed is taken from the record, not asked again.

    Args:
        path: the run.
        trial: number of the trial.
        changes: made one after the other; each a table with its ``kind`` and settings, for example
            ``{"kind": "evidence", "agents": "4", "view": "7,3"}``.
        out: the run file of the result; by default one in ``runs/``.
        models: further models that changes may seat, by name.
        access: how real models are reached, and the limits on calls and cost.

    Raises:
        SettingError: the run has no such trial, or a change is not allowed.
        RunFileError: a run file cannot be used.
    """
    with Run(path) as origin:
        laid = plan(patched(origin, find(origin, trial), {PATCHED: changes}, models))
    target = Path(out) if out else default_path(laid.study)
    execute(laid, target, Execution(access=access or Access(), start=Path(path)))
    return Run(target)


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


def foresee(laid: Plan) -> list[Foreseen]:
    """Count for each intervention the steps that it can reach, in the first replicate of the first
    condition in which it stands beside the trial that it changes."""
    back = BackEnd.unreached(laid.study.models.values())
    builder, found = Builder(laid.study, back=back), dict[str, Foreseen]()
    planned = {one.plan.number: one for one in laid.trials}
    for number, base in laid.bases.items():
        one = planned[number]
        name = one.cell.trial.intervention
        if name not in found:
            before, after = (builder.build(trial)[0] for trial in (planned[base.number], one))
            reached = len(cone(before, after))
            found[name] = Foreseen(name, len(after.graph.steps), reached)
    return list(found.values())
