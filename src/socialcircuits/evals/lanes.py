"""Agents in Inspect's transcript: each has one span for the whole trial, below the trial's own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from contextvars import Context, copy_context
from typing import Any, TypeVar

from inspect_ai.util import span

from socialcircuits.graph import Mind, Observation, Reply
from socialcircuits.graph.vocabulary import Segment

TRIAL, AGENT = "trial", "agent"
"""Types of spans: of a trial, which Inspect does not know, and of an agent, which it does."""

T = TypeVar("T")


@asynccontextmanager
async def lanes(names: Sequence[str]) -> AsyncIterator[tuple[Context, ...]]:
    """Open a span for a trial and one below it for each agent.

    Agents take turns or act at once, so their spans cannot stand within each other: each is held
    open in a context of its own, in which what belongs to the agent is run.

    Args:
        names: of the agents.
    """
    async with span(TRIAL, type=TRIAL):
        opened = []
        for name in names:
            context, lane = copy_context(), span(name, type=AGENT)
            await _within(context, lane.__aenter__())
            opened.append((context, lane))
        try:
            yield tuple(context for context, _ in opened)
        finally:
            for context, lane in opened:
                await _within(context, lane.__aexit__(None, None, None))


async def _within(context: Context, work: Coroutine[Any, Any, T]) -> T:
    return await asyncio.create_task(work, context=context)


class Laned:
    """A mind whose calls stand in the span of its agent.

    Args:
        mind: the mind.
        context: the context of the agent's span.
    """

    waits = True

    def __init__(self, mind: Mind, context: Context) -> None:
        self.id = mind.id
        self._mind, self._context = mind, context

    def digest(self, observation: Observation) -> bytes:
        """Return the digest of the mind itself."""
        return self._mind.digest(observation)

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """Return the prompt of the mind itself."""
        return self._mind.segments(observation)

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        """Reply as the mind itself does."""
        return self._mind.answer(observation, draw)

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Ask the mind within the agent's span."""
        return await _within(self._context, self._mind.ask(observation, draw))
