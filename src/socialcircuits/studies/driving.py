"""Running a coroutine to its end, wherever it is called from."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def drive(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end, in a notebook too, where a loop is already running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    begun: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None] | None]] = []

    async def held() -> None:
        begun.append((asyncio.get_running_loop(), asyncio.current_task()))
        await work

    with ThreadPoolExecutor(1) as thread:
        future = thread.submit(asyncio.run, held())
        try:
            future.result()
        except BaseException:
            # The user stopped it: leaving this block waits for the thread, so end its work too.
            for loop, task in begun:
                if task is not None and not future.done():
                    loop.call_soon_threadsafe(task.cancel)
            raise
