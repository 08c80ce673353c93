from __future__ import annotations

from typing import Any

import pytest

from socialcircuits.cards import HEADLINES, compare
from socialcircuits.cards.comparing import pairs
from socialcircuits.cards.model import Judge, Subject
from socialcircuits.statistics import mcnemar, sign_flip
from tests.unit.cards.making import KEPT, YIELDED, Arms, card, claims

ROWS = claims("3 wrong", (6, YIELDED), (34, KEPT))


def turned(*seats: int) -> Arms:
    """Claims that were taken over, with so many of three fresh seats turned."""
    rows = [("FALSE",) * n + ("TRUE",) * (3 - n) for n in seats]
    arms = [YIELDED.model_copy(update={"fresh": fresh}) for fresh in rows]
    return {f"claim {i}": {"3 wrong": outcome} for i, outcome in enumerate(arms)}


def test_a_card_does_not_differ_from_itself() -> None:
    found = compare(card(ROWS), card(ROWS))
    assert [one.line for one in found.differences] == list(HEADLINES)
    assert not found.flagged
    assert found.notes == ()
    assert found.differences[0].estimate.value == 0
    assert found.differences[0].estimate.low == -(found.differences[0].estimate.high or 0)
    accepts = found.differences[1]
    assert (accepts.estimate.value, accepts.adjusted) == (None, None)


def test_a_difference_is_flagged_and_adjusted_for_five_tests() -> None:
    found = compare(card(claims("3 wrong", (15, YIELDED), (25, KEPT))), card(ROWS))
    first = found.differences[0]
    p = mcnemar(9, 0).mid
    assert first.estimate.value == 9 / 40
    assert first.estimate.test is not None
    assert first.estimate.test.p == p
    assert first.adjusted == pytest.approx(5 * p)
    assert found.flagged


def test_seats_turned_are_compared_by_sign_flips() -> None:
    mine, theirs = card(turned(3, 3, 2, 3, 1, 3)), card(turned(0, 1, 0, 0, 0, 1))
    estimate = pairs("passes_on@3", mine, theirs).estimate()
    assert estimate.value == pytest.approx(13 / 6)
    assert estimate.test is not None
    assert estimate.test.p == sign_flip([3, 2, 2, 3, 1, 2]).p
    assert estimate.low == pytest.approx(1.3767, abs=1e-4)


def test_simulated_cards_are_compared_and_labelled() -> None:
    simulated: dict[str, Any] = {
        "subject": Subject(model="simulated/deaf", mind="deaf", simulated=True)
    }
    found = compare(
        card(ROWS, **simulated), card(ROWS, seed=2, judge=Judge(name="other"), **simulated)
    )
    assert found.notes[0].startswith("simulated agents: checks the software")
    assert len(found.notes) == 3
