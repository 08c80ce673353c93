"""The page in a notebook: bounded, inert to the notebook, and what to do where it is too large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

import socialcircuits
from socialcircuits.errors import RunFileError, UsageError
from socialcircuits.studies import Run
from socialcircuits.viewer import Embedded, export, notebook
from socialcircuits.viewer.export import parts as whole
from tests.unit.viewer.shapes import Blocks


class Frame(HTMLParser):
    """The elements of a text, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_it_is_the_exported_page_in_a_frame_that_cannot_reach_the_notebook(
    flags: Run, talk: Run, tmp_path: Path
) -> None:
    shown = socialcircuits.view(flags, talk.path)
    ((tag, frame),) = Frame(shown._repr_html_()).elements
    assert (tag, frame["sandbox"]) == ("iframe", "allow-scripts allow-downloads")
    text = str(frame["srcdoc"])
    written = export([flags, talk], tmp_path / "page.html").read_text("utf-8")
    base = '<base href="about:srcdoc" />\n    '
    assert text.replace(base, "", 1) == written
    assert text.index(base) < text.index("Content-Security-Policy")
    assert repr(shown).startswith(f"<page of {flags.path}, {talk.path}: ")


def test_what_may_not_be_published_is_not_in_it(secret: Run) -> None:
    ((_, frame),) = Frame(Embedded([secret])._repr_html_()).elements
    trials = Blocks(str(frame["srcdoc"])).chunks("trial")
    assert {trial["question"] for _, trial in trials} == {"(withheld)"}


def test_a_page_that_is_too_large_says_what_to_do(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = copy.with_name("<b>\u202e'.db")
    hostile.write_bytes(copy.read_bytes())
    monkeypatch.setattr(notebook, "MOST", 150_000)
    shown = Embedded([hostile])
    found = Frame(shown._repr_html_())
    assert [tag for tag, _ in found.elements] == ["p", "code", "br", "code"]
    assert "\u202e" not in found.text + repr(shown)
    word = f"$'{copy.parent}/<b>\\u202e\\'.db'"
    assert f"socialcircuits view {word}" in found.text
    assert f"socialcircuits export {word} --out page.html" in found.text
    assert repr(shown).endswith(": too large>")


def test_no_more_than_the_limit_is_made(flags: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    plain = whole

    def counted(runs: Sequence[Run], base: str) -> Iterator[str]:
        for part in plain(runs, base):
            made.append(len(part))
            yield part

    monkeypatch.setattr(notebook, "parts", counted)
    monkeypatch.setattr(notebook, "MOST", 150_000)
    assert "too large" in repr(Embedded([flags]))
    assert sum(made[:-1]) <= 150_000 < sum(made)


def test_mistakes() -> None:
    with pytest.raises(UsageError, match="at least one run"):
        socialcircuits.view()
    with pytest.raises(RunFileError, match="there is no such run file"):
        socialcircuits.view("none.db")
