"""The views of evidence, circuits, patches and attribution: what they say is what Python says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.analyses.attributing import all_held
from socialcircuits.analyses.differing import Side, differ
from socialcircuits.interventions.attribution import arrivals
from socialcircuits.studies import Execution, Run, execute, plan, run
from socialcircuits.studies.patching import PATCHED, find, patched
from socialcircuits.viewer.chunks import Chunks
from socialcircuits.viewer.export import export
from tests.support.browser import Opened, address, browsing, holds, says, tells

WIDE = {"width": 1280, "height": 900}
STUDIES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "patching.db": ("flag-game/patching", 2, {}),
    "single.db": ("flag-game/patching", 1, {}),
    "groups.db": ("flag-game/population", 1, {"N": [8, 128]}),
    "shares.db": ("flag-game/evidence-share", 1, {"N": [8]}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("circuit")
    with ExitStack() as stack:
        runs = [
            stack.enter_context(run(study, seeds=seeds, settings=settings, out=made / name))
            for name, (study, seeds, settings) in STUDIES.items()
        ]
        change = {"kind": "evidence", "agents": ["3"], "view": "9,3"}
        study = patched(runs[0], find(runs[0], 0), {PATCHED: [change]})
        execute(plan(study), made / "patched.db", Execution(start=runs[0].path))
        runs.append(stack.enter_context(Run(made / "patched.db")))
        export(runs, made / "page.html")
    return made


@pytest.fixture(scope="module")
def browser(folder: Path) -> Iterator[Any]:
    # A browser holds this thread's event loop: the runs are made before.
    assert folder.exists()
    with browsing() as opened:
        yield opened


def opened(browser: Any, folder: Path, view: str, **options: Any) -> Opened:
    tab = Opened(browser, address(folder / "page.html", view), **{"viewport": WIDE, **options})
    tab.tab.locator("main :is(canvas, table.drawn)").first.wait_for()
    return tab


def cells(view: Opened, caption: str) -> list[list[str]]:
    """The cells of the table of a caption, once it has rows."""
    table = view.tab.locator("table", has=view.tab.locator("caption", has_text=caption)).first
    table.locator("tbody tr td").first.wait_for(state="attached")
    found: list[list[str]] = table.evaluate(
        "table => [...table.tBodies[0].rows].map(row => [...row.cells].map(c => c.textContent))"
    )
    return [[cell.strip() for cell in row] for row in found]


def printed(value: float | None) -> str:
    """A number as the page's tables print it."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.3f}"


@pytest.mark.parametrize("trial", [0, 4])
def test_arrivals_are_those_of_python(browser: Any, folder: Path, trial: int) -> None:
    seen = opened(browser, folder, f"circuit?run=patching.db&trial={trial}&seat=0&table=1")
    with Run(folder / "patching.db") as held:
        graph = held.file.trial(trial).graph
    found = arrivals(graph)
    for seat in range(len(graph.seats)):
        tree = found.tree(seat)
        # What is said first to others is said by the agent itself: no other tree begins with it.
        seen.tab.locator("main tbody tr:first-child td", has_text=tree[0].step).wait_for()
        assert cells(seen, f"Earliest arrivals from agent {seat}") == [
            [f"{one.agent}", f"{one.time}", f"{one.speaker}", f"{one.round}", one.step]
            for one in tree
        ]
        seen.tab.keyboard.press("ArrowDown")
    table = cells(seen, "How early each agent can reach the other 7")
    reach = found.reach
    assert [row[2:5] for row in table] == [
        [f"{7 - missed}", printed(mean), printed(near)]
        for missed, mean, near in zip(
            reach.unreached.tolist(),
            reach.mean_arrival.tolist(),
            reach.closeness.tolist(),
            strict=True,
        )
    ]


def test_arrivals_in_a_group_of_128(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "circuit?run=groups.db&trial=1&seat=127&table=1")
    with Run(folder / "groups.db") as held:
        record = held.file.trial(1)
    # The group agreed before its last round: what was never said is not in the page.
    tree = [one for one in arrivals(record.graph).tree(127) if one.round <= record.cut]
    tells(seen.tab.locator("main"), f"can reach {len(tree)} of 127 others")
    first = cells(seen, "Earliest arrivals from agent 127")[0]
    assert first[:3] == [f"{tree[0].agent}", f"{tree[0].time}", "127"]


def test_scores_are_those_of_the_attribution(browser: Any, folder: Path) -> None:
    with Run(folder / "patching.db") as held:
        found = {one.trial: one.rows() for one in all_held(held)}
    assert sorted(found) == [0, 11]
    for trial, rows in found.items():
        seen = opened(browser, folder, f"circuit?run=patching.db&trial={trial}")
        table = cells(seen, "How early each agent can reach")
        names = ("D", "E", "dp", "S", "dA")
        assert [row[3:] for row in table] == [[printed(row[n]) for n in names] for row in rows]
        seen = opened(browser, folder, f"attribution?run=patching.db&trial={trial}&table=1")
        table = cells(seen, f"Which agent matters: trial {trial}")
        assert [row[-7] for row in table] == [printed(row["S"]) for row in rows]
        tells(seen.tab.locator("main"), "n = 16 agents.")
        holds(seen.tab.locator(".scatter title"), 16)


