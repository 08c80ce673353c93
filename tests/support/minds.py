"""Minds for tests: puppets that know which step they are asked, and minds that keep one waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from socialcircuits.graph import Mind, Observation, Reply
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.seeds import digest
from socialcircuits.trial import Setup
from tests.support.trials import draws

Script = Callable[[int, int, Observation], Reply]
"""(step, attempt, observation) -> reply."""


class Puppet:
    """A mind that is told by its draw which step and attempt it is asked, and keeps what it saw.

    Args:
        setup: the trial it sits in.
        script: what it says.
    """

    waits = False

    def __init__(self, setup: Setup, script: Script) -> None:
        self.id = "puppet"
        self.seen: list[tuple[int, int, Observation]] = []
        self._steps, self._script = draws(setup), script

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """It reads no prompt."""
        return ()

    def digest(self, observation: Observation) -> bytes:
        return observation.digest()

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        step, attempt = self._steps[draw]
        self.seen.append((step, attempt, observation))
        return self._script(step, attempt, observation)

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        return self.answer(observation, draw)


def one_second(draw: bytes) -> float:
    """A latency that is always the same."""
    return 1.0


def scattered(draw: bytes) -> float:
    """A latency from 0 to 10 s that has nothing to do with the reply."""
    return int.from_bytes(digest("latency", draw)[:2], "big") / 6553.5


class Waiting:
    """A mind whose replies come after a latency; it keeps what went out and came back when.

    Args:
        mind: the mind that replies; its id and digests stay.
        latency: draw -> seconds.
        before: called with what is asked, before anything else happens.
        failing: draws to which no reply comes, but an error.
    """

    waits = True

    def __init__(
        self,
        mind: Mind,
        latency: Callable[[bytes], float] = scattered,
        *,
        before: Callable[[Observation, bytes], None] = lambda observation, draw: None,
        failing: frozenset[bytes] = frozenset(),
    ) -> None:
        self.id, self.digest, self.segments = mind.id, mind.digest, mind.segments
        self.events: list[tuple[str, bytes]] = []
        self.highest = 0
        self._mind, self._latency, self._before, self._failing = mind, latency, before, failing
        self._flying = 0

    @property
    def asked(self) -> list[bytes]:
        """The draws in the order in which they were asked."""
        return [draw for event, draw in self.events if event == "asked"]

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        raise AssertionError("a mind that waits was asked for an answer at once")

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        self._before(observation, draw)
        self.events.append(("asked", draw))
        self._flying += 1
        self.highest = max(self.highest, self._flying)
        await asyncio.sleep(self._latency(draw))
        self._flying -= 1
        self.events.append(("came", draw))
        if draw in self._failing:
            raise ConnectionError("the line is dead")
        return self._mind.answer(observation, draw)
