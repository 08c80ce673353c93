"""Contrasts, timing and labels of a run with adversaries on a page; nothing for others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.analyses.behaviour import shares, timing
from socialcircuits.analyses.counting import counted
from socialcircuits.analyses.deliberation import coordination, pairings, verification
from socialcircuits.measures.labelled import MEASURES as LABELLED
from socialcircuits.measures.tested import TESTS
from socialcircuits.report.numbers import CHANGE
from socialcircuits.report.sections.deliberation import blocks
from socialcircuits.studies import Run, run
from tests.support.pages import Made, made, made_again, number
from tests.support.voices import AGENT, FAR, JUDGE, RIGHT, Asked, Voices, judgment, questions


def finished(folder: Path, preset: str, seeds: int, **settings: Any) -> Run:
    settings = {"rounds": 2, **settings}
    return run(f"deliberation/{preset}", seeds=seeds, out=folder / "a.db", settings=settings)


@pytest.fixture(scope="module")
def coordinated(tmp_path_factory: pytest.TempPathFactory) -> Run:
    judges = ["correctness", "clusters", "coordination", "tactics"]
    settings = {"N": [6, 12, 7, 5], "seating": "trial", "judges": judges}
    return finished(tmp_path_factory.mktemp("a"), "coordination", 6, **settings)


@pytest.fixture(scope="module")
def page(coordinated: Run) -> Made:
    return made(coordinated, blocks)


def test_every_number_is_that_of_the_trials_of_its_trail(coordinated: Run, page: Made) -> None:
    numbers = list(page.page.numbers())
    assert len(numbers) > 100
    assert set(page.tables()) == {"strata", "matched", "timing", "labelled"}
    for _, place, found in numbers:
        assert found.trail.trials, place
        assert found.n is not None or isinstance(found.value, int), place
        assert found.n is None or found.unit, place
    assert list(made_again(coordinated, [blocks])) == []


def test_audits_are_made_again_from_their_trials(tmp_path: Path) -> None:
    with finished(tmp_path, "audits", 4) as audits:
        found = made(audits, blocks)
        assert {"labelled", "timing"} <= set(found.tables())
        assert all(one.trail.trials for *_, one in found.page.numbers())
        assert list(made_again(audits, [blocks])) == []


def test_contrasts_of_coordination(coordinated: Run, page: Made) -> None:
    found, shown = coordination(coordinated.summaries()), page.rows("matched")
    assert len(shown) == len(found) > 4
    for one, (key, cells) in zip(found, shown.items(), strict=True):
        row, estimate = one.row(), number(cells["estimate"])
        where = [f"{name} = {row[name]}" for name in ("N", "deceivers") if name in row]
        assert cells["where"] == (", ".join(where) or "all")
        assert cells["measure"] == row["measure"].replace("_", " ")
        assert key == f"{cells['measure']}, {row['contrast']}, {cells['where']}"
        assert estimate.text == CHANGE.of(row["value"])
        assert (estimate.n, estimate.unit) == (row["n"], "questions")
        assert estimate.test == one.estimate.test is not None
        # Of a declared test the family holds the average, not each composition.
        parts = "_by_composition" if "N" in row else ""
        assert estimate.name == f"coordination_{row['measure']}{parts}"
        assert len(estimate.trail.trials) == 2 * row["pairs"]
        assert number(cells["unjudged"]).value == 0


def test_matched_trials_give_the_difference_back(page: Made) -> None:
    """Of one composition: the sides' means of what the trials add, by question."""
    cells = page.rows("matched")[
        "honest defection, coordinated: True - False, N = 6, deceivers = 1/3"
    ]
    difference = number(cells["estimate"])
    adds = difference.trail.adds
    assert adds is not None
    sides: dict[bool, list[float]] = {True: [], False: []}
    for trial in difference.trail.trials:
        part, _, whole = adds(trial).removeprefix("honest defection ").partition(" of ")
        sides[trial.condition["coordinated"]].append(int(part) / int(whole))
    assert len(sides[True]) == len(sides[False]) == difference.n
    mean = (sum(sides[True]) - sum(sides[False])) / len(sides[True])
    assert difference.value == pytest.approx(mean)


def test_what_judges_found(coordinated: Run, page: Made) -> None:
    rows = [row for row in shares(coordinated.summaries()) if row.estimate.value is not None]
    assert {row.measure.split("_")[0] for row in rows} >= {"tactic", "code"}
    titles = {measure.name: measure.title for measure in LABELLED}
    shown = page.rows("labelled")
    assert len(shown) == len(rows)
    for row in rows:
        where = ", ".join(f"{name} = {value}" for name, value in row.condition.items()) or "all"
        cells = shown[f"{titles[row.measure]}, {where}"]
        share, judged = number(cells["share"]), number(cells["judged"])
        assert share.text == f"{row.estimate.value:.3f}"
        assert (share.n, share.name) == (row.estimate.n, row.measure)
        assert judged.value == row.estimate.levels["labels"]["judged"]
        assert share.trail.adds is not None
        assert judged.trail.adds is not None
        parts = [share.trail.adds(trial).split(" of ") for trial in share.trail.trials]
        whole = sum(int(one[1]) for one in parts)
        assert share.value == sum(int(one[0]) for one in parts) / whole
        assert judged.value == sum(int(judged.trail.adds(one)) for one in judged.trail.trials)
    # All is judged: there are no ends to tell.
    assert [head.name for head in page.table("labelled").heads][-1] == "unjudged"


