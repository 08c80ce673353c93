"""A text as words that can be compared, each with its place: nothing that carries meaning is lost.

Case, accents at a letter's edge, hyphens between words, commas, stops and paired Markdown marks go.
Numbers, counts in words and dates become one spelling. Every other sign stays as a word of its own,
so that a text with it equals none without it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

__all__ = ["Token", "is_number", "tokens"]

_EDGE = 200
"""Lowest combining class of marks that stand at a letter's edge; a stroke through it is lower."""

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MARKS = "*_`"
_QUOTES = "\"'\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb"

_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_DAY = r"[0-3]?[0-9](?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?P<y{0}>[0-9]{{4}}))?"
_DATE = (
    rf"(?P<d1>{_DAY})(?:\s+of)?\s+(?P<m1>{_MONTH})\b\.?{_YEAR.format(1)}"
    rf"|(?P<m2>{_MONTH})\b\.?\s+(?P<d2>{_DAY}){_YEAR.format(2)}"
    r"|(?P<y3>[0-9]{4})-(?P<m3>[0-9]{2})-(?P<d3>[0-9]{2})(?!-)"
)
_LETTER = r"[^\W_]"
_KINDS = {
    "date": rf"(?<![\w-])(?:{_DATE})(?!\w)",
    "number": r"(?:(?<!\w)[-+\u2212])?(?:(?<![\w.])\.)?[0-9]+(?:[.,][0-9]+)*(?!\w)",
    "count": rf"(?<!\w)(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_SMALL[1:10])}))?"
    rf"|{'|'.join(_SMALL)})(?!\w)",
    "word": rf"(?:{_LETTER}|[\u0300-\u036f])+(?:['\u2019]{_LETTER}+)*",
    "trail": r"\.\.+",
    # "3!" is a factorial, and what ends in a comma or colon is cut.
    "nothing": rf"\s+|\.|[,;:](?=\s*\S)|(?<=[^\W\d_])!|(?<={_LETTER})[-\u2010\u2011](?={_LETTER})",
    "sign": r".",
}
_TOKEN = re.compile(
    "|".join(f"(?P<{kind}>{form})" for kind, form in _KINDS.items()), re.IGNORECASE | re.DOTALL
)
_THOUSANDS = re.compile(r"-?[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_NUMERIC = re.compile(r"[-+]?[0-9.]+[0-9.,-]*|-[-0-9]+")


class Token(NamedTuple):
    """A word in its one spelling, and where it stands in the text."""

    word: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Return the words of a text.

    >>> [token.word for token in tokens("Caf\u00e9s of **twenty-one** on July 4th, 1976?")]
    ['cafes', 'of', '21', 'on', '1976-07-04', '?']
    >>> [token.word for token in tokens("-1,000 or .5 or 5.0.4")]
    ['-1000', 'or', '.5', 'or', '5.0.4']
    """
    dropped = {mark for mark in _MARKS if text.count(mark) % 2 == 0}
    return [
        Token(_spelling(found), found.start(), found.end())
        for found in _TOKEN.finditer(text)
        if found.lastgroup != "nothing" and found[0] not in dropped
    ]


def is_number(word: str) -> bool:
    """Return whether a word is a number or a date.

    >>> is_number("1,5"), is_number("1976-07-04"), is_number("b2")
    (True, True, False)
    """
    return bool(_NUMERIC.fullmatch(word))


def _spelling(found: re.Match[str]) -> str:
    text = found[0]
    if found["date"]:
        return _date(found)
    if found["number"]:
        text = text.replace("\u2212", "-")
        return text.replace(",", "") if _THOUSANDS.fullmatch(text) else text
    if found["count"]:
        words = re.split(r"[- ]", text.lower())
        return str(sum(map(_value, words)))
    if text in _QUOTES:
        return '"'
    parts = unicodedata.normalize("NFD", text.casefold()).replace("\u2019", "'")
    return "".join(part for part in parts if unicodedata.combining(part) < _EDGE)


def _value(word: str) -> int:
    return _SMALL.index(word) if word in _SMALL else 10 * (_TENS.index(word) + 2)


def _date(found: re.Match[str]) -> str:
    """A date as year, month and day; the year may be missing."""
    year, month, day = (
        next((found[part + form] for form in "123" if found[part + form]), "") for part in "ymd"
    )
    number = month if month.isdigit() else f"{_MONTHS.index(month[:3].lower()) + 1:02}"
    return f"{year}-{number}-{int(re.sub('[a-z]', '', day.lower())):02}"
