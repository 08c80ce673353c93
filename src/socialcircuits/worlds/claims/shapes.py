"""The shape of a short answer: what it would have to look like to be mistaken for another one.

A date takes the place of a date of the same granularity and era, a number of one with the same unit
and magnitude, a name of a name. What has no such shape (a list, a sentence) has no false answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

__all__ = ["ERA", "Shape", "bare", "read_shape"]

ERA = 30
"""Years by which two dates may differ and still be mistaken for one another."""

_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>[12][0-9]{3})"
_DATES = [
    re.compile(form)
    for form in (
        rf"(?:[Tt]he )?{_DAY}(?: of)? {_MONTH},?(?: of)? {_YEAR}",
        rf"{_MONTH} {_DAY},? {_YEAR}",
        rf"{_YEAR}-(?P<m>[0-9]{{2}})-(?P<day>[0-9]{{2}})",
        rf"(?:[Ii]n )?{_MONTH},?(?: of)? {_YEAR}",
        rf"(?:[Tt]he )?{_DAY}(?: of)? {_MONTH}",
        rf"{_MONTH} {_DAY}",
        rf"(?:[Ii]n )?{_YEAR}",
        rf"(?:[Ii]n )?{_MONTH}",
    )
]

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_COUNTS = {word: value for value, word in enumerate(_SMALL)}
_COUNTS |= {word: 10 * value for value, word in enumerate(_TENS, 2)}
_COUNTS |= {
    f"{ten}{mark}{one}": 10 * tens + ones
    for tens, ten in enumerate(_TENS, 2)
    for ones, one in enumerate(_SMALL[1:10], 1)
    for mark in " -"
}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_WORDS = "|".join(sorted(_COUNTS, key=len, reverse=True))
_NUMBER = re.compile(
    r"(?P<sign>[$\u00a3\u20ac\u20b9\u00a5]?) ?"
    rf"(?P<number>[0-9]{{1,3}}(?:,[0-9]{{3}}){{1,5}}(?:\.[0-9]+)?|[0-9]{{1,15}}(?:\.[0-9]+)?|\b(?:{_WORDS})\b)"
    rf"(?: (?P<scale>{'|'.join(_SCALES)})\b)?"
    r" ?(?P<unit>(?:[%\u00b0]|[^\W\d_])(?:[^\W\d_]|[ .%\u00b0/\u00b2\u00b3]){0,30})?",
    re.IGNORECASE,
)

_VERSION = re.compile(
    r"(?:v|version |patch |update )?[0-9]+(?P<parts>(?:\.[0-9]+)+)[a-z]?", re.IGNORECASE
)
_EPISODE = re.compile(
    r"(?:season |s)(?P<season>[0-9]+),?(?: and)? ?(?:episode |ep\.? ?|e)(?P<episode>[0-9]+)"
    r"(?:[,:-]? ?[\"\u201c](?P<title>.+)[\"\u201d])?",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"[,;/&()\n]|\band\b|\bor\b", re.IGNORECASE)
_QUOTED = re.compile(r'"([^"]+)"|\u201c([^\u201d]+)\u201d|\'([^\']+)\'|\*([^*]+)\*')
_ABBREVIATION = re.compile(
    r"(?:\b[A-Za-z]|\b(?:jr|sr|inc|ltd|co|corp|bros|st|etc)|\.[a-z]+)\.$", re.IGNORECASE
)
_LONGEST_NAME = 5
_LONGEST_TITLE = 8


class Shape(NamedTuple):
    """What an answer looks like.

    Args:
        kind: what it is: day, month_year, month_day, year, month, version, episode, number, name,
            place or title.
        like: what must be equal in another answer, besides the kind: unit and power of ten, the
            number of parts, and so on.
        value: what the answer says where that can be read, so that two spellings are one.
        year: of a date, or None.
    """

    kind: str
    like: tuple[object, ...]
    value: object = None
    year: int | None = None

    def fits(self, other: Shape) -> bool:
        """Return whether another shape may be mistaken for this one and says something else.

        >>> dates = [read_shape(date, "date") for date in ("2 May 1991", "May 2, 1991", "1991")]
        >>> dates[0].fits(dates[1]), dates[0].fits(dates[2])
        (False, False)
        >>> dates[2].fits(read_shape("1999", "date")), dates[2].fits(read_shape("1891", "date"))
        (True, False)
        """
        if (self.kind, self.like) != (other.kind, other.like):
            return False
        if self.value is not None and self.value == other.value:
            return False
        return self.year is None or other.year is None or abs(self.year - other.year) <= ERA


def bare(answer: str) -> str:
    r"""Return an answer without the space, the quotes and the full stop around it.

    >>> bare(' "Ordinary  Days".\n'), bare("2004."), bare("Warner Bros.")
    ('Ordinary Days', '2004', 'Warner Bros.')
    """
    text = " ".join(answer.split())
    if text.endswith(".") and not text.endswith("..") and not _ABBREVIATION.search(text):
        text = text[:-1].rstrip()
    quoted = _QUOTED.fullmatch(text)
    return next(filter(None, quoted.groups())).strip() if quoted else text


def read_shape(answer: str, asked: str) -> Shape | None:
    """Return the shape of a bare answer to what was asked, or None if it has none.

    Args:
        answer: without space, quotes and full stop around it.
        asked: date, version, episode, number, person, place or title.

    >>> read_shape("390 metres", "number"), read_shape("two", "number").value
    (Shape(kind='number', like=('', 'meter', 2), value=('', Fraction(390, 1), 'meter'), \
year=None), ('', Fraction(2, 1), ''))
    >>> read_shape("5.0.4", "date") is None, read_shape("5.0.4", "version").like
    (True, (2,))
    """
    return _READERS[asked](answer)


def _date(answer: str) -> Shape | None:
    for form in _DATES:
        found = form.fullmatch(answer)
        if found:
            part = found.groupdict()
            month = int(part["m"]) if part.get("m") else _month(part.get("month"))
            year, day = (int(part[name]) if part.get(name) else None for name in ("year", "day"))
            if (part.get("month") and not month) or not 1 <= (day or 1) <= 31:
                return None
            named = {"year": year, "month": month, "day": day}
            return Shape(_granularity(year, month, day), (), tuple(named.values()), year)
    return None


def _month(name: str | None) -> int | None:
    name = (name or "").lower()
    fits = [n for n, month in enumerate(_MONTHS, 1) if name in {month, month[:3]}]
    return fits[0] if fits else 9 if name == "sept" else None


def _granularity(year: int | None, month: int | None, day: int | None) -> str:
    if day:
        return "day" if year else "month_day"
    return ("month_year" if year else "month") if month else "year"


def _version(answer: str) -> Shape | None:
    found = _VERSION.fullmatch(answer)
    return Shape("version", (found["parts"].count("."),)) if found else None


def _episode(answer: str) -> Shape | None:
    found = _EPISODE.fullmatch(answer)
    if not found:
        return None
    return Shape("episode", (bool(found["title"]),), (int(found["season"]), int(found["episode"])))


def _number(answer: str) -> Shape | None:
    found = _NUMBER.fullmatch(answer)
    if not found or " and " in answer:
        return None
    digits = found["number"].lower().replace(",", "")
    value = Fraction(_COUNTS.get(digits, digits)) * _SCALES.get((found["scale"] or "").lower(), 1)
    unit = (found["unit"] or "").strip().casefold().replace("metre", "meter").removesuffix("s")
    power = math.floor(math.log10(value)) if value else None
    return Shape("number", (found["sign"], unit, power), (found["sign"], value, unit))


def _person(answer: str) -> Shape | None:
    words = answer.split()
    listed = _SEVERAL.search(answer) or any(character.isdigit() for character in answer)
    if listed or len(words) > _LONGEST_NAME or not answer[:1].isupper():
        return None
    return Shape("name", (len(words) > 1,))


def _place(answer: str) -> Shape | None:
    words, parts = answer.split(), answer.split(", ")
    listed = len(parts) > 2 or _SEVERAL.search("".join(parts))
    if listed or len(words) > _LONGEST_TITLE or answer[:1].isdigit():
        return None
    return Shape("place", (len(parts),))


def _title(answer: str) -> Shape | None:
    words = answer.split()
    if len(words) > _LONGEST_TITLE or re.search(r"[;/]", answer):
        return None
    digits = any(character.isdigit() for character in answer)
    return Shape("title", (digits, answer[:1].isupper()))


_READERS: dict[str, Callable[[str], Shape | None]] = {
    "date": _date,
    "version": _version,
    "episode": _episode,
    "number": _number,
    "person": _person,
    "place": _place,
    "title": _title,
}
