"""Shapes of answers, and which may be mistaken for one another."""

from __future__ import annotations

import pytest

from socialcircuits.worlds.claims.shapes import bare, read_shape


@pytest.mark.parametrize(
    ("answer", "clean"),
    [
        (" 1986\n", "1986"),
        ("December 4, 2000. ", "December 4, 2000"),
        ('"Ordinary Days"', "Ordinary Days"),
        ("*Tempo*.", "Tempo"),
        ("Robert Downey Jr.", "Robert Downey Jr."),
        ("in the U.S.", "in the U.S."),
        ("Wait...", "Wait..."),
        ("a\nb", "a b"),
    ],
)
def test_bare(answer: str, clean: str) -> None:
    assert bare(answer) == clean


@pytest.mark.parametrize(
    ("answer", "kind", "year"),
    [
        ("December 4, 2000", "day", 2000),
        ("25 October 1884", "day", 1884),
        ("8 of September of 1981", "day", 1981),
        ("March 31st 2021", "day", 2021),
        ("2009-05-14", "day", 2009),
        ("5 Nov 2002", "day", 2002),
        ("July, 1972", "month_year", 1972),
        ("April 2", "month_day", None),
        ("2nd of May", "month_day", None),
        ("1986", "year", 1986),
        ("October", "month", None),
    ],
)
def test_dates(answer: str, kind: str, year: int | None) -> None:
    shape = read_shape(answer, "date")
    assert shape is not None
    assert (shape.kind, shape.year) == (kind, year)


@pytest.mark.parametrize(
    "answer", ["5.0.4", "S2 E2", "2010-2013", "40 March 1990", "12 Moon 1990", "No date", "198", ""]
)
def test_what_is_no_date(answer: str) -> None:
    assert read_shape(answer, "date") is None


@pytest.mark.parametrize(
    ("asked", "answer", "other", "fits"),
    [
        ("date", "2 May 1991", "14 June 2009", True),
        ("date", "2 May 1991", "May 2nd, 1991", False),
        ("date", "2 May 1991", "June 1991", False),
        ("date", "1891", "1940", False),
        ("version", "5.0.4", "7.22.1", True),
        ("version", "5.0.4", "5.0", False),
        ("version", "Patch 5.2.0", "1.2.3", True),
        ("episode", "S2 E2", "Season 4, Episode 11", True),
        ("episode", "S2 E2", "Season 2, Episode 2", False),
        ("episode", "S2 E2", 'Season 4, Episode 1 "Pilot"', False),
        ("number", "two", "6", True),
        ("number", "Two", "2", False),
        ("number", "Twenty two", "22", False),
        ("number", "1,093", "5,679", True),
        ("number", "1,093", "10,930", False),
        ("number", "390 metres", "410 meters", True),
        ("number", "390 metres", "410 feet", False),
        ("number", "390 metres", "410", False),
        ("number", "$5 million", "$7,500,000", True),
        ("number", "$5 million", "7,500,000", False),
        ("number", "68%", "71 %", True),
        ("number", "0", "3", False),
        ("person", "Ada Lovelace", "Emmy Noether", True),
        ("person", "Ada Lovelace", "Noether", False),
        ("place", "Bern", "Oslo", True),
        ("place", "Kingston, Ontario", "Oslo", False),
        ("title", "The Catapult", "Rock Style", True),
        ("title", "The Catapult", "airport porter", False),
    ],
)
def test_which_answers_fit(asked: str, answer: str, other: str, *, fits: bool) -> None:
    a, b = read_shape(answer, asked), read_shape(other, asked)
    assert a is not None
    assert b is not None
    assert a.fits(b) is fits
    assert b.fits(a) is fits


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("number", "approximately 20 kilometers"),
        ("number", "two sons and three daughters"),
        ("number", "53.5 x 67.2 cm"),
        ("number", "9" * 400),
        ("version", "Windows 2000"),
        ("person", "Max Wolf and Karl Schwassmann"),
        ("person", "Prince Karim Aga Khan the Fourth"),
        ("person", "the mayor"),
        ("place", "Houston, Atlanta, and Chicago"),
        ("place", "1508 Cadiz Street"),
        ("title", "Win7/ Win8/ Win10"),
        ("title", "You cannot live your life in fear of everything"),
    ],
)
def test_answers_without_a_shape(asked: str, answer: str) -> None:
    assert read_shape(answer, asked) is None
