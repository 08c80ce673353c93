"""The server of `fault_server` as the author of a pack: it writes messages for an answer."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from aiohttp import web

from socialcircuits.packs import MOST
from tests.support.fault_server import Reply, envelope
from tests.support.guest_server import ASKED, Answers, GuestServer, serving

Write = Callable[[str, int], Mapping[str, str] | str]
"""(answer, how often it was asked for before) -> the messages by number; a text: a refusal."""

_ANSWER = re.compile(r'^Answer that all eight guests hold: "(.*)"$', re.MULTILINE)


def messages(answer: str) -> dict[str, str]:
    """Sound messages for an answer."""
    return {str(n): f"Reason {n} speaks for {answer}." for n in range(1, MOST + 1)}


def sound(answer: str, nth: int) -> dict[str, str]:
    """Write sound messages at once."""
    return messages(answer)


class AuthorServer(GuestServer):
    """The server.

    Args:
        write: what it writes.
        faults: name of a transport fault -> its probability.
        questions: what it knows as the subject of a test: question -> its answers.
    """

    def __init__(
        self,
        write: Write = sound,
        faults: Mapping[str, float] | None = None,
        questions: Mapping[str, Answers] | None = None,
    ) -> None:
        super().__init__(questions or {})
        self._fails = dict(faults or {})
        self._write = write
        self.written = Counter[str]()

    def _reply(self, asked: Reply, digest: bytes) -> web.Response:
        text = str(asked["messages"][-1]["content"])
        found = _ANSWER.search(text) if ASKED in text else None
        if found is None:
            return super()._reply(asked, digest)
        answer = found[1]
        said = self._write(answer, self.written[answer])
        self.written[answer] += 1
        whole = envelope(asked, "" if isinstance(said, str) else json.dumps(said), digest)
        if isinstance(said, str):
            whole["choices"][0]["message"] = {"role": "assistant", "refusal": said}
        return web.json_response(whole)


@contextmanager
def authoring(server: AuthorServer) -> Iterator[AuthorServer]:
    """Run a server in a thread of this process."""
    with serving(server):
        yield server
