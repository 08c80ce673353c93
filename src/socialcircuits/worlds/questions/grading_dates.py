"""Dates as written, whole or in part, with both readings of day and month."""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple

__all__ = ["Date", "agree", "read_dates", "read_year"]

_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>[12][0-9]{3})"
_FORMS = [
    re.compile(form)
    for form in (
        rf"(?:[Tt]he )?{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?",
        rf"{_MONTH} {_DAY}(?:,? {_YEAR})?",
        rf"{_YEAR},? {_MONTH} {_DAY}",
        rf"{_MONTH},? {_YEAR}",
        rf"{_YEAR}-(?P<m>[0-9]{{2}})-(?P<day>[0-9]{{2}})",
        rf"{_YEAR}/(?P<m>[0-9]{{1,2}})/(?P<day>[0-9]{{1,2}})",
    )
]
_NUMERIC = re.compile(rf"([0-9]{{1,2}})([./])([0-9]{{1,2}})\2{_YEAR}")
_LAST_JULIAN = 1923
_JULIAN_DAYS = range(10, 14)


class Date(NamedTuple):
    """A year, month and day; None where not given."""

    year: int | None
    month: int | None
    day: int | None


def read_dates(text: str) -> frozenset[Date]:
    """Return the dates that a tidy text may be; empty if it is none, or no day of a calendar.

    Years have four digits. A year alone is a number, not a date.

    >>> sorted(read_dates("3/4/2020"))
    [Date(year=2020, month=3, day=4), Date(year=2020, month=4, day=3)]
    """
    numeric = _NUMERIC.fullmatch(text)
    if numeric:
        year, one, other = int(numeric["year"]), int(numeric[1]), int(numeric[3])
        dates = {Date(year, one, other), Date(year, other, one)}
        return frozenset(date for date in dates if _exists(date))
    for form in _FORMS:
        found = form.fullmatch(text)
        if found:
            part = found.groupdict()
            month = int(part["m"]) if part.get("m") else _month(part["month"])
            date = Date(_whole(part.get("year")), month, _whole(part.get("day")))
            return frozenset({date} if month is not None and _exists(date) else ())
    return frozenset()


def _whole(digits: str | None) -> int | None:
    return int(digits) if digits else None


def read_year(text: str) -> frozenset[Date]:
    """Return the year that a text of four digits may be; empty if it is none from 1000 to 2999.

    >>> read_year("1999")
    frozenset({Date(year=1999, month=None, day=None)})
    """
    found = re.fullmatch(_YEAR, text)
    return frozenset({Date(int(text), None, None)} if found else ())


def _month(name: str) -> int | None:
    name = name.lower()
    fits = [n for n, month in enumerate(_MONTHS, 1) if name in {month, month[:3]}]
    return fits[0] if fits else 9 if name == "sept" else None


def _exists(date: Date) -> bool:
    try:
        dt.date(date.year or 2000, date.month or 1, date.day or 1)
    except ValueError:
        return False
    return True


def agree(answer: frozenset[Date], reference: frozenset[Date]) -> bool | None:
    """Return whether a date is the reference under all readings, or None.

    One that says less or more than the reference is undecided, unless they contradict each other.
    Before 1924 so are dates 10 to 13 days apart: calendars differed.

    >>> agree(read_dates("Dec 26, 1999"), read_dates("1999-12-26"))
    True
    >>> agree(read_dates("3/4/2020"), read_dates("4 March 2020")) is None
    True
    """
    verdicts = {_same(x, y) for x in answer for y in reference}
    return verdicts.pop() if len(verdicts) == 1 else None


def _same(x: Date, y: Date) -> bool | None:
    if x == y:
        return True
    shared = [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]
    if all(a == b for a, b in shared) or _julian(x, y):
        return None
    return False


def _julian(x: Date, y: Date) -> bool:
    """Whether two dates may be one day in the old and the new calendar."""
    if min(x.year or 0, y.year or 0) > _LAST_JULIAN:
        return False
    year = x.year or y.year or 2001
    (first, last), (start, end) = (_span(date, year) for date in (x, y))
    gap = max(start - last, first - end)
    whole = None not in {x.month, x.day, y.month, y.day}
    return min(gap, 365 - gap) in _JULIAN_DAYS if whole else gap <= _JULIAN_DAYS[-1]


def _span(date: Date, year: int) -> tuple[int, int]:
    """Number of the first and the last day that a date may be."""
    days = (
        dt.date(date.year or year, date.month or month, date.day or day)
        for month, day in ((1, 1), (12, 28))
    )
    first, last = (day.toordinal() for day in days)
    return first, last
