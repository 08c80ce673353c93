"""The words of a text: what is made equal, and what must stay apart."""

from __future__ import annotations

import pytest

from socialcircuits.worlds.claims.reading_tokens import is_number, tokens


def words(text: str) -> list[str]:
    return [token.word for token in tokens(text)]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("S\u00e3o Paulo", "SAO PAULO"),
        ("Mir\u00f3", "Miro\u0301"),
        ("Berners-Lee", "Berners Lee"),
        ("**New** York.", "new york"),
        ("it\u2019s", "It's"),
        ("1,250", "1250"),
        ("seventy-nine", "79"),
        ("ninety", "90"),
        ("zero", "0"),
        ("4 July 1976", "July 4th, 1976"),
        ("the 4th of July", "the July 4"),
        ("Sept. 9, 1999", "1999-09-09"),
        ("9 may", "May 9"),
        ("\u22125", "-5"),
    ],
)
def test_plainly_equal(text: str, other: str) -> None:
    assert words(text) == words(other)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("10\u00b2", "102"),
        ("\u00bd", "12"),
        ("1.250", "1250"),
        ("12,50", "1250"),
        ("-5", "5"),
        ("+5", "5"),
        (".5", "5"),
        ("5.0", "5"),
        ("007", "7"),
        ("5%", "5"),
        ("3!", "3"),
        ("1969-70", "196970"),
        ("5.0.4", "504"),
        ("20th", "20"),
        ("3/4/2020", "2020-04-03"),
        ("July 4, 1976", "July 4"),
        ("twenty hundred", "2000"),
        ("someone", "some 1"),
        ("C++", "C"),
        ("Can\u200bberra", "Canberra"),
        ("M\u0336e\u0336", "Me"),
        ("*Paris", "Paris"),
        ("Paris,", "Paris"),
        ("Paris...", "Paris"),
        ("Paris?", "Paris"),
        ('"Paris"', "Paris"),
        ("-Paris", "Paris"),
        ("Paris's", "Paris"),
        ("\u0420aris", "Paris"),
    ],
)
def test_not_equal(text: str, other: str) -> None:
    assert words(text) != words(other)


def test_places_are_those_of_the_text() -> None:
    text = "On **July 4th, 1976** in \u00c9vian."
    found = [text[token.start : token.end] for token in tokens(text)]
    assert found == ["On", "July 4th, 1976", "in", "\u00c9vian"]


@pytest.mark.parametrize("word", ["12", "-1.5", "1976-07-04", "-07-04", "5.0.4"])
def test_numbers_and_dates_are_numbers(word: str) -> None:
    assert is_number(word)


@pytest.mark.parametrize("word", ["b2", "-", "", "twelve", "$"])
def test_other_words_are_none(word: str) -> None:
    assert not is_number(word)
