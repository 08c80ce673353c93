"""Limits, retries and single flight, on a virtual clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from itertools import count, cycle
from typing import Any

import pytest

from socialcircuits.calls import Calls, Limits, Spent
from socialcircuits.errors import BudgetReached, Refused, SettingError, Unavailable
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models import Capabilities, Completion, Price, Prices, Request
from tests.support.clock import run, timed

PRICES = Prices(date(2026, 1, 1), {"lab/m": Price(1, 1, 10)})
DONE = Completion("yes", "stop", prompt_tokens=5, completion_tokens=2, cached_tokens=1)
COST = 5 + 2 * 10


def request(seed: int | None = 0) -> Request:
    return Request((Segment("user", "text", b"x" * 68),), 10, 0.2, seed=seed)


WORST = PRICES.models["lab/m"].worst(request())


class Slow:
    """A model that takes a second a call, and does at each call what it is told."""

    def __init__(self, script: Iterator[Any] | None = None, name: str = "lab/m") -> None:
        self.name = name
        self.sent: list[float] = []
        self.in_flight = self.most_in_flight = 0
        self._script = script

    async def complete(self, request: Request) -> Completion:
        self.sent.append(asyncio.get_running_loop().time())
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        outcome = next(self._script, None) if self._script else None
        try:
            await asyncio.sleep(1)
        finally:
            self.in_flight -= 1
        if isinstance(outcome, Exception):
            raise outcome
        return DONE if outcome is None else outcome

    async def probe(self) -> Capabilities:
        return Capabilities()

    async def close(self) -> None: ...


async def many(calls: Calls, model: Slow, number: int) -> list[Any]:
    work = [calls.complete(model, request(seed)) for seed in range(number)]
    return await asyncio.gather(*work, return_exceptions=True)


def test_worst_case_of_the_examples() -> None:
    assert WORST == 16 + 16 + 68 + 10 * 10


def test_totals_and_costs() -> None:
    calls = Calls(prices=PRICES)
    found = run(many(calls, Slow(), 3))
    assert found == [(DONE, COST)] * 3
    assert calls.spent == Spent(3, 3 * COST, 15, 6, 3)


def test_places_in_flight() -> None:
    model = Slow()
    _, seconds = timed(many(Calls(Limits(in_flight=4), PRICES), model, 12))
    assert model.most_in_flight == 4
    assert seconds == pytest.approx(3)


def test_the_limit_on_calls_counts_replies_and_not_retries() -> None:
    calls = Calls(Limits(calls=2), PRICES)
    model = Slow(iter([Unavailable("later"), Unavailable("later"), None, None]))
    found = run(many(calls, model, 5))
    assert [outcome for outcome in found if isinstance(outcome, tuple)] == [(DONE, COST)] * 2
    reached = [outcome for outcome in found if isinstance(outcome, BudgetReached)]
    assert len(reached) == 3
    assert "--max-calls: all 2 calls are made" in str(reached[0])
    assert len(model.sent) == 4


def test_what_failed_leaves_its_place_in_the_budget() -> None:
    calls = Calls(Limits(calls=1), PRICES)
    model = Slow(iter([Refused("no"), None]))
    found = run(many(calls, model, 3))
    assert [type(outcome) for outcome in found] == [Refused, tuple, BudgetReached]


def test_nothing_is_sent_without_calls_left() -> None:
    model = Slow()
    assert isinstance(run(many(Calls(Limits(calls=0), PRICES), model, 1))[0], BudgetReached)
    assert model.sent == []


@pytest.mark.parametrize("limit", [0, WORST - 1, WORST, WORST + COST, 3 * WORST, 1000])
def test_the_limit_on_cost_is_never_passed_and_is_used(limit: int) -> None:
    calls = Calls(Limits(cost=limit), PRICES)
    found = run(many(calls, Slow(), 50))
    paid = sum(isinstance(outcome, tuple) for outcome in found)
    assert all(isinstance(outcome, tuple | BudgetReached) for outcome in found)
    # One by one, each call goes out as long as its worst case fits beside what is spent.
    assert paid == max(0, (limit - WORST) // COST + 1)
    assert calls.spent.cost == paid * COST <= limit


def test_calls_in_flight_are_let_finish_when_the_budget_is_reached() -> None:
    calls = Calls(Limits(cost=WORST), PRICES)
    found = run(many(calls, Slow(), 2))
    assert found[0] == (DONE, COST)
    assert "may cost up to" in str(found[1])


def test_an_unknown_price_cannot_be_limited() -> None:
    model = Slow(name="lab/other")
    [found] = run(many(Calls(Limits(cost=1), PRICES), model, 1))
    assert isinstance(found, SettingError)
    assert "lab/other" in str(found)
    assert "--prices FILE" in str(found)
    assert model.sent == []
    assert run(many(Calls(prices=PRICES), model, 1)) == [(DONE, 0)]


def test_retries_wait_longer_and_longer_and_the_same_in_every_run() -> None:
    def waits() -> list[float]:
        model = Slow(iter([Unavailable("later")] * 9))
        assert run(many(Calls(prices=PRICES), model, 1)) == [(DONE, COST)]
        gaps = zip(model.sent, model.sent[1:], strict=False)
        return [round(after - before - 1, 9) for before, after in gaps]

    found = waits()
    assert found == waits()
    for tries, wait in enumerate(found):
        full = min(30.0, 0.5 * 2**tries)
        assert full / 2 <= wait <= full


def test_calls_that_failed_together_do_not_come_back_together() -> None:
    model = Slow(iter([Unavailable("later")] * 20))
    run(many(Calls(prices=PRICES), model, 20))
    assert len({round(when, 6) for when in model.sent[20:]}) == 20


def test_a_time_that_the_server_names_holds_for_all_calls_to_the_model() -> None:
    calls = Calls(Limits(in_flight=1), PRICES)
    busy, other = Slow(iter([Unavailable("later", 100.0)])), Slow(name="scripted/x")

    async def work() -> None:
        await asyncio.gather(many(calls, busy, 3), many(calls, other, 3))

    run(work())
    assert busy.sent[0] == 0
    assert all(101 <= when < 106 for when in busy.sent[1:])
    assert len(busy.sent) == 4
    assert max(other.sent) < 10


def test_patience_ends() -> None:
    model = Slow(iter([Unavailable("lab/m: HTTP 500")] * 1000))
    calls = Calls(Limits(patience=60), PRICES)
    [found], seconds = timed(many(calls, model, 1))
    assert isinstance(found, Unavailable)
    assert str(found) == f"lab/m: HTTP 500 (given up after {len(model.sent)} tries)"
    assert 20 < seconds <= 62
    assert calls.spent == Spent()


def test_a_server_that_asks_for_more_patience_than_there_is_is_given_up_at_once() -> None:
    model = Slow(iter([Unavailable("later", 3600.0)]))
    [found], seconds = timed(many(Calls(prices=PRICES), model, 1))
    assert isinstance(found, Unavailable)
    assert found.retry_after == 3600.0
    assert seconds == pytest.approx(1)


def test_equal_requests_under_way_are_sent_and_paid_once() -> None:
    model, calls = Slow(), Calls(prices=PRICES)

    async def work() -> list[Any]:
        equal = [calls.complete(model, request()) for _ in range(5)]
        others = [calls.complete(model, request(1)), calls.complete(Slow(name="lab/n"), request())]
        return [*await asyncio.gather(*equal, *others), await calls.complete(model, request())]

    found = run(work())
    assert [cost for _, cost in found] == [COST, 0, 0, 0, 0, COST, 0, COST]
    assert len(model.sent) == 3
    assert calls.spent.calls == 4


@pytest.mark.parametrize(
    "change",
    [{"schema": {"type": "object"}}, {"max_tokens": 9}, {"top_logprobs": 1}, {"temperature": 0.3}],
)
def test_what_differs_is_not_shared(change: dict[str, Any]) -> None:
    model, calls = Slow(), Calls(prices=PRICES)

    async def work() -> None:
        other = replace(request(), **change)
        await asyncio.gather(calls.complete(model, request()), calls.complete(model, other))

    run(work())
    assert len(model.sent) == 2


@pytest.mark.parametrize(("temperature", "sent"), [(0.2, 2), (None, 2), (0.0, 1)])
def test_independent_draws_are_not_shared(temperature: float | None, sent: int) -> None:
    model, calls = Slow(), Calls(prices=PRICES)

    async def work() -> None:
        unseeded = replace(request(None), temperature=temperature)
        await asyncio.gather(*(calls.complete(model, unseeded) for _ in range(2)))

    run(work())
    assert len(model.sent) == sent


def test_a_shared_failure_reaches_all() -> None:
    model, calls = Slow(iter([Refused("no")])), Calls(prices=PRICES)

    async def work() -> list[Any]:
        equal = [calls.complete(model, request()) for _ in range(3)]
        return await asyncio.gather(*equal, return_exceptions=True)

    assert [str(outcome) for outcome in run(work())] == ["no"] * 3
    assert len(model.sent) == 1


def test_a_shared_call_that_is_given_up_is_taken_over() -> None:
    model, calls = Slow(), Calls(Limits(calls=2), PRICES)

    async def work() -> list[Any]:
        tasks = [asyncio.create_task(calls.complete(model, request())) for _ in range(3)]
        await asyncio.sleep(0.5)
        tasks[0].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    found, seconds = timed(work())
    assert isinstance(found[0], asyncio.CancelledError)
    assert found[1:] == [(DONE, COST), (DONE, 0)]
    assert seconds == pytest.approx(1.5)
    assert calls.spent.calls == 1


def test_waiting_for_a_shared_call_can_be_given_up() -> None:
    model, calls = Slow(), Calls(prices=PRICES)

    async def work() -> list[Any]:
        tasks = [asyncio.create_task(calls.complete(model, request())) for _ in range(2)]
        await asyncio.sleep(0.5)
        tasks[1].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    found = run(work())
    assert found[0] == (DONE, COST)
    assert isinstance(found[1], asyncio.CancelledError)


def test_waiting_for_the_budget_can_be_given_up() -> None:
    model, calls = Slow(), Calls(Limits(calls=1), PRICES)

    async def work() -> list[Any]:
        tasks = [asyncio.create_task(calls.complete(model, request(i))) for i in range(3)]
        await asyncio.sleep(0.5)
        tasks[1].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    kinds = [type(outcome) for outcome in run(work())]
    assert kinds == [tuple, asyncio.CancelledError, BudgetReached]


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: Limits(calls=-1), "--max-calls"),
        (lambda: Limits(cost=-1), "--max-cost"),
        (lambda: Limits(in_flight=0), "in_flight"),
        (lambda: Limits(patience=-1), "patience"),
        (lambda: Limits(patience=float("nan")), "patience"),
        (lambda: Limits(first_wait=0), "first_wait"),
    ],
)
def test_limits_out_of_range(make: Callable[[], Limits], name: str) -> None:
    with pytest.raises(SettingError, match=name):
        make()


def test_a_thousand_calls_keep_to_all_limits_at_once() -> None:
    faults = (Unavailable("later", wait) for wait in cycle([None, 0.5, None]))
    model = Slow(next(faults) if n % 4 == 0 else None for n in count())
    calls = Calls(Limits(calls=700, in_flight=32), PRICES)
    found = run(many(calls, model, 1000))
    assert sum(isinstance(outcome, tuple) for outcome in found) == 700
    assert sum(isinstance(outcome, BudgetReached) for outcome in found) == 300
    assert model.most_in_flight == 32
    assert calls.spent.calls == 700
