"""The relation that a question of SimpleQA asks for, read from its wording."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

__all__ = ["Asked", "read_wording"]

_ASIDE = re.compile(r"\([^()]*\)")
_NAME_OF = re.compile(r"\bthe (?:name|title|type|kind) of ", re.IGNORECASE)
# From the question word to the noun, past a verb of being and adjectives, but no other verb.
_TO_NOUN = (
    r"\b(?:what|which)\b(?:'s)?(?: (?!(?:did|do|does|had|has|have|and|who|that|where|when|in|by|for"
    r"|with|to|from|at|on|of|two|three|four)\b)[\w'&.-]+){0,5}?"
)


class Asked(NamedTuple):
    """What a question asks for.

    Args:
        name: what is asked for, such as city or surname.
        about: what happened, or which property it is; empty if that is not known.
        shape: how the answer is read.
        narrow: whether what is asked for says enough without what it is about.
    """

    name: str
    about: str
    shape: str
    narrow: bool


@dataclass(frozen=True)
class _Pattern:
    name: str
    shape: str
    types: frozenset[str]
    narrow: bool
    sought: re.Pattern[str]


@dataclass(frozen=True)
class _Wordings:
    asked: Sequence[_Pattern]
    about: Mapping[str, re.Pattern[str]]


def read_wording(question: str, answer_type: str) -> Asked | None:
    """Return what a question asks for, or None if its wording does not say so.

    What stands in parentheses is passed over.

    Args:
        question: the whole question.
        answer_type: Date, Number, Person, Place or Other, as the file says.

    >>> read_wording("In which city was Georgy Danilov, who died in 1954, born?", "Place")
    Asked(name='city', about='died', shape='place', narrow=False)
    >>> read_wording("How many children did Gilbert Hani have?", "Number")
    Asked(name='count', about='children', shape='number', narrow=False)
    >>> read_wording("In which city was Georgy Danilov born?", "Date") is None
    True
    """
    text = _NAME_OF.sub("", _ASIDE.sub("", question))
    found = [(match.end(), pattern, match) for pattern, match in _matches(text)]
    if not found:
        return None
    _, pattern, match = min(found, key=lambda one: one[0])
    if answer_type not in pattern.types:
        return None
    about = match.groupdict().get("about") or _about(text, match)
    return Asked(pattern.name, about.lower().replace(" ", "_"), pattern.shape, pattern.narrow)


def _matches(text: str) -> Iterator[tuple[_Pattern, re.Match[str]]]:
    for pattern in _wordings().asked:
        match = pattern.sought.search(text)
        if match:
            yield pattern, match


def _about(text: str, asked: re.Match[str]) -> str:
    places = [
        (match.start(), name)
        for name, sought in _wordings().about.items()
        for match in sought.finditer(text)
    ]
    after = [place for place in places if place[0] >= asked.start()]
    if after:
        return min(after)[1]
    return max(places)[1] if places else ""


@cache
def _wordings() -> _Wordings:
    text = files("socialcircuits.worlds.claims").joinpath("simpleqa.toml").read_text("utf-8")
    data = tomllib.loads(text)
    asked = [_pattern(entry, entry["name"], entry["pattern"]) for entry in data["asked"]]
    for entry in data["nouns"]:
        for name, nouns in entry["asked"].items():
            words = "|".join(map(re.escape, nouns))
            asked.append(_pattern(entry, name, rf"{_TO_NOUN} (?:{words})\b"))
    about = {name: re.compile(sought, re.IGNORECASE) for name, sought in data["about"].items()}
    return _Wordings(asked, about)


def _pattern(entry: Mapping[str, Any], name: str, sought: str) -> _Pattern:
    types, narrow = frozenset(entry["types"]), entry.get("narrow", False)
    return _Pattern(name, entry["shape"], types, narrow, re.compile(sought, re.IGNORECASE))
