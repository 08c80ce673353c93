"""The way to one server: its address, the key that goes there, and the connections."""

from __future__ import annotations

import io
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from socialcircuits.errors import Refused, Unavailable
from socialcircuits.models.endpoints import Key
from socialcircuits.models.openai_errors import failure

if TYPE_CHECKING:
    import aiohttp

LARGEST_PLAIN_BODY = 1 << 20
"""aiohttp wants a longer body, in bytes, as a stream."""


class Answer(NamedTuple):
    """What came back from a server.

    Args:
        status: the HTTP status.
        headers: the reply's headers.
        body: its body as it came; None where it is too long.
        seconds: from sending to the end of the reply.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes | None
    seconds: float = 0.0


class Wire:
    """Sends requests to one server from one event loop, any number at a time. It follows no
    redirect, uses no proxy and keeps no cookies.

    Args:
        name: provider and model, for errors.
        base_url: address up to and with the version.
        key: sent as a bearer token, never shown.
        timeout: most seconds a reply may take where nothing else is said.

    >>> Wire("lab/m", "http://127.0.0.1:8080/v1/", None, 5.0)
    Wire('lab/m')
    """

    def __init__(self, name: str, base_url: str, key: Key | None, timeout: float) -> None:
        self.name = name
        self._base, self._key, self._timeout = base_url.rstrip("/"), key, timeout
        self._session: aiohttp.ClientSession | None = None

    def __repr__(self) -> str:
        return f"Wire({self.name!r})"

    @property
    def secret(self) -> str:
        """The key, empty if there is none."""
        return self._key.reveal() if self._key is not None else ""

    async def post(self, path: str, data: bytes, largest: int) -> Answer:
        """Send a JSON body.

        Args:
            path: from the base URL on.
            data: the body.
            largest: most bytes of the reply that are read.

        Raises:
            Unavailable: a timeout, a cut connection, no server.
        """
        whole = data if len(data) <= LARGEST_PLAIN_BODY else io.BytesIO(data)
        kind = {"Content-Type": "application/json"}
        return await self._ask("POST", path, largest, data=whole, headers=kind)

    async def get(self, path: str, largest: int) -> Answer:
        """Fetch what stands under a path; see `post`."""
        return await self._ask("GET", path, largest)

    async def upload(self, path: str, fields: Mapping[str, str], file: bytes) -> Answer:
        """Send a file as part of a form; see `post`.

        Args:
            path: from the base URL on.
            fields: the other fields of the form.
            file: what the file holds.
        """
        import aiohttp

        form = aiohttp.FormData(fields)
        form.add_field("file", file, filename="requests.jsonl", content_type="application/jsonl")
        return await self._ask("POST", path, LARGEST_PLAIN_BODY, data=form)

    def failure(self, answer: Answer, found: Any) -> Unavailable | Refused:
        """Return the error that an answer other than success means.

        Args:
            answer: its status and headers count.
            found: what its body holds, from `openai_errors.problem`.
        """
        return failure(
            self.name, answer.status, answer.headers, found, now=time.time(), key=self.secret
        )

    async def close(self) -> None:
        """Close the connections; they are opened again when they are needed."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _ask(self, method: str, path: str, largest: int, **sent: Any) -> Answer:
        import aiohttp

        began = time.perf_counter()
        url, session = f"{self._base}/{path}", self._open()
        try:
            async with session.request(method, url, allow_redirects=False, **sent) as response:
                body = await _bounded(response.content, largest)
                return Answer(response.status, response.headers, body, time.perf_counter() - began)
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
            headers = {"Accept-Encoding": "identity"}
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


async def _bounded(stream: aiohttp.StreamReader, largest: int) -> bytes | None:
    """All bytes of a body, or None where they are too many."""
    chunks, size = [], 0
    async for chunk in stream.iter_any():
        size += len(chunk)
        if size > largest:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


__all__ = ["Answer", "Wire"]
