"""A run in a notebook."""

from __future__ import annotations

import subprocess

import pytest

from socialcircuits.measures import Row
from socialcircuits.statistics import Estimate
from socialcircuits.studies import Study
from socialcircuits.studies.display import MOST_COLUMNS, MOST_ROWS, shown, typed, visible

TRIALS = {"planned": 40, "completed": 38}


def row(measure: str, n: int, value: float | None = 0.5, **condition: object) -> Row:
    low, high = (None, None) if value is None else (value - 0.1, value + 0.1)
    return Row(measure, condition, Estimate(value, low, high, n, "by hand"))


def test_every_number_has_its_interval_and_its_n() -> None:
    rows = [
        row("collective_accuracy", 38, N=4),
        row("collective_accuracy", 0, None, N=8),
        row("collective_accuracy", 20, 0.3, N=8, minus={"N": 4}),
    ]
    text = shown(Study(name="mine"), "simulated agents", TRIALS, rows)
    assert "0.50<br><small>0.40 to 0.60, n 38</small>" in text
    assert "none<br><small>n 0</small>" in text
    assert text.count("<tr>") == 3
    assert "38 of 40 trials completed" in text
    assert "simulated agents" in text


def test_text_is_text() -> None:
    study = Study(name="mine<b>", about="\u202e&")
    text = shown(study, "<i>", TRIALS, [row("uplift", 3, cast="<script>")])
    assert "mine&lt;b&gt;" in text
    assert "\\u202e&amp;" in text
    assert "&lt;i&gt;" in text
    assert "cast = &lt;script&gt;" in text


def test_a_long_run_is_cut_and_says_so() -> None:
    names = (
        "initial_accuracy collective_accuracy uplift honest_defection correction "
        "wrong_consensus polarization invalid_share"
    ).split()
    rows = [row(name, 3, N=n) for n in range(MOST_ROWS + 2) for name in names]
    text = shown(Study(name="mine"), "simulated agents", TRIALS, rows)
    assert text.count('<th scope="row">') == MOST_ROWS
    assert text.count('<th scope="col">') == 1 + MOST_COLUMNS
    assert "invalid share" in text
    assert "polarization" not in text
    assert "and 2 more conditions" in text


def test_letters_of_all_scripts_stay_and_control_characters_are_seen() -> None:
    assert visible("Côte d'Ivoire 日本\n") == "Côte d'Ivoire 日本 "
    assert visible("\u200b\u2066\x00") == "\\u200b\\u2066\\u0000"


@pytest.mark.parametrize(
    "name",
    ["a b.db", "it's", "\u202egnp\x1b[1m\x07.db", "a'\\b\t\n", "\udcff\U000e0001", "été \u2028x"],
)
def test_a_shell_reads_what_is_typed_and_nothing_in_it_hides(name: str) -> None:
    word = typed(name)
    assert word.isprintable()
    told = subprocess.run(
        ["bash", "-c", f"printf %s {word}"],
        env={"LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=True,
    )
    assert told.stdout == name.encode("utf-8", "surrogateescape")
