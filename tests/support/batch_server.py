"""A server on loopback that takes batches in the form of OpenAI, and fails as it is told to.

It runs in a thread of its own, so that what is tested may run a loop itself, or be another process.
A batch is carried out when it is looked at for the second time.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from aiohttp import web

Row = dict[str, Any]
Spoil = Callable[[list[Row]], Iterable[Row | str]]

NOT_RUN = {
    "code": "batch_expired",
    "message": "This request could not be executed before the completion window expired.",
}


def message(text: str) -> Row:
    """A completion around a text."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return {"choices": [{**choice, "finish_reason": "stop"}], "usage": usage}


class BatchServer:
    """The server. Use as a context manager.

    Args:
        reply: the body of a request -> the text of the reply, or the status and body of an error.

    Attributes:
        expire: names of that many requests, the last ones of each batch, stay unanswered; as many
            batches as the list is long.
        end: status in which a batch with unanswered requests ends.
        failures: codes with which the next batches fail as a whole.
        spoil: what becomes of the lines of answers.
        lose: the next so many batches are started, but nobody is told.
        refuse: status with which files are refused.
        held: batches are not carried out while this is set.
        files: number -> content.
        batches: number -> batch, in order.
        paid: the bodies that were answered, each with how often.
    """

    def __init__(self, reply: Callable[[Row], str | tuple[int, Row]]) -> None:
        self._reply = reply
        self.expire: list[int] = []
        self.end = "expired"
        self.failures: list[str] = []
        self.spoil: Spoil = lambda rows: rows
        self.lose = self.refuse = 0
        self.held = threading.Event()
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, Row] = {}
        self.paid: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self.authorizations: set[str] = set()
        self.port = 0
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def lines(self) -> list[Row]:
        """The lines of all batches that were started."""
        sent = (self.files[batch["input_file_id"]] for batch in self.batches.values())
        return [json.loads(line) for data in sent for line in data.splitlines()]

    def __enter__(self) -> BatchServer:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *raised: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        app = web.Application(client_max_size=1 << 28)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/files", self._upload)
        app.router.add_get("/v1/files/{id}/content", self._content)
        app.router.add_post("/v1/batches", self._create)
        app.router.add_get("/v1/batches", self._list)
        app.router.add_get("/v1/batches/{id}", self._look)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.port = runner.addresses[0][1]
        self._ready.set()
        await self._over.wait()
        await runner.cleanup()

    async def _chat(self, request: web.Request) -> web.Response:
        """The same reply as in a batch."""
        self.requests["chat"] += 1
        said = self._reply(await request.json())
        status, body = (200, message(said)) if isinstance(said, str) else said
        return web.json_response(body, status=status)

    async def _upload(self, request: web.Request) -> web.Response:
        self.requests["upload"] += 1
        self.authorizations.add(request.headers.get("Authorization", ""))
        if self.refuse:
            return web.json_response({"detail": "Not Found"}, status=self.refuse)
        form = await request.post()
        assert form["purpose"] == "batch"
        file = form["file"]
        assert isinstance(file, web.FileField)
        assert file.filename.endswith(".jsonl")
        name = f"file-{len(self.files)}"
        self.files[name] = file.file.read()
        return web.json_response({"id": name, "object": "file", "purpose": "batch"})

    async def _content(self, request: web.Request) -> web.Response:
        self.requests["content"] += 1
        return web.Response(body=self.files[request.match_info["id"]])

    async def _create(self, request: web.Request) -> web.Response:
        self.requests["create"] += 1
        asked = await request.json()
        assert asked["endpoint"] == "/v1/chat/completions"
        assert asked["completion_window"] == "24h"
        lines = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
        assert len({line["custom_id"] for line in lines}) == len(lines)
        assert all(len(line["custom_id"]) <= 64 for line in lines)
        batch = {
            "id": f"batch_{len(self.batches)}",
            "object": "batch",
            "input_file_id": asked["input_file_id"],
            "status": "validating",
            "output_file_id": None,
            "error_file_id": None,
            "errors": None,
            "request_counts": {"total": len(lines), "completed": 0, "failed": 0},
        }
        self.batches[batch["id"]] = batch
        if self.lose:
            self.lose -= 1
            assert request.transport is not None
            request.transport.abort()
        return web.json_response(batch)

    async def _list(self, request: web.Request) -> web.Response:
        """Two a page, the newest first."""
        self.requests["list"] += 1
        newest = list(self.batches.values())[::-1]
        after = request.query.get("after")
        start = next((i + 1 for i, b in enumerate(newest) if b["id"] == after), 0)
        page = newest[start : start + 2]
        more = start + 2 < len(newest)
        return web.json_response({"object": "list", "data": page, "has_more": more})

    async def _look(self, request: web.Request) -> web.Response:
        self.requests["look"] += 1
        batch = self.batches[request.match_info["id"]]
        if batch["status"] == "in_progress" and not self.held.is_set():
            self._carry_out(batch)
        elif batch["status"] == "validating":
            batch["status"] = "in_progress"
        return web.json_response(batch)

    def _carry_out(self, batch: Row) -> None:
        if self.failures:
            reason = {"code": self.failures.pop(0), "message": "too much waits", "line": None}
            batch |= {"status": "failed", "errors": {"object": "list", "data": [reason]}}
            return
        lines = [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines()]
        left = self.expire.pop(0) if self.expire else 0
        run, unrun = lines[: len(lines) - left], lines[len(lines) - left :]
        answered = [self._answered(line) for line in run]
        good = [row for row in answered if row["response"]["status_code"] == 200]
        bad = [row for row in answered if row["response"]["status_code"] != 200]
        bad += [
            {"custom_id": row["custom_id"], "response": None, "error": NOT_RUN} for row in unrun
        ]
        batch["status"] = self.end if left else "completed"
        batch["request_counts"] |= {"completed": len(good), "failed": len(bad)}
        for name, rows in (("output_file_id", self.spoil(good)), ("error_file_id", bad)):
            written = [row if isinstance(row, str) else json.dumps(row) for row in rows]
            if written:
                batch[name] = f"file-{len(self.files)}"
                self.files[batch[name]] = "\n".join(written).encode()

    def _answered(self, line: Row) -> Row:
        said = self._reply(line["body"])
        status, body = (200, message(said)) if isinstance(said, str) else said
        if status == 200:
            self.paid[line["custom_id"]] += 1
        response = {"status_code": status, "request_id": "req_1", "body": body}
        return {**_named(line), "response": response, "error": None}


def _named(line: Row) -> Row:
    return {"id": "batch_req_1", "custom_id": line["custom_id"]}
