"""The thresholds of a screening: at the edge, and what undecided samples do."""

from __future__ import annotations

import pytest

from socialcircuits.measures.screening import FIRST, MOST_BOTH, SECOND, Sampled, Thresholds

LIMITS = Thresholds(most_false=0.1, least_true=0.6)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (Sampled({"TRUE": 10}), None),
        (Sampled({"TRUE": 6, "FALSE": 1, "neither": 3}, both=1), None),
        (Sampled({"TRUE": 8, "FALSE": 2}), "false"),
        (Sampled({"TRUE": 8, "ambiguous": 2}, both=2), "both"),
        (Sampled({"TRUE": 5, "neither": 5}), "true"),
        (Sampled({"TRUE": 5, "invalid": 5}), "true"),
        # A sample that names neither answer gives neither.
        (Sampled({"TRUE": 6, "undecided": 4}), None),
        (Sampled({"TRUE": 5, "undecided": 5}, may_true=0), "true"),
        (Sampled({"TRUE": 5, "undecided": 5}, may_true=1), "undecided"),
        (Sampled({"TRUE": 9, "undecided": 1}, may_false=1), None),
        (Sampled({"TRUE": 8, "FALSE": 1, "undecided": 1}, may_false=1), "undecided"),
        # The first reason counts.
        (Sampled({"FALSE": 5, "neither": 5}, both=5), "false"),
    ],
)
def test_a_claim_is_dropped_for_the_first_reason(found: Sampled, reason: str | None) -> None:
    assert found.dropped(LIMITS) == reason


@pytest.mark.parametrize("tens", range(1, 8))
def test_a_share_is_exactly_what_is_written(tens: int) -> None:
    """0.1 x 30 is a little more than 3 in floating point, 0.7 x 10 a little less than 7."""
    of = 10 * tens
    limits = Thresholds(most_false=0.1, least_true=0.7, most_both=0.1)
    edge = {"TRUE": 7 * tens, "FALSE": tens, "neither": 2 * tens}
    assert sum(edge.values()) == of
    assert Sampled(edge, both=tens).dropped(limits) is None
    assert Sampled(edge, both=tens + 1).dropped(limits) == "both"
    assert (
        Sampled({**edge, "TRUE": 7 * tens - 1, "neither": 2 * tens + 1}).dropped(limits) == "true"
    )
    less = {**edge, "FALSE": tens + 1, "neither": 2 * tens - 1}
    assert Sampled(less).dropped(limits) == "false"


def test_the_second_stage_is_stricter_and_both_are_limited_alike() -> None:
    assert SECOND.most_false < FIRST.most_false
    assert SECOND.least_true > FIRST.least_true > 0.5
    assert FIRST.most_both == SECOND.most_both == MOST_BOTH == 0.1
