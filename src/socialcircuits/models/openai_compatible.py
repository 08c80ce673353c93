"""Models behind any server that speaks the OpenAI form of chat completions."""

from __future__ import annotations

import asyncio
import json
import sys
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from socialcircuits.errors import Refused, Unavailable
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models.endpoints import Key
from socialcircuits.models.interface import Capabilities, Completion, Form, Request
from socialcircuits.models.openai_errors import (
    Busy,
    hidden_status,
    problem,
    refused_parameter,
    used_up,
    words,
)
from socialcircuits.models.openai_reply import (
    CUT_THINKING,
    TOO_LONG,
    completion,
    decode,
    error_of,
)
from socialcircuits.models.openai_request import ALWAYS, body, options
from socialcircuits.models.wire import Answer, Wire

LARGEST_REPLY = 8 << 20
"""A longer body, in bytes, is not read to its end."""

LOADING_WAIT = 0.25
"""Seconds between two questions to a server that is still loading its model."""

PROBE_TRIES = 5
"""How often a probe is sent in spite of transport faults."""

ASKED_LOGPROBS = (20, 5)
"""The caps that servers use: the first is that of OpenAI, the second that of older ones."""

_COUNTING = Segment("user", "text", b"one two three four five six")
_HELLO = Request((_COUNTING,), 16, temperature=0.0)
_FORMS: tuple[Form, ...] = get_args(Form)
_REFUSALS = (400, 404, 422)
"""Statuses of refusals that may be about a parameter."""

_UNKNOWN = Capabilities(schema=True, logprobs=sys.maxsize, prefill=True, seed=True, images=True)
_SPECIAL = frozenset(
    {"response_format", "structured_outputs", "guided_json", "seed", "logprobs", "top_logprobs"}
)
_CONTINUED = ("one two three four five six one two three", " four")
_FORMED = Request(
    (_COUNTING, Segment("user", "text", b' Reply in JSON: {"word": "one"}')), 16, temperature=0.0
)
_SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": ["one", "two"]}},
    "required": ["word"],
    "additionalProperties": False,
}


SAMPLING = ("temperature", "top_p")
"""Parameters without which a reply is no longer the one that was asked for."""


