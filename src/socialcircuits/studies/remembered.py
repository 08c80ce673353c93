"""The data of a world are those with which a run began."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from socialcircuits.errors import RunFileError
from socialcircuits.graph import World
from socialcircuits.records import RunFile, RunStore

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
