"""What sits in a seat whose words are all given: it is never asked."""

from __future__ import annotations

from socialcircuits.errors import ModelError
from socialcircuits.graph import Observation, Reply
from socialcircuits.graph.vocabulary import Segment


class Silent:
    """A mind for the seats of planted messages."""

    id = "given"
    waits = False

    def digest(self, observation: Observation) -> bytes:
        """The observation itself."""
        return observation.digest()

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """It reads no prompt."""
        return ()

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        """Refuse.

        Raises:
            ModelError: always.
        """
        raise ModelError(f"a seat whose words are given was asked for a {observation.purpose}")

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Refuse, as `answer` does."""
        return self.answer(observation, draw)
