"""Where agents go over to the lure."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.errors import RunFileError
from socialcircuits.measures import Row, yields
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import mean, proportion
from tests.unit.measures.trials import planted, trial


def ladder(letters: str, *, seed: int = 1, of: int = 4, **condition: Any) -> list[TrialSummary]:
    """One seed's answers at the rungs 0, 1, ...; a space is a rung that was not completed."""
    return [
        planted(letter, rung, of=of, seed=seed, condition={**condition, "lures": rung})
        for rung, letter in enumerate(letters)
        if letter != " "
    ]


def both(*seeds: str) -> tuple[Row, Row]:
    trials = [one for seed, letters in enumerate(seeds, 1) for one in ladder(letters, seed=seed)]
    point, yielded = yields(trials)
    return point, yielded


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("RRRRR", -0.5),
        ("TRRRR", 0.5),
        ("TTTRR", 2.5),
        ("TTTTR", 3.5),
        ("TTTTT", 4.5),
        ("XXOOO", 4.5),  # a third country is not the lure
        ("TRTRR", 1.5),  # back and forth: the mean of the steps, 0.5 - 1.5 + 2.5
    ],
)
def test_points(letters: str, expected: float) -> None:
    point, yielded = both(letters)
    assert (point.measure, yielded.measure) == ("yield_point", "yielded")
    assert point.estimate.value == expected
    assert (point.estimate.low, point.estimate.high) == (-0.5, 4.5)  # one seed says nothing
    assert yielded.estimate.value == (letters[-1] == "R")


def test_the_mean_has_its_interval_and_its_meaning() -> None:
    point, yielded = both("TTRRR", "TTTRR", "TTTTT", "RTRRR")
    plain = mean([1.5, 2.5, 4.5, 0.5], (-0.5, 4.5))
    assert point.estimate.value == plain.value == 2.25
    assert (point.estimate.low, point.estimate.high) == (plain.low, plain.high)
    assert point.estimate.method.startswith(plain.method + "; Spearman-Kaerber")
    assert "-0.5 means named at every rung, 4.5 means never" in point.estimate.method
    share = proportion(3, 4)
    assert (yielded.estimate.value, yielded.estimate.low) == (0.75, share.low)
    for row in (point, yielded):
        assert row.condition == {}
        assert row.estimate.levels == {
            "seeds": {"planned": 4, "completed": 4, "excluded": 0},
            "ladders": {"stepped over once or never": 3, "back and forth": 1},
        }


def test_seeds_left_out_are_counted_with_why() -> None:
    point, yielded = both("TTTRR", "TT RR", "TT-RR", "-T RR")
    for row in (point, yielded):
        assert row.estimate.n == 1
        assert row.estimate.levels["seeds"] == {"planned": 4, "completed": 2, "excluded": 3}
        assert row.estimate.levels["excluded"] == {
            "not completed at every rung": 2,
            "an invalid answer at a rung": 1,
        }


def test_no_complete_seed_is_no_value() -> None:
    for row in both("TTT", "T-TRR"):
        assert (row.estimate.value, row.estimate.n) == (None, 0)


def test_other_settings_are_kept_apart() -> None:
    trials = [*ladder("TTRRR", cast="A", m=1), *ladder("TTTTR", cast="B", m=1)]
    points = [row for row in yields(trials) if row.measure == "yield_point"]
    assert [(row.condition, row.estimate.value) for row in points] == [
        ({"cast": "A", "m": 1}, 1.5),
        ({"cast": "B", "m": 1}, 3.5),
    ]


def test_no_ladder_no_rows() -> None:
    assert yields([]) == yields([trial()]) == []
    assert yields([planted("R", 5, condition={"cast": "A"})]) == []


def test_a_seed_has_one_trial_a_rung() -> None:
    with pytest.raises(RunFileError, match="seed 1 occurs twice"):
        yields([*ladder("TTTRR"), *ladder("R")])


@given(st.lists(st.text("TRXO", min_size=9, max_size=9), min_size=1, max_size=6))
def test_points_are_the_area_above_the_curve(seeds: list[str]) -> None:
    trials = [t for n, letters in enumerate(seeds) for t in ladder(letters, seed=n, of=8)]
    point, yielded = yields(trials)
    # The textbook form: the steps of the curve at the middle of their rungs, with rungs -1 and 9
    # added at which the lure is named never and always.
    share = [sum(s[k] == "R" for s in seeds) / len(seeds) for k in range(9)]
    steps = enumerate(pairwise([0.0, *share, 1.0]))
    assert point.estimate.value == pytest.approx(sum((b - a) * (k - 0.5) for k, (a, b) in steps))
    assert yielded.estimate.value == pytest.approx(share[-1])
