"""Faults of servers, alone and mixed: what is answered does not depend on them, or says so.

Through the gate that runs use and the adapter, against a server on loopback.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from socialcircuits.calls import Calls, Limits
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models import Completion, Key, OpenAICompatible, Request
from tests.support import fault_server
from tests.support.fault_server import CONTENT, MOST_FAULTS, TRANSPORT, FaultServer, spread

T = TypeVar("T")

SECRET = "sk-planted-0123456789abcdef"
PROMPT = """Allowed countries: ["Chad", "France", "Peru", "Italy", "Mali"]
{"country": "<one>", "reason": "<one sentence>"}"""

EXPECTED = {
    "reasoning-content": "reasoning only",
    "reasoning": "reasoning only",
    "cut-thinking": "cut while thinking",
    "nothing": "empty",
    "null": "empty",
    "refusal": "refusal",
    "tools": "tool calls only",
    "no-choices": "no choices",
    "error": "error object",
    "error-list": "error object",
    "error-array": "error object",
    "error-text": "error object",
}
"""Content fault -> what the completion says; with all others a text comes, to be read as it is."""

UNHARMED = "parts stream usage-none usage-half logprobs-columns logprobs-infinite".split()
"""Unusual forms of a whole reply."""


def run(work: Coroutine[Any, Any, T], seconds: float = 60) -> T:
    return asyncio.run(asyncio.wait_for(work, seconds))


def asked(number: int) -> Request:
    """A request of its own: another seed and another memory."""
    memory = Segment("user", "text", f"Memory: {number % 7} entries\n".encode())
    prompt = Segment("user", "text", PROMPT.encode())
    return Request((memory, prompt), 60, 0.2, seed=number)


async def completions(
    server: FaultServer, number: int, patience: float = 10.0
) -> tuple[list[Completion], Calls]:
    """The replies to that many requests, without the times they took."""
    calls = Calls(Limits(in_flight=48, patience=120.0, first_wait=0.002))
    model = OpenAICompatible("lab/m", "m", server.url, Key(SECRET), patience)
    try:
        work = [calls.complete(model, asked(n)) for n in range(number)]
        found = await asyncio.gather(*work)
    finally:
        await model.close()
    return [replace(completion, seconds=0.0) for completion, _ in found], calls


async def served(
    faults: Mapping[str, float], number: int, patience: float = 10.0
) -> tuple[list[Completion], FaultServer, Calls]:
    async with FaultServer(faults) as server:
        found, calls = await completions(server, number, patience)
        return found, server, calls


@pytest.fixture(scope="module")
def plain() -> list[Completion]:
    """What a server without faults answers."""
    found, server, _ = run(served({}, 40))
    assert set(server.requests.values()) == {1}
    assert len({completion.text for completion in found}) > 30
    return found


@pytest.mark.parametrize("fault", TRANSPORT)
def test_each_transport_fault_alone(fault: str, plain: list[Completion]) -> None:
    slow = fault in fault_server.SLOW_TO_FAIL
    number, patience = (4, 0.15) if slow else (40, 10.0)
    found, server, calls = run(served({fault: 1.0}, number, patience))
    assert found == plain[:number]
    assert calls.spent.calls == number
    # Each request met the fault as often as the server has it, and was answered once.
    assert set(server.requests.values()) == {MOST_FAULTS + 1}
    assert set(server.answered.values()) == {1}


def test_all_transport_faults_together(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    number = 2000
    fast = [fault for fault in TRANSPORT if fault not in fault_server.SLOW_TO_FAIL]
    faults = {**spread(fast, 0.3), "hang": 0.002, "stall": 0.002}
    without, _, _ = run(served({}, number))
    found, server, calls = run(served(faults, number, 1.5), 120)
    assert found == without
    assert calls.spent.calls == number
    assert sum(server.requests.values()) > 1.3 * number
    assert "planted" not in caplog.text


@pytest.mark.parametrize("fault", CONTENT)
def test_each_content_fault_alone(fault: str, plain: list[Completion]) -> None:
    found, server, _ = run(served({fault: 1.0}, 10))
    assert {completion.fault for completion in found} == {EXPECTED.get(fault, "")}
    assert set(server.requests.values()) == {1}
    for completion, whole in zip(found, plain, strict=False):
        completion.text.encode()
        if fault in UNHARMED:
            assert completion.text == whole.text
        elif fault not in EXPECTED:
            assert completion.text not in {"", whole.text}


def test_content_faults_are_the_same_under_transport_faults() -> None:
    content = spread(list(CONTENT), 0.5)
    fast = [fault for fault in TRANSPORT if fault not in fault_server.SLOW_TO_FAIL]
    without, _, _ = run(served(content, 400))
    found, server, _ = run(served({**content, **spread(fast, 0.3)}, 400))
    assert found == without
    assert {completion.fault for completion in found} == {"", *EXPECTED.values()}
    assert max(server.requests.values()) > 1


def test_what_hostile_replies_hold_is_kept_as_it_is() -> None:
    def text(fault: str) -> str:
        found, _, _ = run(served({fault: 1.0}, 1))
        return found[0].text

    assert len(text("huge")) == 1 << 20
    assert "<script>alert(1)</script>" in text("script")
    assert "\x00\x1b[31m" in text("control")
    assert text("fenced").startswith("```json\n{")
    assert text("surrogate").endswith("\ufffd}")
    assert json.loads(text("wrong-country"))["country"] == "Atlantis"


def test_equal_requests_at_once_are_answered_once() -> None:
    async def work() -> None:
        async with FaultServer() as server:
            calls = Calls()
            model = OpenAICompatible("lab/m", "m", server.url)
            found = await asyncio.gather(*(calls.complete(model, asked(1)) for _ in range(20)))
            await model.close()
            assert len({completion.text for completion, _ in found}) == 1
            assert list(server.requests.values()) == [1]
            assert calls.spent.calls == 1

    run(work())


def test_the_limit_on_calls_holds_at_the_server() -> None:
    async def work() -> None:
        async with FaultServer() as server:
            calls = Calls(Limits(calls=25, in_flight=16))
            model = OpenAICompatible("lab/m", "m", server.url)
            work = [calls.complete(model, asked(n)) for n in range(60)]
            found = await asyncio.gather(*work, return_exceptions=True)
            await model.close()
            assert sum(isinstance(outcome, tuple) for outcome in found) == 25
            assert sum(server.requests.values()) == 25

    run(work())
