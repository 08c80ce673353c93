"""Endpoint classes under other thresholds, against counts by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.errors import RunFileError
from socialcircuits.measures import estimate, robustness
from socialcircuits.measures.endpoints import CONSENSUS, PAIRS, POLAR, ThresholdSweep
from socialcircuits.records.summary import TrialSummary
from tests.unit.measures.trials import managed, planted, trial

CLASSES = ["correct_consensus", "wrong_consensus", "polarization", "fragmentation"]


def group(*ends: str) -> list[TrialSummary]:
    return [trial("T" * len(end), end, seed=seed) for seed, end in enumerate(ends, 1)]


def sweep(*ends: str) -> dict[str, ThresholdSweep]:
    return {found.endpoint: found for found in robustness(group(*ends))}


def test_pairs() -> None:
    assert len(PAIRS) == len(set(PAIRS)) == 30
    assert PAIRS[0] == (Fraction(3, 4), Fraction(3, 20))
    assert PAIRS[-1] == (Fraction(1), Fraction(7, 20))
    assert (CONSENSUS, POLAR) in PAIRS


def test_a_consensus_of_all_counts_unanimous_runs() -> None:
    unanimous = sweep("TTTT", "RRRR")
    for name in ("correct_consensus", "wrong_consensus"):
        assert {unanimous[name].counts[Fraction(1), polar] for _, polar in PAIRS} == {1}
        assert (unanimous[name].smallest, unanimous[name].largest) == (0.5, 0.5)


def test_by_hand() -> None:
    found = sweep(
        "T" * 20,  # correct throughout
        "T" * 17 + "RRR",  # top 17/20, next 3/20
        "R" * 16 + "TTTT",  # top 16/20, next 4/20
        "T" * 10 + "RRRRRROOOO",  # shares 1/2, 6/20, 4/20
        "T" * 7 + "ROXRROOXXXXR-",  # Peru 7/20, Chad 5/20, France 4/20, Mali 3/20, one invalid
    )
    assert list(found) == CLASSES
    correct, wrong, polar, fragments = found.values()
    # Up to .85 the second trial is a consensus too, so two of five; beyond it one.
    assert (correct.smallest, correct.chosen, correct.largest) == (0.2, 0.4, 0.4)
    # The third trial is one up to .80.
    assert (wrong.smallest, wrong.chosen, wrong.largest) == (0.0, 0.0, 0.2)
    at = {pair: [one.counts[pair] for one in found.values()] for pair in PAIRS}
    assert at[Fraction(3, 4), Fraction(3, 20)] == [2, 1, 2, 0]
    assert at[Fraction(1), Fraction(3, 20)] == [1, 0, 4, 0]
    assert at[Fraction(1), Fraction(1, 5)] == [1, 0, 3, 1]
    assert at[CONSENSUS, POLAR] == [2, 0, 2, 1]
    assert at[Fraction(1), Fraction(3, 10)] == [1, 0, 1, 3]
    assert at[Fraction(1), Fraction(7, 20)] == [1, 0, 0, 4]
    assert (polar.smallest, polar.chosen, polar.largest) == (0.0, 0.4, 0.8)
    assert (fragments.smallest, fragments.chosen, fragments.largest) == (0.0, 0.2, 0.8)


def test_rows() -> None:
    rows = sweep("TTTT", "TTTR")["correct_consensus"].rows()
    assert len(rows) == 30
    assert rows[0] == {
        "N": 4,
        "endpoint": "correct_consensus",
        "consensus": 0.75,
        "polar": 0.15,
        "share": 1.0,
        "trials": 2,
    }
    assert (rows[-1]["consensus"], rows[-1]["polar"], rows[-1]["share"]) == (1.0, 0.35, 0.5)


@pytest.mark.parametrize(
    ("end", "polarized"),
    [
        ("T", 0),
        ("R", 0),
        ("-", 0),
        ("T-", 0),
        ("TR", 30),
        ("TRO", 24),  # shares of 1/3: camps at the four limits up to .30, whatever a consensus is
        ("TTR", 24),
        ("TROX", 18),  # shares of 1/4: camps at the three limits up to .25
        ("TTTR", 15),  # the same, at the five limits of a consensus above .75
    ],
)
def test_small_groups(end: str, polarized: int) -> None:
    assert sum(sweep(end)["polarization"].counts.values()) == polarized


def test_only_populations_by_condition() -> None:
    small, large = trial("TT", "TT"), trial("TTTT", "TTRR")
    others = [managed("TROX", "T", seed=7), planted("T")]
    found = robustness([*others, large, small, trial("TT", "", seed=2)])
    assert [one.condition for one in found] == [{"N": 4}] * 4 + [{"N": 2}] * 4
    assert {one.trials for one in found} == {1}
    assert robustness(others) == []


def test_a_seed_counts_once() -> None:
    with pytest.raises(RunFileError, match="seed 1 occurs twice"):
        robustness([trial(), trial()])


@given(st.lists(st.text("TROX-", min_size=6, max_size=6), min_size=1, max_size=5))
def test_classes_add_up_and_the_chosen_share_is_the_estimate(ends: list[str]) -> None:
    trials = group(*ends)
    found = robustness(trials)
    for pair in PAIRS:
        assert sum(one.counts[pair] for one in found) == len(ends)
    estimates = {row.measure: row.estimate.value for row in estimate(trials, {})}
    for one in found:
        assert one.smallest <= one.chosen <= one.largest
        assert one.chosen == estimates[one.endpoint]
