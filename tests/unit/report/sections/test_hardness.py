"""How hard items are for models alone: which are kept, and answers that chose none."""

from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.report.numbers import Trials
from socialcircuits.report.sections import hardness
from socialcircuits.studies import Run, run
from tests.support.pages import made, made_again, number
from tests.support.voices import AGENT, FAR, RIGHT, Voices, questions


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("questions") / "a.db"
    return run("deliberation/questions", seeds=8, out=out)


def test_items_are_counted_by_the_right_answers_of_each_model(asked: Run) -> None:
    rows = list(asked.strata()[0].rows())
    shown = made(asked, hardness.blocks).rows("strata")
    assert list(shown) == ["A", "B"]
    for model, cells in shown.items():
        mine = [row for row in rows if row["model"] == model]
        assert number(cells["items"]).value == sum(row["items"] for row in mine) == 8
        kept = sum(row["items"] for row in mine if row["kept"])
        assert number(cells["kept"]).value == kept
        assert 0 < kept < 8
        for row in mine:
            cell = number(cells[f"right_{row['right']}"])
            assert cell.value == row["items"]
            words = [cell.trail.adds(trial) for trial in cell.trail.trials if cell.trail.adds]
            assert words.count(f"{row['right']} of 4 right") == row["items"]


def test_items_of_pooled_runs_are_counted_together(tmp_path: Path) -> None:
    paths = [tmp_path / "1.db", tmp_path / "2.db"]
    settings = {"N": 4, "deceivers": 1, "rounds": 1}
    for path, first in zip(paths, (1, 5), strict=True):
        given = {**settings, "first": first}
        run("deliberation/timing", seeds=4, out=path, settings=given).close()
    with Run(*paths) as pooled:
        kept = [row["items"] for one in pooled.strata() for row in one.rows() if row["kept"]]
        page = made(pooled, hardness.blocks)
        cells = page.rows("strata")["A"]
        assert (number(cells["items"]).value, number(cells["kept"]).value) == (8, sum(kept))
        assert len(number(cells["kept"]).trail.trials) == 8


def test_answers_that_chose_no_item_are_counted_again(asked: Run) -> None:
    table = asked.table("labels")
    done = {plan.number: plan for plan in asked.file.plans() if plan.role == "estimate"}
    shown = made(asked, hardness.blocks).rows("alone_again")
    for model in "AB":
        numbers = [n for n, plan in done.items() if plan.condition["cast"] == model]
        mine = table[table["trial"].isin(numbers) & (table["rubric"] == "correctness")]
        right = sum('"right":true' in str(value).replace(" ", "") for value in mine["value"])
        assert len(mine) == 4 * len(numbers) > 0
        share = number(shown[model]["right"])
        assert share.text == f"{right / len(mine):.3f}"
        assert (share.n, share.unit) == (len(numbers), "items")
        assert {trial.trial for trial in share.trail.trials} == set(numbers)
        assert number(shown[model]["answers"]).value == len(mine)
        assert number(shown[model]["left_out"]).value == 0


def test_every_number_is_that_of_the_trials_of_its_trail(asked: Run) -> None:
    numbers = list(made(asked, hardness.blocks).page.numbers())
    assert len(numbers) == 20
    assert all(found.trail.trials for *_, found in numbers)
    assert list(made_again(asked, [hardness.blocks])) == []


def test_items_that_are_not_judged_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Voices(monkeypatch, say=lambda seed: FAR)
    settings = {"file": str(questions(tmp_path)), "N": 4, "deceivers": 1, "rounds": 1}
    out = tmp_path / "a.db"
    with run("deliberation/timing", model=AGENT, seeds=2, out=out, settings=settings) as finished:
        page = made(finished, hardness.blocks)
        cells = page.rows("strata")["A"]
        assert number(cells["kept"]).value == 0
        unjudged = number(cells["right_unjudged"])
    assert unjudged.value == 2
    assert unjudged.trail.adds is not None
    assert page.tables() == ["strata"]


def test_alone_answers_that_are_not_judged_leave_their_item_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second item's answers are free text that only a reader can judge."""
    voices = Voices(monkeypatch, say=lambda seed: (RIGHT, FAR)[seed % 2])
    settings = {"file": str(questions(tmp_path)), "strata": False}
    out = tmp_path / "a.db"
    study = "deliberation/questions"
    models = {"A": AGENT, "B": AGENT}
    with run(study, model=models, seeds=4, out=out, settings=settings) as finished:
        page = made(finished, hardness.blocks)
        cells = page.rows("alone_again")["A"]
        out_of = number(cells["left_out"])
        again = list(made_again(finished, [hardness.blocks]))
    assert voices.asked
    assert out_of.value
    assert len(out_of.trail.trials) == 4
    assert again == []


def test_nothing_of_studies_without_models_alone(tmp_path: Path) -> None:
    settings = {"N": [4], "rounds": 1}
    with run("flag-game/population", seeds=1, out=tmp_path / "a.db", settings=settings) as finished:
        assert list(hardness.blocks(finished, Trials(finished))) == []
