"""Averages in which each cell counts alike, and in which each turn does."""

from __future__ import annotations

from dataclasses import replace

from socialcircuits.analyses.cells import cells
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import ratio
from socialcircuits.statistics.macro import macro_ratio
from tests.support.conversations import talk


def of(cast: str, *words: str, seed: int, source: str = "ours") -> TrialSummary:
    trial = talk(*words, seed=seed, condition={"cast": cast, "deceivers": 1})
    return replace(trial, facts={**trial.facts, "source": source})


TRIALS = [
    of("A", "T iF", "T iF", seed=1),
    of("A", "T iF", "T iT", seed=2),
    of("A", "T iT", "T iT", seed=3),
    of("B", "T iF", "T iF", seed=1),
]


def test_macro_and_micro() -> None:
    macro, micro = cells(TRIALS, measures=["final_infection"])
    assert (macro["average"], macro["value"], macro["n"]) == ("macro", (1 / 2 + 1) / 2, 3)
    assert (micro["average"], micro["value"]) == ("micro", 5 / 8)
    # One item is in both cells and is one cluster.
    assert micro["low"] == ratio([4, 1, 0], [4, 2, 2]).low
    expected = macro_ratio([{1: (2, 2), 2: (1, 2), 3: (0, 2)}, {1: (2, 2)}])
    assert (macro["low"], macro["high"]) == (expected.low, expected.high)
    assert (macro["cells"], macro["left_out"], macro["deceivers"]) == (2, 0, 1)


def test_sources_of_items_are_cells_too() -> None:
    mixed = [*TRIALS, of("A", "T iF", seed=9, source="other")]
    macro, micro = cells(mixed, measures=["final_infection"])
    assert (macro["cells"], macro["value"]) == (3, (1 / 2 + 1 + 1) / 3)
    assert micro["value"] == 6 / 9


def test_a_cell_without_things_to_count_is_left_out_and_counted() -> None:
    trials = [of("A", "T eF", seed=1), of("B", "T iT", seed=1)]
    rows = cells(trials, measures=["joint_endorse_given_FALSE"])
    assert [(row["value"], row["cells"], row["left_out"]) for row in rows] == [(1.0, 1, 1)] * 2


def test_settings_that_are_not_averaged_stand_apart() -> None:
    rows = cells(TRIALS, over=(), measures=["final_infection"])
    assert [(row["cast"], row["average"], row["value"]) for row in rows] == [
        ("A", "macro", 1 / 2),
        ("A", "micro", 1 / 2),
        ("B", "macro", 1.0),
        ("B", "micro", 1.0),
    ]
    assert {row["measure"] for row in cells(TRIALS)} >= {"joint_ignore_given_FALSE", "reversal"}
