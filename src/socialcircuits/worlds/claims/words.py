"""Answers as whole words: what stands in a text, what is the same answer, what is part of another.

Case, accents and punctuation do not count. Words do: HBO does not stand in "Neighbors", nor Cuba in
"Cuban", and a number stands only where it is the whole number (12 not in 12.5).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

__all__ = ["entangled", "held", "is_short", "plain", "stands_in"]

_SHORT = 2
"""An alias of at most so many letters and digits is never read inside running text: IN is India
only where it is the whole answer."""

_STEM = 4
"""Least length of an answer that may be the beginning of another one: Christian, Christianity."""

_LETTERS = {
    "\u00f8": "o", "\u0142": "l", "\u0111": "d", "\u00f0": "d", "\u00fe": "th", "\u00e6": "ae",
    "\u0153": "oe", "\u0131": "i", "\u02bb": "'", "\u02bc": "'", "\u2018": "'", "\u2019": "'",
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2212": "-",
}  # fmt: skip
_FOLDED = str.maketrans(_LETTERS)
_WORD = re.compile(r"(?:(?<![^\s(])-(?=\d))?\w+(?:(?<=\d)[.,:/](?=\d)\w+)*[+#]*")


@lru_cache(maxsize=1 << 16)
def plain(text: str) -> str:
    """Return the words of a text in small letters without accents, one space between them.

    A number with its dots, commas and colons is one word, and so is a sign before it.

    >>> plain("S\u00e3o Paulo\u2019s 1,000 caf\u00e9s (AC/DC)")
    'sao paulo s 1,000 cafes ac dc'
    """
    parts = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in parts if not unicodedata.combining(c))
    return " ".join(_WORD.findall(bare.casefold().translate(_FOLDED)))


def stands_in(answer: str, text: str) -> bool:
    """Return whether an answer stands in a text as whole words; one without letters never does.

    >>> stands_in("HBO", "The Flintstones' New Neighbors"), stands_in("Cuba", "Cuban Revolution")
    (False, False)
    >>> stands_in("Montreal", "Exposition de Montr\u00e9al"), stands_in("12", "12.5 km")
    (True, False)
    """
    words = plain(answer)
    return bool(words) and f" {words} " in f" {plain(text)} "


def is_short(alias: str) -> bool:
    """Return whether an alias has too few letters to be read inside running text.

    >>> is_short("IN"), is_short("U.S."), is_short("USA")
    (True, True, False)
    """
    return sum(character.isalnum() for character in alias) <= _SHORT


def held(text: str, answer: str, aliases: Iterable[str]) -> str | None:
    """Return the form of an answer that stands in a text, or None; short aliases are passed over.

    >>> held("In what country is Bell?", "India", ("IN", "Bharat")) is None
    True
    """
    forms = (answer, *(alias for alias in aliases if not is_short(alias)))
    return next((form for form in forms if stands_in(form, text)), None)


def entangled(a: Iterable[str], b: Iterable[str]) -> bool:
    """Return whether two answers, each given in all its forms, may be taken for one another.

    They are if a form of one equals, stands in or begins a form of the other. Short forms count
    only where they are equal.

    >>> entangled(["Christianity"], ["Christian"]), entangled(["football"], ["American football"])
    (True, True)
    >>> entangled(["India", "IN"], ["Indiana", "IN"]), entangled(["May 1"], ["May 12"])
    (True, False)
    """
    others = list(b)
    return any(_close(x, y) for x in a for y in others)


def _close(x: str, y: str) -> bool:
    short, long = sorted((x, y), key=lambda form: len(plain(form)))
    if plain(short) == plain(long):
        return bool(plain(short))
    if is_short(short):
        return False
    begins = len(plain(short)) >= _STEM and not plain(short)[-1].isdigit()
    return stands_in(short, long) or (begins and plain(long).startswith(plain(short)))
