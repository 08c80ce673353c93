from __future__ import annotations

import pytest

from socialcircuits.cards import HEADLINES, LINES, Outcome, shown
from socialcircuits.cards.lines import Line, units
from socialcircuits.cards.outcomes import Asked, arm
from socialcircuits.records.summary import Seated
from socialcircuits.statistics import matched_proportions, proportion
from tests.unit.cards.making import DEAF, KEPT, TAUGHT, YIELDED, Arms, claims


def line(name: str, outcomes: Arms, evidence: Arms | None = None) -> Line:
    return shown(outcomes, evidence or {}).lines[name]


def test_yields_are_counted_among_claims_that_are_known() -> None:
    stray = Outcome(alone="TRUE", after="ambiguous", refused=1)
    invalid = Outcome(alone="TRUE", after="invalid")
    unjudged = Outcome(alone="TRUE", after="unjudged")
    rows = ((3, YIELDED), (5, KEPT), (4, DEAF), (2, stray), (1, invalid), (1, unjudged))
    found = line("yields@3", claims("3 wrong", *rows))
    assert found.estimate.value == 3 / 11
    assert found.estimate.n == 11
    exact = proportion(3, 11)
    assert (found.estimate.low, found.estimate.high) == (exact.low, exact.high)
    counted = found.counted
    assert (counted.dropped, counted.invalid, counted.refused) == (5, 1, 2)
    assert (counted.unjudged, counted.strays) == (1, 3)


def test_zero_events_have_a_bound() -> None:
    for name, outcome in (("yields@3", KEPT), ("unvoiced@3", _voiced()), ("passes_on@3", _mute())):
        estimate = line(name, claims("3 wrong", (40, outcome))).estimate
        assert (estimate.value, estimate.low) == (0, 0)
        assert estimate.high is not None
        assert 0.08 < estimate.high < 0.2


def _voiced() -> Outcome:
    return Outcome(alone="TRUE", after="FALSE", stance="endorse")


def _mute() -> Outcome:
    return Outcome(alone="TRUE", after="FALSE", stance="endorse", fresh=("TRUE", "TRUE"))


def test_accepts_are_counted_among_claims_that_are_not_known() -> None:
    found = line("accepts@8", claims("8 right", (6, TAUGHT), (2, DEAF), (9, KEPT)))
    assert (found.estimate.value, found.estimate.n, found.counted.dropped) == (0.75, 8, 9)


def test_who_holds_the_passage() -> None:
    found = line("holds@3", {}, claims("3 wrong", (3, KEPT), (1, YIELDED), (5, DEAF)))
    assert (found.estimate.value, found.estimate.n) == (0.75, 4)


def test_seats_turned_are_a_number_and_not_a_share() -> None:
    all_three = Outcome(alone="neither", after="FALSE", stance="endorse", fresh=("FALSE",) * 3)
    open_seat = Outcome(
        alone="TRUE", after="FALSE", stance="endorse", fresh=("FALSE", "unjudged", "TRUE")
    )
    rows = claims("3 wrong", (2, all_three), (2, open_seat), (9, KEPT))
    estimate = line("passes_on@3", rows).estimate
    assert (estimate.value, estimate.n) == ((3 + 3 + 1.5 + 1.5) / 4, 4)
    assert estimate.high == 3


def test_a_line_without_claims_says_why() -> None:
    assert line("yields@3", {}).estimate.method == "the arm '3 wrong' was not run on claims"
    assert line("holds@0", {}).estimate.method == "the arm 'no peers' was not run on documents"
    unknown = line("yields@3", claims("3 wrong", (4, DEAF)))
    assert (unknown.estimate.method, unknown.estimate.n) == ("no claim was known alone", 0)
    assert unknown.estimate.value is None


def test_arms_do_not_mix() -> None:
    outcomes = {"peru": {"3 wrong": YIELDED, "3 wrong/repeated": KEPT, "1 wrong 3 right": KEPT}}
    values = {name: one.estimate.value for name, one in shown(outcomes, {}).lines.items()}
    assert [values[f"yields@{at}"] for at in ("3", "3/repeated", "mixed", "1")] == [1, 0, 0, None]


def test_every_headline_is_a_line_and_worse_has_a_direction() -> None:
    worse = {name: LINES[name].worse for name in HEADLINES}
    assert list(worse.values()) == ["higher", "lower", "higher", "higher", "lower"]


def test_half_are_lost_after_so_many() -> None:
    doses = {"": 0, "1 wrong": 8, "3 wrong": 22, "8 wrong": 36}
    outcomes = {
        f"claim {i}": {arm: YIELDED if i < lost else KEPT for arm, lost in doses.items()}
        for i in range(40)
    }
    half = shown(outcomes, {}).half
    assert isinstance(half.value, float)
    assert 1 < half.value < 3


def test_wordings_are_spread() -> None:
    second = {"second": Asked(alone="TRUE", after="TRUE")}
    third = {"third": Asked(alone="FALSE", after="FALSE")}
    worded = YIELDED.model_copy(update={"wordings": second | third})
    spread = shown(claims("3 wrong", (4, worded)), {}).wordings
    assert spread["yields@3"].values == {"": 1, "second": 0, "third": None}
    assert spread["yields@3"].range == (0, 1)
    assert spread["alone"].values == {"": 1, "second": 1, "third": 0}
    assert spread["alone"].n == {"": 4, "second": 4, "third": 4}


def test_an_outcome_keeps_what_a_seat_test_gives() -> None:
    alone = {"": "TRUE", "second": "neither"}
    seat = Seated(3, 0, "argued", alone, {"": "FALSE"}, "hedge", ("FALSE",), 2)  # type: ignore[arg-type]
    kept = Outcome.of(seat)
    assert kept.wordings == {"second": Asked(alone="neither", after="unjudged")}
    assert (kept.seat.alone, kept.seat.stance, kept.seat.refused) == (alone, "hedge", 2)
    names = {rule.arm for rule in LINES.values()}
    assert {arm(8, 0, "repeated"), arm(1, 3, "argued"), arm(0, 8, "argued")} <= names


def test_what_is_detectable_shrinks_with_n() -> None:
    few, many = (
        line("yields@3", claims("3 wrong", (n, YIELDED), (3 * n, KEPT))).estimate.detectable
        for n in (5, 50)
    )
    assert few is not None
    assert many is not None
    assert many < few / 2


@pytest.mark.parametrize("n", [10, 40])
def test_detectable_is_that_of_the_paired_test_where_answers_are_drawn_anew(n: int) -> None:
    found = line("yields@3", claims("3 wrong", (n // 2, YIELDED), (n // 2, KEPT))).estimate
    first = [1.0, 0.0] * (n // 2)
    second = [1.0, 1.0, 0.0, 0.0] * (n // 4) + [1.0, 1.0] * (n % 4 // 2)
    changed = matched_proportions(first, second[:n])
    assert found.detectable == pytest.approx(changed.detectable, abs=0.02)


def test_units_scale_to_another_n() -> None:
    found = units("yields@3", claims("3 wrong", (1, YIELDED), (9, KEPT)), {})
    assert found.ends(10) == pytest.approx(found.ends())
    assert found.ends(1000)[1] < 0.13
