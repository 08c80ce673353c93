"""A run that is being written, in a browser: the page follows it by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from socialcircuits.studies import Execution, execute, plan
from socialcircuits.studies.preparing import prepare
from tests.support.browser import Opened, browsing, holds, serving, tells

SEEDS = 5
TRIALS, WRITTEN = SEEDS + 1, 2
"""One trial is an example."""
PAUSE = 11_000
"""Milliseconds after which a page has asked again."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as opened:
        yield opened


@contextmanager
def writing(out: Path) -> Iterator[Event]:
    """A run whose writer waits after two trials until it is told to go on."""
    study, _ = prepare("flag-game/population", {}, sets=["N=[4]"], seeds=SEEDS)
    held, go = Event(), Event()

    def progress(done: int, planned: int) -> None:
        if done == WRITTEN:
            held.set()
            assert go.wait(60)

    writer = Thread(target=execute, args=(plan(study), out, Execution(progress=progress)))
    writer.start()
    assert held.wait(60)
    yield go
    go.set()
    writer.join()


def test_a_page_follows_a_run(browser: Any, tmp_path: Path) -> None:
    out = tmp_path / "live.db"
    with writing(out) as go, serving(out) as server:
        seen = followed(browser, server.address)
        tab = seen.tab
        tells(tab.locator("header"), f"{WRITTEN} of {TRIALS} trials")
        tells(tab.locator("header"), "unfinished")
        assert tab.locator("main progress").get_attribute("value") == f"{WRITTEN}"
        listed = tab.locator("table", has_text="Trials of live.db").locator("tbody tr")
        holds(listed, WRITTEN)
        go.set()
        until(tab, f"{TRIALS} of")
        holds(listed, TRIALS)
        holds(tab.locator("header .loud, main progress"), 0)
        listed.last.locator("button").click()
        tab.locator("main canvas").first.wait_for()
        assert not seen.wrong


def test_a_page_outlives_its_server(browser: Any, tmp_path: Path) -> None:
    out = tmp_path / "live.db"
    with writing(out) as go:
        with serving(out) as server:
            seen = followed(browser, server.address)
            tells(seen.tab.locator("header"), "unfinished")
        seen.tab.clock.run_for(PAUSE)
        tells(seen.tab.locator("header"), f"{WRITTEN} of {TRIALS} trials")
        go.set()
        with serving(out, port=server.server_port):
            until(seen.tab, f"{TRIALS} of")
    assert all("ERR_CONNECTION" in said for said in seen.wrong)


def followed(browser: Any, server: str) -> Opened:
    """The page of a server, whose time is the test's."""
    seen = Opened(browser, f"{server}#/runs")
    seen.tab.locator("main h2").wait_for()
    seen.tab.clock.install()
    seen.tab.reload()
    return seen


def until(tab: Any, words: str) -> None:
    """Let time pass in the page until its head says this."""
    while words not in tab.locator("header").inner_text():
        tab.clock.run_for(PAUSE)
