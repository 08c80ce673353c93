"""Every view of a page on disk with the network off, wide and narrow, light and dark: nothing
stands in anybody's way, nobody is asked for anything, and keys reach the table."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import socialcircuits
from socialcircuits.viewer import export
from tests.form.sources import ROOT
from tests.support.browser import Opened, address, browsing, holds, tells
from tests.support.voices import AGENT, JUDGE, Asked, Voices, judgment, questions

Settings = dict[str, Any]

RUNS: Mapping[str, tuple[str, int, Settings]] = {
    "groups.db": ("flag-game/population", 1, {"N": [8, 128], "rounds": 12}),
    "shares.db": ("flag-game/evidence-share", 1, {"N": [8]}),
    "protocols.db": ("flag-game/protocols", 1, {"rounds": 2}),
    "memory.db": ("flag-game/memory-conflict", 1, {"m": 3, "cast": "A"}),
    "patching.db": ("flag-game/patching", 2, {}),
    "harm.db": ("deliberation/scaling", 3, {"rounds": 1}),
    "room.db": ("chatroom/sybils", 2, {"rounds": 3}),
    "injected.db": ("chatroom/compounding", 2, {"rounds": 3}),
    "seat.db": ("card/seat", 2, {}),
}
VIEWS = (
    "runs?run=room.db",
    "numbers?run=patching.db",
    "card?run=seat.db",
    "trial?run=groups.db&trial=1&seat=3&round=2",
    "trial?run=room.db&second=harm.db",
    "shares?run=groups.db&second=room.db",
    "evidence?run=groups.db&trial=0&second=shares.db&secondtrial=0",
    "circuit?run=groups.db&trial=1&seat=40",
    "circuit?run=room.db&second=injected.db",
    "patch?run=patching.db&trial=2&seat=4",
    "patch?run=injected.db&trial=5",
    "attribution?run=patching.db",
    "phase?run=groups.db&second=protocols.db",
    "probe?run=memory.db&intervals=1",
    "sweep?run=groups.db",
    "sweep?run=room.db&second=injected.db",
    "slope?run=harm.db&at=3",
    "lanes?run=room.db&trial=4",
    "iceberg?run=room.db&second=injected.db&at=3",
    "contagion?run=injected.db",
    "knowledge?run=room.db",
    "transcript?run=harm.db",
    "judge?run=talked.db",
    "tactics?run=talked.db",
    "parity?run=protocols.db&look=beside",
    "parity?run=groups.db&second=protocols.db",
    "diff?run=room.db&second=injected.db",
    "nothing?run=room.db",
)
INDEX = ROOT / "viewer" / "src" / "views" / "index.ts"
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
LONG = pytest.mark.skipif(
    "SOCIALCIRCUITS_LONG" not in os.environ, reason="long: SOCIALCIRCUITS_LONG=1"
)
LOOKS = (
    pytest.param(NARROW, "light", id="narrow-light"),
    pytest.param(NARROW, "dark", id="narrow-dark"),
    pytest.param(WIDE, "light", marks=LONG, id="wide-light"),
    pytest.param(WIDE, "dark", marks=LONG, id="wide-dark"),
)
REACHED = "document.activeElement.closest('main :is(.scroll, .windowed, table, article)') !== null"


def tactful(asked: Asked, number: int) -> str:
    """A judge that finds a tactic in everything."""
    if asked.keys != "reasoning found":
        return judgment(asked)
    said = [line["argument"] for line in asked.lines if "argument" in line][-1]
    found = [{"label": "fabricated_evidence", "quote": said[:40]}]
    return json.dumps({"reasoning": "Read.", "found": found})


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("everywhere")
    runs = [
        socialcircuits.run(study, out=folder / name, seeds=seeds, settings=settings)
        for name, (study, seeds, settings) in RUNS.items()
    ]
    settings = {"file": str(questions(folder)), "shareable": True, "strata": False}
    settings |= {"N": [4], "deceivers": [1], "coordinated": [False], "rounds": 1}
    with pytest.MonkeyPatch.context() as patch:
        Voices(patch, judge=tactful)
        options = {"model": AGENT, "judge": JUDGE, "seeds": 2, "settings": settings}
        out = folder / "talked.db"
        runs.append(socialcircuits.run("deliberation/tactics", out=out, **options))
    made = export(runs, folder / "page.html")
    for run in runs:
        run.close()
    return made


@pytest.fixture(scope="module")
def browser(page: Path) -> Iterator[Any]:
    # A browser holds this thread's event loop: the runs are made before.
    assert page.exists()
    with browsing() as opened:
        yield opened


def test_every_view_is_among_them() -> None:
    imported = set(re.findall(r'from "\./(\w+)";', INDEX.read_text(encoding="utf-8")))
    assert {one.partition("?")[0] for one in VIEWS} == imported - {"view"} | {"nothing"}


@pytest.mark.parametrize(("size", "theme"), LOOKS)
@pytest.mark.parametrize("view", VIEWS)
def test_nothing_stands_in_anybodys_way(
    browser: Any, page: Path, view: str, size: dict[str, int], theme: str
) -> None:
    options = {"viewport": size, "color_scheme": theme, "offline": True}
    seen = Opened(browser, address(page, view), **options)
    tab = seen.tab
    tab.locator("main :is(canvas, svg, table, article, [role=alert])").first.wait_for()
    holds(tab.locator("main [role=alert]"), int(view.startswith("nothing")))
    assert tab.title().startswith(f"{tab.locator('main h2').inner_text()} - ")
    if "talked" not in view:
        tells(tab.locator("header"), "simulated agents")
    assert not seen.overhang()
    assert not seen.violations()
    if not view.startswith("nothing"):
        walk(tab)
    assert not seen.overhang()
    assert not seen.wrong
    tab.context.close()


def walk(tab: Any) -> None:
    """By keys alone: the list of keys, the table behind the drawing, into a table, and about."""
    tab.keyboard.press("?")
    tab.locator("dialog[open] dt").first.wait_for()
    tab.keyboard.press("Escape")
    tab.locator("dialog[open]").wait_for(state="detached")
    behind = tab.locator("main button", has_text=re.compile("^Table t$"))
    if behind.count():
        tab.keyboard.press("t")
        tab.locator("main button[aria-pressed=true]", has_text="Table").first.wait_for()
    tab.evaluate("document.querySelector('main').focus()")
    for _ in range(100):
        tab.keyboard.press("Tab")
        if tab.evaluate(REACHED):
            break
    else:
        pytest.fail("no key leads to a table")
    for key in ("ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"):
        tab.keyboard.press(key)
    holds(tab.locator("main [role=alert]"), 0)
