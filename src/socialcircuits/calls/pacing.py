"""When a call may go out: places in flight, pauses that servers ask for, waits before retries."""

from __future__ import annotations

import asyncio

from socialcircuits.calls.limits import Limits
from socialcircuits.errors import Unavailable
from socialcircuits.models.interface import Completion, Model, Request
from socialcircuits.seeds import digest

LONGEST_WAIT = 30.0


class Pacing:
    """Sends requests, again where only the transport failed.

    A time that a server names holds for all calls to its model. Waits are spread by a fixed
    fraction drawn for each call and retry, so that calls which failed together do not come back
    together.

    Args:
        limits: places in flight, patience and first wait.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._places = asyncio.Semaphore(limits.in_flight)
        self._pauses: dict[str, float] = {}
        self._sent = 0

    async def send(self, model: Model, request: Request) -> Completion:
        """Return the reply to a request.

        Raises:
            Unavailable: transport faults outlasted the patience, or a server asks for more of it.
            Refused: the model will not answer this request.
        """
        loop = asyncio.get_running_loop()
        self._sent += 1
        number, tries, end = self._sent, 0, 0.0
        while True:
            await self._turn(model.name, _spread(model.name, number, tries))
            try:
                return await model.complete(request)
            except Unavailable as fault:
                failed = fault
            finally:
                self._places.release()
            end = end if tries else loop.time() + self._limits.patience
            wait = self._wait(failed, tries, _spread(model.name, number, tries))
            tries += 1
            if loop.time() + wait > end:
                raise Unavailable(f"{failed} (given up after {tries} tries)", failed.retry_after)
            if failed.retry_after is not None:
                until = loop.time() + failed.retry_after
                self._pauses[model.name] = max(until, self._pauses.get(model.name, until))
            await asyncio.sleep(wait)

    async def _turn(self, name: str, spread: float) -> None:
        """Wait until the model is not paused, and take a place in flight."""
        loop = asyncio.get_running_loop()
        while True:
            rest = self._pauses.get(name, 0.0) - loop.time()
            if rest > 0:
                await asyncio.sleep(rest + spread * self._limits.first_wait)
                continue
            await self._places.acquire()
            if self._pauses.get(name, 0.0) <= loop.time():
                return
            self._places.release()

    def _wait(self, failed: Unavailable, tries: int, spread: float) -> float:
        if failed.retry_after is not None:
            return failed.retry_after + spread * self._limits.first_wait
        return min(LONGEST_WAIT, self._limits.first_wait * 2.0 ** min(tries, 30)) * (1 + spread) / 2


def _spread(name: str, number: int, tries: int) -> float:
    """A fraction from 0 to 1, the same in every run."""
    return int.from_bytes(digest("wait", name, number, tries)[:4], "big") / 2**32
