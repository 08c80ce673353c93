"""From the numbers of a report to views, trials and calls; and the page in a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import socialcircuits
from socialcircuits.agents import Access, BackEnd
from socialcircuits.models import Capabilities, Completion, Request, ScriptedModel
from socialcircuits.report.assembling import page
from socialcircuits.report.words import address as numbered
from socialcircuits.studies import Run
from socialcircuits.viewer import Server, export
from socialcircuits.viewer.chunks import Chunks, packed
from socialcircuits.viewer.shell import block, document
from tests.support.browser import Opened, address, browsing, holds, says, tells
from tests.support.prompted import agreeable

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
SETTINGS = {"N": [4, 8], "rounds": 2}
UPLIFT = "accuracy.2.uplift"
HOSTILE = "<img src=x onerror=alert(1)>\u202e\x07"
SHOWN = "<img src=x onerror=alert(1)>\\u202e\\u0007"
PRICES = 'date = 2026-06-01\n[models]\n"openai/model-one" = { prompt = 2.5, completion = 10 }\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("numbers")
    flags = socialcircuits.run(
        "flag-game/population", out=made / "flags.db", seeds=3, settings=SETTINGS
    )
    other = socialcircuits.run(
        "flag-game/population",
        out=made / "other.db",
        seeds=3,
        settings=SETTINGS,
        model="simulated/sycophantic",
    )
    rooms = {"rounds": 3, "cast": "A", "deceivers": ["0", "1/5"]}
    room = socialcircuits.run("chatroom/sybils", out=made / "room.db", seeds=2, settings=rooms)
    export([flags, other, room], made / "page.html")
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as opened:
        yield opened


def opened(browser: Any, at: str, **options: Any) -> Opened:
    tab = Opened(browser, at, **{"viewport": WIDE, **options})
    tab.tab.locator("main h2").wait_for()
    return tab


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_stands_in_anybodys_way(browser: Any, folder: Path, theme: str) -> None:
    size = WIDE if theme == "light" else NARROW
    at = address(folder / "page.html", f"numbers?number={UPLIFT}&second=other.db")
    seen = opened(browser, at, color_scheme=theme, viewport=size)
    seen.tab.locator("main table tbody td").first.wait_for()
    assert not seen.violations()
    assert seen.tab.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert not seen.wrong


def test_an_address_opens_a_number_with_its_trials(browser: Any, folder: Path) -> None:
    with Run(folder / "flags.db") as run:
        numbers = {name: number for name, _, number in page(run).numbers()}
        found = numbers[UPLIFT]
        trials = [f"{run.place(one)[1]}" for one in found.trail.trials]
    seen = opened(browser, (folder / "page.html").as_uri() + numbered(UPLIFT))
    chosen = seen.tab.locator("section[aria-label='The chosen number']")
    says(chosen.locator("h3"), f"{found.text} ({found.interval})")
    tells(chosen, f"n = {found.n} {found.unit}")
    says(chosen.locator("code"), f"socialcircuits explain flags.db#{UPLIFT}")
    links = chosen.locator(".windowed a")
    holds(links, len(trials))
    assert links.all_inner_texts() == [f"Trial {one}" for one in sorted(trials, key=int)]
    rows = seen.tab.locator("main table")
    tells(rows.locator("caption"), f"({len(numbers)} rows)")
    links.nth(1).click()
    seen.tab.locator("main h2", has_text="Trial").wait_for()
    hash_ = seen.tab.evaluate("location.hash")
    assert hash_.startswith("#/trial?")
    assert f"trial={sorted(map(int, trials))[1]}" in hash_
    assert "number=" not in hash_
    seen.tab.go_back()
    says(chosen.locator("h3"), f"{found.text} ({found.interval})")
    assert not seen.wrong


def test_numbers_are_searched_and_walked_by_keys(browser: Any, folder: Path) -> None:
    seen = opened(browser, address(folder / "page.html", "numbers"))
    tab = seen.tab
    tab.keyboard.press("/")
    tab.keyboard.type("Accuracy.2 uplift")
    rows = tab.locator("main table tbody tr")
    holds(rows, 1)
    tells(rows, UPLIFT)
    tab.locator("main table tbody button").focus()
    tab.keyboard.press("Enter")
    tab.wait_for_url(re.compile(f"number={UPLIFT}"))
    assert "words=Accuracy.2+uplift" in tab.url
    tab.get_by_label("Search").fill("")
    tab.get_by_label("Part").select_option("Results")
    tab.locator("main h2").click()
    tab.keyboard.press("j")
    tab.wait_for_url(re.compile(r"number=accuracy\.2\.invalid_share"))
    tab.keyboard.press("k")
    tab.wait_for_url(re.compile(f"number={UPLIFT}"))
    assert not seen.wrong


@pytest.mark.parametrize("run", ["flags.db", "room.db"])
def test_every_number_leads_to_a_view_that_shows_the_run(
    browser: Any, folder: Path, run: str
) -> None:
    with Run(folder / run) as held:
        printed = Chunks(held).head()["printed"]
    wanted = {tuple(one["views"]): one["id"] for one in printed if one["trials"]}
    seen = opened(browser, address(folder / "page.html", f"numbers?run={run}"))
    reached = set()
    for name in wanted.values():
        seen.tab.evaluate("hash => { location.hash = hash }", numbered(name, run))
        chosen = seen.tab.locator("section[aria-label='The chosen number']")
        says(chosen.locator("code"), f"socialcircuits explain {run}#{name}")
        link = chosen.locator("p a")
        title = link.inner_text()
        link.click()
        says(seen.tab.locator("main h2"), title)
        seen.tab.locator("main :is(svg, canvas, table)").first.wait_for()
        holds(seen.tab.locator("main [role=alert]"), 0)
        reached.add(title)
        place = seen.tab.evaluate("location.hash")
        if "measure=" in place and title == "Sweep":
            measure = re.search(r"measure=(\w+)", place)
            assert measure
            assert seen.tab.get_by_label("Measure").input_value() == measure[1]
    assert reached >= ({"Sweep"} if run == "flags.db" else {"Iceberg", "Knowledge", "Sweep"})
    assert not seen.wrong


def test_a_second_run_stands_beside_the_same_number(browser: Any, folder: Path) -> None:
    with Run(folder / "other.db") as other:
        found = {name: number for name, _, number in page(other).numbers()}[UPLIFT]
    at = address(folder / "page.html", f"numbers?second=other.db&words={UPLIFT}")
    seen = opened(browser, at)
    cells = seen.tab.locator("main table tbody td")
    says(cells.last, f"{found.text} ({found.interval}), n {found.n}")


def test_unknown_numbers_and_hostile_text_are_said_as_text(
    browser: Any, folder: Path, tmp_path: Path
) -> None:
    with Run(folder / "flags.db") as run:
        head = Chunks(run).head()
    first, *others = head["printed"]
    spoiled = dict.fromkeys(("section", "row", "name", "text", "interval", "unit"), HOSTILE)
    head = {**head, "file": HOSTILE, "printed": [{**first, **spoiled}, *others]}
    path = tmp_path / "hostile.html"
    path.write_text("".join(document([block("head", "flags.db", packed(head))])), "utf-8")
    seen = opened(browser, address(path, f"numbers?number={first['id']}"))
    says(seen.tab.locator("main .side h3"), f"{SHOWN} ({SHOWN})")
    tells(seen.tab.locator("main .side code"), f"socialcircuits explain {SHOWN}#")
    tells(seen.tab.locator("main table tbody tr").first, SHOWN)
    holds(seen.tab.locator("main img"), 0)
    seen.tab.evaluate("hash => { location.hash = hash }", numbered("none.1"))
    says(seen.tab.locator("main [role=alert]"), "The report of flags.db has no number none.1.")
    holds(seen.tab.locator("main .side"), 0)
    bare = {**head, "printed": [], "unfinished": True}
    path.write_text("".join(document([block("head", "flags.db", packed(bare))])), "utf-8")
    early = opened(browser, address(path, "numbers"))
    tells(early.tab.locator("main"), "those of a run that is through")
    assert not seen.wrong + early.wrong


class Stubborn:
    """Says no JSON at first, then what the schema allows; every reply is counted."""

    def __init__(self) -> None:
        self._asked: set[tuple[Any, ...]] = set()

    def __call__(self, request: Request) -> Completion:
        known = request.segments in self._asked
        self._asked.add(request.segments)
        text = agreeable(request).text if known else f"FIRST {HOSTILE}"
        return Completion(text, "stop", prompt_tokens=300, completion_tokens=12)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of a run whose agents are prompted and need two attempts."""
    made = tmp_path_factory.mktemp("prompted")
    (made / "prices.toml").write_text(PRICES, "utf-8")
    able = Capabilities(schema=True, images=True)
    with pytest.MonkeyPatch.context() as patch:
        speak = Stubborn()
        patch.setattr(BackEnd, "_model", lambda _, name, where: ScriptedModel(name, speak, able))
        socialcircuits.run(
            "flag-game/protocols",
            model="openai/model-one?sees=text",
            out=made / "prompted.db",
            seeds=1,
            settings={"N": 4, "rounds": 1, "protocol": "pairwise"},
            access=Access(prices=made / "prices.toml"),
        ).close()
    server = Server([made / "prompted.db"])
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server.address
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_call_is_reached_from_trial_and_transcript(browser: Any, served: str) -> None:
    seen = opened(browser, f"{served}#/transcript?trial=0&purpose=message")
    tab = seen.tab
    tab.locator("article .public a", has_text="message").first.click()
    tab.wait_for_url(re.compile(r"#/trial\?.*step=\d+"))
    call = tab.locator(".call")
    tells(call.locator("h4"), "Call message/")
    tells(call, "2 attempts, 624 tokens, 0.0017 USD")
    call.get_by_role("button", name="Show the prompt and the replies").click()
    replies = call.locator(".replies > div")
    holds(replies, 2)
    tells(replies.nth(0).locator("dt"), "reply 1 of 2, invalid: ")
    tells(replies.nth(0).locator("dt"), "300 + 12 tokens, 0.0009 USD")
    says(replies.nth(0).locator("dd"), f"FIRST {SHOWN}")
    tells(replies.nth(1).locator("dd"), '"country"')
    assert call.locator(".prompt dt", has_text="system").count()
    assert not seen.violations()
    assert not seen.wrong


