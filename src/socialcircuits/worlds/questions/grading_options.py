"""Which of the offered options a text names, by letter, by text or by both."""

from __future__ import annotations

import re
from collections.abc import Mapping

from socialcircuits.worlds.questions import grading_numbers as numbers
from socialcircuits.worlds.questions.grading_text import same_words, tidy

__all__ = ["choose", "contradicts", "names_several"]

_BARE = re.compile(r"(?:(?:option|choice) )?([(\[]?)([^\s()\[\].:]{1,3})([)\]]?)", re.IGNORECASE)
_LETTERED = re.compile(
    r"(?:(?:option|choice) )?"
    r"(?:\((?P<a>[^\s()]{1,3})\)|\[(?P<b>[^\s\[\]]{1,3})\]|(?P<c>[^\s()\[\].:]{1,3})[).:])"
    r"(?: (?P<text>.+))",
    re.IGNORECASE,
)
_LETTERED_APART = re.compile(r"(?P<c>[^\s()\[\].:]{1,3}) (?:- (?P<text>.+)|\((?P<inner>[^()]+)\))")
_JOINT = re.compile(r"\s*[,;/&]\s*|\s+(?:or|and)\s+", re.IGNORECASE)
_BOTH = re.compile(r"(?:both|either) ", re.IGNORECASE)
_COMBINES = re.compile(
    r"\b(?:and|or|both|all|above|none|neither|any|each|every)\b|[,;/&+]", re.IGNORECASE
)


def choose(text: str, options: Mapping[str, str]) -> str | None:
    """Return the key of the one option that a tidy text names, or None.

    It may give the key, the option's text, or both in agreement. A text that one may read as two
    options (the key of one, the text of another) names none.

    >>> offered = {"A": "London", "B": "Paris"}
    >>> choose("(b)", offered), choose("B. Paris", offered), choose("paris", offered)
    ('B', 'B', 'B')
    >>> choose("A. Paris", offered) is None
    True
    """
    keys = _by_key(text, options) | _by_text(text, options)
    lettered = _split(text, options)
    if lettered and lettered[0] in _by_text(lettered[1], options):
        keys |= {lettered[0]}
    keys = keys or _by_value(text, options)
    return keys.pop() if len(keys) == 1 else None


def contradicts(text: str, options: Mapping[str, str]) -> bool:
    """Return whether a tidy text gives the key of one option with the text of another.

    >>> contradicts("A. Paris", {"A": "London", "B": "Paris"})
    True
    """
    lettered = _split(text, options)
    if lettered is None or _by_text(text, options):
        return False
    texts = _by_text(lettered[1], options)
    return bool(texts) and lettered[0] not in texts


def names_several(text: str, options: Mapping[str, str]) -> bool:
    """Return whether a tidy text names two options or more, and no option is such a combination.

    >>> names_several("A or B", {"A": "London", "B": "Paris"})
    True
    >>> names_several("A and B", {"A": "salt", "B": "pepper", "C": "both of them"})
    False
    """
    parts = _JOINT.split(_BOTH.sub("", text, count=1))
    texts = {tidy(option).replace(" ", "").lower() for option in options.values()}
    combined = any(_COMBINES.search(option) for option in options.values())
    if combined or "".join(parts).lower() in texts or numbers.read_quantity(text):
        return False
    keys = [choose(part, options) for part in parts]
    return None not in keys and len(set(keys)) >= 2


def _by_key(text: str, options: Mapping[str, str]) -> set[str]:
    found = _BARE.fullmatch(text)
    if not found or (found[1] and not found[3]):
        return set()
    return _keys(found[2], options)


def _keys(name: str, options: Mapping[str, str]) -> set[str]:
    if name in options:
        return {name}
    return {key for key in options if key.isascii() and key.lower() == name.lower()}


def _by_text(text: str, options: Mapping[str, str]) -> set[str]:
    texts = {key: tidy(option) for key, option in options.items()}
    same = {key for key, option in texts.items() if option == text}
    return same or {key for key, option in texts.items() if same_words(text, option)}


def _by_value(text: str, options: Mapping[str, str]) -> set[str]:
    """The option that alone has the text's value; all others surely have another."""
    number = numbers.read_quantity(text)
    if number is None:
        return set()
    verdicts: dict[str, bool | None] = {}
    for key, option in options.items():
        other = numbers.read_quantity(tidy(option))
        verdicts[key] = None if other is None else numbers.agree(number, other)
    fits = {key for key, verdict in verdicts.items() if verdict is not False}
    return {key for key in fits if len(fits) == 1 and verdicts[key]}


def _split(text: str, options: Mapping[str, str]) -> tuple[str, str] | None:
    """The key and the text of an answer that gives both."""
    found = _LETTERED.fullmatch(text) or _LETTERED_APART.fullmatch(text)
    if found is None:
        return None
    part = found.groupdict()
    name = part.get("a") or part.get("b") or part["c"]
    keys = _keys(name or "", options)
    return (keys.pop(), tidy(part["text"] or part.get("inner") or "")) if len(keys) == 1 else None
