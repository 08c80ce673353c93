"""What judges said and where they disagree, as a page and as rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.report.judging import disagreements
from socialcircuits.report.judging import judged as said
from socialcircuits.report.page import Number, Table
from socialcircuits.report.text import show
from socialcircuits.studies import Run, judge, run
from tests.support.voices import AGENT, JUDGE, NEAR, OTHER, Asked, Voices, judgment, questions

CORRECTNESS = "extracted reasoning correct"


def contrary(asked: Asked, number: int) -> str:
    """The other judge takes what only a reader can see for wrong."""
    said = judgment(asked)
    if asked.model == OTHER and asked.keys == CORRECTNESS and NEAR in asked.text:
        return said.replace('"yes"', '"no"')
    return said


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run whose free text two models have judged, of which one is against what is near."""
    Voices(monkeypatch, judge=contrary)
    settings = {"file": str(questions(tmp_path)), "N": 4, "deceivers": 1, "rounds": 1}
    out = tmp_path / "run.db"
    given = {**settings, "strata": False}
    run("deliberation/timing", model=AGENT, judge=JUDGE, seeds=2, out=out, settings=given).close()
    judge(out, OTHER)
    return Run(out)


def test_disagreements_are_counted_by_pair_of_judges_and_part(judged: Run) -> None:
    near = [
        (record.plan.number, label.step)
        for record in judged.file.trials()
        for label in record.labels
        if (label.judge, label.rubric) == (JUDGE, "correctness")
    ]
    rows = disagreements(judged)
    by_pair = {(*row["judges"], row["rubric"], row["part"]): row for row in rows}
    row = by_pair[JUDGE, OTHER, "correctness", "right"]
    right = [
        label.value["right"]
        for record in judged.file.trials()
        for label in record.labels
        if (label.judge, label.rubric) == (JUDGE, "correctness")
    ]
    assert (row["pairs"], row["agreed"], row["alone"]) == (len(near), right.count(False), 0)
    assert row["share"] == right.count(False) / len(near)
    assert 0 < row["share"] < 1
    # What the rules settled no model was asked: each has values of its own only.
    assert not [key for key in by_pair if "rules" in key]


def test_what_judges_said_stands_before_the_share_in_which_they_agree(
    judged: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    page = said(judged)
    (section,) = page.sections
    counts, agreement = section.blocks
    assert isinstance(counts, Table)
    assert isinstance(agreement, Table)
    assert [row.key for row in counts.rows] == list(judged.judging())
    for one, found in zip(counts.rows, judged.judging().values(), strict=True):
        values = [cell.value for cell in one.cells if isinstance(cell, Number)]
        assert values[:3] == [found["labels"], found["unjudged"], found["calls"]]
    show(page)
    printed = capsys.readouterr().out
    rows = disagreements(judged)
    assert rows
    for row in rows:
        assert f"{row['share']:.3f} (" in printed
    assert "Where two judges agree." in printed


def test_rules_and_a_model_are_compared_where_both_were_asked(judged: Run) -> None:
    judge(judged.path, JUDGE, ["correctness"], everything=True)
    with Run(judged.path) as again:
        rows = {tuple(row["judges"]): row for row in disagreements(again)}
    row = rows[JUDGE, "rules"]
    assert row["pairs"] > 0
    assert row["share"] == 1
    assert row["alone"] > 0


def test_of_one_judge_there_is_no_agreement(tmp_path: Path) -> None:
    settings = {"N": 4, "deceivers": 1, "rounds": 1}
    out = tmp_path / "run.db"
    with run("deliberation/timing", seeds=1, out=out, settings=settings) as finished:
        assert disagreements(finished) == []
        page = said(finished)
    assert [[row.key for row in one.rows] for one in page.blocks() if isinstance(one, Table)] == [
        ["rules"]
    ]
    assert "simulated agents" in page.label


def test_of_a_run_without_judges_there_is_nothing(tmp_path: Path) -> None:
    out = tmp_path / "run.db"
    settings = {"N": 4, "rounds": 1}
    with run("flag-game/population", seeds=1, out=out, settings=settings) as finished:
        assert disagreements(finished) == []
        assert list(said(finished).blocks()) == []
