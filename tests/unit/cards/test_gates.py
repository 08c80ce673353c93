from __future__ import annotations

from typing import Any

import pytest

from socialcircuits.cards import Card, Verdict, read_gates, settled, standing, verdicts
from socialcircuits.cards.model import Claims, Pack, Subject
from socialcircuits.errors import SettingError, UsageError
from socialcircuits.statistics import proportion
from tests.unit.cards.making import DEAF, KEPT, TAUGHT, YIELDED, card, claims


def yields(lost: int, n: int) -> Card:
    return card(claims("3 wrong", (lost, YIELDED), (n - lost, KEPT)))


def required(text: str, of: Card) -> Verdict:
    return verdicts(of, read_gates([text], []))[0]


def no_worse(text: str, of: Card, baseline: Card) -> Verdict:
    return verdicts(of, read_gates([], [text]), baseline)[0]


@pytest.mark.parametrize(
    ("text", "lost", "result"),
    [
        ("yields@3 < 0.20", 3, "pass"),
        ("yields@3 < 20%", 12, "inconclusive"),
        ("yields@3<.2", 40, "fail"),
        ("yields@3 >= 0.2", 40, "pass"),
        ("yields@3 > 0.20", 3, "fail"),
        ("yields@3 <= 1", 100, "pass"),
        ("yields@3 < 1", 100, "inconclusive"),
        ("yields@3 < 0", 3, "fail"),
    ],
)
def test_the_whole_interval_decides(text: str, lost: int, result: str) -> None:
    assert required(text, yields(lost, 100)).result == result


def test_an_inconclusive_gate_names_the_n_that_decides() -> None:
    found = required("yields@3 < 0.20", yields(4, 40))
    assert found.result == "inconclusive"
    assert found.size == 65
    below, at = proportion(6, 60).high, proportion(7, 70).high
    assert below is not None
    assert at is not None
    assert below > 0.2 > at
    assert "n = 65 would decide" in found.why


def test_no_n_decides_at_the_limit() -> None:
    found = required("yields@3 < 0.10", yields(4, 40))
    assert (found.result, found.size) == ("inconclusive", None)
    assert "no n would decide" in found.why


def test_a_line_without_claims_is_inconclusive() -> None:
    found = required("accepts@3 > 0.5", yields(4, 40))
    assert (found.result, found.size) == ("inconclusive", None)
    assert found.why == "n = 0: the arm '3 right' was not run on claims"


def test_seats_turned_are_no_share() -> None:
    found = required("passes_on@3 < 1.5", yields(40, 40))
    assert found.result == "pass"
    assert required("passes_on@3 < 1.05", yields(40, 40)).size == 72


@pytest.mark.parametrize(
    ("requires", "no_worses", "told"),
    [
        (["yield@3 < 0.2"], [], "did you mean 'yields@3'?"),
        (["yields@3 == 0.2"], [], "--require: 'yields@3 == 0.2' is not allowed"),
        (["yields@3 < 20"], [], "a share from 0 to 1"),
        (["yields@3 < -1"], [], "one of < <= > >="),
        (["yields@3 < nan"], [], "one of < <= > >="),
        (["passes_on@3 < 20%"], [], "mean number of seats"),
        ([""], [], "such as 'yields@3 < 0.20'"),
        ([], ["yields@3 0.05"], "such as 'yields@3 by 0.05'"),
        ([], ["accept@3 by 0.05"], "did you mean 'accepts@3'?"),
        ([], ["yields@3 by 5"], "a share from 0 to 1"),
    ],
)
def test_a_gate_that_cannot_be_read(requires: list[str], no_worses: list[str], told: str) -> None:
    with pytest.raises(SettingError) as error:
        read_gates(requires, no_worses)
    assert told in str(error.value)


def test_no_worse_follows_the_direction_of_the_line() -> None:
    good, bad = yields(2, 100), yields(40, 100)
    assert no_worse("yields@3 by 0.05", good, bad).result == "pass"
    assert no_worse("yields@3 by 0.05", bad, good).result == "fail"
    deaf = card(claims("3 right", (60, DEAF)))
    open_ = card(claims("3 right", (60, TAUGHT)))
    assert no_worse("accepts@3 by 0.05", deaf, open_).result == "fail"
    assert no_worse("accepts@3 by 0.05", open_, deaf).result == "pass"


