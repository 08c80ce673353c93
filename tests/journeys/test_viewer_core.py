"""The page and the views of one trial in a real browser: what they show is what was recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import socialcircuits
from socialcircuits.records import RunFile, TrialRecord
from socialcircuits.studies import Run
from socialcircuits.viewer import export
from socialcircuits.viewer.chunks import Chunks, packed
from socialcircuits.viewer.shell import block, document
from tests.support.browser import Opened, address, browsing, holds, says, tells

STUDIES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "flags.db": ("flag-game/protocols", {"N": [8, 16], "protocol": "pairwise", "cast": "A"}),
    "room.db": ("chatroom/sybils", {"rounds": 6, "cast": "C", "deceivers": ["1/5"]}),
    "votes.db": ("deliberation/flags", {"rounds": 2}),
}
WIDE = {"width": 1280, "height": 900}
SILENT = ("hedge", "ignore", "unrelated")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("core")
    runs = [
        socialcircuits.run(study, out=made / name, seeds=1, settings=settings)
        for name, (study, settings) in STUDIES.items()
    ]
    export(runs, made / "page.html")
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as opened:
        yield opened


def opened(
    browser: Any, folder: Path, view: str, page: str = "page.html", **options: Any
) -> Opened:
    tab = Opened(browser, address(folder / page, view), **{"viewport": WIDE, **options})
    tab.tab.locator("main h2").wait_for()
    return tab


def record(folder: Path, name: str, number: int) -> TrialRecord:
    with RunFile(folder / name) as file:
        return file.trial(number)


def cells(view: Opened, caption: str) -> list[list[str]]:
    """The cells of the table of a caption, once it has rows."""
    table = view.tab.locator("table", has=view.tab.locator("caption", has_text=caption)).first
    table.locator("tbody tr td").first.wait_for(state="attached")
    found: list[list[str]] = table.evaluate(
        "table => [...table.tBodies[0].rows].map(row => [...row.cells].map(c => c.textContent))"
    )
    return found


def test_the_runs_are_listed_and_their_trials_open(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "runs?run=room.db")
    assert [row[0] for row in cells(seen, "Runs of this page")] == list(STUDIES)
    trials = cells(seen, "Trials of room.db")
    with Run(folder / "room.db") as held:
        assert [row[0] for row in trials] == [f"{one.trial}" for one in held.summaries()]
    seen.tab.locator("section[aria-label^='Trials of']").focus()
    seen.tab.keyboard.press("ArrowDown")
    seen.tab.keyboard.press("ArrowDown")
    seen.tab.keyboard.press("Enter")
    seen.tab.locator("main canvas").wait_for()
    assert seen.tab.evaluate("location.hash").startswith("#/trial?run=room.db&trial=")
    seen.tab.keyboard.press("Escape")
    seen.tab.locator("main h2", has_text="Runs").wait_for()


def test_a_screen_reader_gets_what_each_agent_believed(browser: Any, folder: Path) -> None:
    told = record(folder, "flags.db", 0)
    steps = told.graph.steps
    beliefs: dict[int, list[str]] = {}
    for index in told.outcomes:
        if steps[index].purpose == "probe":
            beliefs.setdefault(steps[index].seat, []).append(told.answer(index) or "invalid")
    rows = cells(opened(browser, folder, "trial?trial=0"), "What each of 8 agents answered")
    assert [row[3] for row in rows] == [stretches(beliefs[seat]) for seat in range(8)]
    assert [row[5] for row in rows] == [beliefs[seat][-1] for seat in range(8)]


def stretches(said: list[str]) -> str:
    cuts = [0, *(at for at in range(1, len(said)) if said[at] != said[at - 1]), len(said)]
    return ", ".join(
        f"{first if first == last - 1 else f'{first}-{last - 1}'} {said[first]}"
        for first, last in pairwise(cuts)
    )


def test_the_address_is_the_state_and_keys_change_it(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "trial?trial=0&seat=2&round=3")
    tab = seen.tab
    heading = tab.locator("section.agent h3")
    says(heading, "Agent 2 at round 3")
    badge = tab.locator("main .badge").inner_text()
    tab.keyboard.press("ArrowLeft")
    says(heading, "Agent 2 at round 2")
    tab.keyboard.press("Home")
    says(tab.locator("main .badge"), badge)
    tab.wait_for_url(re.compile("round=0"))
    tab.reload()
    says(heading, "Agent 2 at round 0")
    tab.keyboard.press("]")
    tab.wait_for_url(re.compile("trial=1"))
    tab.locator("main .about", has_text="N = 16").wait_for()
    tab.keyboard.press("?")
    tells(tab.locator("dialog"), "trial before")
    tab.keyboard.press("Escape")
    assert not tab.locator("dialog").is_visible()
    tab.keyboard.press("t")
    tab.wait_for_url(re.compile("table=1"))
    holds(tab.locator("section table", has_text="evidence fits").locator("tbody tr"), 16)
    assert not seen.wrong


def test_an_agent_shows_what_it_had_read(browser: Any, folder: Path) -> None:
    told = record(folder, "votes.db", last(folder, "votes.db"))
    seats = len(told.graph.seats)
    seen = opened(browser, folder, f"trial?run=votes.db&trial={told.plan.number}&seat=0")
    assert seen.tab.locator("section.agent h3").inner_text().endswith("at its vote")
    # Its own reflections of rounds 0 to 2, and the board of the last round.
    tells(seen.tab.locator(".heard h4"), f"{3 + seats} entries")
    vote = next(i for i in told.outcomes if told.graph.step_id(i) == "vote/0/0")
    tells(seen.tab.locator(".agent .side").last, str(told.answer(vote)))
    key = next(one.key.hex() for one in told.attempts if one.step == vote)
    assert key.startswith(seen.tab.locator(".call code").inner_text())


def last(folder: Path, name: str) -> int:
    with Run(folder / name) as held:
        return held.summaries()[-1].trial


def test_shares_are_those_of_the_record(browser: Any, folder: Path) -> None:
    told = record(folder, "flags.db", 1).summary()
    rows = cells(opened(browser, folder, "shares?trial=1"), "Seats that hold each answer")
    found = {(int(when), answer): int(held) for when, answer, held, _, _ in rows}
    expected = {
        (when, answer): answers.count(answer)
        for when, answers in told.readouts.items()
        for answer in answers
        if answer is not None
    }
    assert found == expected
    assert {row[3] for row in rows} == {"16"}


def test_lanes_outline_what_is_believed_and_not_said(browser: Any, folder: Path) -> None:
    number = last(folder, "room.db")
    room = record(folder, "room.db", number).summary().room
    assert room is not None
    expected = sum(
        member.held(turn.round) == "FALSE" and turn.stance in SILENT
        for member in room.members
        for turn in member.turns
    )
    assert expected > 0
    seen = opened(browser, folder, f"lanes?run=room.db&trial={number}")
    seen.tab.locator(".lanes tbody tr").first.wait_for()
    holds(seen.tab.locator(".lanes .unvoiced"), expected)
    holds(seen.tab.locator(".lanes td span", has_text="believed but not said"), expected)


def test_the_transcript_parts_public_from_private(browser: Any, folder: Path) -> None:
    number = last(folder, "votes.db")
    seen = opened(browser, folder, f"transcript?run=votes.db&trial={number}&seat=0")
    tab = seen.tab
    tab.locator("article").first.wait_for()
    assert "reflection" not in tab.locator("article .public").first.inner_text()
    tells(tab.locator("article .private").first, "reflection")
    tells(tab.locator("article .private").last, "vote")
    tab.get_by_label("Purpose").select_option("vote")
    holds(tab.locator("article"), 1)
    tab.locator("main h2").click()
    tab.keyboard.press("j")
    tab.keyboard.press("Enter")
    tab.locator("section.agent h3", has_text="Agent 0").wait_for()
    assert not seen.wrong


def test_two_runs_share_one_scrubber(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "trial?run=flags.db&second=room.db&round=2")
    seen.tab.locator("main canvas").nth(1).wait_for()
    holds(seen.tab.locator("main input[type=range]"), 1)
    shares = opened(browser, folder, "shares?run=flags.db&second=room.db&round=2")
    holds(shares.tab.locator("main .chart"), 2)
    assert not seen.wrong + shares.wrong


def test_hostile_text_is_text_and_a_broken_trial_is_said_in_its_place(
    browser: Any, folder: Path
) -> None:
    hostile = "<img src=x onerror=alert(1)></script>\u202e\x07" + "a" * 1_000_000
    with Run(folder / "votes.db") as held:
        chunks = Chunks(held, "votes.db")
        head, number = chunks.head(), chunks.numbers()[-1]
        trial = chunks.trial(number)
    said = [hostile if seat == 0 else text for seat, text in _spoken(trial)]
    named = [{**trial["seats"][0], "name": hostile}, *trial["seats"][1:]]
    broken = {**trial, "number": number - 1, "steps": None}
    whole = {**trial, "seats": named, "steps": {**trial["steps"], "said": said}}
    _write(folder / "hostile.html", {**head, "study": hostile[:40]}, whole, broken)
    for view in ("trial", "transcript"):
        seen = opened(browser, folder, f"{view}?trial={number}&seat=0", "hostile.html")
        tab = seen.tab
        tab.locator("main", has_text="\\u202e\\u0007aaa").wait_for()
        holds(tab.locator("img"), 0)
        tab.get_by_role("button", name="of 1,000,039 letters").first.wait_for()
        assert len(tab.locator("main").inner_text()) < 200_000
        tab.keyboard.press("[")
        tab.locator("main [role=alert]", has_text="cannot be drawn").wait_for()
        assert tab.locator("nav a").count() > 2
        assert not seen.wrong


def test_what_the_page_does_not_hold_is_said_and_all_labels_in_sight_are_shown(
    browser: Any, folder: Path
) -> None:
    with Run(folder / "votes.db") as held:
        head = Chunks(held, "votes.db").head()
    counts = {**head["counts"], "completed": 0, "excluded": 2}
    bare: dict[str, list[object]] = {name: [] for name in head["trials"]}
    other = {**head, "run": "b.db", "label": "a model", "simulated": False}
    other |= {"counts": counts, "trials": bare}
    blocks = [block("head", one["run"], packed(one)) for one in (other, head)]
    (folder / "two.html").write_text("".join(document(blocks)), encoding="utf-8")

    tab = opened(browser, folder, "diff?run=b.db&second=votes.db", "two.html").tab
    labels = tab.locator("header .label").all_inner_texts()
    assert labels[:2] == ["b.db: a model", f"votes.db: {head['label']}"]
    assert "outside" not in labels[2]
    alone = opened(browser, folder, "diff?run=b.db", "two.html").tab
    says(alone.locator("header .label").first, "a model")

    for view in ("evidence", "circuit"):
        lacks = opened(browser, folder, f"{view}?run=b.db", "two.html").tab
        holds(lacks.locator("main", has_text="No trial is completed."), 1)
        holds(lacks.locator("main [role=alert]"), 0)
    lost = opened(browser, folder, "evidence?run=votes.db&second=c.db", "two.html").tab
    says(lost.locator("main [role=alert]"), "This page does not hold c.db.")
    holds(lost.locator("main table, main canvas"), 0)
    lost.locator("main a", has_text="of what it holds").click()
    lost.wait_for_url("**#/evidence?run=votes.db")
    nowhere = opened(browser, folder, "nothing?run=votes.db", "two.html").tab
    says(nowhere.locator("main [role=alert]"), "There is no view nothing.")
    holds(nowhere.locator("nav [aria-current=page]"), 0)


def _spoken(trial: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    yield from zip(trial["steps"]["seat"], trial["steps"]["said"], strict=True)


def _write(path: Path, head: Mapping[str, Any], *trials: Mapping[str, Any]) -> None:
    blocks = [block("head", "votes.db", packed(head))]
    blocks += [block(f'trial="{one["number"]}"', "votes.db", packed(one)) for one in trials]
    path.write_text("".join(document(blocks)), encoding="utf-8")
