"""The shapes that the page expects, read from its own source."""

from __future__ import annotations

import base64
import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

TYPES = Path(__file__).parents[3] / "viewer" / "src" / "data" / "types.ts"

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def _inside(text: str, start: int) -> str:
    """What stands between the brace at a place and the one that closes it."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if not depth:
            return text[start + 1 : place]
    raise AssertionError("a brace is not closed")


def fields(name: str, part: str = "") -> set[str]:
    """The names of an interface, or of the object that is one of its fields."""
    text = _COMMENT.sub("", TYPES.read_text("utf-8"))
    found = re.search(rf"export interface {name} \{{", text)
    assert found, f"types.ts has no {name}"
    body = _inside(text, found.end() - 1)
    if part:
        where = re.search(rf"\b{part}: \{{", body)
        assert where, f"{name} has no object {part}"
        body = _inside(body, where.end() - 1)
    # What stands in inner braces belongs to fields of fields.
    while "{" in body:
        body = re.sub(r"\{[^{}]*\}", "", body)
    return set(re.findall(r"(\w+)\??:", body))


def unpacked(text: str) -> Any:
    """The value of a chunk."""
    return json.loads(gzip.decompress(base64.b64decode(text, validate=True)))


class Blocks(HTMLParser):
    """The scripts of a page, by their attributes, and its other tags."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._open = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open = tag == "script"
        if self._open:
            self.scripts.append((dict(attrs), ""))
        else:
            self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = attributes, text + data

    def own(self) -> tuple[str, str]:
        """The two scripts of the page that run, which are no other files: the one that unpacks, and
        what it unpacks."""
        packed, unpacks = [one for one in self.scripts if "data-run" not in one[0]]
        assert packed[0] == {"type": "text/plain", "id": "own"}
        assert unpacks[0] == {"type": "module"}
        return unpacks[1], gzip.decompress(base64.b64decode(packed[1], validate=True)).decode()

    def chunks(self, kind: str) -> list[tuple[str, Any]]:
        """Name of the run and value of each head, or trial."""
        return [
            (str(attributes["data-run"]), unpacked(text))
            for attributes, text in self.scripts
            if f"data-{kind}" in attributes
        ]
