"""What agents were told, as text."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.analyses.parity import parity
from socialcircuits.report.parity import IMAGINED, LONGEST, brief, lines
from socialcircuits.report.text import show
from socialcircuits.studies import Run, run
from tests.support.prompted import TEXT, script_models

UPTAKE = "Let the transcript memory count for somewhat more than your own crop."


def made(out: Path, model: str = "simulated/literal", seed: int = 1, **settings: Any) -> Run:
    small = {"N": [4], "rounds": 2, **settings}
    return run("flag-game/population", out=out, model=model, seeds=1, seed=seed, settings=small)


def told(run: Run) -> list[str]:
    with run:
        return list(brief(run))


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


def test_a_report_of_one_condition_compares_nothing(tmp_path: Path) -> None:
    assert told(made(tmp_path / "a.db")) == []


def test_a_report_says_that_all_were_told_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script_models(monkeypatch)
    expected = "Told: the same in all 2 conditions"
    assert told(made(tmp_path / "a.db", N=[2, 4])) == [f"{expected} ({IMAGINED})."]
    assert told(made(tmp_path / "b.db", TEXT, N=[2, 4])) == [f"{expected}."]


def test_a_report_has_a_line_a_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script_models(monkeypatch)
    first, second, third, last = told(made(tmp_path / "a.db", TEXT, alpha=["off", 0.75, 1.0]))
    assert first == "Told: 3 different things in 3 conditions. Against the first:"
    assert second == (
        f"  N = 4; alpha = 0.75: 4 of 5 places differ, first observer message (text), after memory:"
        f" +{UPTAKE}"
    )
    assert third.startswith("  N = 4; alpha = 1.0: 4 of 5 places differ")
    assert last == f"  In full: socialcircuits parity {tmp_path / 'a.db'}"
    with Run(tmp_path / "a.db") as done:
        show(done)
    assert "\n".join((first, second, third, last)) in capsys.readouterr().out


def test_a_report_of_many_differences_is_short(tmp_path: Path) -> None:
    axes: dict[str, Any] = {
        "m": [1, 3],
        "memory": [4, 5, 6, 7, 8],
        "wording": ["no-list", "printed"],
    }
    text = told(made(tmp_path / "a.db", **axes))
    assert len(text) == 11
    assert text[-2] == "  and 11 more"
    assert max(map(len, text[1:-1])) < LONGEST + 200


def test_a_report_says_that_it_does_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script_models(monkeypatch)
    path = made(tmp_path / "a.db", TEXT, N=[2, 4]).path
    database = sqlite3.connect(path)
    with database:
        database.execute("DELETE FROM meta WHERE name = 'told'")
    database.close()
    assert told(Run(path)) == [f"Told: unknown: {path} does not say what its agents were told"]


def test_pooled_runs_are_named_and_mixed_prompts_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script_models(monkeypatch)
    paths = [made(tmp_path / f"{seed}.db", TEXT, seed).path for seed in (1, 2)]
    with Run(*paths) as both:
        show(both)
    text = capsys.readouterr().out
    assert f"2 runs pooled: {paths[0]}, {paths[1]}\n" in text
    assert "MIXED" not in text
    database = sqlite3.connect(paths[1])
    with database:
        database.execute("DELETE FROM meta WHERE name = 'told'")
    database.close()
    with Run(*paths, mixed=True) as both:
        show(both)
    assert f"MIXED PROMPTS: {paths[0]} and {paths[1]}: " in capsys.readouterr().out
