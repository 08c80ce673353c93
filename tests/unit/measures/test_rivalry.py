"""The rival of a trial and the share of probes that choose it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.errors import SettingError
from socialcircuits.measures import estimate
from socialcircuits.measures.rivalry import MEASURE, rival
from socialcircuits.records.summary import Tally
from tests.unit.measures.trials import LETTERS, answers, trial

ALL = ("Chad", "France", "Mali", "Peru")


@pytest.mark.parametrize(
    ("guesses", "crops", "expected"),
    [
        ("TTTRRO", [], "France"),
        ("TTTROO", [[1, 3]] * 6, "Mali"),  # more named goes before more compatible
        ("RO", [[2, 3], [1, 2, 3]], "Mali"),  # a tie: Mali fits two crops, France one
        ("RO", [[1, 2, 3], [3]], "France"),  # a tie in both: by name
        ("TT", [[2, 3], [3]], "Mali"),  # nobody is wrong
        ("T-", [[3], [3]], "Chad"),
        ("--", [[0, 1, 3], [1, 3]], "France"),
    ],
)
def test_rival(guesses: str, crops: list[list[int]], expected: str) -> None:
    assert rival(answers(guesses), "Peru", ALL, crops) == expected


@given(
    st.text("TROX-", max_size=8),
    st.lists(st.sets(st.integers(0, 3)), max_size=8),
    st.permutations(range(4)),
)
def test_the_order_of_seats_and_answers_does_not_matter(
    guesses: str, crops: list[set[int]], order: list[int]
) -> None:
    found = rival(answers(guesses), "Peru", ALL, crops)
    assert found != "Peru"
    other = [ALL[number] for number in order]
    renumbered = [{order.index(number) for number in dealt} for dealt in reversed(crops)]
    assert rival(answers(guesses[::-1]), "Peru", other, renumbered) == found


def test_without_a_wrong_answer_there_is_no_rival() -> None:
    with pytest.raises(SettingError, match="at least one answer beside Peru"):
        rival([], "Peru", ["Peru"], [])


def tally(letters: str) -> Tally:
    held = answers(letters)
    return {answer: Fraction(held.count(answer)) for answer in dict.fromkeys(held)}


def share(*tallies: Tally) -> Fraction | None:
    return MEASURE.value(trial(probed={"two-way": tallies}))


def test_probes_are_pooled_over_crops() -> None:
    assert share(tally("TTTT"), tally("TR"), tally("RRRR")) == Fraction(5, 10)
    assert share(tally("TTTR"), tally("R")) == Fraction(2, 5)  # not the mean of 1/4 and 1
    assert share(tally("TTTT")) == 0
    assert share(tally("RR")) == 1


def test_invalid_probes_are_no_part() -> None:
    assert share(tally("TR--"), tally("----")) == Fraction(1, 2)
    assert share(tally("--")) is None


def test_odds_count_by_weight() -> None:
    odds: list[Tally] = [
        {"Peru": Fraction(3, 4), "France": Fraction(1, 4)},
        {"Peru": Fraction(1, 2), "France": Fraction(1, 2)},
        {None: Fraction(1)},
    ]
    assert share(*odds) == Fraction(3, 8)
    floats: Tally = {"Peru": Fraction(0.1), "France": Fraction(0.9)}
    assert share(floats) == pytest.approx(0.9)


def test_rows() -> None:
    trials = [
        trial(seed=1, probed={"two-way": (tally("TTTR-"), tally("TTTTT"))}),
        trial(seed=2, probed={"two-way": (tally("RRRRR"), tally("-----"))}),
        trial(seed=3, probed={"two-way": (tally("--"),)}),
    ]
    (row,) = estimate(trials, {}, [MEASURE])
    assert row.estimate.value == pytest.approx((1 / 9 + 1) / 2)
    assert row.estimate.levels["excluded"] == {"zero over zero": 1}
    assert row.estimate.levels["answers"] == {"read": 20, "invalid": 6}


def test_undefined_without_such_probes() -> None:
    reason = "no probes between truth and rival were asked for"
    assert MEASURE.undefined(trial()) == reason
    assert MEASURE.undefined(trial(probed={"": (tally("TT"),)})) == reason


@given(st.lists(st.text(list(LETTERS), min_size=1, max_size=6), min_size=1, max_size=4))
def test_truth_and_rival_add_up(probes: list[str]) -> None:
    # With two allowed answers: whatever is neither the truth nor invalid is the rival.
    letters = [text.replace("O", "R").replace("X", "R") for text in probes]
    pooled = "".join(letters)
    valid = len(pooled) - pooled.count("-")
    expected = Fraction(pooled.count("R"), valid) if valid else None
    assert share(*map(tally, letters)) == expected
