"""An event loop whose time jumps to the next timer, so that latencies cost no time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.BaseSelector):
    """Waits for nothing: what the loop would wait is added to the clock instead."""

    def __init__(self) -> None:
        self.now = 0.0
        self._real = selectors.DefaultSelector()

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._real.unregister(fileobj)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = self._real.select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("the loop waits for something that never happens")
            self.now += max(timeout, 0.0)
        return ready

    def close(self) -> None:
        self._real.close()

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._real.get_map()


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop; its `time` starts at 0 and moves only when every task waits for a timer."""

    def __init__(self) -> None:
        self.clock = _Jumping()
        super().__init__(self.clock)

    def time(self) -> float:
        return self.clock.now


def timed(work: Coroutine[Any, Any, T]) -> tuple[T, float]:
    """Run a coroutine on a virtual clock; return its result and how long it took there."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(work), loop.time()
    finally:
        loop.close()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a virtual clock, in place of `asyncio.run`."""
    return timed(work)[0]