def test_a_notebook_shows_the_same_page(browser: Any, folder: Path, tmp_path: Path) -> None:
    shown = socialcircuits.view(folder / "flags.db", folder / "other.db")._repr_html_()
    notebook = tmp_path / "notebook.html"
    text = f'<!doctype html><html lang="en"><title>notebook</title><main>{shown}</main></html>'
    notebook.write_text(text, "utf-8")
    seen = Opened(browser, notebook.as_uri(), viewport=WIDE)
    frame = seen.tab.frame_locator("iframe")
    frame.locator("main h2", has_text="Runs").wait_for()
    assert seen.tab.locator("iframe").bounding_box()["height"] == 720
    frame.locator("nav.views a", has_text="Numbers").click()
    frame.locator("main table tbody button").first.click()
    frame.locator("section[aria-label='The chosen number'] p a").click()
    frame.locator("nav.views a", has_text="Trial").first.click()
    frame.locator("main canvas").first.wait_for()
    frame.get_by_role("button", name="Theme").click()
    frame.locator("button.theme", has_text="light").wait_for()
    inner = seen.tab.frames[1]
    # A frame without an origin of its own keeps the notebook out of reach.
    assert inner.evaluate("origin") == "null"
    says(frame.locator("main h2"), "Trial")
    assert seen.tab.url == notebook.as_uri()
    assert not seen.wrong
