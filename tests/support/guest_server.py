"""The server of `fault_server` as a guest of a chatroom that knows answers and hears others.

It gives the true answer to a question that stands in the prompt, or the false one where it does not
know it; where it is gullible it takes over what others said last. As a judge of statements it
quotes what nobody said. All else it answers as the fault server does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread
from typing import NamedTuple, TypeVar

from aiohttp import web

from tests.support.fault_server import FaultServer, Reply, envelope

Served = TypeVar("Served", bound=FaultServer)

ASKED = "Reply with exactly this JSON object"
"""Stands in all that a study asks, and not in what finds out what a server does."""


class Answers(NamedTuple):
    """The answers to a question."""

    true: str
    false: str


class GuestServer(FaultServer):
    """The server.

    Args:
        questions: question -> its answers.
        unknown: questions that it answers wrongly alone.
        gullible: questions for which it believes others.
        enough: after so many requests of a study `reached` is set; 0: never.
    """

    def __init__(
        self,
        questions: Mapping[str, Answers],
        unknown: Collection[str] = (),
        gullible: Collection[str] = (),
        enough: int = 0,
    ) -> None:
        super().__init__()
        self._questions, self._unknown, self._gullible = questions, unknown, gullible
        self._enough, self.reached = enough, Event()

    @property
    def asked(self) -> list[Reply]:
        """What a study asked it, in order."""
        return [body for body in self.bodies if ASKED in str(body["messages"][-1]["content"])]

    def _reply(self, asked: Reply, digest: bytes) -> web.Response:
        if 0 < self._enough <= len(self.asked):
            self.reached.set()
        said = self._said(asked)
        if not said:
            return super()._reply(asked, digest)
        self.answered[digest.hex()] += 1
        return web.json_response(envelope(asked, json.dumps(said), digest))

    def _said(self, asked: Reply) -> dict[str, str]:
        text = str(asked["messages"][-1]["content"])
        question = next((one for one in self._questions if one in text), None)
        if question is None or ASKED not in text:
            return {}
        form = text.rpartition(ASKED)[2]
        if '"stance"' in form:
            return {"reasoning": "", "stance": "endorse", "quote": "Nobody said this."}
        answer = self._answer(question, text)
        if '"message"' in form:
            return {"message": f"It is {answer}."}
        return {"answer": answer} if '"answer"' in form else {}

    def _answer(self, question: str, text: str) -> str:
        answers = self._questions[question]
        talk = [line for line in text.splitlines() if line.startswith('{"from"')]
        heard = [one for line in talk for one in answers if one in line]
        if question in self._gullible and heard:
            return heard[-1]
        return answers.false if question in self._unknown else answers.true


@contextmanager
def serving(server: Served) -> Iterator[Served]:
    """Run a server in a thread of this process, so that a test sees what it is sent."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(10)
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
