"""Looks before the end, declared or not, on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.report.sections import head
from socialcircuits.report.sections.looks import blocks
from socialcircuits.studies import Run, run
from socialcircuits.studies.looks import Peek, recorded, sidecar
from tests.support.pages import made, number

STUDY = """
seeds = 16
[trial]
N = 4
rounds = 1
truth = "Germany"
[looks]
measure = "collective_accuracy"
axis = "intervention"
[interventions]
all = [{ kind = "evidence", agents = "first 1/2", view = "9,3" }]
[[sweep]]
intervention = ["", "all"]
"""


@pytest.fixture
def plain(tmp_path: Path) -> Run:
    settings = {"N": [4], "rounds": 1}
    return run("flag-game/population", seeds=4, out=tmp_path / "run.db", settings=settings)


def test_of_a_run_that_nobody_looked_at_nothing_is_said(plain: Run) -> None:
    assert made(plain, blocks).tables() == []
    assert not [line for line in head.lines(plain) if line.loud]


def test_declared_looks_have_a_row_each(tmp_path: Path) -> None:
    source = tmp_path / "mine.toml"
    source.write_text(STUDY, encoding="utf-8")
    with run(source, out=tmp_path / "run.db") as done:
        taken = recorded(done.parts[0]).declared
        found = made(done, blocks)
        rows = found.rows("looks")
        assert list(rows) == [f"{look.number} of 4" for look in taken]
        for look, row in zip(taken, rows.values(), strict=True):
            estimate = number(row["estimate"])
            assert (estimate.value, estimate.n, estimate.unit) == (look.estimate, look.n, "seeds")
            assert len(estimate.trail.trials) == 2 * look.last
            assert row["boundary"] == f"{look.boundary:.2f}"
            assert row["crossed"] == ("yes" if look.crossed else "no")
        lines = list(head.lines(done))
        assert not [line for line in lines if line.loud]
        texts = [line.parts[0] for line in lines]
        verdict = f"Looked at as declared: {recorded(done.parts[0]).verdict}."
        assert (verdict in texts) == (taken[-1].number < 4)


def test_undeclared_looks_are_loud(plain: Run) -> None:
    peek = '{"trials": 2, "planned": 4, "when": "2030-01-01T00:00:00+00:00"}\n'
    sidecar(plain.path).write_text(peek, encoding="utf-8")
    found = recorded(plain.parts[0])
    assert found.undeclared == (Peek(2, 4, "2030-01-01T00:00:00+00:00"),)
    page = made(plain, blocks)
    row = page.rows("looks")["undeclared 1"]
    assert (row["look"], row["part"]) == ("undeclared", "2 of 4 trials")
    (line,) = [line for line in head.lines(plain) if line.loud]
    assert line.parts == (f"LOOKED AT: {found.verdict}.",)
    assert "finds something in" in found.verdict
