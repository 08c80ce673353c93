"""What a study holds, counted before anything is run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from socialcircuits.studies.planning import Builder, Plan


@dataclass(frozen=True)
class Count:
    """The exact number of steps of a study before early stop and retries, a shared step once.

    Args:
        trials: number of trials, examples included.
        steps: steps of the trials that enter estimates.
        example_steps: steps of the examples.
        stratum_steps: steps in which models answer alone, before it is known which items are kept;
            the other counts are for all items.
    """

    trials: int
    steps: int
    example_steps: int
    stratum_steps: int = 0

    def as_json(self) -> dict[str, int]:
        """Return the counts as JSON values."""
        return asdict(self)


def count(plan: Plan) -> Count:
    """Count the steps of a study without running any."""
    builder = Builder(plan.study)
    steps = {"estimate": 0, "example": 0, "stratum": 0}
    shared: set[tuple[object, ...]] = set()
    for planned in plan.trials:
        seed, graph = builder.shared_seed(planned), builder.graph(planned)
        models = [plan.study.models.get(name, "") for name in builder.models(planned)]
        for step in graph.steps:
            if step.shared:
                # Which answers a variant allows hangs on all of its trial's seats.
                again = (seed, models[step.seat], *step, bool(step.variant) and len(graph.seats))
                if again in shared:
                    continue
                shared.add(again)
            steps[planned.plan.role] += step.kind == "model"
    return Count(len(plan.trials), *steps.values())


def targets_left_out(plan: Plan) -> list[dict[str, Any]]:
    """Name the answers that cannot be the truth under the evidence and lure of a condition.

    Returns:
        One entry for each combination that leaves any out: ``condition`` (evidence and lure) and
        ``targets``, the answers.
    """
    builder, found = Builder(plan.study), dict[tuple[str, str], list[str]]()
    for cell in plan.cells:
        found[cell.trial.evidence, cell.trial.lure] = builder.left_out(cell.trial)
    return [
        {"condition": {"evidence": evidence, "lure": lure}, "targets": targets}
        for (evidence, lure), targets in found.items()
        if targets
    ]
