"""The views of whole runs of the Flag Game in a browser: phase, probe and sweep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.studies import Run
from socialcircuits.theory.outcomes import outcome
from socialcircuits.viewer.chunks import Chunks
from tests.journeys.command import result, run
from tests.support.browser import Opened, address, browsing, holds, tells

SIZES = "N=[4, 8]"
SEEDS = 2


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of groups, the evidence shares of the same seeds, planted memories, other groups."""
    folder = tmp_path_factory.mktemp("page")
    small = ("--seeds", f"{SEEDS}")
    for study, name, sizes in (
        ("population", "groups.db", SIZES),
        ("evidence-share", "shares.db", SIZES),
        ("memory-conflict", "memory.db", "m=[1, 3]"),
        ("protocols", "other.db", "rounds=1"),
    ):
        options = (*small, "--set", sizes)
        result("run", f"flag-game/{study}", *options, "--out", name, at=folder)
    runs = ("groups.db", "shares.db", "memory.db", "other.db")
    done = run("export", *runs, "-o", "page.html", at=folder)
    assert done.returncode == 0, done.stderr
    return folder / "page.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as started:
        yield started


class View(Opened):
    """A view of whole runs."""

    def __init__(self, browser: Any, path: Path, view: str, **options: Any) -> None:
        super().__init__(browser, address(path, view), **options)
        self.tab.locator("main svg, main canvas").first.wait_for()

    def values(self) -> list[float]:
        """What the phase view says of its cell, once the whole map is calculated."""
        self.tab.locator("svg[data-complete]:not([data-complete=''])").wait_for()
        said = self.tab.locator("main .readout").inner_text()
        return [float(number) for number in re.findall(r"\d\.\d{4}", said)]

    def slide(self, name: str, value: float) -> None:
        slider = self.tab.get_by_label(name)
        slider.evaluate(
            "(input, value) => { input.value = value;"
            " input.dispatchEvent(new Event('input', { bubbles: true })); }",
            f"{value}",
        )
        self.tab.locator(f"svg[data-complete*=' {value} ']").wait_for()


def exact(n: int, share: float, total: float, bias: float, rounds: int | None) -> list[float]:
    rival = total * share
    found = outcome(n, total - rival, rival, bias, rounds)
    values = (found.correct, found.wrong, found.polarized, found.fragmented, found.truth_share)
    return [round(value, 4) for value in values]


def test_the_map_says_what_the_theory_says(browser: Any, exported: Path) -> None:
    opened = View(browser, exported, "phase?n=128&share=35")
    assert opened.values() == pytest.approx(exact(128, 0.35, 0.45, 0.3, None), abs=1.01e-4)
    opened.slide("bias", -0.5)
    assert opened.values() == pytest.approx(exact(128, 0.35, 0.45, -0.5, None), abs=1.01e-4)
    stepped = View(browser, exported, "phase?n=32&share=60&total=0.3&bias=0.7&rounds=5")
    stepped.tab.locator("main .readout").get_by_text("N = 32, rival share 0.60").wait_for()
    assert stepped.values() == pytest.approx(exact(32, 0.6, 0.3, 0.7, 5), abs=1.01e-4)
    assert not opened.wrong + stepped.wrong


def test_keys_walk_over_the_map_and_the_address_keeps_it(browser: Any, exported: Path) -> None:
    opened = View(browser, exported, "phase?n=64&share=25")
    said = opened.tab.locator("main .readout")
    tells(said, "fragmentation is the most probable of 4")
    opened.tab.get_by_role("combobox", name="most probable of").select_option("3")
    tells(said, "correct consensus is the most probable of 3")
    opened.tab.locator("main h2").click()
    for key in ("ArrowLeft", "ArrowUp", "PageUp"):
        opened.tab.keyboard.press(key)
    tells(said, "N = 32, rival share 0.36")
    opened.tab.wait_for_url(re.compile("n=32&share=36"))
    opened.tab.keyboard.press("t")
    opened.tab.locator("main table").filter(has_text="mean truth share").first.wait_for()


def test_trials_stand_at_their_own_rival_share(browser: Any, exported: Path) -> None:
    opened = View(browser, exported, "phase")
    dots = opened.tab.locator("main svg .pick")
    holds(dots, 2 * SEEDS)
    rows = opened.tab.locator("main table").first.locator("tbody tr")
    holds(rows, 2 * 4)
    dots.first.click()
    assert opened.tab.evaluate("location.hash").startswith("#/trial?")


def test_shares_of_other_evidence_are_nobodys(browser: Any, exported: Path) -> None:
    """Planted memories have the same seed and sizes, and are of other flags."""
    for name, missing in (("memory.db", "flag-game/evidence-share"), ("other.db", "not drawn")):
        opened = View(browser, exported, f"phase?run={name}")
        holds(opened.tab.locator("main svg .pick"), 0)
        tells(opened.tab.locator("main"), missing)
        holds(opened.tab.locator("main table", has_text="Measured, with"), 0)


def test_ladders_of_planted_memories(browser: Any, exported: Path) -> None:
    opened = View(browser, exported, "probe?run=memory.db")
    panels = opened.tab.locator("main .multiples figure")
    # Two casts, two bandwidths, three regimes; nine rungs each.
    holds(panels, 12)
    tells(panels.first.locator("figcaption"), "yield")
    plain = panels.first.locator("path").count()
    opened.tab.keyboard.press("i")
    opened.tab.locator("main button[aria-pressed=true]").wait_for()
    assert panels.first.locator("path").count() >= plain + 9
    assert not opened.wrong


def test_a_rung_lists_its_trials(browser: Any, exported: Path) -> None:
    opened = View(browser, exported, "probe?run=memory.db")
    tab = opened.tab
    listed = tab.locator("main table").filter(has_text="Trials: ")
    holds(tab.locator("main svg .pick"), 12 * 9)
    tab.locator("main svg .pick").nth(9 + 3).click()
    tells(listed.locator("caption"), "cast = B, lures = 3")
    holds(listed.locator("tbody tr"), SEEDS)
    tab.keyboard.press("ArrowRight")
    tells(listed.locator("caption"), "cast = B, lures = 4")
    listed.locator("tbody button").first.click()
    tab.locator("main .about", has_text="lures = 4").wait_for()
    assert not opened.wrong


def test_a_point_of_a_sweep_lists_its_trials(browser: Any, exported: Path) -> None:
    opened = View(browser, exported, "sweep")
    tab = opened.tab
    tab.locator("main svg .pick").first.click()
    listed = tab.locator("main table").filter(has_text="Trials with N = 4").first
    holds(listed.locator("tbody tr"), SEEDS)
    tells(tab.locator("main"), "N = 8 less N = 4")
    with Run(exported.with_name("groups.db")) as held:
        printed = Chunks(held).head()["printed"]
    (own,) = (
        one
        for one in printed
        if one["id"].startswith("contrasts.") and one["name"] == "collective_accuracy"
    )
    tells(tab.locator("main table", has_text="Differences between"), own["adjusted"])
    tab.get_by_label("measure").select_option("endpoints")
    holds(tab.locator("main svg.scatter .pick"), 2 * 4)
    listed = tab.locator("main table").filter(has_text="Trials with").first
    tab.keyboard.press("ArrowRight")
    listed.locator("tbody button").first.click()
    assert tab.evaluate("location.hash").startswith("#/trial?")
    assert not opened.wrong
