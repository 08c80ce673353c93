"""A run goes on with the trials and the data of the world with which it began."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from socialcircuits.errors import RunFileError
from socialcircuits.graph import World
from socialcircuits.records import RunFile, RunStore
from socialcircuits.studies.planning import Plan

WORLD = "world"
"""Under this name a run remembers the fingerprint of its world."""


def same_world(world: World, store: RunStore, origin: RunFile | None) -> None:
    """Refuse to go on, or to replay, with a world whose data have changed.

    Raises:
        RunFileError: the data differ from those with which the run began.
    """
    now = world.fingerprint
    for path, held in ((store.path, store.recall(WORLD)), *_held(origin)):
        if held not in (None, now):
            raise RunFileError(f"{path}: the data of its world (a pool file?) have changed since")
    store.remember(WORLD, now)


def _held(origin: RunFile | None) -> list[tuple[Path, Any]]:
    return [(origin.path, origin.recall(WORLD))] if origin else []


def same_trials(plan: Plan, out: Path) -> None:
    """Refuse a study that numbers its trials otherwise than the run file does: with the axes of a
    sweep in another order it is the same study, but trial 3 is another trial.

    Raises:
        RunFileError: a trial that the file holds has another number in the plan.
    """
    names = {one.plan.number: one.plan for one in plan.trials}
    with RunFile(out) as own:
        for status in own.statuses():
            for held in own.plans(status):
                if names.get(held.number) != held:
                    raise RunFileError(
                        f"{out} holds its trials in another order, first {held.number}: the axes "
                        "of a sweep stood in another order; go on with: socialcircuits resume "
                        f"{out}"
                    )
