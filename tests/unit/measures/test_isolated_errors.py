"""Wrong guesses by what their own crop allows."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.measures import estimate
from socialcircuits.measures.initial_accuracy import MEASURE as ACCURACY
from socialcircuits.measures.isolated_errors import MEASURES
from tests.unit.measures.trials import LETTERS, answers, trial

COMPATIBLE, INCOMPATIBLE = MEASURES
NUMBERS = {"X": 0, "R": 1, "O": 2, "T": 3}


@pytest.mark.parametrize(
    ("guesses", "crops", "compatible", "incompatible"),
    [
        ("R", ["RT"], 1, 0),
        ("R", ["T"], 0, 1),
        ("T", ["RT"], 0, 0),
        ("-", ["RT"], 0, 0),
        ("RR", ["RT", "OT"], "1/2", "1/2"),  # only its own crop counts for a seat
        ("TRO-", ["T", "RT", "RT", "T"], "1/4", "1/4"),
        ("ROX-", ["ROXT"] * 4, "3/4", 0),
    ],
)
def test_by_hand(
    guesses: str, crops: list[str], compatible: str | int, incompatible: str | int
) -> None:
    facts = {"compatible": [[NUMBERS[letter] for letter in crop] for crop in crops]}
    one = trial(guesses, facts=facts)
    assert COMPATIBLE.value(one) == Fraction(compatible)
    assert INCOMPATIBLE.value(one) == Fraction(incompatible)


def test_the_crops_of_adversaries_are_passed_over() -> None:
    facts = {"compatible": [[NUMBERS[letter] for letter in crop] for crop in ("RT", "T", "T")]}
    one = trial("RO", "TTRR", facts=facts, adversaries={"evidence": (1,)})
    assert (COMPATIBLE.value(one), INCOMPATIBLE.value(one)) == (Fraction(1, 2), Fraction(1, 2))


def test_invalid_guesses_are_counted_in_the_row() -> None:
    rows = {row.measure: row.estimate for row in estimate([trial("RO--")], {}, MEASURES)}
    assert rows["compatible_errors"].levels["answers"] == {"read": 4, "invalid": 2}
    assert (rows["compatible_errors"].value, rows["incompatible_errors"].value) == (0.25, 0.25)


@given(st.lists(st.tuples(st.sampled_from(list(LETTERS)), st.sets(st.integers(0, 2))), min_size=1))
def test_accuracy_both_errors_and_invalid_add_up(seats: list[tuple[str, set[int]]]) -> None:
    guesses = "".join(letter for letter, _ in seats)
    one = trial(guesses, facts={"compatible": [sorted({3, *dealt}) for _, dealt in seats]})
    invalid = Fraction(answers(guesses).count(None), len(guesses))
    parts = [measure.value(one) for measure in (ACCURACY, *MEASURES)]
    assert sum((part for part in parts if part is not None), invalid) == 1
