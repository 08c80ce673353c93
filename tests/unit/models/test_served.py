"""Asking a server which models it has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from socialcircuits.errors import ModelError, Refused, SettingError, Unavailable
from socialcircuits.models.served import served

SECRET = "sk-planted-0123456789abcdef"


class Listing(HTTPServer):
    """Lists models as it is told to."""

    status: int = 200
    text: str = ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Listed)
        self.asked: list[tuple[str, str | None]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def say(self, value: Any, status: int = 200) -> str:
        self.text, self.status = value if isinstance(value, str) else json.dumps(value), status
        return self.url


class Listed(BaseHTTPRequestHandler):
    server: Listing

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["Authorization"]))
        self.send_response(self.server.status)
        if self.server.status == 307:
            self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(self.server.text.encode())

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listing]:
    monkeypatch.delenv("SOCIALCIRCUITS_API_KEY", raising=False)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with Listing() as listing:
        thread = Thread(target=listing.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield listing
        listing.shutdown()
        thread.join()


@pytest.mark.parametrize("names", [["qwen"], ["b", "a"], []])
def test_the_names_are_those_the_server_gives(names: list[str], server: Listing) -> None:
    rows = [{"id": name, "object": "model"} for name in names]
    assert served(server.say({"object": "list", "data": rows, "models": [{"name": "x"}]})) == names
    assert server.asked == [("/v1/models", None)]


@pytest.mark.parametrize("path", ["/models/own/qwen.gguf", "C:\\me\\qwen.gguf", "qwen.gguf"])
def test_where_the_file_of_llama_cpp_lies_is_not_its_name(path: str, server: Listing) -> None:
    assert served(server.say({"data": [{"id": path, "owned_by": "llamacpp"}]})) == ["qwen.gguf"]
    # Other servers answer to the exact name alone.
    assert served(server.say({"data": [{"id": path, "owned_by": "vllm"}]})) == [path]


def test_the_key_goes_along(server: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KEY", SECRET)
    url = server.say({"data": [{"id": "m"}]})
    assert served(url + "/", "LAB_KEY") == ["m"]
    assert server.asked == [("/v1/models", f"Bearer {SECRET}")]


@pytest.mark.parametrize(
    ("value", "status", "sentence"),
    [
        ("<!doctype html>", 200, "does not list its models"),
        ({"models": []}, 200, "name one: URL#NAME"),
        ({"data": ["m"]}, 200, "does not list its models"),
        ({"data": [{"id": 3}]}, 200, "does not list its models"),
        ({"data": [{"id": "a\nb"}]}, 200, "does not list its models"),
        ({"data": None}, 200, "does not list its models"),
        ({"error": {"message": f"no {SECRET}"}}, 401, "wants a key, or does not accept"),
        ({"error": {"message": "no such page"}}, 404, "no such page"),
        ("", 307, "redirect"),
    ],
)
def test_a_server_that_lists_nothing_is_refused(
    value: Any, status: int, sentence: str, server: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOCIALCIRCUITS_API_KEY", SECRET)
    url = server.say(value, status)
    with pytest.raises(Refused, match=sentence) as refused:
        served(url)
    assert SECRET not in f"{refused.value} {refused.value.__context__!r}"
    assert len(server.asked) == 1


def test_a_busy_server_may_be_asked_again(server: Listing) -> None:
    with pytest.raises(Unavailable):
        served(server.say({"error": {"message": "Loading model"}}, 503))


def test_nobody_there_is_said_without_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KEY", SECRET)
    with pytest.raises(ModelError, match=r"^http://127.0.0.1:1/v1: cannot connect") as failed:
        served("http://127.0.0.1:1/v1", "LAB_KEY")
    assert failed.value.__context__ is None


def test_an_address_is_checked_first() -> None:
    with pytest.raises(SettingError, match="an address such as"):
        served("http://127.0.0.1/v1?x=1")
