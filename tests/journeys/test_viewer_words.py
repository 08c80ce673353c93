"""The views of what was said and told, in a browser: judge, tactics, parity and difference."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from socialcircuits import viewer
from socialcircuits.analyses.parity import parity
from socialcircuits.judges.rubrics.private_answer import HOLDS
from socialcircuits.judges.rubrics.stance import STANCES
from socialcircuits.measures.labelled import TACTICS
from socialcircuits.studies import Run, judge
from socialcircuits.studies import run as study
from socialcircuits.viewer.chunks import Chunks, packed
from socialcircuits.viewer.frames import frames
from socialcircuits.viewer.shell import block, document
from tests.support.browser import Opened, address, browsing, holds, says, tells
from tests.support.voices import AGENT, JUDGE, OTHER, Asked, Voices, judgment, questions

EVIL = "<script>document.title = 'had'</script><img src=x onerror=alert(1)> \u202etxt\u0007"
SHOWN = "<script>document.title = 'had'</script><img src=x onerror=alert(1)> \\u202etxt\\u0007"
SEEDS = 3


def reading(asked: Asked, number: int) -> str:
    """Two judges that quote what they read; the second finds every other time one tactic less."""
    if asked.keys != "reasoning found":
        return judgment(asked)
    said = [line["argument"] for line in asked.lines if "argument" in line][-1]
    used = ["fabricated_evidence", "consensus_pressure"]
    kept = used[:1] if asked.model == OTHER and number % 2 else used
    found = [{"label": name, "quote": said[:40]} for name in kept]
    return json.dumps({"reasoning": EVIL, "found": found})


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of deliberations whose agents and judges write what pages must not run."""
    folder = tmp_path_factory.mktemp("talked")
    settings = {"file": str(questions(folder)), "shareable": True, "strata": False}
    settings |= {"N": [4], "deceivers": [1], "coordinated": [False], "rounds": 1}
    out = folder / "talked.db"
    with pytest.MonkeyPatch.context() as patch:
        Voices(patch, judge=reading, sign=EVIL)
        preset = "deliberation/tactics"
        study(preset, model=AGENT, judge=JUDGE, seeds=4, settings=settings, out=out).close()
        judge(out, OTHER)
    with Run(out) as run:
        return viewer.export([run], folder / "page.html")


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of two runs of one study with other agents, of protocols, and of a chatroom."""
    folder = tmp_path_factory.mktemp("compared")
    plans: dict[str, tuple[str, dict[str, Any]]] = {
        "one.db": ("flag-game/population", {"settings": {"N": [4, 8]}}),
        "two.db": (
            "flag-game/population",
            {"settings": {"N": [4, 8]}, "model": "simulated/sycophantic"},
        ),
        "protocols.db": ("flag-game/protocols", {"settings": {"rounds": 2}}),
        "room.db": ("chatroom/judges", {"settings": {"rounds": 2}}),
    }
    for name, (preset, given) in plans.items():
        study(preset, out=folder / name, seeds=SEEDS, **given).close()
    with ExitStack() as opened:
        runs = [opened.enter_context(Run(folder / name)) for name in plans]
        return viewer.export(runs, folder / "page.html")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as opened:
        yield opened


def shown(browser: Any, page: Path, view: str, **options: Any) -> Opened:
    opened = Opened(browser, address(page, view), **options)
    opened.tab.locator("main section").first.wait_for()
    return opened


def unpacked(opened: Opened, trials: str) -> None:
    """Wait until all labels are there."""
    opened.tab.locator("main [role=status]", has_text=trials).wait_for()


def options(opened: Opened) -> list[str]:
    """What a reader can say of the label that is open."""
    listed = opened.tab.locator("fieldset.own select option")
    return [str(text) for text in listed.all_inner_texts()]


def test_hostile_words_of_agents_and_judges_are_text(browser: Any, talked: Path) -> None:
    for view in ("judge?rubric=tactics", "tactics?tactic=fabricated_evidence"):
        opened = shown(browser, talked, view)
        opened.tab.locator("main article").first.wait_for()
        text = opened.tab.locator("main article").first.inner_text()
        assert SHOWN in text
        holds(opened.tab.locator("main script, main img"), 0)
        opened.tab.locator("main article mark").first.wait_for()
        assert opened.tab.title().endswith("socialcircuits")
        assert not opened.wrong


def test_disagreements_of_judges_and_their_confusion(browser: Any, talked: Path) -> None:
    opened = shown(browser, talked, "judge?rubric=tactics&show=disputed")
    tab = opened.tab
    unpacked(opened, "4 of 4 trials")
    rows = tab.locator("main article")
    rows.first.wait_for()
    assert all("judges differ" in text for text in rows.all_inner_texts())
    tab.get_by_role("button", name="tactics, consensus pressure").first.click()
    cells = tab.locator("table.confusion td.num").all_inner_texts()
    counts = [int(cell) for cell in cells]
    with Run(talked.with_name("talked.db")) as run:
        frame = frames(run)["confusion"]
    at = {name: place for place, name in enumerate(frame["columns"])}
    expected = [
        row[at["pairs"]]
        for row in frame["rows"]
        if row[at["part"]] == "consensus_pressure"
        and JUDGE in row[at["judges"]]
        and OTHER in row[at["judges"]]
    ]
    assert sorted(filter(None, counts)) == sorted(expected)
    tab.get_by_role("button", name="Hide what judges say").click()
    assert "fabricated" not in rows.first.inner_text()
    assert not opened.wrong


def test_labels_of_a_reader_are_saved_and_only_counted_in_the_address(
    browser: Any, compared: Path, tmp_path: Path
) -> None:
    opened = shown(browser, compared, "judge?run=room.db&rubric=stance")
    tab = opened.tab
    unpacked(opened, f"{SEEDS} of {SEEDS} trials")
    tab.locator("main h3", has_text="Labels").click()
    tab.keyboard.press("j")
    tab.locator("fieldset.own").wait_for()
    assert options(opened) == ["-", *STANCES]
    tab.locator("fieldset.own select").select_option("hedge")
    tab.wait_for_url("**relabelled=1**")
    assert "hedge" not in tab.evaluate("location.hash")
    with tab.expect_download() as saving:
        tab.get_by_role("button", name="Save my 1 labels").click()
    saving.value.save_as(tmp_path / "labels.csv")
    with (tmp_path / "labels.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    with Run(compared.with_name("room.db")) as run:
        record = run.file.trial(int(row["trial"]))
        steps = {record.graph.step_id(label.step): label.rubric for label in record.labels}
        assert row["run"] == run.digests()["run"]
    assert row["step"] in steps
    assert (row["rubric"], row["part"], row["value"]) == ("stance", "stance", "hedge")
    tab.get_by_label("Rubric").select_option("private_answer")
    tab.keyboard.press("Escape")
    tab.locator("main article button").first.click()
    assert options(opened) == ["-", *HOLDS]
    assert not opened.wrong


def test_the_order_of_labels_is_the_same_for_everybody(browser: Any, compared: Path) -> None:
    seen = []
    for _ in range(2):
        opened = shown(browser, compared, "judge?run=room.db")
        unpacked(opened, f"{SEEDS} of {SEEDS} trials")
        seen.append(opened.tab.locator("main article").all_inner_texts())
    assert seen[0] == seen[1]
    rounds = [text.split("trial ")[1].split()[0] for text in seen[0]]
    assert len(set(rounds)) > 1


def test_tactics_stand_in_the_order_of_the_paper_and_lead_to_the_talk(
    browser: Any, talked: Path
) -> None:
    opened = shown(browser, talked, "tactics")
    tab = opened.tab
    names = tab.locator("table.tactics tbody th").all_inner_texts()
    assert names == [name.replace("_", " ") for name in TACTICS]
    tab.get_by_text("8 of 8 labelled messages", exact=False).wait_for()
    tab.keyboard.press("ArrowDown")
    tab.get_by_text("0 of 8 labelled messages", exact=False).wait_for()
    tab.keyboard.press("ArrowUp")
    tab.locator("main article a").first.click()
    assert tab.evaluate("location.hash").startswith("#/transcript?")
    tab.locator("main article.now").wait_for()
    assert not opened.wrong


def test_what_protocols_tell_differently(browser: Any, compared: Path) -> None:
    opened = shown(browser, compared, "parity?run=protocols.db")
    tab = opened.tab
    tells(tab.locator("main"), "Simulated agents read no prompts")
    groups = tab.locator("main table").first.locator("tbody tr")
    holds(groups, 3)
    gone = tab.locator(".change del").all_inner_texts()
    come = tab.locator(".change ins").all_inner_texts()
    assert gone or come
    tab.keyboard.press("s")
    tab.locator(".change table").wait_for()
    assert tab.locator(".change del").all_inner_texts() == gone
    assert tab.locator(".change ins").all_inner_texts() == come
    tab.keyboard.press("ArrowDown")
    tab.wait_for_url("**place=1**")
    assert not opened.wrong


def test_what_agents_are_told_is_shown_place_by_place(browser: Any, compared: Path) -> None:
    with Run(compared.with_name("protocols.db")) as run:
        head, groups = Chunks(run).head(), parity(run).groups
    texts = [list(group.told.texts.items()) for group in groups]
    rows = [
        [group.digest, place, ", ".join(models), text]
        for group, places in zip(groups, texts, strict=True)
        for place, found in places
        for text, models in found.items()
    ]
    columns = ["told", "place", "models", "text"]
    head["frames"]["prompts"] = {"title": "", "note": "", "columns": columns, "rows": rows}
    page = compared.with_name("told.html")
    page.write_text("".join(document([block("head", head["run"], packed(head))])), "utf-8")
    opened = shown(browser, page, "parity")
    prompt = opened.tab.locator("section.prompted .said")
    says(prompt, next(iter(texts[0][0][1])))
    opened.tab.get_by_label("Place").select_option("1")
    says(prompt, next(iter(texts[0][1][1])))
    opened.tab.get_by_role("button", name=groups[2].digest[:8]).click()
    says(prompt, next(iter(texts[2][0][1])))
    opened.tab.wait_for_url("**group=2**")
    assert not opened.wrong


def test_two_runs_that_tell_the_same(browser: Any, compared: Path) -> None:
    opened = shown(browser, compared, "parity?run=one.db&second=two.db")
    text = opened.tab.locator("main").inner_text()
    assert "places identical" in text
    holds(opened.tab.locator(".change:not(.prompted)"), 0)


def test_what_differs_between_two_runs(browser: Any, compared: Path) -> None:
    opened = shown(browser, compared, "diff?run=one.db&second=two.db")
    tab = opened.tab
    pairs = 2 * SEEDS
    with Run(compared.with_name("one.db")) as one, Run(compared.with_name("two.db")) as two:
        heads = [Chunks(run).head()["trials"] for run in (one, two)]
    # As in estimates: an example trial is no pair.
    scores = zip(*(head["accuracy"] for head in heads), heads[0]["role"], strict=True)
    changes = [b - a for a, b, role in scores if role == "estimate"]
    lower, higher = sum(c < 0 for c in changes), sum(c > 0 for c in changes)
    text = tab.locator("main").inner_text()
    assert "simulated/sycophantic" in text
    assert f"From right towards wrong: {lower} of {len(changes)} pairs" in text
    assert f"From wrong towards right: {higher} of {len(changes)} pairs" in text
    assert len(changes) == pairs < len(heads[0]["role"])
    tab.get_by_text(f"seen of {len(changes)} of {len(changes)} pairs", exact=False).wait_for()
    tab.get_by_role("link", name="Both trials there").click()
    hash_ = tab.evaluate("location.hash")
    assert hash_.startswith("#/trial?")
    assert "second=two.db" in hash_
    assert not opened.wrong
