"""Answers as whole words, and answers that may be taken for one another."""

from __future__ import annotations

import pytest

from socialcircuits.worlds.claims.words import entangled, held, plain, stands_in


@pytest.mark.parametrize(
    ("answer", "text", "stands"),
    [
        ("HBO", "The Flintstones' New Neighbors", False),
        ("Cuba", "Cuban Revolution", False),
        ("Sky", "Sky2", False),
        ("Nice", "Venice", False),
        ("Nissan", "Nissan's Laurel", True),
        ("Russian", "Russian-Armenian University", True),
        ("Montréal", "A day in MONTREAL", True),
        ("Łódź", "the town of Lodz", True),
        ("Straße", "strasse", True),
        ("New  York", "new york", True),
        ("AC/DC", "an AC/DC song", True),
        ("5", "version 5.0.4", False),
        ("12", "12,500 people", False),
        ("40", "0:40:30", False),
        ("-5", "5 degrees", False),
        ("C", "written in C++", False),
        ("\U0001f1f5\U0001f1ea", "any text", False),
        ("", "any text", False),
    ],
)
def test_stands_in(answer: str, text: str, *, stands: bool) -> None:
    assert stands_in(answer, text) is stands


def test_short_aliases_are_passed_over_but_a_short_answer_is_not() -> None:
    question = "In what country is Toulouse, and who owns BP plc?"
    assert held(question, "India", ("IN", "in", "")) is None
    assert held(question, "BP", ()) == "BP"
    assert held(question, "France", ("FR", "toulouse")) == "toulouse"


@pytest.mark.parametrize(
    ("a", "b", "close"),
    [
        (["Christian"], ["Christianity"], True),
        (["science fiction"], ["science fiction film"], True),
        (["association football", "football"], ["American football"], True),
        (["Béla"], ["BELA"], True),
        (["India", "IN"], ["Indonesia"], False),
        (["Vienna", "W"], ["Washington", "W"], True),
        (["Raja"], ["Rajasthan"], True),
        (["May 1"], ["May 12"], False),
        (["1986"], ["19861"], False),
        (["Peru", "\U0001f1f5\U0001f1ea"], ["Chad", "\U0001f1f5\U0001f1ea"], False),
        (["Lima"], ["Cusco"], False),
    ],
)
def test_entangled(a: list[str], b: list[str], *, close: bool) -> None:
    assert entangled(a, b) is close
    assert entangled(b, a) is close


def test_plain_keeps_a_number_whole() -> None:
    assert plain("  1,000.5 m, 3/4  and \u22125") == "1,000.5 m 3/4 and -5"
