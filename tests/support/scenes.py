"""A world for interventions on the small trials of `tests.support.trials`."""

from __future__ import annotations

from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.graph import Mind
from socialcircuits.interventions import Scene
from tests.support.trials import ANSWERS, Gossip, Hint


class Hints:
    """Names evidence by the number of the answer that it leaves alone."""

    answers = ANSWERS

    def named(self, truth: str, name: str) -> Hint:
        if name not in ANSWERS:
            raise SettingError("$.world.view", name, "an answer", among=ANSWERS)
        return Hint(f"patched-to-{name}", (ANSWERS.index(name),))


def scene(**minds: Mind) -> Scene:
    """A scene whose truth is Peru and whose lure is Mali."""
    world: Any = Hints()
    return Scene(world, "Peru", "Mali", {"A": Gossip(), **minds})
