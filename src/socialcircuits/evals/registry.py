"""What Inspect finds under the name of this package: its entry point names this module."""

from __future__ import annotations

from inspect_ai.model import ModelAPI, modelapi

from socialcircuits.evals.tasks import chatroom, deliberation, flag_game, memory_conflict, seat

__all__ = ["chatroom", "deliberation", "flag_game", "memory_conflict", "seat", "socialcircuits"]


@modelapi(name="socialcircuits")
def socialcircuits() -> type[ModelAPI]:
    """Return simulated agents as a provider: ``socialcircuits/CHARACTER``."""
    from socialcircuits.evals.simulated import SimulatedAPI

    return SimulatedAPI
