"""A real browser for pages of ours: what goes wrong in a tab is listed, never passed over."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from socialcircuits.viewer import Server
from tests.form.sources import ROOT

CHROMIUM = shutil.which("chromium")
AXE = ROOT / "viewer" / "node_modules" / "axe-core" / "axe.min.js"
# Nothing but the page is asked for: not even what a browser asks for itself.
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@contextmanager
def browsing() -> Iterator[Any]:
    """A browser; the test is skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@contextmanager
def serving(*paths: Path, port: int = 0) -> Iterator[Server]:
    """A server of run files, in a thread of its own."""
    server = Server(paths, port)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


class Opened:
    """A page in a tab of its own.

    Attributes:
        tab: playwright's page.
        wrong: errors, console messages, dialogs, and requests beyond the page itself.
    """

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.tab = browser.new_context(**options).new_page()
        self.wrong: list[str] = []
        self._own = address.partition("#")[0].rstrip("/")
        self.tab.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.tab.on("console", lambda said: self.wrong.append(said.text))
        self.tab.on("dialog", self._told)
        self.tab.on("request", self._asked)
        self.tab.goto(address)

    def _told(self, dialog: Any) -> None:
        self.wrong.append(dialog.message)
        dialog.dismiss()

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self._own, "data:", "blob:")):
            self.wrong.append(request.url)

    def overhang(self) -> int:
        """By how many pixels the page is wider than its window."""
        code = "document.documentElement.scrollWidth - innerWidth"
        return max(0, int(self.tab.evaluate(code)))

    def violations(self) -> list[str]:
        """What axe finds, an id and a place each; skipped where axe is not installed."""
        if not AXE.exists():
            pytest.skip("axe-core is not installed (npm ci in viewer)")
        self.tab.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.tab.evaluate("axe.run()")["violations"]
        return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found]


def address(page: Path, view: str) -> str:
    """The address of a view of a page on disk."""
    return f"{page.as_uri()}#/{view}"


def holds(found: Any, number: int) -> None:
    """Assert that so many elements are there, as soon as the page has drawn what it draws."""
    from playwright.sync_api import expect

    expect(found).to_have_count(number)


def says(found: Any, text: str) -> None:
    """Assert that an element says this and nothing else, once it is drawn."""
    from playwright.sync_api import expect

    expect(found).to_have_text(text)


def tells(found: Any, text: str) -> None:
    """Assert that an element says this among other things, once it is drawn."""
    from playwright.sync_api import expect

    expect(found).to_contain_text(text)
