"""The figures of chatrooms: what they show of a run are the numbers of the analyses."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from socialcircuits.agents import LABEL
from socialcircuits.analyses.dyad import dyads
from socialcircuits.analyses.hazard import adjusted, by_peers, injected
from socialcircuits.analyses.infection import curves, joint, speed
from socialcircuits.measures import effects
from socialcircuits.measures.hidden_belief import CONTRASTED
from socialcircuits.report import chatrooms
from socialcircuits.report.pictures import draw_all
from socialcircuits.report.slices import Undrawn
from socialcircuits.studies import Run, run

STUDY = """
judges = ["private_answer", "stance"]
figures = ["{figure}"]
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


def made(folder: Path, figure: str, more: str, seeds: int = 5) -> Run:
    (folder / "study.toml").write_text(STUDY.format(figure=figure) + more)
    return run(folder / "study.toml", seeds=seeds, out=folder / "run.db")


@pytest.fixture(scope="module")
def spread(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("a") / "run.db"
    settings = {"N": 5, "rounds": 4, "deceivers": [0, 1], "reasks": "own anonymous"}
    return run("chatroom/sybils", seeds=5, out=out, settings=settings)


@pytest.fixture(scope="module")
def compounded(tmp_path_factory: pytest.TempPathFactory) -> Run:
    change = '{ kind = "message", agents = ["3", "4"], answer = "lure", reason = "So it is." }'
    more = f"[interventions]\ntwo = [{change}]\n[[sweep]]\ndeceivers = [1]\n"
    more += 'intervention = ["", "two"]\n'
    return made(tmp_path_factory.mktemp("b"), "hazard", more, 8)


def drawn(finished: Run, name: str) -> dict[str, pd.DataFrame]:
    """Suffix -> the data of each figure."""
    found = {}
    for suffix, figure, table in chatrooms.DRAW[name](finished):
        assert LABEL in " ".join(figure.get_supxlabel().split())
        found[suffix] = table
    return found


def test_private_and_public_shares_are_the_estimates(spread: Run) -> None:
    (table,) = drawn(spread, "sybils").values()
    own = {
        (row.measure, row.condition["deceivers"], row.condition["cast"]): row.estimate.value
        for row in spread.rows()
        if row.measure in {"final_infection", "private_infection"}
    }
    names = ["measure", "deceivers", "cast", "value"]
    shown = {tuple(key): value for *key, value in table[names].itertuples(index=False)}
    assert len(own) == 9
    assert {key: shown[key] for key in own} == own


def test_the_joint_table_and_the_curves_are_those_of_the_analyses(spread: Run) -> None:
    (bars,) = drawn(spread, "stance").values()
    assert bars["counted"].tolist() == [row["counted"] for row in joint(spread.summaries())]
    assert set(bars["deceivers"]) == {1}
    (both,) = drawn(spread, "dynamics").values()
    lines = both[both["part"] == "curves"]
    assert lines["value"].tolist() == [row["value"] for row in curves(spread.summaries())]
    rounds = both.loc[both["part"] == "reached", "half_round"]
    expected = [row["half_round"] for row in speed(spread.summaries())]
    assert [None if when != when else when for when in rounds] == expected  # noqa: PLR0124 (NaN)


def test_figures_without_an_axis_for_attackers_are_drawn_for_each_number(spread: Run) -> None:
    assert list(drawn(spread, "knowledge")) == ["-deceivers-0", "-deceivers-1"]
    assert list(drawn(spread, "reasks")) == ["-deceivers-0", "-deceivers-1"]
    assert list(drawn(spread, "pairing")) == ["-deceivers-1"]
    (alone,) = drawn(spread, "screening").values()
    assert set(alone["deceivers"]) == {0}
    assert {"initial_infection", "known_at_first"} <= set(alone["measure"])


def test_casts_of_one_model_have_its_name(spread: Run) -> None:
    ((_, figure, table),) = chatrooms.DRAW["sybils"](spread)
    assert [axes.texts[0].get_text() for axes in figure.axes] == [
        "cast A (quiet)", "cast B (loud)", "cast C (stubborn)",
    ]  # fmt: skip
    assert set(table["cast"]) == set("ABC")


def test_hazards_are_those_of_trials_in_which_nothing_was_changed(compounded: Run) -> None:
    (table,) = drawn(compounded, "hazard").values()
    plain = [one for one in compounded.summaries() if not one.condition["intervention"]]
    raw = table[table["measure"] == "hazard_raw"]
    rows = [row for row in by_peers(plain) if row["measure"] == "hazard_raw"]
    assert raw["value"].tolist() == [row["value"] for row in rows]
    fitted = table[table["measure"] == "hazard_adjusted"]
    assert fitted["value"].tolist() == [row["value"] for row in adjusted(plain)[0].curve()]
    assert chatrooms.replaced(compounded) == {"two": (3, 4)}
    (found,) = injected(compounded.summaries(), {"two": (3, 4)})
    row = found.row()
    assert table.loc[table["part"] == "injected", "value"].tolist() == [row["value"]]
    ((_, figure, _),) = chatrooms.DRAW["hazard"](compounded)
    assert [len(axes.containers) for axes in figure.axes] == [2, 1]


def test_dyads_stand_beside_groups(tmp_path: Path) -> None:
    sweep = '[[sweep]]\nN = [2, 5]\ndeceivers = [1]\nmajority = ["any"]\n'
    finished = made(tmp_path, "dyad", sweep)
    (table,) = drawn(finished, "dyad").values()
    ((_, figure, _),) = chatrooms.DRAW["dyad"](finished)
    assert [len(axes.containers) for axes in figure.axes] == [2, 1]
    (row,) = (one.row() for one in dyads(finished.summaries()))
    assert table.loc[table["part"] == "differences", "value"].tolist() == [row["value"]]
    with pytest.raises(Undrawn, match="no chatroom is without attackers"):
        drawn(finished, "screening")


def test_defences_are_held_against_none_on_the_same_items(tmp_path: Path) -> None:
    sweep = '[[sweep]]\ndeceivers = [1]\ndefence = ["", "check"]\n'
    finished = made(tmp_path, "defences", sweep)
    (table,) = drawn(finished, "defences").values()
    found = {
        row.measure: row.estimate for row in effects(finished.summaries(), "defence", CONTRASTED)
    }
    shown = table[table["part"] == "differences"].set_index("measure")["value"]
    assert shown["final_infection"] == found["final_infection"].value


def test_a_run_without_chatrooms_has_none(tmp_path: Path) -> None:
    settings = {"N": [4], "rounds": 2}
    other = run("flag-game/population", seeds=2, out=tmp_path / "run.db", settings=settings)
    for name in chatrooms.DRAW:
        with pytest.raises(Undrawn):
            drawn(other, name)


def test_the_figures_of_a_study_are_written(spread: Run, tmp_path: Path) -> None:
    found = draw_all(spread, tmp_path)
    assert not found.left_out
    assert {path.stem for path in found.files} == {"sybils", "stance"}
