"""The views of rates in a real browser: slope, iceberg, contagion and knowledge say what Python's
tables say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.studies import Run
from socialcircuits.viewer.chunks import Chunks, packed
from socialcircuits.viewer.frames import frames
from socialcircuits.viewer.shell import block, document
from tests.journeys.command import result, run
from tests.support.browser import Opened, address, browsing, holds, says, tells

STUDIES = {
    "harm.db": ("deliberation/coordination", "--seeds", "5", "--set", "rounds=2"),
    "room.db": ("chatroom/compounding", "--seeds", "3", "--set", "rounds=6"),
    "calm.db": ("chatroom/knowledge", "--seeds", "2", "--set", "rounds=3"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("rates")
    for name, (study, *options) in STUDIES.items():
        result("run", study, *options, "--out", name, at=made)
    done = run("export", *STUDIES, "-o", "page.html", at=made)
    assert done.returncode == 0, done.stderr
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as opened:
        yield opened


def opened(browser: Any, folder: Path, view: str, **options: Any) -> Opened:
    seen = Opened(browser, address(folder / "page.html", view), **options)
    seen.tab.locator("main :is(svg, table)").first.wait_for()
    return seen


def table(folder: Path, name: str, frame: str) -> list[dict[str, Any]]:
    found = frames(Run(folder / name))[frame]
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


def named(row: dict[str, Any]) -> str:
    """A condition in words, in the order of the table's columns."""
    swept = ("cast", "deceivers", "intervention")
    return ", ".join(f"{name} = {row[name]}" for name in row if name in swept and row[name] != "")


def cells(seen: Opened, caption: str) -> list[list[str]]:
    """The cells of the table of a caption, with single spaces."""
    shown = seen.tab.locator("main table", has=seen.tab.locator("caption", has_text=caption)).first
    shown.locator("tbody tr").first.wait_for(state="attached")
    found: list[list[str]] = shown.evaluate(
        "table => [...table.tBodies[0].rows].map(row => [...row.cells].map("
        "cell => cell.textContent.replaceAll('\\u00a0', ' ').trim()))"
    )
    return found


def test_a_composition_lists_its_trials(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "slope?run=harm.db")
    rows = [row for row in table(folder, "harm.db", "composition") if row["value"] is not None]
    points = seen.tab.locator("main svg .pick")
    holds(points, len(rows))
    # Each line has a band, and one through the means beside it, which is dashed.
    trends = table(folder, "harm.db", "trends")
    assert len(trends) == 4
    holds(seen.tab.locator("main svg path[stroke-dasharray]"), len(trends))
    points.last.click()
    seen.tab.wait_for_url("**at=*")
    named = cells(seen, "Trials: ")
    last = rows[-1]
    assert len(named) == last["trials"]
    head = seen.tab.locator("main h3").inner_text()
    assert head.startswith(f"{last['composition']} deceive, coordinated = true")
    tells(seen.tab.locator("main h3 + ul"), f"{last['value']:.2f} [")
    seen.tab.keyboard.press("ArrowLeft")
    seen.tab.locator("main h3", has_text=head).wait_for(state="detached")
    seen.tab.locator("main table", has_text="seed").locator("tbody button").first.click()
    assert seen.tab.evaluate("location.hash").startswith("#/trial?")
    assert not seen.wrong


def test_tests_stand_with_their_adjusted_p(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "slope?run=harm.db")
    shown = cells(seen, "Proportion or number")
    rows = table(folder, "harm.db", "tests")
    assert [row[1:3] for row in shown] == [[row["tested"], row["given"]] for row in rows]
    assert all(row[-1].partition(" ")[2].startswith(("BH of", "Holm of")) for row in shown)
    assert len(cells(seen, "Forms")) == len(table(folder, "harm.db", "forms"))


