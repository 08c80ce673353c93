"""A model that is not there: in a replay, only its name is needed."""

from __future__ import annotations

from socialcircuits.errors import ReplayError
from socialcircuits.models.interface import Capabilities, Completion, Request


class Absent:
    """Stands for a model whose replies are all in a record.

    Args:
        name: the name that the model had.

    >>> Absent("openai/gpt-4o").name
    'openai/gpt-4o'
    """

    def __init__(self, name: str) -> None:
        self.name = name

    async def complete(self, request: Request) -> Completion:
        """Refuse.

        Raises:
            ReplayError: always.
        """
        raise ReplayError(f"replay: {self.name} is not asked")

    async def probe(self) -> Capabilities:
        """Refuse.

        Raises:
            ReplayError: always.
        """
        raise ReplayError(f"replay: {self.name} is not asked")

    async def close(self) -> None:
        """Nothing is held."""
