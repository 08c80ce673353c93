"""Endpoint classes: exact at the thresholds, whatever is invalid."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.errors import SettingError
from socialcircuits.measures.endpoints import MEASURES, check_thresholds, classify
from tests.unit.measures.trials import trial

CLASSES = ("correct_consensus", "wrong_consensus", "polarization", "fragmentation")


def ends_as(final: str, **changes: Any) -> set[str]:
    one = trial(final=final, **changes)
    return {measure.name for measure in MEASURES if measure.value(one)}


@pytest.mark.parametrize(
    ("counts", "n", "expected"),
    [
        ({"T": 17, "R": 3}, 20, "correct_consensus"),
        ({"T": 16, "R": 4}, 20, "fragmentation"),
        ({"T": 15, "R": 5}, 20, "polarization"),
        ({"R": 17, "T": 3}, 20, "wrong_consensus"),
        ({"T": 3}, 4, "fragmentation"),
        ({"T": 109}, 128, "correct_consensus"),
        ({"T": 108}, 128, "fragmentation"),
        ({"R": 2, "O": 2, "T": 4}, 8, "polarization"),
        ({}, 4, "fragmentation"),
    ],
)
def test_classes_at_the_thresholds(counts: dict[str, int], n: int, expected: str) -> None:
    assert classify(counts, n, "T") == expected


def test_invalid_answers_stay_in_the_denominator() -> None:
    assert ends_as("TTTT") == {"correct_consensus"}
    assert ends_as("TTT-") == {"fragmentation"}
    assert ends_as("----") == {"fragmentation"}  # four invalid answers are no consensus


def test_thresholds_can_be_swept() -> None:
    counts = {"T": 16, "R": 4}
    assert classify(counts, 20, "T", consensus=Fraction(4, 5)) == "correct_consensus"
    assert classify(counts, 20, "T", polar=Fraction(1, 5)) == "polarization"
    assert classify({"T": 20}, 20, "T", consensus=Fraction(1)) == "correct_consensus"


def test_truth_rival_is_a_sub_class() -> None:
    # Index 1 of the answers, France (R), is compatible with evidence that was dealt.
    assert ends_as("TTRR") == {"polarization", "truth_rival_polarization"}
    assert ends_as("TTOO") == {"polarization"}
    assert ends_as("RROO") == {"polarization"}
    assert ends_as("TTRO") == {"polarization", "truth_rival_polarization"}
    assert ends_as("TTTTTROO") == {"polarization"}  # the rival's share is 1/8
    assert ends_as("TTTT", facts={"compatible": [[1, 3]]}) == {"correct_consensus"}


@given(
    st.lists(st.sampled_from("TROX-"), min_size=1, max_size=40),
    st.fractions(Fraction(51, 100), 1),
    st.fractions(Fraction(1, 100), Fraction(1, 2)),
)
def test_every_end_has_one_class(final: list[str], consensus: Fraction, polar: Fraction) -> None:
    counts = Counter(final)
    invalid = counts.pop("-", 0)
    n = counts.total() + invalid
    found = classify(counts, n, "T", consensus, polar)
    top = max(counts.values(), default=0)
    assert (found in CLASSES[:2]) == (Fraction(top, n) >= consensus)
    renamed = {answer.lower(): count for answer, count in reversed(counts.items())}
    assert classify(renamed, n, "t", consensus, polar) == found
    assert len(ends_as("".join(final)) & set(CLASSES)) == 1


@pytest.mark.parametrize(
    ("consensus", "polar", "message"),
    [
        (Fraction(1, 2), Fraction(1, 4), "consensus: '1/2' .* above 1/2 and at most 1"),
        (Fraction(21, 20), Fraction(1, 4), "consensus: '21/20'"),
        (Fraction(17, 20), Fraction(0), "polar: '0' .* above 0 and at most 1/2"),
        (Fraction(17, 20), Fraction(17, 20), "polar: '17/20'"),
        (0.85, Fraction(1, 4), "consensus: 0.85 .* an exact fraction"),
    ],
)
def test_thresholds_out_of_order(consensus: Any, polar: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        check_thresholds(consensus, polar)
    with pytest.raises(SettingError, match=message):
        classify({"T": 4}, 4, "T", consensus, polar)


@pytest.mark.parametrize(("counts", "n"), [({"T": 5}, 4), ({}, 0), ({"T": -1}, 4)])
def test_counts_must_fit(counts: dict[str, int], n: int) -> None:
    with pytest.raises(SettingError, match="at most n = "):
        classify(counts, n, "T")
