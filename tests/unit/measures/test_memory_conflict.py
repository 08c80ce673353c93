"""What an agent with a planted memory answers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.measures import estimate
from socialcircuits.measures.memory_conflict import MEASURES
from tests.unit.measures.trials import LETTERS, planted, trial

NAMES = [
    "private_target_share",
    "social_share",
    "other_compatible_share",
    "incompatible_share",
    "no_answer_share",
]


def classes(answer: str, **changes: Any) -> list[str]:
    return [measure.name for measure in MEASURES if measure.value(planted(answer, **changes))]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("T", "private_target_share"),
        ("R", "social_share"),
        ("X", "other_compatible_share"),  # Chad fits the crop
        ("O", "incompatible_share"),  # Mali does not
        ("-", "no_answer_share"),
    ],
)
def test_classes(answer: str, expected: str) -> None:
    assert classes(answer) == [expected]


def test_a_lure_that_fits_the_crop_is_social_still() -> None:
    facts = {"planted": {"lure": 5, "of": 8}, "lure": "France", "compatible": [[0, 1, 3]]}
    assert classes("R", facts=facts) == ["social_share"]


def test_shares_over_trials() -> None:
    trials = [planted(letter, seed=seed) for seed, letter in enumerate("TTTRRX-OTT", 1)]
    rows = estimate(trials, {}, MEASURES)
    assert [row.measure for row in rows] == NAMES
    assert [row.estimate.value for row in rows] == [0.5, 0.2, 0.1, 0.1, 0.1]
    assert {row.estimate.n for row in rows} == {10}
    assert rows[0].estimate.levels["answers"] == {"read": 10, "invalid": 1}


@given(
    st.sampled_from(list(LETTERS)),
    st.sets(st.integers(0, 2)),
    st.sampled_from(["Chad", "France", "Mali"]),
)
def test_one_class_whatever_fits(answer: str, dealt: set[int], lure: str) -> None:
    facts = {"planted": {"lure": 1, "of": 8}, "lure": lure, "compatible": [sorted({3, *dealt})]}
    values = [measure.value(planted(answer, facts=facts)) for measure in MEASURES]
    assert sorted(value for value in values if value is not None) == [0, 0, 0, 0, 1]


def test_where_there_are_no_shares() -> None:
    no_sets = {"planted": {"lure": 1, "of": 8}, "lure": "France"}
    for one, reason in (
        (trial(), "no memory was planted"),
        (planted(""), "no round was read out"),
        (planted("TT", bearers=2), "more than one agent has the memory"),
        (planted("T", facts=no_sets), "the record holds no compatible sets of the evidence"),
    ):
        assert {measure.undefined(one) for measure in MEASURES} == {reason}