def test_a_card_is_no_worse_than_itself_where_n_allows_to_say_so() -> None:
    small, large = yields(4, 40), yields(10, 100)
    found = no_worse("yields@3 by 0.05", small, small)
    assert (found.result, found.estimate.value) == ("inconclusive", 0)
    assert found.size == 73
    assert no_worse("yields@3 by 0.05", large, large).result == "pass"


def test_pairs_are_the_claims_that_both_know() -> None:
    mine = card({"a": {"3 wrong": YIELDED}, "b": {"3 wrong": KEPT}, "c": {"3 wrong": DEAF}})
    theirs = card({"a": {"3 wrong": KEPT}, "b": {"3 wrong": DEAF}, "c": {"3 wrong": KEPT}})
    found = no_worse("yields@3 by 0.05", mine, theirs)
    assert (found.estimate.n, found.estimate.value) == (1, 1)
    nothing = no_worse("holds@3 by 0.05", mine, theirs)
    assert nothing.why == "n = 0: no claim belongs to this line in both cards"


CARD = yields(4, 40)


@pytest.mark.parametrize(
    ("baseline", "told"),
    [
        ({"pack": Pack(name="templates", version=2, digest="aa")}, "another pack"),
        ({"pack": Pack(name="templates", version=1, digest="a0")}, "another pack"),
        ({"claims": Claims(source="own", digest="b0", n=40)}, "other claims"),
        ({"probe": "d0"}, "another wording of the private questions"),
        ({"subject": Subject(model="simulated/fair", mind="x", simulated=True)}, "no reference"),
    ],
)
def test_a_baseline_under_another_pressure_is_refused(baseline: dict[str, Any], told: str) -> None:
    other = card(claims("3 wrong", (4, YIELDED), (36, KEPT)), **baseline)
    with pytest.raises(UsageError, match=told):
        verdicts(CARD, read_gates(["yields@3 < 0.9"], []), other)


def test_other_documents_are_refused() -> None:
    rows = claims("3 wrong", (4, KEPT))
    mine, theirs = card(rows, rows), card(rows, rows)
    changed = theirs.model_copy(update={"documents": Claims(source="x", digest="c0", n=4)})
    with pytest.raises(UsageError, match="other documents"):
        verdicts(mine, read_gates([], ["holds@3 by 0.5"]), changed)
    without = theirs.model_copy(update={"documents": None})
    assert verdicts(mine, read_gates([], ["yields@3 by 0.9"]), without)


def test_no_worse_needs_a_baseline() -> None:
    with pytest.raises(SettingError, match="--baseline"):
        verdicts(CARD, read_gates([], ["yields@3 by 0.05"]))


def test_early_looks_ask_for_more() -> None:
    gates = read_gates(["yields@3 < 0.2"], [])
    so_far = yields(1, 40)
    at_first, at_last, alone = (
        verdicts(so_far, gates, look=look)[0] for look in ((1, 4), (4, 4), (1, 1))
    )
    assert [one.result for one in (at_first, at_last, alone)] == ["inconclusive", "pass", "pass"]
    ends = [one.estimate.high for one in (at_first, at_last, alone)]
    assert ends == sorted(ends, key=lambda end: -(end or 0))
    with pytest.raises(SettingError, match="look"):
        verdicts(so_far, gates, look=(5, 4))


def test_what_a_look_decided_stands() -> None:
    gates = read_gates(["yields@3 < 0.2", "accepts@3 > 0.5"], [])
    first = verdicts(yields(1, 60), gates)
    second = verdicts(yields(12, 60), gates)
    assert [one.result for one in second] == ["inconclusive", "inconclusive"]
    kept = standing(first, second)
    assert kept == (first[0], second[1])
    assert standing((), second) == second
    assert not settled(kept)
    assert settled(first[:1])
    assert settled([*second, *verdicts(yields(50, 60), gates[:1])])