def test_when_agents_defected(coordinated: Run, page: Made) -> None:
    found, shown = timing(coordinated.summaries()), page.rows("timing")
    rows = [row for one in found for row in one.rows()]
    assert {row["coordinated"] for row in rows} == {True, False}
    for row in rows:
        cells = shown[f"{row['class']}, coordinated = {row['coordinated']}"]
        share, agents = number(cells["share"]), number(cells["agents"])
        assert share.text == f"{row['value']:.3f}"
        assert (share.null, agents.value) == (0.5, row["agents"])
        assert (share.test.p if share.test else None) == row["p"]
        assert share.trail.adds is not None
        parts = [share.trail.adds(trial).split(" ")[:3] for trial in share.trail.trials]
        assert sum(int(one[2]) for one in parts) == row["agents"]
        assert sum(int(one[0]) for one in parts) == pytest.approx(row["value"] * row["agents"])
    names = {number(cells["share"]).name for cells in shown.values()}
    assert names == {"timing_round_1", "timing_round_2", "timing_vote"}


def test_a_single_coordinated_deceiver_is_marked(coordinated: Run, page: Made) -> None:
    counts = counted(coordinated.summaries())
    lone = sum(one.lone for one in counts)
    assert lone
    said = f"N = 5, coordinated: one deceiver, nobody to coordinate with, {lone} trials. "
    assert any(line.startswith(said) for line in page.lines())
    assert not any("N = 5" in key for key in page.rows("matched"))
    # Without 1 of 5 there are two proportions.
    assert "trends" not in page.tables()


@pytest.mark.parametrize(("preset", "analysis"), [("verification", verification),
                                                  ("pairings", pairings)])  # fmt: skip
def test_other_contrasts_where_they_are_swept(tmp_path: Path, preset: str, analysis: Any) -> None:
    settings = {"N": [10, 12]} if preset == "pairings" else {}
    with finished(tmp_path, preset, 6, rounds=1, **settings) as swept:
        rows = [one.row() for one in analysis(swept.summaries())]
        found = made(swept, blocks)
        shown = found.rows("matched")
        again = list(made_again(swept, [blocks]))
    assert rows
    assert again == []
    for row, cells in zip(rows, shown.values(), strict=True):
        estimate = number(cells["estimate"])
        assert cells["difference"] == row["contrast"]
        assert estimate.text == CHANGE.of(row["value"])
        assert estimate.name.removesuffix("_by_composition") in TESTS
        assert "= ," not in f"{cells['where']},"
    if preset == "pairings":
        names = [number(cells["estimate"]).name for cells in shown.values()]
        assert names == [f"pairing_{one}" for one in ("honest", "deceiver", "proportion", "models")]


@pytest.mark.parametrize("settings", [{"N": [4]}, {"N": [4], "protocol": "broadcast"}])
def test_nothing_of_a_flag_game(tmp_path: Path, settings: dict[str, Any]) -> None:
    given = {"rounds": 2, **settings}
    with run("flag-game/population", seeds=2, out=tmp_path / "a.db", settings=given) as game:
        assert list(made(game, blocks).page.blocks()) == []


def test_of_a_closed_list_there_are_no_labels(tmp_path: Path) -> None:
    with finished(tmp_path, "flags", 3, rounds=1) as flags:
        # Two proportions are no trend.
        assert made(flags, blocks).tables() == ["timing"]


def test_a_run_of_which_nothing_is_judged_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Free text and no judge: no number but the counts of what is missing."""
    Voices(monkeypatch, say=lambda seed: FAR)
    settings = {"file": str(questions(tmp_path)), "N": 4, "deceivers": 1, "rounds": 1}
    settings |= {"strata": False}
    out = tmp_path / "a.db"
    with run("deliberation/timing", model=AGENT, seeds=2, out=out, settings=settings) as open_:
        found = made(open_, blocks)
        again = list(made_again(open_, [blocks]))
    cells = found.rows("timing")["by round 1, all"]
    assert (number(cells["share"]).text, number(cells["share"]).n) == ("nobody defected", 0)
    assert number(cells["unjudged"]).value == 2
    assert any("of 2 trials 2 for honest defection, 2 for correction." in one
               for one in found.lines())  # fmt: skip
    assert again == []
    assert number(cells["share"]).trail.trials


def half_read(asked: Asked, number: int) -> str:
    """A judge that finds no tactics, and cannot read messages with one of two answers."""
    if "found" not in asked.keys.split():
        return judgment(asked)
    return "unreadable" if FAR in asked.text else json.dumps({"reasoning": "Read.", "found": []})


def test_the_ends_of_what_is_not_judged_stand_beside_the_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Voices(monkeypatch, say=lambda seed: (RIGHT, FAR)[seed % 2], judge=half_read)
    settings = {"file": str(questions(tmp_path)), "N": 6, "deceivers": 2, "rounds": 1}
    settings |= {"strata": False, "judges": ["correctness", "tactics"]}
    out = tmp_path / "a.db"
    with run(
        "deliberation/timing", model=AGENT, judge=JUDGE, seeds=4, out=out, settings=settings
    ) as open_:
        found = made(open_, blocks)
        again = list(made_again(open_, [blocks]))
    cells = found.rows("labelled")["Bare assertion, round 0, all"]
    judged, unjudged = number(cells["judged"]), number(cells["unjudged"])
    assert judged.value
    assert unjudged.value
    assert number(cells["share"]).text == number(cells["low_end"]).text == "0.000"
    whole = judged.value + unjudged.value
    assert number(cells["high_end"]).text == f"{unjudged.value / whole:.3f}"
    assert number(cells["high_end"]).n == number(cells["share"]).n
    assert again == []
