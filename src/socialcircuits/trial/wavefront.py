"""The wavefront: every step whose inputs are known is asked at once, and nothing waits for a step
it does not depend on. The record equals that of one at a time, entry for entry."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Protocol

from socialcircuits.graph import Mind, Observation
from socialcircuits.graph.walk import Blocked
from socialcircuits.records import Asking, Attempt, Played, segment_digest
from socialcircuits.trial.loop import answer_now, unknown
from socialcircuits.trial.setup import Setup
from socialcircuits.trial.state import Known, State

MOST_IN_FLIGHT = 4096
"""Calls in flight at once, a trial, where nothing else is said."""


class Journal(Protocol):
    """Where replies are committed before anything that reads them is asked."""

    def commit(self, answered: Sequence[Attempt], asking: Sequence[Asking]) -> None:
        """Make durable what was answered and what is about to be asked."""
        ...

    def forget(self, keys: Sequence[bytes]) -> None:
        """Take back what was to be asked and came to nothing, to this process's knowledge."""
        ...


class _Asked:
    """A step that is being asked: its observation and the attempts so far."""

    __slots__ = ("attempts", "draw", "index", "key", "mind", "observation", "prompt", "seen")

    def __init__(self, index: int, mind: Mind, observation: Observation) -> None:
        self.index, self.mind, self.observation = index, mind, observation
        self.seen = mind.digest(observation)
        self.prompt = mind.segments(observation)
        self.attempts: list[Attempt] = []
        self.key = self.draw = b""

    def sent(self) -> tuple[bytes, ...]:
        """The digests of the prompt's segments."""
        return tuple(segment_digest(segment) for segment in self.prompt)


class _Wavefront:
    """Books of one trial. Steps wait in lists, not in tasks; a task is a call in flight."""

    def __init__(self, setup: Setup, known: Known, journal: Journal | None, in_flight: int) -> None:
        self.state = State(setup, known)
        self._steps = setup.graph.steps
        self._journal, self._in_flight = journal, in_flight
        self._released = 0
        self._work: deque[int] = deque()
        self._waiting: defaultdict[int, list[int]] = defaultdict(list)
        self._asking: list[tuple[int, _Asked]] = []
        self._answered: list[Attempt] = []
        self._failed: list[bytes] = []
        self._flying: set[asyncio.Task[Attempt]] = set()
        self._asked: dict[asyncio.Task[Attempt], _Asked] = {}

    async def run(self) -> Played:
        try:
            while True:
                self._spread()
                self._send()
                if not self._flying:
                    self._commit([])
                    return self.state.finish()
                await self._collect()
        except asyncio.CancelledError:
            self._abandon()
            raise
        except BaseException:
            await self._land()
            raise

    def _spread(self) -> None:
        """Settle all that can be settled without waiting; collect what must be asked."""
        while True:
            self._release()
            if not self._work:
                return
            self._try(self._work.popleft())

    def _release(self) -> None:
        horizon = self.state.stop.horizon
        while self._released < len(self._steps) and (self._steps[self._released].round <= horizon):
            self._work.append(self._released)
            self._released += 1

    def _try(self, index: int) -> None:
        observation = self.state.observe(index)
        if isinstance(observation, Blocked):
            self._waiting[observation.step].append(index)
            return
        step = self._steps[index]
        mind = self.state.setup.minds[step.seat]
        if step.kind != "model" or not mind.waits:
            self._settle(index, answer_now(self.state, index, observation))
        else:
            self._advance(_Asked(index, mind, observation))

    def _advance(self, asked: _Asked) -> None:
        """Take known replies; then settle the step or put it among those to be asked."""
        retries = self.state.setup.retries
        while not asked.attempts or (
            not asked.attempts[-1].reply.valid and len(asked.attempts) <= retries
        ):
            number = len(asked.attempts)
            asked.key, asked.draw = self.state.ticket(asked.index, asked.seen, number)
            reply = self.state.known(asked.key)
            if reply is None:
                heappush(self._asking, (asked.index, asked))
                return
            self.state.count(asked.index, found=True)
            asked.attempts.append(Attempt(asked.index, number, asked.key, reply, asked.sent()))
        self._settle(asked.index, asked.attempts)

    def _settle(self, index: int, attempts: list[Attempt]) -> None:
        self.state.settle(index, attempts)
        self._work.extend(self._waiting.pop(index, ()))

    def _send(self) -> None:
        free = min(self._in_flight - len(self._flying), len(self._asking))
        # Lowest step first: with one call in flight this is the one-at-a-time order itself.
        asking = [heappop(self._asking)[1] for _ in range(free)]
        self._commit([Asking(a.index, len(a.attempts), a.key, a.prompt) for a in asking])
        for asked in asking:
            self.state.count(asked.index, found=False)
            task = asyncio.ensure_future(self._ask(asked))
            self._flying.add(task)
            self._asked[task] = asked

    def _commit(self, asking: list[Asking]) -> None:
        answered, self._answered = self._answered, []
        if self._journal is not None and (answered or asking):
            self._journal.commit(answered, asking)

    @staticmethod
    async def _ask(asked: _Asked) -> Attempt:
        key, number = asked.key, len(asked.attempts)
        reply = await asked.mind.ask(asked.observation, asked.draw)
        return Attempt(asked.index, number, key, reply, asked.sent())

    async def _collect(self) -> None:
        """Wait for at least one reply and take in all that have come."""
        done, self._flying = await asyncio.wait(self._flying, return_when=asyncio.FIRST_COMPLETED)
        failures = self._take(done)
        if failures:
            raise failures[0]

    def _take(self, done: set[asyncio.Task[Attempt]]) -> list[BaseException]:
        arrived, failures = [], []
        for task in done:
            asked, failure = self._asked.pop(task), task.exception()
            if failure is not None:
                failures.append(failure)
                self._failed.append(asked.key)
                continue
            asked.attempts.append(task.result())
            self._answered.append(task.result())
            arrived.append(asked)
        for asked in sorted(arrived, key=lambda asked: asked.index):
            self._advance(asked)
        return failures

    async def _land(self) -> None:
        """After a failure, let the calls in flight come home: they are paid for and are kept."""
        try:
            if self._flying:
                done, self._flying = await asyncio.wait(self._flying)
                self._take(done)
        except asyncio.CancelledError:
            self._abandon()
            raise
        self._close()

    def _abandon(self) -> None:
        """The user stopped it: keep what has come, and wait for no more."""
        self._take({task for task in self._flying if task.done()})
        for task in self._flying:
            task.cancel()
        self._close()

    def _close(self) -> None:
        self._commit([])
        if self._journal is not None:
            self._journal.forget(self._failed)


async def play_waiting(
    setup: Setup,
    known: Known = unknown,
    journal: Journal | None = None,
    in_flight: int = MOST_IN_FLIGHT,
) -> Played:
    """Run a trial as a wavefront.

    Args:
        setup: the trial; minds that wait are asked concurrently, others at once.
        known: where replies that need not be asked for again are found.
        journal: where replies are committed before they are used.
        in_flight: at most this many calls at once; 1 asks one at a time, in graph order.

    Raises:
        Exception: whatever a mind raised first; replies that arrived are committed before.
    """
    return await _Wavefront(setup, known, journal, in_flight).run()
