"""The one way from a request to a completion: paid within the budget, sent until it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from typing import NamedTuple

from socialcircuits.calls.budget import Budget
from socialcircuits.calls.limits import Limits, Spent
from socialcircuits.calls.pacing import Pacing
from socialcircuits.errors import SettingError
from socialcircuits.models.interface import Completion, Model, Request
from socialcircuits.models.prices import Price, Prices, load_prices


def charged(price: Price | None, request: Request, completion: Completion) -> int:
    """Return what a call cost, in billionths of a US dollar: 0 where neither we nor the server
    know a price."""
    return price.cost(request, completion) if price else completion.billed or 0


class _Flight(NamedTuple):
    request: Request
    landing: asyncio.Future[Completion]


class Calls:
    """All calls of one run, in one event loop.

    Args:
        limits: most replies, most cost, requests in flight, patience.
        prices: what models cost; those that come with the package if None.

    Attributes:
        limits: the limits.
        budget: what of them is spent and set aside.

    >>> from socialcircuits.models.scripted import ScriptedModel
    >>> model = ScriptedModel("scripted/echo", lambda request: Completion("Peru", "stop"))
    >>> calls = Calls(Limits(calls=1))
    >>> asyncio.run(calls.complete(model, Request((), 8)))[1], calls.spent.calls
    (0, 1)
    """

    def __init__(self, limits: Limits | None = None, prices: Prices | None = None) -> None:
        self.limits = limits or Limits()
        self.budget = Budget(self.limits)
        self._prices = prices or load_prices()
        self._pacing = Pacing(self.limits)
        self._flights: dict[Hashable, _Flight] = {}

    @property
    def spent(self) -> Spent:
        """What the replies so far took."""
        return self.budget.spent

    def price(self, name: str, *, batch: bool = False) -> Price | None:
        """Return the price of a model; None where it is unknown and no limit on cost is set.

        Args:
            name: the model.
            batch: whether it is asked in a batch.

        Raises:
            SettingError: a limit on cost cannot be kept, because the price is unknown.
        """
        found = self._prices.in_batch(name) if batch else self._prices.of(name)
        if found is None and self.limits.cost is not None:
            raise SettingError(
                "--max-cost",
                name,
                f"a model with a known price; give a file of prices with a row for {name!r}"
                " (--prices FILE)",
            )
        return found

    async def complete(self, model: Model, request: Request) -> tuple[Completion, int]:
        """Return a model's reply and what it cost, in billionths of a US dollar.

        The worst case is set aside before the request goes out. Requests that are equal, their
        seed included, and under way at the same time are sent once: all get the one reply, and it
        costs only the first. Requests without a seed are independent draws, and are not shared
        unless their temperature is 0.

        Raises:
            BudgetReached: the call does not fit into the budget; it was not sent.
            SettingError: see `price`.
            Unavailable: transport faults outlasted the patience.
            Refused: the model will not answer this request.
        """
        if request.seed is None and request.temperature != 0:
            return await self._pay(model, request)
        key = (model.name, request.segments, request.seed, request.max_tokens, request.prefill)
        while (flight := self._flights.get(key)) is not None and flight.request == request:
            await asyncio.wait((flight.landing,))
            if not flight.landing.cancelled():
                return flight.landing.result(), 0
        if flight is not None:
            return await self._pay(model, request)
        return await self._lead(key, model, request)

    async def _lead(self, key: Hashable, model: Model, request: Request) -> tuple[Completion, int]:
        """Pay for a call whose reply others may share; if it is given up, one takes over."""
        landing: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._flights[key] = _Flight(request, landing)
        try:
            completion, cost = await self._pay(model, request)
            landing.set_result(completion)
        except Exception as error:
            landing.set_exception(error)
            landing.exception()  # read here, so that asyncio does not miss a reader
            raise
        finally:
            landing.cancel()
            del self._flights[key]
        return completion, cost

    async def _pay(self, model: Model, request: Request) -> tuple[Completion, int]:
        price = self.price(model.name)
        worst = price.worst(request) if price else 0
        await self.budget.reserve(worst)
        completion, cost = None, 0
        try:
            completion = await self._pacing.send(model, request)
            cost = charged(price, request, completion)
        finally:
            self.budget.settle(worst, completion, cost)
        return completion, cost
