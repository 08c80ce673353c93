"""One line: a message, or a private answer or note, checked field by field."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from socialcircuits.errors import SettingError
from socialcircuits.graph import View
from socialcircuits.graph.vocabulary import PRIVATE_TO_ALL, PRIVATE_TO_SELF, PURPOSES
from socialcircuits.importing.fields import FIELDS, FieldMap

__all__ = ["ALL", "PRIVATE", "READABLE", "Fault", "Line", "line_of", "views_as_json"]

ALL = "all"
"""Stands for everybody of a conversation, the speaker itself included."""

LONGEST_NAME = 200
"""Characters of a name."""

LARGEST = 1_000_000_000
"""Largest round, turn or number of entries."""

TAKEN = tuple(sorted(PURPOSES - {"given", "label"}))
"""Purposes of lines: all but that of judges."""

PRIVATE = PRIVATE_TO_ALL | PRIVATE_TO_SELF
"""Purposes of what no other agent may read."""

READABLE = tuple(one for one in TAKEN if one not in PRIVATE_TO_ALL)
"""Purposes that some agent may read."""

SHOWN = 60
"""Characters of a value that are shown in a fault."""

Moment = tuple[str, float]
"""Whether it is a number, or a time with or without its zone; and seconds, or the number."""


class Fault(NamedTuple):
    """A line that cannot be taken: its number, from 1, and the reason."""

    line: int
    why: str


class Line(NamedTuple):
    """One line. Fields that it does not have are None, or as `FIELDS` says; see there.

    Args:
        number: in its file, from 1.
        to: names, `ALL`, or None where it is unknown who could read it.
        reads: what its speaker could read.
    """

    number: int
    conversation: str
    speaker: str
    text: str | None = None
    to: tuple[str, ...] | Literal["all"] | None = None
    undelivered: tuple[str, ...] = ()
    id: str | None = None
    round: int | None = None
    turn: int | None = None
    time: Moment | None = None
    answer: str | None = None
    truth: str | None = None
    lure: str | None = None
    question: str | None = None
    purpose: str = "message"
    role: str | None = None
    name: str | None = None
    model: str | None = None
    reason: str | None = None
    valid: bool = True
    why: str = ""
    kind: Literal["model", "given", "computed"] = "model"
    variant: str = ""
    reads: tuple[View, ...] = (View("heard", READABLE),)


def line_of(row: object, number: int, fields: FieldMap) -> Line:
    """Return the line of one JSON value.

    Args:
        row: what the line of the file holds.
        number: the number of that line.
        fields: where its fields stand.

    Raises:
        SettingError: a field is missing or not allowed; the first one is named.

    >>> line = line_of({"conversation": 7, "speaker": "Ada", "text": "Lima."}, 1, FieldMap())
    >>> line.conversation, line.purpose, line.to
    ('7', 'message', None)
    """
    if not isinstance(row, dict):
        raise SettingError("line", _short(row), "a JSON object")
    found: dict[str, Any] = {"number": number}
    for name in FIELDS:
        value = fields.value(row, name)
        if value is not None:
            found[name] = _read(name, value)
    if found.get("purpose") in PRIVATE and fields.own(row, "to") is None:
        # A default says who reads what is said in public.
        found.pop("to", None)
    for name in ("conversation", "speaker"):
        if name not in found:
            raise SettingError(name, None, FIELDS[name].partition(";")[0])
    line = Line(**found)
    _check(line)
    return line


def _check(line: Line) -> None:
    private = line.purpose in PRIVATE
    apart = line.to is not None and line.to != ALL and set(line.to) <= {line.speaker}
    if line.text is None and not (private or apart):
        raise SettingError("text", None, "a text; only what nobody else can read may lack it")
    lost = set(line.undelivered) - set(line.to or ()) if line.to != ALL else set()
    if lost:
        raise SettingError("undelivered", min(lost), "names that stand in `to`")


def _read(name: str, value: Any) -> Any:
    try:
        return _READERS[name](value)
    except _Bad as bad:
        raise SettingError(name, _short(value), str(bad)) from None


def _short(value: object) -> object:
    text = value if isinstance(value, str) else repr(value)
    if len(text) > SHOWN:
        return f"{text[:SHOWN]}..."
    return value


class _Bad(Exception):
    """What was expected of a value instead."""


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Bad("a text")
    return value


def _name(value: Any) -> str:
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not 1 <= len(text) <= LONGEST_NAME:
        raise _Bad(f"a name of 1 to {LONGEST_NAME} characters, or a number")
    return text


def _names(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(map(_name, values)))


def _readers(value: Any) -> tuple[str, ...] | str:
    return ALL if value == ALL else _names(value)


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= LARGEST:
        raise _Bad(f"a whole number from 0 to {LARGEST:,}")
    return value


def _moment(value: Any) -> Moment:
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value)
            kind = "naive" if read.tzinfo is None else "aware"
            return kind, (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            pass
    elif isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return "number", number
    raise _Bad("a number, or a date and time such as 2026-01-31T12:00:00Z")


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Bad("true or false")
    return value


def _one_of(*allowed: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in allowed:
            raise _Bad("one of " + ", ".join(allowed))
        return str(value)

    return read


_WORD = re.compile(r"[A-Za-z0-9_-]{0,40}")


def _word(value: Any) -> str:
    if not isinstance(value, str) or not _WORD.fullmatch(value):
        raise _Bad("a word of at most 40 letters, digits, _ and -")
    return value


_WAYS: Mapping[str, tuple[View, ...]] = {
    "any": (View("heard", READABLE),),
    "previous": (View("heard", READABLE, round="previous"),),
    "nothing": (),
}


def _reads(value: Any) -> tuple[View, ...]:
    if isinstance(value, str) and value in _WAYS:
        return _WAYS[value]
    if not isinstance(value, list):
        raise _Bad(f"one of {', '.join(_WAYS)}, or a list of views")
    return tuple(map(_view, value))


_VIEW: Mapping[str, Callable[[Any], Any]] = {
    "whose": _one_of("any", "own", "others"),
    "round": _one_of("any", "same", "previous"),
    "last": _whole,
    "max_bytes": _whole,
}


def _view(value: Any) -> View:
    purposes = value.get("purposes") if isinstance(value, dict) else None
    if not isinstance(purposes, list) or not all(one in TAKEN for one in purposes):
        raise _Bad("views with purposes, some of " + ", ".join(TAKEN))
    view = View("heard", tuple(purposes))
    for name, part in value.items():
        if name in _VIEW:
            view = view._replace(**{name: _VIEW[name](part)})
        elif name == "window":
            view = view._replace(window=_window(part))
        elif name != "purposes":
            raise _Bad(f"views of purposes, {', '.join(_VIEW)} and window")
    return view


def _window(value: Any) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise _Bad("a window of rounds and block")
    return _whole(value[0]), _whole(value[1])


def views_as_json(views: tuple[View, ...]) -> list[dict[str, Any]]:
    """Return views as `Line` reads them; what has its default is left out.

    >>> views_as_json((View("board", ("message",), round="previous"),))
    [{'purposes': ['message'], 'round': 'previous'}]
    """
    plain = View("", ())
    return [
        {"purposes": list(view.purposes)}
        | {
            name: list(value) if isinstance(value, tuple) else value
            for name in (*_VIEW, "window")
            if (value := getattr(view, name)) != getattr(plain, name)
        }
        for view in views
    ]


_READERS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys("text answer truth lure question reason why".split(), _text),
    **dict.fromkeys("conversation speaker id name model".split(), _name),
    **dict.fromkeys("round turn".split(), _whole),
    **dict.fromkeys("role variant".split(), _word),
    "to": _readers,
    "undelivered": _names,
    "time": _moment,
    "purpose": _one_of(*TAKEN),
    "valid": _flag,
    "kind": _one_of("model", "given", "computed"),
    "reads": _reads,
}
