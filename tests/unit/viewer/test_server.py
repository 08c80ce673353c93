"""The server over real sockets: what it serves, and all that it refuses."""

from __future__ import annotations

import json
import socket
import sqlite3
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from socialcircuits.errors import RunFileError, UsageError
from socialcircuits.studies import Run
from socialcircuits.viewer import Server
from socialcircuits.viewer.chunks import Chunks
from tests.unit.viewer.shapes import Blocks, unpacked


@pytest.fixture(scope="module")
def server(flags: Run, secret: Run) -> Iterator[Server]:
    yield from serving(Server([flags.path, secret.path]))


def serving(server: Server) -> Iterator[Server]:
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


class Got:
    """An answer with its body."""

    def __init__(self, answer: HTTPResponse) -> None:
        self.status, self.headers, self.body = answer.status, answer.headers, answer.read()

    def value(self) -> Any:
        """The chunk that it is."""
        return unpacked(self.body.decode("ascii"))


def ask(server: Server, path: str, method: str = "GET", **headers: str) -> Got:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    connection.request(method, path, headers={"Connection": "close", **headers})
    found = Got(connection.getresponse())
    connection.close()
    return found


def raw(server: Server, text: bytes) -> bytes:
    """What comes back for these very bytes."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=60) as connection:
        connection.sendall(text)
        connection.shutdown(socket.SHUT_WR)
        parts = []
        while part := connection.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def test_it_listens_on_loopback_alone(server: Server) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"


def test_it_serves_the_page_with_a_strict_policy(server: Server) -> None:
    found = ask(server, "/")
    assert found.status == 200
    assert found.headers.get_content_type() == "text/html"
    rules = dict(
        rule.split(" ", 1) for rule in found.headers["Content-Security-Policy"].split("; ")
    )
    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in rules["script-src"]
    page = Blocks(found.body.decode())
    (told,) = [str(a["content"]) for t, a in page.tags if "http-equiv" in a and t == "meta"]
    assert found.headers["Content-Security-Policy"].startswith(told)
    assert page.chunks("head") == []


@pytest.mark.parametrize("path", ["/", "/data/runs", "/data/run/0/trial/0", "/nothing"])
def test_every_answer_is_guarded(server: Server, path: str) -> None:
    headers = ask(server, path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Access-Control-Allow-Origin"] is None
    assert headers["Server"] == "socialcircuits"


def test_it_serves_the_same_chunks(server: Server, flags: Run, secret: Run) -> None:
    assert json.loads(ask(server, "/data/runs").body) == {"runs": ["flags.db", "secret.db"]}
    assert ask(server, "/data/run/0/head").value() == as_json(Chunks(flags).head())
    assert ask(server, "/data/run/0/trial/3").value() == as_json(Chunks(flags).trial(3))
    second = ask(server, "/data/run/1/head").value()
    assert second["run"] == "secret.db"
    last = secret.file.plans()[-1].number
    found = ask(server, f"/data/run/1/trial/{last}").value()
    assert found == as_json(Chunks(secret).trial(last))
    assert ask(server, "/data/run/0/prompt/0/0").value() is None


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def test_on_this_machine_nothing_is_withheld(server: Server, secret: Run) -> None:
    number = secret.file.plans()[-1].number
    assert "In which country" in ask(server, f"/data/run/1/trial/{number}").value()["question"]


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "[::1]:{}", "evil.example:{}", ""],
)
def test_other_hosts_are_refused(server: Server, host: str) -> None:
    found = ask(server, "/data/runs", Host=host.format(server.server_port))
    assert found.status == 421
    assert b"flags" not in found.body


def test_this_machine_by_name_is_not_refused(server: Server) -> None:
    assert ask(server, "/data/runs", Host=f"localhost:{server.server_port}").status == 200


def test_two_hosts_and_none_are_refused(server: Server) -> None:
    own = f"Host: 127.0.0.1:{server.server_port}\r\n"
    two = f"GET /data/runs HTTP/1.1\r\n{own}Host: evil.example\r\n\r\n"
    assert raw(server, two.encode()).startswith(b"HTTP/1.1 421 ")
    assert raw(server, b"GET /data/runs HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 421 ")
    assert b"421" in raw(server, b"GET /data/runs HTTP/1.0\r\n\r\n")
    assert b"flags" not in raw(server, b"GET /data/runs\r\n\r\n")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FETCH"])
def test_other_methods_are_refused(server: Server, method: str) -> None:
    found = ask(server, "/data/runs", method)
    assert found.status == 405
    assert found.headers["Allow"] == "GET, HEAD"
    assert b"flags" not in found.body


@pytest.mark.parametrize(
    "path",
    [
        "/data", "/data/", "/data/run/0", "/data/run/2/head", "/data/run/-1/head",
        "/data/run/0/trial/999", "/data/run/0/trial/0/", "/data/run/0/trial/x",
        "/data/run/0/trial/9999999999", "/data/run/\u0661/head".encode().decode("latin-1"),
        "/../../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/flags.db", "/page.html",
        "/data/runs?x=1", "/data/run/0/trial/%30", "/favicon.ico",
        "http://127.0.0.1/data/runs",
    ],
)  # fmt: skip
def test_there_is_nothing_else(server: Server, path: str) -> None:
    line = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n"
    found = raw(server, line.encode("latin-1"))
    assert found.startswith(b"HTTP/1.1 404 ")
    assert b"root:" not in found


def test_heads_of_answers_have_no_body(server: Server) -> None:
    found, whole = ask(server, "/data/run/0/trial/0", "HEAD"), ask(server, "/data/run/0/trial/0")
    assert (found.status, found.body) == (200, b"")
    assert found.headers["Content-Length"] == str(len(whole.body))
    assert found.headers["ETag"] == whole.headers["ETag"]


def test_what_is_known_is_not_sent_again(server: Server) -> None:
    mark = ask(server, "/data/run/0/trial/0").headers["ETag"]
    found = ask(server, "/data/run/0/trial/0", **{"If-None-Match": mark})
    assert (found.status, found.body) == (304, b"")
    assert ask(server, "/data/run/0/trial/1", **{"If-None-Match": mark}).status == 200


def test_a_head_is_made_anew_when_the_file_has_changed(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    head = Chunks.head

    def counting(self: Chunks) -> dict[str, Any]:
        made.append(1)
        return head(self)

    monkeypatch.setattr(Chunks, "head", counting)
    for one in serving(Server([copy])):
        before = ask(one, "/data/run/0/head")
        assert ask(one, "/data/run/0/head").headers["ETag"] == before.headers["ETag"]
        assert len(made) == 1
        with sqlite3.connect(copy) as file:
            file.execute("DELETE FROM trials WHERE trial = 21")
        file.close()
        after = ask(one, "/data/run/0/head", **{"If-None-Match": before.headers["ETag"]})
        assert len(made) == 2
        assert after.status == 200
        assert after.value()["unfinished"]
        assert not before.value()["unfinished"]
        assert ask(one, "/data/run/0/trial/21").status == 404


def test_a_damaged_trial_is_an_error_and_not_the_end(copy: Path) -> None:
    with sqlite3.connect(copy) as file:
        file.execute("UPDATE trials SET cut = cut + 1 WHERE trial = 0")
    file.close()
    for one in serving(Server([copy])):
        found = ask(one, "/data/run/0/trial/0")
        assert found.status == 500
        assert b"trial 0 is not as sealed" in found.body
        assert ask(one, "/data/run/0/trial/1").status == 200


def test_what_cannot_be_served_is_refused_at_once(
    server: Server, flags: Run, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="at least one run"):
        Server([])
    with pytest.raises(RunFileError, match="there is no such run file"):
        Server([flags.path, tmp_path / "none.db"])
    with pytest.raises(UsageError, match=f"--port {server.server_port}: .*expected a free port"):
        Server([flags.path], server.server_port)