def test_what_is_held_and_not_said(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "iceberg?run=room.db")
    panels = seen.tab.locator("main .multiples figure")
    names = [name.replace("\u00a0", " ") for name in panels.locator("button").all_inner_texts()]
    curves = table(folder, "room.db", "curves")
    assert names == list(dict.fromkeys(map(named, curves)))
    # Between the two curves it is hatched.
    assert panels.first.locator("path[fill^=url]").get_attribute("d")
    panels.nth(1).locator("button").click()
    panels.nth(1).locator("button[aria-pressed=true]").wait_for()
    bars = cells(seen, "What is said by what is held")
    joint = table(folder, "room.db", "joint")
    rows = [row for row in joint if named(row) == names[1] and row["label"] == "FALSE"]
    assert bars[0][0] == f"holds FALSE, {rows[0]['of']} turns"
    assert bars[0][2] == f"{rows[0]['value']:.2f}"
    assert bars[0][-1] == f"{rows[0]['n']}"
    seen.tab.keyboard.press("t")
    seen.tab.get_by_text(f"({len(curves) + len(joint)} rows)").wait_for()
    assert not seen.wrong


def test_each_bin_of_infected_peers_has_its_n(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "contagion?run=room.db")
    rows = table(folder, "room.db", "hazard")
    raw = [row for row in rows if row["measure"] == "hazard_raw"]
    raw = [row for row in raw if named(row) == named(raw[0])]
    panel = seen.tab.locator("main .multiples figure")
    assert panel.first.locator("button").inner_text().replace("\u00a0", " ") == named(raw[0])
    titles = panel.first.locator("title").all_text_contents()
    for row in raw:
        counts = f"{row['counted']} of {row['of']} rounds, n = {row['n']}"
        assert any(
            title.startswith(f"{row['peers']} infected peers: ") and title.endswith(counts)
            for title in titles
        )
        assert f"{row['of']}" in panel.first.locator("text").all_text_contents()
    tells(seen.tab.locator("main"), "Not adjusted: where items differ")
    injected = cells(seen, "The experiment: final infection")
    assert len(injected) == len(table(folder, "room.db", "injected")) == 4
    assert not seen.wrong


def test_the_adjusted_curve_has_neither_answers_colour(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "contagion?run=room.db")
    assert any(row["measure"] == "hazard_adjusted" for row in table(folder, "room.db", "hazard"))
    holds(seen.tab.locator("main :is([stroke*='--truth'], [fill*='--truth'])"), 0)
    assert seen.tab.locator("main svg [stroke*='--third']").count() > 0


def test_what_the_report_says_beside_its_numbers_stands_there(browser: Any, folder: Path) -> None:
    sentence = "<b>Only items</b> are replicates."
    frame = {"title": "Caveats", "note": "", "columns": ["sentence"], "rows": [[sentence]]}
    with Run(folder / "room.db") as held:
        head = Chunks(held).head()
    head["frames"]["caveats"] = frame
    (folder / "said.html").write_text(
        "".join(document([block("head", "room.db", packed(head))])), "utf-8"
    )
    for view in ("iceberg", "contagion", "knowledge", "sweep"):
        seen = Opened(browser, address(folder / "said.html", view))
        says(seen.tab.get_by_label("What the report says beside this").locator("li"), sentence)
        assert not seen.wrong


def test_two_bars_a_condition(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "knowledge?run=calm.db")
    bars = cells(seen, "Known at first")
    rows = table(folder, "calm.db", "knowledge")
    assert len(bars) == 2 * len(rows)
    known, lost = bars[2], bars[3]
    row = rows[1]
    assert known[0] == f"cast = {row['cast']}: known"
    assert known[2].startswith(f"{row['known_at_first']:.2f} [")
    assert known[3:] == [
        f"{row['known_at_first_n']}",
        f"{row['known_at_first_counted']} of {row['known_at_first_of']}",
    ]
    assert lost[4].startswith(f"{row['abandoned_counted']} of {row['abandoned_of']}, ")
    seen.tab.locator("main table button").nth(2).click()
    seen.tab.wait_for_url("**at=1*")
    assert len(cells(seen, "Trials: cast\u00a0=\u00a0B")) == 2
    assert not seen.wrong
