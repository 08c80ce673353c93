"""Reading a model's reply strictly: it is what was asked for, or it is invalid; never a guess."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, NoReturn

from socialcircuits.graph import Reply

CUT = "length"
"""The finish reason of a reply that ran into its cap."""

FOLDED = "folded"
"""How an answer was read that differs from the allowed one in case, accents or apostrophes."""

ALIAS = "alias"
"""How an answer was read that is a listed other name of the allowed one."""

_SPACE = " \t\r\n"
_FENCE = re.compile(r"```[A-Za-z0-9_+-]*[ \t]*\r?\n(.*?)\r?\n?[ \t]*```", re.DOTALL)
_APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4`"), "'")
_UNSEEN = "".join(map(chr, (0xAD, *range(0x200B, 0x2010), *range(0x2060, 0x2065), 0xFEFF)))
_ACCENT = 200
"""Lowest combining class of marks that stand at a letter's edge; strokes through it are lower."""


class Keys(NamedTuple):
    """The keys of the reply that was asked for, or under which replies are shown, by their part;
    empty where there is no such part.

    Args:
        answer: holds the answer.
        reason: holds the reason; the whole text of a reply that has no answer.
        restated: holds the evidence in the agent's own words, before the answer; it is private and
            never shown to others.
        name: holds the name of who said it; shown, never asked for.
    """

    answer: str = ""
    reason: str = ""
    restated: str = ""
    name: str = ""

    def all(self) -> tuple[str, ...]:
        """Return the keys in the order in which they are asked for.

        >>> Keys("country", restated="crop").all()
        ('crop', 'country')
        """
        return tuple(key for key in (self.restated, self.answer, self.reason) if key)


class _Fault(Exception):
    """Why a reply is invalid."""


def read(
    text: str,
    finish: str,
    keys: Keys,
    answers: Sequence[str],
    aliases: Mapping[str, str],
    signed: str = "",
) -> Reply:
    """Read one reply.

    It must be one JSON object with exactly the keys asked for, each once, and strings as values;
    white space, a leading byte order mark and one Markdown fence around it do not count. The answer
    is trimmed and must be an allowed one or a listed other name of one: letter by letter, else
    after folding case, accents and apostrophes if that leaves exactly one. Where no answers are
    listed, any text but an empty one is an answer. A reason may hold anything; where no answer is
    asked for, it must not be empty.

    Args:
        text: the reply as it came.
        finish: the server's finish reason; ``length`` makes any reply invalid.
        keys: the keys asked for.
        answers: the allowed answers; none: any text is one.
        aliases: other name -> answer.
        signed: the name by which others know the speaker; labels with such names before an answer
            or a reason are left out. Empty where messages are unsigned.

    Returns:
        The reply; if it is invalid, `why` says so in a few words. `why` of a valid one is
        ``folded``, ``alias`` or empty.

    >>> read('{"country": "PERU"}', "stop", Keys("country"), ["Peru", "Chad"], {}).why
    'folded'
    >>> read('Sure: {"country": "Peru"}', "stop", Keys("country"), ["Peru", "Chad"], {}).why
    'text before the object'
    >>> said = '{"answer": "**Colleague 3:** 42"}'
    >>> read(said, "stop", Keys("answer"), [], {}, "Colleague 5").answer
    '42'
    """
    try:
        if finish == CUT:
            raise _Fault("cut")
        said = _object(_bare(text))
        if set(said) != set(keys.all()):
            raise _Fault("other keys")
        values = {key: value for key, value in said.items() if isinstance(value, str)}
        if len(values) < len(said):
            raise _Fault("a value that is no string")
        reason = _unlabelled(values.get(keys.reason, ""), signed)
        if not keys.answer:
            if not reason.strip():
                raise _Fault("no text")
            return Reply(text, None, reason)
        answer, how = _name(_unlabelled(values[keys.answer], signed).strip(), answers, aliases)
    except _Fault as fault:
        return Reply(text, valid=False, why=str(fault))
    return Reply(text, answer, reason, why=how)


