"""The same page served on this machine, for runs that are still going and for prompts."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, RLock
from typing import Any, ClassVar

from socialcircuits.errors import SocialCircuitsError, UsageError
from socialcircuits.studies import Run
from socialcircuits.viewer.chunks import Chunks, named, packed
from socialcircuits.viewer.shell import document, policy

__all__ = ["Server"]

HOST = "127.0.0.1"
SELF = "'self'"
SECONDS = 30
"""How long a connection may say nothing."""

TEXT, JSON, HTML = (
    f"{kind}; charset=utf-8" for kind in ("text/plain", "application/json", "text/html")
)

Stamp = tuple[int, ...]


class _Shelf:
    """One run file. Its chunks are made one at a time, whichever connection asks for them."""

    def __init__(self, path: Path, name: str, first: Path | None) -> None:
        self._path, self._name, self._first = path, name, first
        self._heading, self._reading = Lock(), RLock()
        self._head: tuple[Stamp, str] | None = None
        self._open: tuple[int, Run, Chunks] | None = None

    def _stamp(self) -> Stamp:
        """What changes when the file does: SQLite writes to the log beside it first."""
        found: list[int] = []
        for path in (self._path, Path(f"{self._path}-wal")):
            if path.exists():
                told = path.stat()
                found += [told.st_ino, told.st_mtime_ns, told.st_size]
        return tuple(found)

    def head(self) -> str:
        """Return the head, made anew where the file has changed since."""
        with self._heading:
            stamp = self._stamp()
            if self._head is None or self._head[0] != stamp:
                with Run(self._path) as run, Run(self._first or self._path) as first:
                    chunks = Chunks(run, self._name, first if self._first else None)
                    self._head = stamp, packed(chunks.head())
            return self._head[1]

    def read(self, what: Callable[[Chunks], Any]) -> str:
        """Return something of the run as it stands in the file now."""
        with self._reading:
            stamp = self._stamp()
            if self._open is None or self._open[0] != stamp[0]:
                self.close()
                run = Run(self._path)
                self._open = stamp[0], run, Chunks(run, self._name)
            return packed(what(self._open[2]))

    def close(self) -> None:
        """Close the run file."""
        with self._reading:
            if self._open is not None:
                self._open[1].close()
                self._open = None


class Server(ThreadingHTTPServer):
    """Serves run files to browsers of this machine, read only.

    It listens on 127.0.0.1 alone, knows the page and its chunks and no other path, and refuses
    requests that were meant for another host, as a page elsewhere could have them sent.

    Args:
        paths: the run files; the first is shown first, the others are compared with it.
        port: 0 for any that is free.

    Raises:
        UsageError: no run is given, or the port cannot be had.
        RunFileError: a run file is missing or damaged.
    """

    daemon_threads = True

    def __init__(self, paths: Sequence[str | Path], port: int = 0) -> None:
        if not paths:
            raise UsageError("the viewer needs at least one run")
        files = [Path(path) for path in paths]
        for path in files:
            Run(path).close()
        self.names = named(files)
        first, *_ = files
        self.shelves = [
            _Shelf(path, name, first if number else None)
            for number, (path, name) in enumerate(zip(files, self.names, strict=True))
        ]
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise UsageError(f"--port {port}: {error.strerror}; expected a free port") from None

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that went away while it was answered."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def server_close(self) -> None:
        """Stop listening, and close the run files."""
        super().server_close()
        for shelf in self.shelves:
            shelf.close()


class _Answer(Exception):
    """Why a request is not served."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        self.status, self.why = status, why
        super().__init__(why)


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    timeout = SECONDS
    protocol_version = "HTTP/1.1"

    def parse_request(self) -> bool:
        """Read the head of a request; refuse what is not for this server, or changes things."""
        if not super().parse_request():
            return False
        hosts = self.headers.get_all("Host", [])
        port = self.server.server_port
        if len(hosts) != 1 or hosts[0] not in {f"{HOST}:{port}", f"localhost:{port}"}:
            self.close_connection = True
            self._send(HTTPStatus.MISDIRECTED_REQUEST, TEXT, "this server answers for itself only")
            return False
        if self.command not in {"GET", "HEAD"}:
            self.close_connection = True
            self._send(HTTPStatus.METHOD_NOT_ALLOWED, TEXT, "read only", Allow="GET, HEAD")
            return False
        return True

    def do_GET(self) -> None:
        """Answer with the page, or with a chunk."""
        for pattern, route in self.ROUTES.items():
            found = re.fullmatch(pattern, self.path, re.ASCII)
            if found:
                try:
                    kind, body = route(self, *map(int, found.groups()))
                except _Answer as answer:
                    self._send(answer.status, TEXT, answer.why)
                except SocialCircuitsError as error:
                    self._send(HTTPStatus.INTERNAL_SERVER_ERROR, TEXT, str(error))
                else:
                    self._send(HTTPStatus.OK, kind, body)
                return
        self._send(HTTPStatus.NOT_FOUND, TEXT, "there is nothing here")

    def do_HEAD(self) -> None:
        """Answer without a body."""
        self.do_GET()

    def _page(self) -> tuple[str, str]:
        return HTML, "".join(document(connect=SELF))

    def _runs(self) -> tuple[str, str]:
        return JSON, json.dumps({"runs": self.server.names})

    def _head(self, run: int) -> tuple[str, str]:
        return TEXT, self._shelf(run).head()

    def _trial(self, run: int, number: int) -> tuple[str, str]:
        def find(chunks: Chunks) -> dict[str, Any]:
            if number not in chunks.numbers():
                raise _Answer(HTTPStatus.NOT_FOUND, f"there is no completed trial {number}")
            return chunks.trial(number)

        return TEXT, self._shelf(run).read(find)

    def _prompt(self, run: int, number: int, step: int) -> tuple[str, str]:
        def find(chunks: Chunks) -> dict[str, Any] | None:
            if number not in chunks.numbers():
                raise _Answer(HTTPStatus.NOT_FOUND, f"there is no completed trial {number}")
            return chunks.prompt(number, step)

        return TEXT, self._shelf(run).read(find)

    def _shelf(self, run: int) -> _Shelf:
        if run >= len(self.server.shelves):
            raise _Answer(HTTPStatus.NOT_FOUND, f"there is no run {run}")
        return self.server.shelves[run]

    ROUTES: ClassVar[Mapping[str, Callable[..., tuple[str, str]]]] = {
        r"/": _page,
        r"/data/runs": _runs,
        r"/data/run/(\d{1,4})/head": _head,
        r"/data/run/(\d{1,4})/trial/(\d{1,9})": _trial,
        r"/data/run/(\d{1,4})/prompt/(\d{1,9})/(\d{1,9})": _prompt,
    }
    """All that there is; any other path is nothing."""

    def _send(self, status: HTTPStatus, kind: str, body: str, **more: str) -> None:
        data = body.encode("utf-8", "replace")
        mark = f'"{blake2b(data, digest_size=16).hexdigest()}"'
        if status == HTTPStatus.OK and self.headers.get("If-None-Match") == mark:
            status, data = HTTPStatus.NOT_MODIFIED, b""
        self.send_response(status)
        own = policy(connect=SELF)
        headers = {
            "Content-Type": kind,
            "ETag": mark,
            "Cache-Control": "no-cache",
            "Content-Security-Policy": f"{own}; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            **more,
        }
        if status != HTTPStatus.NOT_MODIFIED:
            headers["Content-Length"] = str(len(data))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def version_string(self) -> str:
        """Return what serves; which Python that is concerns nobody."""
        return "socialcircuits"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is given
        """Say nothing: a page asks often."""
