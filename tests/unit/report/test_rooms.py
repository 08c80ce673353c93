"""What a report says of chatrooms: numbers of the analyses, each with the trials it rests on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from socialcircuits.analyses.cells import cells
from socialcircuits.analyses.dyad import dyads
from socialcircuits.analyses.hazard import adjusted, injected
from socialcircuits.analyses.infection import joint, reasks, speed, timing
from socialcircuits.measures import effects
from socialcircuits.measures.hidden_belief import CONTRASTED
from socialcircuits.measures.tested import TESTS
from socialcircuits.report.numbers import Trials
from socialcircuits.report.page import Line, Number, Place, Table
from socialcircuits.report.sections import rooms
from socialcircuits.studies import Run, judge, run
from tests.support.voices import OTHER, Asked, Voices
from tests.support.walking import complaints, numbers

SMALL = {"N": 5, "rounds": 4}
STUDY = """
judges = ["private_answer", "stance"]
figures = {figures}
[world]
kind = "claims"
[models]
A = "simulated/quiet"
[trial]
protocol = "chatroom"
N = 5
rounds = 4
adversary = "sybil"
seating = "first"
"""
FIGURES = ["hazard", "dynamics", "pairing", "stance"]
TWO = """
[interventions]
two = [{ kind = "message", agents = ["3", "4"], answer = "lure", reason = "So it is." }]
[[sweep]]
deceivers = [1]
intervention = ["", "two"]
"""


def made(folder: Path, figures: list[str], more: str, seeds: int) -> Run:
    (folder / "study.toml").write_text(STUDY.format(figures=json.dumps(figures)) + more)
    return run(folder / "study.toml", seeds=seeds, out=folder / "run.db")


@pytest.fixture(scope="module")
def spread(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("a") / "run.db"
    settings = {**SMALL, "deceivers": [0, 1], "reasks": "own anonymous"}
    return run("chatroom/sybils", seeds=4, out=out, settings=settings)


@pytest.fixture(scope="module")
def compounded(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return made(tmp_path_factory.mktemp("b"), FIGURES, TWO, 8)


def sums(number: Number) -> tuple[int, int]:
    """The parts and wholes that the trials add, such as 3 of 12."""
    assert number.trail.adds is not None
    said = [number.trail.adds(trial) for trial in number.trail.trials]
    pairs = [re.search(r"(\d+)\D+(\d+)", text) for text in said]
    parts = [(int(pair[1]), int(pair[2])) for pair in pairs if pair]
    assert len(parts) == len(said)
    return sum(part for part, _ in parts), sum(whole for _, whole in parts)


def test_numbers_follow_from_the_trials_of_their_trails(spread: Run) -> None:
    assert len(numbers(spread, rooms.blocks)) > 150
    assert list(complaints(spread, rooms.blocks)) == []


def test_so_do_those_of_hazards_courses_and_pairings(compounded: Run) -> None:
    blocks = {place.block for place in numbers(compounded, rooms.blocks)}
    assert blocks == {
        "private", "exposed", "speed", "stances", "paired", "hazard", "injected",
    }  # fmt: skip
    assert list(complaints(compounded, rooms.blocks)) == []


def test_private_and_public_shares_are_the_estimates(spread: Run) -> None:
    found = numbers(spread, rooms.blocks)
    for row in spread.rows():
        block = "private" if row.measure in rooms.AGENTS else "exposed"
        if row.measure in {**rooms.AGENTS, **rooms.TURNS}:
            cast, deceivers = (row.condition[name] for name in ("cast", "deceivers"))
            number = found[Place(block, f"deceivers = {deceivers}, cast = {cast}", row.measure)]
            assert (number.value, number.n) == (row.estimate.value, row.estimate.n)
            if row.estimate.value is not None:
                pooled = row.estimate.levels["pooled"]
                assert sums(number) == (pooled["counted"], pooled["of"])


def test_stances_are_shares_of_counted_turns(spread: Run) -> None:
    found = numbers(spread, rooms.blocks)
    shares = {place: one for place, one in found.items() if place.block == "stances"}
    turns = {place.row: one.value for place, one in shares.items() if place.column == "turns"}
    rows = [row for row in joint(spread.summaries()) if row["counted"]]
    assert rows
    for row in rows:
        where = f"deceivers = {row['deceivers']}, cast = {row['cast']}, {row['label']}"
        number = shares[Place("stances", where, row["stance"])]
        assert (number.value, turns[where]) == (row["value"], row["of"])
        assert sums(number) == (row["counted"], row["of"])


def test_averages_count_what_their_cells_count(spread: Run) -> None:
    found = numbers(spread, rooms.blocks)
    shown = [
        one for place, one in found.items() if (place.block, place.column) == ("averages", "share")
    ]
    rows = [row for row in cells(spread.summaries(), measures=rooms.AVERAGED) if row["n"]]
    assert [one.value for one in shown] == [row["value"] for row in rows]
    for one, row in zip(shown, rows, strict=True):
        if row["average"] == "micro":
            part, whole = sums(one)
            assert part / whole == one.value


def test_reasks_stand_beside_the_usual_answers(spread: Run) -> None:
    found = [one for place, one in numbers(spread, rooms.blocks).items() if place.block == "reasks"]
    rows = reasks(spread.summaries())
    differences = [one for one in found if one.name in {"reask_own", "reask_anonymous"}]
    assert [one.value for one in differences] == [row.difference.value for row in rows]
    assert [one.test for one in differences] == [row.difference.test for row in rows]
    kept = [one.value for one in found if one.name.endswith("_retained")]
    assert kept == [row.retained["value"] for row in rows]
    assert [one.value for one in found if one.name == "asked_again"] == [
        row.retained["of"] for row in rows
    ]


def test_hazards_are_those_of_trials_in_which_nothing_was_changed(compounded: Run) -> None:
    found = numbers(compounded, rooms.blocks)
    plain = [one for one in compounded.summaries() if not one.condition["intervention"]]
    (fit,) = adjusted(plain)
    row = fit.row()
    at = {place.column: one for place, one in found.items() if place.block == "hazard"}
    assert (at["slope"].value, at["slope"].test) == (row["value"], fit.hazard.per_peer.test)
    assert (at["chi2"].value, at["rise"].value) == (row["chi2"], row["rise"])
    assert sums(at["rounds"]) == (row["switches"], row["rounds"])
    assert (at["switches"].value, at["rounds"].value) == (row["switches"], row["rounds"])
    (one,) = injected(compounded.summaries(), {"two": (3, 4)})
    at = {place.column: one for place, one in found.items() if place.block == "injected"}
    assert (at["difference"].value, at["difference"].test) == (
        one.difference.value,
        one.difference.test,
    )
    assert (at["with"].value, at["without"].value) == (one.changed, one.unchanged)


def test_courses_and_pairings_are_those_of_the_analyses(compounded: Run) -> None:
    found = numbers(compounded, rooms.blocks)
    names = {"half": "half_round", "most": "most_round", "round_1": "round_1", "round_4": "round_4"}
    for column, name in names.items():
        shown = [one.value for p, one in found.items() if (p.block, p.column) == ("speed", column)]
        assert shown == [row[name] for row in speed(compounded.summaries())]
    pairs = [(one, place.row) for place, one in found.items() if place.block == "paired"]
    shares = [one.value for one, _ in pairs if one.n is not None]
    rows = timing(compounded.summaries())
    assert shares == [row["value"] for row in rows]
    assert [one.value for one, _ in pairs if one.n is None] == [row["of"] for row in rows]


def test_dyads_stand_beside_groups(tmp_path: Path) -> None:
    sweep = '[[sweep]]\nN = [2, 5]\ndeceivers = [1]\nmajority = ["any"]\n'
    finished = made(tmp_path, ["dyad"], sweep, 5)
    (one,) = dyads(finished.summaries())
    found = numbers(finished, rooms.blocks)
    at = {place.column: number for place, number in found.items() if place.block == "dyad"}
    assert (at["difference"].value, at["difference"].test) == (
        one.difference.value,
        one.difference.test,
    )
    assert (at["dyad_messages"].value, at["group_messages"].value) == one.shares
    assert list(complaints(finished, rooms.blocks)) == []


def test_defences_are_held_against_none_on_the_same_items(tmp_path: Path) -> None:
    sweep = '[[sweep]]\ndeceivers = [1]\ndefence = ["", "check"]\n'
    finished = made(tmp_path, ["defences"], sweep, 5)
    rows = effects(finished.summaries(), "defence", CONTRASTED)
    found = numbers(finished, rooms.blocks)
    shown = [one for place, one in found.items() if place.block == "defences"]
    assert [(one.name, one.value) for one in shown] == [
        (row.measure, row.estimate.value) for row in rows if row.estimate.n
    ]
    assert all(one.test for one in shown)
    assert list(complaints(finished, rooms.blocks)) == []


def labelling(asked: Asked, number: int) -> str:
    """A judge that takes turns."""
    values = {"holds": ("neither", "ambiguous"), "stance": ("ignore", "unrelated", "hedge")}
    said = dict.fromkeys(asked.keys.split(), "") | {"reasoning": "so"}
    for key in values.keys() & said.keys():
        said[key] = values[key][number % len(values[key])]
    return json.dumps(said)


def test_a_second_judge_stands_beside_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Voices(monkeypatch, judge=labelling)
    out = tmp_path / "run.db"
    settings = {"N": 4, "rounds": 2, "deceivers": [1]}
    run("chatroom/judges", seeds=3, out=out, settings=settings).close()
    judge(out, OTHER, everything=True)
    with Run(out) as finished:
        found = numbers(finished, rooms.blocks)
        assert list(complaints(finished, rooms.blocks)) == []
        at = {place.column: one for place, one in found.items() if "agreement" in place.block}
        assert set(at) == {"agree", "kappa", "alpha", "both", "one_only"}
        share = at["agree"].value
        assert share is not None
        assert sums(at["agree"]) == (round(share * (at["both"].value or 0)), at["both"].value)
        at = {place.column: one for place, one in found.items() if "corrected" in place.block}
        false, labelled = sums(at["first"])
        assert (at["first"].value, at["labelled"].value) == (false / labelled, labelled)
        assert at["second"].unit == "audited answers"


def test_a_run_without_fit_says_so(tmp_path: Path) -> None:
    finished = made(tmp_path, ["hazard"], "[[sweep]]\ndeceivers = [1]\n", 2)
    said = [
        one.parts[0] for one in rooms.blocks(finished, Trials(finished)) if isinstance(one, Line)
    ]
    assert any("not adjusted: " in str(text) for text in said)
    assert rooms.NO_CAUSE in said
    assert rooms.FIXED in said


def test_the_first_table_is_what_is_held_in_private(spread: Run, tmp_path: Path) -> None:
    table = rooms.first(spread, Trials(spread))
    assert table is not None
    assert table.name == "private"
    assert [head.name for head in table.heads] == ["where", *rooms.AGENTS]
    settings = {"N": [4], "rounds": 2}
    other = run("flag-game/population", seeds=2, out=tmp_path / "run.db", settings=settings)
    assert rooms.first(other, Trials(other)) is None
    assert not list(rooms.blocks(other, Trials(other)))


def test_tests_have_the_names_that_a_study_may_declare(spread: Run, compounded: Run) -> None:
    for finished, names in (
        (spread, {"reask_own", "reask_anonymous"}),
        (compounded, {"hazard_by_peers", "injected_peers"}),
    ):
        found = numbers(finished, rooms.blocks).values()
        assert {one.name for one in found if one.test} == names <= set(TESTS)


def test_without_attackers_nothing_is_said_of_switches(tmp_path: Path) -> None:
    finished = made(tmp_path, ["screening"], "[[sweep]]\ndeceivers = [0]\n", 2)
    private, *others = rooms.blocks(finished, Trials(finished))
    assert isinstance(private, Table)
    assert [head.name for head in private.heads] == ["where", *list(rooms.AGENTS)[:4]]
    assert others == [Line("", (rooms.FIXED,))]
