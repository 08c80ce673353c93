"""What a call costs the client in CPU time: ours against bare aiohttp and the openai SDK.

Each call sends a history of 80 messages and one new one to a server in another process and reads
the reply. Ours is all in: building the request, the gate (limits, budget, single flight), sending,
reading; prompts are given as segments, as prompted seats have them. Bare aiohttp sends the same as
one JSON value with a list of messages and decodes the reply. The SDK is measured where `openai` is
installed. The bars: at most 0.6 ms, at most 2 x bare aiohttp, at least 15 x below the SDK, flat in
the length of the history.

    python benchmarks/client.py
"""

# ruff: noqa: T201 - a benchmark prints what it found

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import aiohttp
from aiohttp import web
from machine import machine

from socialcircuits.calls import Calls
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models import OpenAICompatible, Request

MESSAGES, CALLS, ROUNDS, IN_FLIGHT = 80, 300, 5, 16
LENGTHS = (10, 80, 320)
WORDS = "I see a horizontal edge between white and red, so I now believe that the flag is Peru's. "

REPLY = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": '{"country": "Peru", "reason": "."}'},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 2000, "completion_tokens": 20, "total_tokens": 2020},
    }
).encode()

Role = Literal["user", "assistant"]
Ask = Callable[[int], Awaitable[None]]


async def serve() -> None:
    """Answer every request with one reply, until killed; print the port."""

    async def reply(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(body=REPLY, content_type="application/json")

    app = web.Application()
    app.router.add_post("/v1/chat/completions", reply)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


def texts(messages: int) -> list[tuple[Role, str]]:
    """Role and text of each message of a history."""
    roles: tuple[Role, Role] = ("user", "assistant")
    return [(roles[i % 2], f"{i}: {WORDS}") for i in range(messages)]


def ours(url: str, messages: int) -> tuple[Ask, Callable[[], Awaitable[None]]]:
    """Our client, and how to close it."""
    model, calls = OpenAICompatible("bench/m", "m", url), Calls()
    segments = [Segment(role, "text", text.encode()) for role, text in texts(messages)]

    async def ask(number: int) -> None:
        last = Segment("user", "text", f"{number}: which country?".encode())
        request = Request((*segments, last), 200, 0.2, 1.0, seed=number)
        completion, _ = await calls.complete(model, request)
        assert completion.text

    return ask, model.close


def payload(history: list[dict[str, str]], number: int) -> dict[str, Any]:
    """The same request as one JSON value."""
    last = {"role": "user", "content": f"{number}: which country?"}
    sampling = {"max_tokens": 200, "temperature": 0.2, "top_p": 1.0, "seed": number}
    return {"model": "m", "messages": [*history, last], **sampling}


def bare(url: str, messages: int) -> tuple[Ask, Callable[[], Awaitable[None]]]:
    """Bare aiohttp, and how to close it."""
    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
    history = [{"role": role, "content": text} for role, text in texts(messages)]

    async def ask(number: int) -> None:
        sent = payload(history, number)
        async with session.post(f"{url}/chat/completions", json=sent) as response:
            found = await response.json()
        assert found["choices"][0]["message"]["content"]

    return ask, session.close


def sdk(url: str, messages: int) -> tuple[Ask, Callable[[], Awaitable[None]]]:
    """The openai SDK, and how to close it."""
    import openai

    client = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
    history = [{"role": role, "content": text} for role, text in texts(messages)]

    async def ask(number: int) -> None:
        found = await client.chat.completions.create(**payload(history, number))
        assert found.choices[0].message.content

    return ask, client.close


async def spend(ask: Ask) -> float:
    """CPU seconds a call of this process, over many calls."""
    numbers = iter(range(CALLS))

    async def work() -> None:
        for number in numbers:
            await ask(number)

    began = time.process_time()
    await asyncio.gather(*(work() for _ in range(IN_FLIGHT)))
    return (time.process_time() - began) / CALLS


async def measure(url: str) -> dict[str, float]:
    """Least CPU time a call of each client in ms, in rounds by turns."""
    clients = {"aiohttp": bare(url, MESSAGES)}
    clients |= {f"ours, {length} messages": ours(url, length) for length in LENGTHS}
    if importlib.util.find_spec("openai"):
        clients["openai SDK"] = sdk(url, MESSAGES)
    found: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, (ask, _) in clients.items():
            found[name] = min(found.get(name, 1e9), 1000 * await spend(ask))
    for _, close in clients.values():
        await close()
    return found


def main() -> None:
    """Run the benchmark."""
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        found = asyncio.run(measure(f"http://127.0.0.1:{port}/v1"))
        server.terminate()
    our = found[f"ours, {MESSAGES} messages"]
    print(machine())
    for name, milliseconds in found.items():
        print(f"{name}: {milliseconds:.3f} ms a call")
    print(f"ours: {our:.3f} ms (bar: 0.6), {our / found['aiohttp']:.2f} x aiohttp (bar: 2)")
    print(
        f"ours, {LENGTHS[-1]} / {LENGTHS[0]} messages: "
        f"{found[f'ours, {LENGTHS[-1]} messages'] / found[f'ours, {LENGTHS[0]} messages']:.2f} x"
    )
    if "openai SDK" in found:
        print(f"openai SDK: {found['openai SDK'] / our:.1f} x ours (bar: 15)")
    else:
        print("openai SDK: not installed, not measured")


if __name__ == "__main__":
    asyncio.run(serve()) if sys.argv[1:] == ["--serve"] else main()
