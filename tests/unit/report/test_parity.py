"""What agents were told, as text."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.analyses.parity import parity
from socialcircuits.report.assembling import page
from socialcircuits.report.parity import IMAGINED, lines
from socialcircuits.report.text import show
from socialcircuits.studies import Run, run
from tests.support.prompted import TEXT, script_models

UPTAKE = "Let the transcript memory count for somewhat more than your own crop."


def made(out: Path, model: str = "simulated/literal", seed: int = 1, **settings: Any) -> Run:
    small = {"N": [4], "rounds": 2, **settings}
    return run("flag-game/population", out=out, model=model, seeds=1, seed=seed, settings=small)


def test_places_that_differ_alike_are_shown_once(tmp_path: Path) -> None:
    with made(tmp_path / "a.db") as one, made(tmp_path / "b.db", alpha=0.75) as two:
        text = list(lines(parity(one, two)))
        names = [f"{mark} {done.path}: N = 4" for mark, done in (("-", one), ("+", two))]
    assert text[0] == f"Prompts: {IMAGINED}."
    assert '  trial.alpha: "off" there, 0.75 now' in text
    start = text.index(names[0])
    assert text[start + 1 : start + 3] == [names[1], "1 of 5 places identical"]
    assert [line for line in text if line.startswith("  at ")] == [
        "  at observer message (text), after memory",
        "  at observer message (text), at first",
        "  at observer probe (text), after memory",
        "  at observer probe (text), at first",
    ]
    assert text[-3:] == ["     ", f"    +{UPTAKE}", "     Which country's flag is it?"]


def test_a_place_of_one_side_says_so(tmp_path: Path) -> None:
    with made(tmp_path / "a.db", protocol=["pairwise", "broadcast"]) as both:
        text = list(lines(parity(both)))
    assert (
        "  at observer report (text), at first, which only the second has; "
        "against observer message (text), at first"
    ) in text
    assert any(line.endswith("(1 condition); rounds 2; memory 8; retries 2; wording printed")
               for line in text)  # fmt: skip


def test_nothing_that_differs_is_said(tmp_path: Path) -> None:
    with made(tmp_path / "a.db") as one, made(tmp_path / "b.db", seed=2) as two:
        assert list(lines(parity(one, two)))[-1] == "No prompt differs."


def test_pooled_runs_are_named_and_mixed_prompts_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script_models(monkeypatch)
    paths = [made(tmp_path / f"{seed}.db", TEXT, seed).path for seed in (1, 2)]
    with Run(*paths) as both:
        show(page(both))
    text = capsys.readouterr().out
    assert f"2 runs pooled: {paths[0]}, {paths[1]}\n" in text
    assert "MIXED" not in text
    database = sqlite3.connect(paths[1])
    with database:
        database.execute("DELETE FROM meta WHERE name = 'told'")
    database.close()
    with Run(*paths, mixed=True) as both:
        show(page(both))
    assert f"MIXED PROMPTS: {paths[0]} and {paths[1]}: " in capsys.readouterr().out
