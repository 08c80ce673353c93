"""Texts of runs are hostile: none of them is ever more than text, in a file as from the server."""

from __future__ import annotations

from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from socialcircuits.graph import Reply
from socialcircuits.records import Attempt, Label, RunFile, TrialRecord
from socialcircuits.studies import Run
from socialcircuits.viewer import Server, export
from tests.unit.viewer.shapes import Blocks, unpacked

TEXTS = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!--data--><!-- <script>",
    "data:text/html,<script>alert(1)</script>",
    "javascript:alert(1)",
    "\u202egnp.exe\u2066\u200f",
    "\x00\x07\x1b[31m\r\n\x7f\x85\u2028",
    "half a character \ud83d",
    "\"'&lt;&#x3c;script>",
    "x" * 2**20,
)
FILE = "a\"'<img src=x onerror=alert(1)>&amp;\u202e\r\n\x1b\udcff\t.db"


@pytest.fixture(scope="module")
def path(flags: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("hostile") / FILE
    found.write_bytes(flags.path.read_bytes())
    return found


@pytest.fixture
def hostile(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run whose replies, names, reasons, labels and evidence are all hostile."""
    plain, stored = RunFile.trial, RunFile.content

    def content(self: RunFile, key: bytes) -> bytes:
        found = stored(self, key)
        return TEXTS[6].encode() if found.isascii() and b"\0" not in found else found

    def trial(self: RunFile, number: int) -> TrialRecord:
        record = plain(self, number)
        texts = TEXTS if number == 0 else TEXTS[:-1]
        given, attempts = record.provided, list[Attempt]()
        for place, one in enumerate(record.attempts):
            text = texts[place % len(texts)]
            reply = Reply(text, one.reply.answer, text, place % 3 > 0, text[:50])
            attempts.append(one._replace(reply=reply))
        briefs = [
            {**brief, "name": texts[place % len(texts)][:50]}
            for place, brief in enumerate(given.briefs)
        ]
        label = Label(0, TEXTS[0], TEXTS[1], 0, {TEXTS[2]: TEXTS[3]}, TEXTS[4], TEXTS[5], TEXTS[6])
        facts = {**given.facts, "item": TEXTS[0], "shareable": True}
        return replace(
            record,
            attempts=attempts,
            labels=[label],
            provided=replace(given, briefs=tuple(briefs), facts=facts),
        )

    monkeypatch.setattr(RunFile, "trial", trial)
    monkeypatch.setattr(RunFile, "content", content)
    return path


def said(trial: dict[str, Any]) -> list[str]:
    return [text for text in TEXTS if text in trial["steps"]["said"]]


def expected(path: Path) -> str:
    return path.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the analyses out: what is hostile here are texts, which they do not read."""
    monkeypatch.setattr("socialcircuits.viewer.chunks.frames", lambda run, first: {})
    monkeypatch.setattr("socialcircuits.viewer.chunks.Chunks._printed", lambda self: [])


@pytest.mark.usefixtures("light")
def test_no_text_is_more_than_text_in_a_file(hostile: Path, tmp_path: Path) -> None:
    with Run(hostile) as run:
        target = export([run], tmp_path / "page.html")
        count = len(run.file.plans())
    text = target.read_text("utf-8")
    found = Blocks(text)
    for one in TEXTS:
        assert one not in text
    assert all(found.own())
    assert len(found.scripts) == 3 + count
    assert {tag for tag, _ in found.tags} <= set(
        "html head meta title link style body div p noscript".split()
    )
    assert {name for name, _ in found.chunks("trial")} == {expected(hostile)}
    ((name, head),) = found.chunks("head")
    assert name == head["run"] == expected(hostile)
    assert head["trials"]["item"][0] == TEXTS[0]
    first = dict(found.chunks("trial")[:1])[name]
    assert said(first) == list(TEXTS)
    assert first["labels"][0]["reason"] == TEXTS[4]
    assert {seat["name"] for seat in first["seats"]} <= {one[:50] for one in TEXTS}


@pytest.mark.usefixtures("light")
def test_no_text_is_more_than_text_from_the_server(hostile: Path) -> None:
    server = Server([hostile])
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        connection = HTTPConnection("127.0.0.1", server.server_port, timeout=30)
        connection.request("GET", "/data/run/0/trial/0", headers={"Connection": "close"})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert answer.headers.get_content_type() == "text/plain"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert said(unpacked(body.decode("ascii"))) == list(TEXTS)
    assert server.names == [expected(hostile)]
