"""A run goes on with the trials and the data with which it began."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from socialcircuits.errors import RunFileError
from socialcircuits.records import RunFile, RunStore
from socialcircuits.studies.planning import Builder, Plan

WORLD = "world"
"""Under this name a run remembers the fingerprint of its world."""

PACK = "pack"
"""Under this name a run remembers the pack of its recorded guests."""


def same_data(builder: Builder, store: RunStore, origin: RunFile | None) -> None:
    """Refuse to go on, or to replay, with a world or a pack whose data have changed.

    Raises:
        RunFileError: the data differ from those with which the run began.
    """
    pack = builder.pack
    words = {"name": pack.name, "version": pack.version, "digest": pack.digest}
    data = (
        (WORLD, builder.world.fingerprint, "data of its world (a pool file?)"),
        (PACK, words, f"words of its pack {pack.name}"),
    )
    for name, now, what in data:
        for path, held in ((store.path, store.recall(name)), *_held(origin, name)):
            if held not in (None, now):
                raise RunFileError(f"{path}: the {what} have changed since")
        store.remember(name, now)


def _held(origin: RunFile | None, name: str) -> list[tuple[Path, Any]]:
    return [(origin.path, origin.recall(name))] if origin else []


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
