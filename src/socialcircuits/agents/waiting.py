"""What all minds share whose replies come from a model."""

from __future__ import annotations

from socialcircuits.errors import ModelError
from socialcircuits.graph import Observation, Reply

__all__ = ["Waiting"]


class Waiting:
    """A mind whose replies have to be waited for; the others are asked to `answer` at once."""

    id: str
    waits = True

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        """Refuse: a model's reply has to be waited for.

        Raises:
            ModelError: always.
        """
        raise ModelError(f"{self.id} cannot answer at once: its replies have to be waited for")
