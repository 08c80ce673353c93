"""Batches of requests, in the form of OpenAI: a file goes up, and some hours later files come down.

Source: OpenAI, Batch API guide and API reference (Files, Batch).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from socialcircuits.errors import Refused, Unavailable
from socialcircuits.models.interface import Completion, Request
from socialcircuits.models.openai_compatible import OpenAICompatible
from socialcircuits.models.openai_errors import problem, scrub, words
from socialcircuits.models.wire import Answer

MOST_LINES = 50_000
"""Most requests of one batch."""

MOST_BYTES = 100 << 20
"""Most bytes of the file that goes up; the provider takes twice as much."""

FULL = "token_limit_exceeded"
"""The code of a batch that was refused because too many tokens wait in others."""

_LARGEST_FILE, _LARGEST_REPLY = 1 << 30, 8 << 20
_UNSENT = frozenset({"batch_expired", "batch_cancelled", "request_timeout"})
_NOWHERE = (404, 405, 501)
_PAGE, _MOST_PAGES = 100, 50


class Progress(NamedTuple):
    """How far a batch is.

    Args:
        id: its number with the provider.
        status: the provider's word: validating, in_progress, completed, expired, ...
        done: requests that were answered.
        total: requests in all; 0 before they are counted.
        outputs: numbers of the files of answers and of errors, as far as there are any.
        code: of a batch that failed as a whole: the provider's code of the first reason.
        why: its words.
    """

    id: str
    status: str
    done: int = 0
    total: int = 0
    outputs: tuple[str, ...] = ()
    code: str = ""
    why: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come.

        >>> Progress("batch_1", "finalizing").ended
        False
        """
        return self.status in {"completed", "failed", "expired", "cancelled"}


