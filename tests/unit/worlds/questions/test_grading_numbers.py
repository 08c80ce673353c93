"""Numbers, units and dates as the pre-grader reads them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from socialcircuits.worlds.questions import grading_dates as dates
from socialcircuits.worlds.questions.grading_numbers import LONGEST_NUMBER, agree, read_quantity
from socialcircuits.worlds.questions.grading_units import read_unit


@pytest.mark.parametrize(
    ("text", "value", "others"),
    [
        ("1,234", 1234, ("1.234",)),
        ("1.234", "1.234", ("1234",)),
        ("3,5", None, ("3.5", "35")),
        ("0,500", "0.5", ()),
        ("1.234,5", "1234.5", ()),
        ("12,34,567", 1234567, ()),
        ("5/7", "5/7", ("5",)),
        ("-1 1/2", "-3/2", ()),
        ("2^-2", "1/4", ()),
        ("6x10^-2", "0.06", ()),
        ("twelve", 12, ()),
    ],
)
def test_readings(text: str, value: str | int | None, others: tuple[str, ...]) -> None:
    number = read_quantity(text)
    assert number is not None
    assert number.value == (None if value is None else Fraction(value))
    assert number.others == tuple(map(Fraction, others))


@pytest.mark.parametrize(
    "text",
    [
        "007", "1,23,45", "1 23", "1-2", "1/0", "2 3/2", "-2^2", "1990/91", "2^401", "1e99999",
        "5!", "~5", "5 x", "5 m2", "5 W/m^2 K", "\u0665", "\u00b2", "", "m",
        "9" * (LONGEST_NUMBER + 1),
    ],
)  # fmt: skip
def test_not_read(text: str) -> None:
    assert read_quantity(text) is None


@pytest.mark.parametrize(
    ("answer", "reference", "right"),
    [
        ("3.1449", "3.14", True),
        ("3.145", "3.14", None),
        ("3.1", "3.14", None),
        ("1.6093 km", "1.000 mile", True),
        ("1.61 km", "1.000 mile", None),
        ("0.52", "0.5", None),
        ("42.2", "42", None),
        ("47", "42.0", False),
        ("46", "42.0", None),
        ("43 m", "42 m", None),
        ("47 m", "42 m", False),
        ("1.10", "1.1", None),
        ("1.10 m", "1.1 m", True),
        ("2.00", "2.0", True),
        ("370", "10", None),
        ("3610", "10", False),
        ("50", "0.5", None),
        ("51", "0.5", False),
        ("20 \u00b0C", "45 \u00b0C", None),
        ("20 \u00b0C", "51 \u00b0C", False),
        ("0 m", "5 m", None),
    ],
)
def test_where_agreement_ends(answer: str, reference: str, right: bool | None) -> None:
    a, r = read_quantity(answer), read_quantity(reference)
    assert a is not None
    assert r is not None
    assert agree(a, r) is right


def test_units_keep_their_case_and_names_do_not() -> None:
    assert read_unit("mmol") == read_unit("Millimoles")
    for unknown in (
        "MMOL",
        "KG",
        "Kg",
        "hz",
        "PA",
        "MIN",
        "m2",
        "m/s/s",
        "\u00b0C/m",
        "kg or g",
        "",
    ):
        assert read_unit(unknown) is None


def test_units_that_only_look_alike_differ() -> None:
    for one, other in (("ms", "m s"), ("min", "m in"), ("Gy", "Sv"), ("Hz", "Bq"), ("T", "t")):
        assert read_unit(one) != read_unit(other)
    newton, joule = read_unit("N m"), read_unit("J")
    assert newton is not None
    assert joule is not None
    assert newton.kinds != joule.kinds


@pytest.mark.parametrize(
    ("answer", "reference", "right"),
    [
        ("31/12/1999", "31 December 1999", True),
        ("1/2/1999", "3 February 1999", False),
        ("1/2/1999", "2/1/1999", None),
        ("Feb 1999", "2 February 1999", None),
        ("March 1999", "2 February 1999", False),
        ("2 February", "3 Feb 1999", False),
        ("25 December 1917", "7 January 1918", None),
        ("25 December 1917", "8 January 1918", False),
        ("25 December", "7 January", None),
        ("December 1917", "January 1918", None),
        ("December 1927", "January 1928", False),
    ],
)
def test_dates(answer: str, reference: str, right: bool | None) -> None:
    assert dates.agree(dates.read_dates(answer), dates.read_dates(reference)) is right


@pytest.mark.parametrize("text", ["31 February 2001", "13/13/2001", "1999", "May", "Mayo 5", "5 x"])
def test_no_date(text: str) -> None:
    assert not dates.read_dates(text)