def test_one_schedule_is_said_to_be_one(browser: Any, folder: Path) -> None:
    for name, alone in (("single.db", True), ("patching.db", False)):
        seen = opened(browser, folder, f"attribution?run={name}")
        text = seen.tab.locator("main").inner_text()
        assert ("One schedule is all there is (n = 1)" in text) is alone
        assert "Mean rank correlation with dA" in text
        assert "p = " in text


def test_a_chain_of_readings_is_that_of_python(browser: Any, folder: Path) -> None:
    with Run(folder / "patching.db") as held:
        plans = {plan.number: plan for plan in held.file.plans()}
        (found,) = differ(Side(held, 0), Side(held, 2)).pairs
    assert (plans[0].condition["intervention"], plans[2].condition["intervention"]) == ("", "A0")
    assert found.beliefs
    for belief in found.beliefs:
        seat, last = belief.path.hops[-1].step.split("/")[1], belief.path.hops[-1]
        seen = opened(
            browser, folder, f"patch?run=patching.db&trial=2&seat={seat}&round={last.round}"
        )
        steps = seen.tab.locator("section[aria-label^='How the difference'] li code")
        assert steps.all_inner_texts() == [hop.step for hop in belief.path.hops]


def test_a_patch_says_what_it_changed(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "patch?run=patching.db&trial=0")
    text = seen.tab.locator("main").inner_text()
    with Run(folder / "patching.db") as held:
        before, after = (held.file.trial(number) for number in (0, 2))
        final = [one.summary().final.count("Germany") / 8 for one in (before, after)]
    said = re.search(r"after, dA = (-?\d+(?:\.\d+)?)", text)
    assert said is not None
    assert float(said[1]) == pytest.approx(final[1] - final[0], abs=0.005001)
    assert "See something else (◂): 0." in text
    assert "begins in round 0, with agent 0" in text
    holds(seen.tab.locator("figure.raster canvas"), 3)
    seen.tab.locator("label", has_text=re.compile("^Intervention")).locator("select").select_option(
        index=3
    )
    seen.tab.get_by_text("See something else (◂): 3.").wait_for()
    seen.tab.wait_for_url(lambda url: "trial=5" in url)
    assert [row[1] for row in cells(seen, "What each of 8 agents held")].index("true") == 3


def test_an_effect_stands_with_its_adjusted_p(browser: Any, folder: Path) -> None:
    with Run(folder / "patching.db") as held:
        printed = Chunks(held).head()["printed"]
    contrasts = [one for one in printed if one["id"].startswith("contrasts.")]
    expected = [one for one in contrasts if one["name"] == "collective_accuracy"]
    assert len(expected) == 8
    rows = cells(opened(browser, folder, "patch?run=patching.db&trial=0"), "dA: accuracy with")
    assert [row[-1].partition("; adjusted ")[2] for row in rows] == [
        one["adjusted"] for one in expected
    ]
    assert all(row[-1].startswith("p = ") and row[3] == "2" for row in rows)


def test_a_second_run_is_matched_by_seed_and_condition(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "patch?run=patching.db&trial=0&second=patched.db")
    seen.tab.get_by_text("See something else (◂): 3.").wait_for()
    seen.tab.wait_for_url(lambda url: "secondtrial=1" in url)
    alone = opened(browser, folder, "patch?run=patching.db&trial=5")
    sentence = "main p[aria-live]"
    says(seen.tab.locator(sentence), alone.tab.locator(sentence).inner_text())


def test_what_evidence_fits_is_counted(browser: Any, folder: Path) -> None:
    with Run(folder / "groups.db") as held:
        facts = held.file.trial(1).provided.facts
    answers = list(facts["answers"])
    truth, rival = answers.index(facts["truth"]), answers.index(facts["lure"])
    fits = [(truth in one, rival in one) for one in facts["compatible"]]
    seen = opened(browser, folder, "evidence?run=groups.db&trial=1&round=0")
    rows = cells(seen, "Seats by what their evidence fits")
    kinds = ((True, False), (False, True), (True, True), (False, False))
    assert [row[2:] for row in rows] == [[f"{fits.count(kind)}", "128"] for kind in kinds]
    holds(seen.tab.locator(".flag").first.locator("svg path"), 128)
    holds(seen.tab.locator(".flag").first.locator("svg rect"), 1)
    seen.tab.keyboard.press("ArrowDown")
    seen.tab.wait_for_url(lambda url: "seat=" in url)
    assert not seen.wrong


def test_two_way_probes_are_shown_with_their_number(browser: Any, folder: Path) -> None:
    seen = opened(browser, folder, "evidence?run=shares.db&trial=0&table=1")
    with Run(folder / "shares.db") as held:
        tallies = held.file.trial(0).summary().probed["two-way"]
        truth = held.file.trial(0).provided.facts["truth"]
    rows = cells(seen, "Evidence of each seat")
    assert len(rows) == len(tallies) == 8
    assert {row[8] for row in rows} == {"50"}
    for row in rows:
        right = float(tallies[int(row[0])].get(truth, 0))
        assert row[7] == printed(1 - right / 50)