def fold(name: str) -> str:
    """Return a name without case, accents and in one kind of apostrophe; no letter becomes another.

    >>> fold("CÔTE D`IVOIRE")
    "cote d'ivoire"
    """
    letters = unicodedata.normalize("NFD", name).translate(_APOSTROPHES)
    return "".join(c for c in letters if unicodedata.combining(c) < _ACCENT).lower()


def _bare(text: str) -> str:
    """The reply without what does not count."""
    bare = text.removeprefix("\ufeff").strip(_SPACE)
    fenced = _FENCE.fullmatch(bare)
    bare = fenced[1].strip(_SPACE) if fenced else bare
    if not bare:
        raise _Fault("empty")
    return bare


def _object(bare: str) -> dict[str, object]:
    try:
        value, end = _DECODER.raw_decode(bare)
    except (ValueError, RecursionError) as error:
        before = not bare.startswith(("{", "[", '"')) and "{" in bare
        raise _Fault("text before the object" if before else "no JSON") from error
    if not isinstance(value, dict):
        raise _Fault("no object")
    rest = bare[end:].lstrip(_SPACE)
    if rest:
        raise _Fault("several objects" if rest.startswith("{") else "text after the object")
    return value


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Fault("a key twice")
    return found


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_no_number)


def _unlabelled(text: str, signed: str) -> str:
    """Return a text without the labels that stand before it: of any speaker where speakers have
    numbers, else of the speaker itself."""
    word, _, number = signed.rpartition(" ")
    if not signed:
        return text
    label = _label(word, numbered=True) if word and number.isdigit() else _label(signed)
    kept, at = "", 0
    while found := label.match(text, at):
        at = found.end()
        if found["opened"] and not (found["closed"] or found["late"]):
            # Marks that are not closed with the label belong to the text behind it.
            kept += found["opened"].strip("#> \t\r\n" + _UNSEEN)
    return kept + text[at:]


@cache
def _label(word: str, *, numbered: bool = False) -> re.Pattern[str]:
    """The pattern of a label: a name, bare or in marks of Markdown or brackets, with a remark in
    parentheses or without, with a colon or alone on its line; or before a dash or in brackets where
    what follows begins a sentence of its own."""
    name = rf"(?i:{re.escape(word)})" + (r"[ \t_]*#?\d+" if numbered else "")
    return re.compile(
        rf"(?:(?P<opened>[#<>*_`\[(\s{_UNSEEN}]+)?{name}(?P<closed>[*_`\])>]+)?"
        r"(?:[ \t]*\([^()\r\n]{0,80}\))?"
        r"(?:\s*[:\uff1a](?(opened)(?P<late>[*_`\])>]+)?)|[ \t]*\r?\n"
        r"|[ \t]+[-\u2013\u2014][ \t]+(?=[^\sa-z]))"
        rf"|[\s{_UNSEEN}]*[*_`]*(?:\[{name}\]|\({name}\)|<{name}>)[*_`]*(?=\s+[^\sa-z]))\s*"
    )


def _name(name: str, answers: Sequence[str], aliases: Mapping[str, str]) -> tuple[str, str]:
    """Return the allowed answer that a name means, and how it was read."""
    if not answers:
        if not name:
            raise _Fault("no answer")
        return name, ""
    if name in answers:
        return name, ""
    if aliases.get(name) in answers:
        return aliases[name], ALIAS
    folded = fold(name)
    meant = {answer for known, answer in _known(answers, aliases) if fold(known) == folded}
    if len(meant) != 1:
        raise _Fault("no allowed answer")
    return meant.pop(), FOLDED


def _known(answers: Sequence[str], aliases: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from ((answer, answer) for answer in answers)
    yield from ((alias, answer) for alias, answer in aliases.items() if answer in answers)
