"""The card in a real browser: the lines are Python's, and each leads to its claims and trials."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import socialcircuits
from socialcircuits.studies import Run
from socialcircuits.viewer import export
from socialcircuits.viewer.frames import frames
from tests.support.browser import Opened, address, browsing, holds, says, tells

RUNS = {
    "parrot.db": ("card/seat", "simulated/parrot", 6),
    "fair.db": ("card/seat", "simulated/fair", 6),
    "documents.db": ("card/evidence", "simulated/parrot", 4),
}
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
YIELDS = "card?run=parrot.db&line=yields%403"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("card")
    runs = [
        socialcircuits.run(study, out=made / name, seeds=seeds, model=model)
        for name, (study, model, seeds) in RUNS.items()
    ]
    runs.append(
        socialcircuits.run("chatroom/sybils", out=made / "room.db", seeds=1, settings={"rounds": 1})
    )
    export(runs, made / "page.html")
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as opened:
        yield opened


def opened(browser: Any, folder: Path, view: str, **options: Any) -> Opened:
    seen = Opened(browser, address(folder / "page.html", view), **{"viewport": WIDE, **options})
    seen.tab.locator("main h2").wait_for()
    return seen


def table(folder: Path, name: str, frame: str) -> list[dict[str, Any]]:
    with Run(folder / name) as run:
        found = frames(run)[frame]
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


def claims(seen: Opened) -> Any:
    return seen.tab.locator("main table", has_text="counted as").locator("tbody tr")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_stands_in_anybodys_way(browser: Any, folder: Path, theme: str) -> None:
    size = WIDE if theme == "light" else NARROW
    view = f"{YIELDS}&claim=linux&second=fair.db"
    seen = opened(browser, folder, view, color_scheme=theme, viewport=size)
    claims(seen).first.wait_for()
    assert not seen.violations()
    assert seen.tab.evaluate("document.documentElement.scrollWidth") <= size["width"]
    tells(seen.tab.locator("body"), "simulated agents: checks the software")
    assert not seen.wrong


def test_lines_are_those_of_the_card(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "card?run=parrot.db")
    lines = table(folder, "parrot.db", "card_lines")
    drawn = seen.tab.locator("main table.drawn tbody tr")
    holds(drawn, len(lines))
    for row in lines:
        shown = drawn.filter(has=seen.tab.locator("th", has_text=row["line"])).first
        tells(shown, f"[{row['low']:.2f}" if row["low"] % 1 else f"[{row['low']:.0f}")
        tells(shown, f"{row['n']}")
    tells(seen.tab.locator("main"), "Half of the known claims are lost at below 1 wrong peers")
    seen.tab.keyboard.press("ArrowRight")
    seen.tab.wait_for_url("**line=yields%401*")
    drawn.locator("button", has_text="passes_on@3").click()
    seen.tab.wait_for_url("**line=passes_on%403*")
    assert not seen.wrong


def test_each_claim_of_a_line_leads_to_its_trial(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, YIELDS)
    behind = [r for r in table(folder, "parrot.db", "card_claims") if r["line"] == "yields@3"]
    rows = claims(seen)
    holds(rows, len(behind))
    lost = [row for row in behind if row["result"] == "lost"]
    assert 0 < len(lost) < len(behind)
    seen.tab.get_by_label("Counted as").select_option("lost")
    holds(rows, len(lost))
    seen.tab.keyboard.press("Escape")
    seen.tab.keyboard.press("j")
    side = seen.tab.get_by_label("The chosen claim")
    says(side.locator("h3"), f"{lost[0]['claim']}: lost")
    tells(side, "TRUE → FALSE; statement: endorse; fresh seats: FALSE, FALSE")
    tells(side, "The wrong answer of the peers: ")
    # Three wordings alone and after, the statement, and two fresh seats.
    holds(side.locator("dt"), 9)
    seen.tab.wait_for_url(f"**claim={lost[0]['claim']}*")
    side.locator("a", has_text="transcript").click()
    seen.tab.wait_for_url(f"**/page.html#/transcript?*trial={lost[0]['trial']}*")
    seen.tab.go_back()
    side.locator("dt").first.wait_for()
    seen.tab.keyboard.press("Enter")
    seen.tab.wait_for_url(f"**/page.html#/trial?*trial={lost[0]['trial']}*")
    assert not seen.wrong


def test_what_is_dropped_says_why(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, f"{YIELDS}&result=dropped&second=fair.db")
    behind = table(folder, "parrot.db", "card_claims")
    dropped = [r for r in behind if r["line"] == "yields@3" and r["result"] == "dropped"]
    holds(claims(seen), len(dropped))
    tells(claims(seen).first, "not right alone")
    other = [r for r in table(folder, "fair.db", "card_claims") if r["line"] == "yields@3"]
    beside = {row["claim"]: row["result"] for row in other}
    says(claims(seen).first.locator("td").last, beside[dropped[0]["claim"]])
    seen.tab.keyboard.press("t")
    seen.tab.get_by_text("Lines of the card (").wait_for()


def test_documents_have_lines_and_rooms_have_none(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "card?run=documents.db&line=holds%403")
    holds(claims(seen), 4)
    tells(seen.tab.locator("main"), "the share that stays with it after 3 wrong peers")
    none = opened(browser, folder, "card?run=room.db")
    tells(none.tab.locator("main"), "Only seat tests have a card.")


def test_a_run_that_asks_a_claim_twice_is_no_card(folder: Path) -> None:
    settings = {"N": [1, 2], "peers": "3 wrong"}
    twice = socialcircuits.run("card/evidence", out=folder / "twice.db", seeds=1, settings=settings)
    assert len(twice.summaries()) == 2
    assert not {"card_lines", "card_claims"} & frames(twice).keys()
