"""Scripted minds: replies written down beforehand, for tests and recorded peers."""

from __future__ import annotations

from collections.abc import Callable

from socialcircuits.graph import Observation, Reply
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.seeds import digest


class Scripted:
    """A mind that replies by a function of what it observes; it draws nothing.

    Args:
        name: enters the mind's id; name scripts that differ differently.
        script: observation -> reply.

    >>> Scripted("deaf", lambda observation: Reply("Peru", "Peru")).id
    'scripted/deaf'
    """

    waits = False

    def __init__(self, name: str, script: Callable[[Observation], Reply]) -> None:
        self.id = f"scripted/{name}"
        self._script = script

    def digest(self, observation: Observation) -> bytes:
        """The observation is all that determines the reply."""
        return digest(observation.digest())

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """It reads no prompt."""
        return ()

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        """Reply by the script."""
        return self._script(observation)

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Reply by the script."""
        return self._script(observation)