class OpenAICompatible:
    """A model behind a server that takes ``POST {base_url}/chat/completions``.

    One instance sends any number of requests at a time from one event loop.

    Args:
        name: provider and model; enters the ids of minds.
        model: the server's name of the model.
        base_url: address up to and with the version, for example ``http://127.0.0.1:8080/v1``.
        key: sent as a bearer token, never shown.
        timeout: most seconds a reply may take, from sending to its end.

    Attributes:
        capabilities: what `probe` found; None before it. Then schema, seed, prefill and
            log-probabilities are sent only where the server takes them; before, as asked for.
        dropped: parameters that the server refused -> its words. They are sent no more.
        wire: the way to the server.

    >>> OpenAICompatible("lab/m", "m", "http://127.0.0.1:8080/v1")
    OpenAICompatible('lab/m')
    """

    def __init__(
        self,
        name: str,
        model: str,
        base_url: str,
        key: Key | str | None = None,
        timeout: float = 120.0,
    ) -> None:
        self.name = name
        self.capabilities: Capabilities | None = None
        self.dropped: dict[str, str] = {}
        self.wire = Wire(name, base_url, Key(key) if isinstance(key, str) else key, timeout)
        self._model, self._timeout = model, timeout
        self._always = ALWAYS.get(name.partition("/")[0], {})

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.name!r})"

    async def complete(self, request: Request) -> Completion:
        """Send one request. Where the server refuses a parameter by name, the request goes out
        again without it, and so do all later ones; see `dropped`.

        Returns:
            What came back; after a prefill, what follows it, also from a server that repeats it.
            Wrong content is a `fault` of the completion, never an exception.

        Raises:
            Unavailable: 408, 409, 425, 429, 5xx, a timeout, a cut connection, a cut or invalid
                reply; `retry_after` is set where the server says when to come again.
            Refused: any other status, a redirect, an image for a model that takes none, a
                temperature or top_p for one that takes none.
        """
        request = self._suited(request)
        self._demand(request)
        completion = await self._send(request, self.capabilities or _UNKNOWN)
        self._demand(request)
        return completion

    def body(self, request: Request) -> bytes:
        """Return the body under which a request goes out, for whoever sends it another way.

        Raises:
            Refused: it cannot be asked; see `complete`.
        """
        request = self._suited(request)
        self._demand(request)
        chosen = self._options(request, self.capabilities or _UNKNOWN)
        return body(self._model, request, chosen)

    def receive(self, request: Request, answer: Answer) -> Completion | None:
        """Read the answer to a request that was sent another way.

        Returns:
            What came back; None where the server refused a parameter, so that the request is to be
            sent again: its `body` is another one now.

        Raises:
            Unavailable, Refused: see `complete`.
        """
        sent = options(request, self.capabilities or _UNKNOWN)
        return self._read(request, answer, sent, frozenset())

    def _suited(self, request: Request) -> Request:
        """The request as far as the server can take it."""
        able = self.capabilities or _UNKNOWN
        if not able.images and any(segment.kind == "image" for segment in request.segments):
            raise Refused(f"{self.name}: this model takes no images")
        return replace(request, prefill="") if request.prefill and not able.prefill else request

    def _demand(self, request: Request) -> None:
        """Refuse to ask where the reply would not be from the distribution that was asked for.

        Raises:
            Refused: the server takes no temperature or top_p, and one is set.
        """
        for name in SAMPLING:
            said = self.dropped.get(name)
            if said is not None and getattr(request, name) is not None:
                hint = f"ask without: ?{name}=none"
                raise Refused(f"{self.name}: no {name} can be set ({said}); {hint}")

    async def probe(self) -> Capabilities:
        """Find out by a few tiny requests what the server does, and keep it in `capabilities`.

        A server that is still loading is waited for, at most as long as a reply may take; other
        transport faults are tried a few times. After the first request a refusal means that the
        server does not do what was asked.

        Raises:
            Unavailable: no server is there, or it stayed busy.
            Refused: it does not answer a plain request.
        """
        await self.meet()
        alternatives = 0
        for asked in ASKED_LOGPROBS:
            request = replace(_HELLO, top_logprobs=asked)
            reply = await self._try(request, Capabilities(logprobs=asked))
            if reply is not None and reply.tokens:
                alternatives = min(asked, max(len(token.top) for token in reply.tokens))
                break
        start, rest = _CONTINUED
        prefilled = await self._try(replace(_HELLO, prefill=start), Capabilities(prefill=True))
        form = await self._form()
        with_image = replace(_HELLO, segments=(_COUNTING, Segment("user", "image", _white_png())))
        self.capabilities = Capabilities(
            schema=form is not None,
            logprobs=alternatives,
            prefill=prefilled is not None and prefilled.text.startswith(rest),
            seed=await self._try(replace(_HELLO, seed=1), Capabilities(seed=True)) is not None,
            images=await self._try(with_image, Capabilities()) is not None,
            form=form or "json_schema",
        )
        return self.capabilities

    async def close(self) -> None:
        """Close the connections; the model may be used again afterwards."""
        await self.wire.close()

    async def meet(self) -> None:
        """Get any reply, and learn from it which parameters are refused. A server that says it is
        busy may take its time.

        Raises:
            Unavailable, Refused: see `probe`.
        """
        loop = asyncio.get_running_loop()
        end, tries = loop.time() + self._timeout, 0
        while True:
            try:
                await self._send(_HELLO, Capabilities())
            except Unavailable as fault:
                tries += not isinstance(fault, Busy)
                wait = LOADING_WAIT if fault.retry_after is None else fault.retry_after
                if tries == PROBE_TRIES or loop.time() + wait > end:
                    raise
                await asyncio.sleep(wait)
            else:
                return

    async def _form(self) -> Form | None:
        """How the server is told the form of a reply, or None where it cannot be.

        Fields that only one server knows others pass over in silence: these must show in the reply.
        """
        for form in _FORMS:
            able = Capabilities(schema=True, form=form)
            reply = await self._try(replace(_FORMED, schema=_SCHEMA), able)
            standard = form in {"json_schema", "json_object"}
            if reply is not None and (standard or _holds(reply.text)):
                return form
        return None

    async def _try(self, request: Request, able: Capabilities) -> Completion | None:
        """The reply to a request that asks for something special, or None if it is refused."""
        for _ in range(PROBE_TRIES):
            try:
                return await self._send(request, able, needed=_SPECIAL)
            except Unavailable as fault:
                await asyncio.sleep(min(fault.retry_after or LOADING_WAIT, self._timeout))
            except Refused:
                return None
        return None

    async def _send(
        self, request: Request, able: Capabilities, needed: frozenset[str] = frozenset()
    ) -> Completion:
        """Send a request until no parameter but the needed ones is refused."""
        while True:
            chosen = self._options(request, able)
            sent = body(self._model, request, chosen)
            answer = await self.wire.post("chat/completions", sent, LARGEST_REPLY)
            read = self._read(request, answer, chosen, needed)
            if read is not None:
                return read

    def _options(self, request: Request, able: Capabilities) -> dict[str, Any]:
        chosen = {**self._always, **options(request, able)}
        for name in self.dropped:
            value = chosen.pop(name, None)
            if name == "max_tokens":
                chosen["max_completion_tokens"] = value
            elif name == "stream":
                chosen |= {"stream": True, "stream_options": {"include_usage": True}}
            elif name in {"logprobs", "top_logprobs"}:
                chosen = {k: v for k, v in chosen.items() if not k.endswith("logprobs")}
        return chosen

    def _read(
        self, request: Request, answer: Answer, sent: Mapping[str, Any], needed: frozenset[str]
    ) -> Completion | None:
        """The completion in an answer, or None where a parameter was refused and dropped."""
        if answer.body is None:
            return Completion("", fault=TOO_LONG, seconds=answer.seconds)
        if 200 <= answer.status < 300:
            return _continuation(self._decoded(answer, answer.body), request.prefill)
        found = problem(answer.body)
        if answer.status == 400 and used_up(found):
            return Completion("", "length", CUT_THINKING, seconds=answer.seconds)
        refused = refused_parameter(found, sent) if answer.status in _REFUSALS else ""
        if not refused or refused in needed:
            raise self.wire.failure(answer, found)
        self.dropped.setdefault(refused, words(found, self.wire.secret))
        return None

    def _decoded(self, answer: Answer, payload: bytes) -> Completion:
        secret = self.wire.secret.encode()
        if secret:
            payload = payload.replace(secret, b"[key]")
        try:
            found = decode(payload)
        except ValueError:
            found = None
        if found is None and payload.lstrip()[:1] == b"<":
            raise Refused(f"{self.name}: the server sent a web page, not a chat completion")
        if found is None:
            raise Unavailable(f"{self.name}: the reply was cut or is not JSON")
        status = hidden_status(found)
        if status is not None:
            raise self.wire.failure(answer._replace(status=status), error_of(found))
        return completion(found, answer.seconds)


def _continuation(read: Completion, prefill: str) -> Completion:
    """A completion without the start that it was given."""
    if prefill and read.text.startswith(prefill):
        return replace(read, text=read.text[len(prefill) :])
    return read


def _holds(text: str) -> bool:
    """Whether a text is of the form that was asked for when the server was tried."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return said in ({"word": "one"}, {"word": "two"})


def _white_png(side: int = 32) -> bytes:
    """A white grey-scale picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        whole = kind + data
        return len(data).to_bytes(4, "big") + whole + zlib.crc32(whole).to_bytes(4, "big")

    size = side.to_bytes(4, "big")
    pixels = zlib.compress((b"\0" + b"\xff" * side) * side)
    head = chunk(b"IHDR", size + size + bytes((8, 0, 0, 0, 0)))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
