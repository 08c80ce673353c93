"""The budget: the worst case is set aside before a call is sent, and settled after it."""

from __future__ import annotations

import asyncio
from collections import deque

from socialcircuits.calls.limits import Limits, Spent
from socialcircuits.errors import BudgetReached
from socialcircuits.models.interface import Completion
from socialcircuits.models.prices import PER_USD


class Budget:
    """What may still be spent.

    A call that only what is set aside for others stands in the way of waits until these have come
    back, since most cost far less than their worst case.

    Args:
        limits: most replies and most cost.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._aside_calls = self._aside_cost = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.spent = Spent()

    async def reserve(self, worst: int) -> None:
        """Set one call and its worst cost aside.

        Raises:
            BudgetReached: this call does not fit, whatever the calls in flight turn out to cost.
        """
        queue = self._waiting.append
        try:
            self._demand(worst)
            while not self._fits(worst):
                turn = asyncio.get_running_loop().create_future()
                queue(turn)
                await turn
                queue = self._waiting.appendleft
                self._demand(worst)
            self._aside_calls += 1
            self._aside_cost += worst
        finally:
            self._wake()

    def take(self, worst: int) -> bool:
        """Set one call and its worst cost aside if they fit beside what is set aside already.

        Raises:
            BudgetReached: see `reserve`.
        """
        self._demand(worst)
        fits = self._fits(worst)
        if fits:
            self._aside_calls += 1
            self._aside_cost += worst
        return fits

    def settle(self, worst: int, completion: Completion | None, cost: int) -> None:
        """Put back what was set aside, and count the reply and its cost if one came."""
        self._aside_calls -= 1
        self._aside_cost -= worst
        if completion is not None:
            spent = self.spent
            self.spent = Spent(
                spent.calls + 1,
                spent.cost + cost,
                spent.prompt + (completion.prompt_tokens or 0),
                spent.completion + (completion.completion_tokens or 0),
                spent.cached + completion.cached_tokens,
            )
        self._wake()

    def _wake(self) -> None:
        """Let the next one that waits look again; it wakes the one after it when it has done."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return

    def _demand(self, worst: int) -> None:
        calls, cost = self._limits.calls, self._limits.cost
        if calls is not None and self.spent.calls >= calls:
            raise BudgetReached(f"--max-calls: all {calls} calls are made")
        if cost is not None and self.spent.cost + worst > cost:
            raise BudgetReached(
                f"--max-cost: {_usd(self.spent.cost)} of {_usd(cost)} are spent, and the next call"
                f" may cost up to {_usd(worst)}"
            )

    def _fits(self, worst: int) -> bool:
        calls, cost = self._limits.calls, self._limits.cost
        if calls is not None and self.spent.calls + self._aside_calls >= calls:
            return False
        return cost is None or self.spent.cost + self._aside_cost + worst <= cost


def _usd(cost: int) -> str:
    return f"{cost / PER_USD:.6f} USD"
