"""The pilot of a study: a run of it, or, where there is none, the study itself on simulated agents
for a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from socialcircuits.agents import SIMULATED
from socialcircuits.errors import RunFileError
from socialcircuits.judges import RULES
from socialcircuits.measures import cell
from socialcircuits.records.digests import differences
from socialcircuits.studies import (
    Builder,
    Execution,
    Plan,
    Run,
    Study,
    costs,
    execute,
    plan,
    presets,
)
from socialcircuits.studies.study import DEFAULT_MODELS

__all__ = ["PILOT_SEEDS", "Pilot", "equal_seeds", "piloted"]

PILOT_SEEDS = 20
"""Seeds of a simulated pilot."""

STAND_IN = "simulated/compatibility"
"""What stands in for a model for which the preset has no simulated one."""

SAME = ("world", "trial", "interventions", "strata")
"""The parts in which a pilot agrees with the study; models, seeds and figures may differ."""


class Pilot(NamedTuple):
    """A pilot: its run, and the path under which the user gave it; empty where it was simulated
    for the moment."""

    run: Run
    path: str

    @property
    def seeds(self) -> int:
        """How many seeds were run, whatever became of them; where N differ in it, the fewest."""
        seeds: dict[str, set[int]] = {}
        for done in self.run.file.plans():
            if done.role != "example":
                name = done.role if self.run.study.strata else cell(done.condition)
                seeds.setdefault(name, set()).add(done.seed)
        return len(seeds.get("stratum") or min(seeds.values(), key=len))


@contextmanager
def piloted(
    laid: Plan, path: str | Path | None, progress: Callable[[int, int], None]
) -> Iterator[Pilot]:
    """Open the pilot of a study; one that is simulated is removed in the end.

    Args:
        laid: the study's plan.
        path: a run file; None simulates the study with few seeds, its models replaced.
        progress: told after each simulated trial.

    Raises:
        RunFileError: the file cannot be read, or is a run of another study.
        SettingError: the study cannot be run.
    """
    if path is not None:
        with Run(path) as run:
            _check(run, laid)
            yield Pilot(run, str(path))
        return
    # What cannot be asked for is refused before anything is simulated.
    costs(plan(equal_seeds(laid.study, 1)))
    with TemporaryDirectory() as folder:
        out = Path(folder) / "pilot.db"
        execute(plan(_simulated(laid.study)), out, Execution(progress=progress))
        with Run(out) as run:
            yield Pilot(run, "")


def equal_seeds(study: Study, seeds: int) -> Study:
    """Return a study with so many seeds in every condition, and without looks and examples."""
    changes: dict[str, object] = {"seeds": seeds, "looks": None, "allocation": {}, "example": []}
    return study.model_copy(update=changes)


def _simulated(study: Study) -> Study:
    own = presets().get(study.name, {}).get("models", DEFAULT_MODELS)
    models = {
        name: _stand_in(model, own.get(name, STAND_IN)) for name, model in study.models.items()
    }
    items = len(Builder(study.model_copy(update={"models": models})).world.items)
    few = equal_seeds(study, min(PILOT_SEEDS, items or PILOT_SEEDS))
    return few.model_copy(update={"models": models, "judge": RULES, "first": 1})


def _stand_in(model: str, other: str) -> str:
    simulated = [one for one in (model, other) if one.startswith(f"{SIMULATED}/")]
    return simulated[0] if simulated else STAND_IN


def _check(pilot: Run, laid: Plan) -> None:
    """Refuse a run of another study."""
    old, new = (study.model_dump(mode="json") for study in (pilot.study, laid.study))
    changes = [
        change
        for name in SAME
        if old[name] != new[name]
        for change in differences(f"$.{name}", old[name], new[name])
    ]
    held = {cell(one.condition) for one in pilot.plan.cells}
    lacking = [cell(one.condition) for one in laid.cells if cell(one.condition) not in held]
    if lacking:
        changes.append(f"it has no condition {lacking[0]}")
    if changes:
        raise RunFileError(
            f"--pilot: {pilot.path} is a run of another study ({changes[0]}); expected one that "
            "differs in models and seeds only"
        )
