"""A recorded mind: keeps the name of an original mind and never asks anybody."""

from __future__ import annotations

from socialcircuits.errors import ReplayError
from socialcircuits.graph import Mind, Observation, Reply


class Recorded:
    """Stands in for a mind in a replay: same id and digests, so that all keys are equal; a reply
    that the original run does not hold is an error, never a call."""

    waits = False

    def __init__(self, original: Mind) -> None:
        self.id = original.id
        self.digest = original.digest
        self.segments = original.segments

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        """Refuse: the original run holds no reply to this observation.

        Raises:
            ReplayError: always.
        """
        raise ReplayError(
            f"replay: the original run holds no reply of {self.id} to this {observation.purpose}; "
            "was it stopped early, or is the study another one?"
        )

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Refuse, as `answer` does."""
        return self.answer(observation, draw)
