"""The figures of deliberations: one for each slice of a run, with the numbers of the analyses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from socialcircuits.analyses.behaviour import audits_by_round, shares
from socialcircuits.analyses.counting import counted
from socialcircuits.analyses.trends import trends
from socialcircuits.figures import audits, verification
from socialcircuits.report import discussions
from socialcircuits.report.pictures import draw_all
from socialcircuits.report.slices import Drawn, Undrawn
from socialcircuits.studies import Run, run
from tests.support.voices import questions


def made(folder: Path, preset: str, seeds: int = 6, **settings: Any) -> Run:
    given = {"rounds": 1, **settings}
    return run(f"deliberation/{preset}", seeds=seeds, out=folder / "run.db", settings=given)


def drawn(found: Drawn) -> dict[str, pd.DataFrame]:
    """Suffix -> the data of each figure."""
    return {suffix: table for suffix, _, table in found}


@pytest.fixture(scope="module")
def scaled(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return made(tmp_path_factory.mktemp("a"), "scaling", 8, N=[2, 5, 6, 7], rounds=2)


def test_the_lines_of_a_figure_are_those_of_the_trends(scaled: Run) -> None:
    seen: list[Any] = []

    def draw(*given: Any) -> Any:
        seen.append(given)

    drawn(discussions._lined(draw, *discussions.COMPOSITION)(scaled))
    ((table, lines, label),) = seen
    every = trends(counted(scaled.summaries()))
    (own,) = [one for one in every if one.change == "honest_defection"]
    (row,) = lines.to_dict("records")
    # Where one cast was run, the line has its name, as the points have.
    assert row == {**own.line(), "group": "A"}
    assert "simulated" in label
    values = table[table["measure"] == "honest_defection"]
    by_cell = {
        (row.condition["N"], row.condition["deceivers"]): row.estimate.value
        for row in scaled.rows()
        if row.measure == "honest_defection"
    }
    assert {(n, k): v for n, k, v in zip(values["N"], values["deceivers"], values["value"],
                                         strict=True)} == by_cell  # fmt: skip
    assert len(by_cell) == 4


def test_the_figure_of_strata_is_table_3(scaled: Run) -> None:
    ((suffix, table),) = drawn(discussions.DRAW["strata"](scaled)).items()
    assert suffix == ""
    rows = list(scaled.strata()[0].rows())
    assert table["questions"].tolist() == [row["items"] for row in rows]
    assert table["kept"].tolist() == [False, True, True, True, False]
    assert table["questions"].sum() == 8


def test_pooled_strata_are_added(tmp_path: Path) -> None:
    paths = []
    for first in (1, 4):
        folder = tmp_path / str(first)
        made(folder, "timing", 3, first=first, N=4, deceivers=1).close()
        paths.append(folder / "run.db")
    with Run(*paths) as pooled:
        (table,) = drawn(discussions.DRAW["strata"](pooled)).values()
    assert len(table) == 5
    assert table["questions"].sum() == 6


def test_a_setting_without_an_axis_gives_a_figure_of_each_value(tmp_path: Path) -> None:
    swept: dict[str, Any] = {"coordinated": [False, True], "verify": ["", "alone"]}
    with made(tmp_path, "timing", N=6, deceivers=2, **swept) as finished:
        figures = drawn(discussions.DRAW["coordination"](finished))
        assert set(figures) == {"", "-verify-alone"}
        assert all(set(table["coordinated"]) == {False, True} for table in figures.values())
        assert set(drawn(discussions.DRAW["defection"](finished))) == {
            f"-coordinated-{value}{way}" for value in (False, True) for way in ("", "-verify-alone")
        }


def test_labelled_shares_are_pooled_over_compositions(tmp_path: Path) -> None:
    with made(tmp_path, "tactics", judges=["correctness", "tactics", "defection_reason"],
              coordinated=[False]) as finished:  # fmt: skip
        ((_, table),) = drawn(discussions.DRAW["tactics"](finished)).items()
        rows = [row for row in shares(finished.summaries()) if row.measure.startswith("tactic_")]
    assert table["measure"].tolist() == [row.measure for row in rows]
    assert table["value"].tolist() == [row.estimate.value for row in rows]
    assert (table["value"] > 0).any()


def test_what_was_not_judged_is_not_drawn_and_says_why(tmp_path: Path) -> None:
    with made(tmp_path, "tactics", 3, judges=["correctness"], coordinated=[False]) as finished:
        with pytest.raises(Undrawn, match="nothing of the kind was judged"):
            drawn(discussions.DRAW["tactics"](finished))
        pictures = draw_all(finished, tmp_path / "figures")
        assert pictures.left_out == {"tactics": "nothing of the kind was judged"}
        assert not pictures.files


def test_without_strata_table_3_is_not_drawn(tmp_path: Path) -> None:
    finished = made(tmp_path, "flags", 2)
    with finished, pytest.raises(Undrawn, match="no item was answered by a model alone"):
        drawn(discussions.DRAW["strata"](finished))


def test_audits_are_drawn_with_their_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(audits, "draw", lambda *given: seen.append(given))
    with made(tmp_path, "audits", rounds=2) as finished:
        drawn(discussions.DRAW["audits"](finished))
        expected = audits_by_round(finished.summaries())
    ((_, rounds, _),) = seen
    assert rounds.to_dict("records") == pd.DataFrame(expected).to_dict("records")
    assert len(expected) > 4


def test_verification_is_drawn_from_the_contrasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(verification, "draw", lambda *given: seen.append(given))
    with made(tmp_path, "verification") as finished:
        drawn(discussions.DRAW["verification"](finished))
    ((table, rows, _),) = seen
    assert set(rows["verify"]) <= {"alone", "claim"}
    assert set(rows["N"]) == {12}
    assert {"honest_defection_macro", "correction_macro"} & set(rows["measure"])
    assert set(rows["measure"]) <= set(table["measure"])


@pytest.mark.parametrize("name", sorted(discussions.DRAW))
def test_a_run_in_which_no_trial_counts_draws_nothing(name: str, tmp_path: Path) -> None:
    """Strata that keep nothing leave a run without a single estimate."""
    file = str(questions(tmp_path, lures=()))  # an item without a lure is always right
    with made(tmp_path, "timing", 2, N=4, deceivers=1, file=file) as finished:
        assert not finished.summaries()
        found = discussions.DRAW[name](finished)
        if name == "strata":
            assert len(drawn(found)[""]) == 5
            return
        with pytest.raises(Undrawn):
            drawn(found)
