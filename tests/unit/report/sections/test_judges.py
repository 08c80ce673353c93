"""Where judges agree, on a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.report.judging import disagreements
from socialcircuits.report.sections.judges import blocks
from socialcircuits.studies import Run, judge, run
from tests.support.pages import made, made_again, number
from tests.support.voices import AGENT, JUDGE, NEAR, OTHER, Asked, Voices, judgment, questions


def contrary(asked: Asked, number: int) -> str:
    """The other judge takes what only a reader can see for wrong, of the place nazca."""
    said = judgment(asked)
    against = asked.model == OTHER and asked.keys == "extracted reasoning correct"
    if against and NEAR in asked.text and "nazca" in asked.text:
        return said.replace('"yes"', '"no"')
    return said


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    Voices(monkeypatch, judge=contrary)
    settings = {"file": str(questions(tmp_path)), "N": 4, "deceivers": 1, "rounds": 1}
    settings |= {"strata": False}
    out = tmp_path / "run.db"
    run(
        "deliberation/timing", model=AGENT, judge=JUDGE, seeds=4, out=out, settings=settings
    ).close()
    judge(out, OTHER)
    return Run(out)


def test_agreement_has_intervals_by_item_and_its_trials(judged: Run) -> None:
    rows = {(*row["judges"], row["rubric"], row["part"]): row for row in disagreements(judged)}
    shown = made(judged, blocks).rows("agreement")
    assert len(shown) == len(rows)
    for (one, other, rubric, part), row in rows.items():
        cells = shown[f"{one} and {other}, {rubric}, {part}"]
        share = number(cells["agree"])
        assert (share.value, share.n, share.unit) == (row["share"], row["n"], "questions")
        assert number(cells["both"]).value == row["pairs"]
        assert number(cells["one_only"]).value == row["alone"]
        assert number(cells["kappa"]).value == row["kappa"]
        assert share.trail.adds is not None
        parts = [share.trail.adds(trial).split(" ") for trial in share.trail.trials]
        assert sum(int(each[2]) for each in parts) == row["pairs"]
        assert sum(int(each[0]) for each in parts) == row["agreed"]
    row = rows[JUDGE, OTHER, "correctness", "right"]
    assert 0 < row["share"] < 1
    assert row["share_low"] < row["share"] < row["share_high"]
    assert -1 <= row["kappa"] < row["share"]


def test_every_number_is_that_of_the_trials_of_its_trail(judged: Run) -> None:
    numbers = list(made(judged, blocks).page.numbers())
    assert numbers
    assert all(found.trail.trials for *_, found in numbers)
    assert list(made_again(judged, [blocks])) == []


def test_of_one_judge_there_is_nothing(tmp_path: Path) -> None:
    settings = {"N": 4, "deceivers": 1, "rounds": 1}
    out = tmp_path / "run.db"
    with run("deliberation/timing", seeds=2, out=out, settings=settings) as finished:
        assert list(made(finished, blocks).page.blocks()) == []
