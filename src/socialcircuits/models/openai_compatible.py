"""Models behind any server that speaks the OpenAI form of chat completions."""

from __future__ import annotations

import asyncio
import io
import sys
import time
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from socialcircuits.errors import Refused, Unavailable
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models.endpoints import Key
from socialcircuits.models.interface import Capabilities, Completion, Request
from socialcircuits.models.openai_errors import (
    Busy,
    failure,
    hidden_status,
    problem,
    refused_parameter,
    words,
)
from socialcircuits.models.openai_reply import TOO_LONG, completion, decode, error_of
from socialcircuits.models.openai_request import body, options

if TYPE_CHECKING:
    import aiohttp

LARGEST_REPLY = 8 << 20
"""A longer body, in bytes, is not read to its end."""

LARGEST_PLAIN_BODY = 1 << 20
"""aiohttp wants a longer body, in bytes, as a stream."""

LOADING_WAIT = 0.25
"""Seconds between two questions to a server that is still loading its model."""

PROBE_TRIES = 5
"""How often a probe is sent in spite of transport faults."""

ASKED_LOGPROBS = (20, 5)
"""The caps that servers use: the first is that of OpenAI, the second that of older ones."""

_COUNTING = Segment("user", "text", b"one two three four five six")
_HELLO = Request((_COUNTING,), 16, temperature=0.0)
_UNKNOWN = Capabilities(schema=True, logprobs=sys.maxsize, prefill=True, seed=True, images=True)
_SPECIAL = frozenset({"response_format", "seed", "logprobs", "top_logprobs"})
_CONTINUED = ("one two three four five six one two three", " four")
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

    One instance sends any number of requests at a time from one event loop. It follows no
    redirect, uses no proxy and keeps no cookies.

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
        self._model = model
        self._url = base_url.rstrip("/") + "/chat/completions"
        self._key = Key(key) if isinstance(key, str) else key
        self._timeout = timeout
        self._session: aiohttp.ClientSession | None = None

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
        able = self.capabilities or _UNKNOWN
        if not able.images and any(segment.kind == "image" for segment in request.segments):
            raise Refused(f"{self.name}: this model takes no images")
        if request.prefill and not able.prefill:
            request = replace(request, prefill="")
        self._demand(request)
        completion = await self._send(request, able)
        self._demand(request)
        return completion

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
        await self._first()
        alternatives = 0
        for asked in ASKED_LOGPROBS:
            request = replace(_HELLO, top_logprobs=asked)
            reply = await self._try(request, Capabilities(logprobs=asked))
            if reply is not None and reply.tokens:
                alternatives = min(asked, max(len(token.top) for token in reply.tokens))
                break
        start, rest = _CONTINUED
        prefilled = await self._try(replace(_HELLO, prefill=start), Capabilities(prefill=True))
        with_schema = replace(_HELLO, schema=_SCHEMA)
        with_image = replace(_HELLO, segments=(_COUNTING, Segment("user", "image", _white_png())))
        self.capabilities = Capabilities(
            schema=await self._try(with_schema, Capabilities(schema=True)) is not None,
            logprobs=alternatives,
            prefill=prefilled is not None and prefilled.text.startswith(rest),
            seed=await self._try(replace(_HELLO, seed=1), Capabilities(seed=True)) is not None,
            images=await self._try(with_image, Capabilities()) is not None,
        )
        return self.capabilities

    async def close(self) -> None:
        """Close the connections; the model may be used again afterwards."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _first(self) -> None:
        """Get any reply; a server that says it is busy may take its time."""
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
            began = time.perf_counter()
            status, headers, payload = await self._post(body(self._model, request, chosen))
            if payload is None:
                return Completion("", fault=TOO_LONG, seconds=time.perf_counter() - began)
            if 200 <= status < 300:
                read = self._read(payload, headers, time.perf_counter() - began)
                return _continuation(read, request.prefill)
            found = problem(payload)
            refused = refused_parameter(found, chosen) if status in {400, 422} else ""
            if not refused or refused in needed:
                raise self._failure(status, headers, found)
            self.dropped[refused] = words(found, self._secret())

    def _options(self, request: Request, able: Capabilities) -> dict[str, Any]:
        chosen = options(request, able)
        for name in self.dropped:
            value = chosen.pop(name, None)
            if name == "max_tokens":
                chosen["max_completion_tokens"] = value
            elif name == "stream":
                chosen |= {"stream": True, "stream_options": {"include_usage": True}}
            elif name in {"logprobs", "top_logprobs"}:
                chosen = {k: v for k, v in chosen.items() if not k.endswith("logprobs")}
        return chosen

    async def _post(self, data: bytes) -> tuple[int, Mapping[str, str], bytes | None]:
        """Send a body; return status, headers and body, None where that is too long."""
        import aiohttp

        session = self._open()
        whole = data if len(data) <= LARGEST_PLAIN_BODY else io.BytesIO(data)
        what = ""
        try:
            async with session.post(self._url, data=whole, allow_redirects=False) as response:
                return response.status, response.headers, await _bounded(response.content)
        except TimeoutError:
            what = f"no reply within {self._timeout:g} s"
        except aiohttp.ClientSSLError as error:
            what = f"no secure connection to {error.host}:{error.port}"
        except aiohttp.ClientConnectorError as error:
            what = f"cannot connect to {error.host}:{error.port}"
        except aiohttp.ClientResponseError:
            what = "the server does not speak HTTP"
        except (aiohttp.ClientError, OSError):
            what = "the connection was cut"
        # Raised outside of the handlers: what aiohttp raises holds the request's headers.
        raise Unavailable(f"{self.name}: {what}")

    def _open(self) -> aiohttp.ClientSession:
        import aiohttp

        if self._session is None:
            headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
            if self._key is not None:
                headers["Authorization"] = f"Bearer {self._key.reveal()}"
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers=headers,
                timeout=aiohttp.ClientTimeout(total=self._timeout),
                trust_env=False,
            )
        return self._session

    def _read(self, payload: bytes, headers: Mapping[str, str], seconds: float) -> Completion:
        secret = self._secret().encode()
        if secret and secret in payload:
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
            raise self._failure(status, headers, error_of(found))
        return completion(found, seconds)

    def _failure(
        self, status: int, headers: Mapping[str, str], found: Any
    ) -> Unavailable | Refused:
        secret = self._secret()
        return failure(self.name, status, headers, found, now=time.time(), key=secret)

    def _secret(self) -> str:
        return self._key.reveal() if self._key is not None else ""


def _continuation(read: Completion, prefill: str) -> Completion:
    """A completion without the start that it was given."""
    if prefill and read.text.startswith(prefill):
        return replace(read, text=read.text[len(prefill) :])
    return read


async def _bounded(stream: aiohttp.StreamReader) -> bytes | None:
    """All bytes of a body, or None where they are too many."""
    chunks, size = [], 0
    async for chunk in stream.iter_any():
        size += len(chunk)
        if size > LARGEST_REPLY:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


def _white_png(side: int = 32) -> bytes:
    """A white grey-scale picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        whole = kind + data
        return len(data).to_bytes(4, "big") + whole + zlib.crc32(whole).to_bytes(4, "big")

    size = side.to_bytes(4, "big")
    pixels = zlib.compress((b"\0" + b"\xff" * side) * side)
    head = chunk(b"IHDR", size + size + bytes((8, 0, 0, 0, 0)))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