class OpenAIBatch:
    """The batches of a model whose provider takes them. Each method sends one request, once; what
    is sent again, and when, is settled in `socialcircuits.calls.batch`.

    Args:
        model: the model; its connections are used.

    Attributes:
        name: provider and model.

    >>> OpenAIBatch(OpenAICompatible("lab/m", "m", "http://127.0.0.1:8080/v1")).name
    'lab/m'
    """

    def __init__(self, model: OpenAICompatible) -> None:
        self.name = model.name
        self.meet = model.meet
        self._model, self._wire = model, model.wire

    def line(self, name: str, request: Request) -> bytes:
        """Return the line of a request in the file that goes up.

        Args:
            name: tells it from the others of its batch, at most 64 characters.
            request: the request.

        Raises:
            Refused: it cannot be asked; see `OpenAICompatible.complete`.
        """
        head = b'{"custom_id":%b,"method":"POST","url":"/v1/chat/completions","body":'
        return head % json.dumps(name).encode() + self._model.body(request) + b"}\n"

    def receive(self, request: Request, answer: Answer) -> Completion | None:
        """Read the answer to a request; see `OpenAICompatible.receive`."""
        return self._model.receive(request, answer)

    async def upload(self, lines: Sequence[bytes]) -> str:
        """Send the file of a batch; return its number.

        Raises:
            Unavailable: a transport fault.
            Refused: the provider takes no files.
        """
        answer = await self._wire.upload("files", {"purpose": "batch"}, b"".join(lines))
        if answer.status in _NOWHERE:
            raise Refused(f"{self.name}: HTTP {answer.status}: the server takes no batches")
        return _text(self._object(answer).get("id"))

    async def create(self, file: str) -> Progress:
        """Start the batch of a file that went up. From here on it is paid for.

        Raises:
            Unavailable: a transport fault, perhaps after the batch was started: `find` it.
            Refused: the provider does not start it.
        """
        wanted = {
            "input_file_id": file,
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
        }
        sent = json.dumps(wanted).encode()
        return self._progress(self._object(await self._wire.post("batches", sent, _LARGEST_REPLY)))

    async def find(self, file: str) -> Progress | None:
        """Return the batch that was started from a file, or None if there is none.

        Raises:
            Unavailable, Refused: see `look`.
        """
        path = f"batches?limit={_PAGE}"
        for _ in range(_MOST_PAGES):
            found = self._object(await self._wire.get(path, _LARGEST_REPLY))
            rows = [row for row in found.get("data") or [] if isinstance(row, dict)]
            for row in rows:
                if row.get("input_file_id") == file:
                    return self._progress(row)
            if not rows or not found.get("has_more"):
                break
            path = f"batches?limit={_PAGE}&after={_text(rows[-1].get('id'))}"
        return None

    async def look(self, batch: str) -> Progress:
        """Return how far a batch is.

        Raises:
            Unavailable: a transport fault.
            Refused: there is no such batch for this key.
        """
        answer = await self._wire.get(f"batches/{batch}", _LARGEST_REPLY)
        return self._progress(self._object(answer))

    async def results(self, progress: Progress) -> dict[str, Answer]:
        """Return the answers of a batch that has ended, by the names of their requests, whatever
        their order. Of two lines of one name the first counts, and answers before errors. Requests
        that were never carried out have none.

        Raises:
            Unavailable: a transport fault, or a file that is not whole.
            Refused: a file is gone.
        """
        found: dict[str, Answer] = {}
        for file in progress.outputs:
            answer = await self._wire.get(f"files/{file}/content", _LARGEST_FILE)
            if answer.body is None:
                raise Refused(f"{self.name}: the answers of {progress.id} are too long to be read")
            if not 200 <= answer.status < 300:
                raise self._wire.failure(answer, problem(answer.body))
            for name, line in _lines(answer.body):
                found.setdefault(name, line)
        if len(found) < progress.done:
            # What seems to be missing must not be asked again, for it is paid for.
            came = f"{len(found)} of {progress.done} answers of {progress.id} came"
            raise Unavailable(f"{self.name}: {came}")
        return found

    def _object(self, answer: Answer) -> dict[str, Any]:
        """The JSON object in an answer."""
        if answer.body is None or not 200 <= answer.status < 300:
            raise self._wire.failure(answer, problem(answer.body or b""))
        try:
            found = json.loads(answer.body)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise Unavailable(f"{self.name}: the reply was cut or is not JSON")
        return found

    def _progress(self, row: Mapping[str, Any]) -> Progress:
        counts = _dict(row.get("request_counts"))
        done, total = (counts.get(name) for name in ("completed", "total"))
        outputs = (row.get("output_file_id"), row.get("error_file_id"))
        reasons = _dict(row.get("errors")).get("data")
        reason = _dict(reasons[0]) if isinstance(reasons, list) and reasons else {}
        return Progress(
            _text(row.get("id")),
            str(row.get("status", "")).lower(),
            done if type(done) is int else 0,
            total if type(total) is int else 0,
            tuple(_text(file) for file in outputs if file),
            str(reason.get("code") or ""),
            scrub(words(reason), self._wire.secret),
        )


def _lines(body: bytes) -> Iterator[tuple[str, Answer]]:
    """The names and answers in a file; what is no line of a batch is passed over."""
    for line in body.split(b"\n"):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(row, dict) or not isinstance(row.get("custom_id"), str):
            continue
        response, error = row.get("response"), row.get("error")
        if isinstance(response, dict) and type(response.get("status_code")) is int:
            said = json.dumps(response.get("body")).encode()
            yield row["custom_id"], Answer(response["status_code"], {}, said)
        elif error and _dict(error).get("code") not in _UNSENT:
            yield row["custom_id"], Answer(400, {}, json.dumps({"error": error}).encode())


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    """The number of a file or a batch, which goes into addresses."""
    if isinstance(value, str) and value.replace("-", "").replace("_", "").isalnum():
        return value
    raise Unavailable("the server gave no number of a file or a batch")


__all__ = ["FULL", "MOST_BYTES", "MOST_LINES", "OpenAIBatch", "Progress"]
