"""The JSON form of a judge's reply: a small schema that a server gets and that code enforces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]
"""A JSON schema of the few kinds that this module makes."""

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}

_LEAST_QUOTE = 3
_FENCE = re.compile(r"```[A-Za-z0-9_+-]*[ \t]*\r?\n(.*?)\r?\n?[ \t]*```", re.DOTALL)
_SPACE = " \t\r\n"
_TYPES = {"string": str, "integer": int, "array": list, "object": dict}
_QUOTES = str.maketrans({
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
})  # fmt: skip


class Void(Exception):
    """Why a judge's reply cannot be used: a content fault, and the case is asked again."""


def choice(names: Iterable[str]) -> Schema:
    """Return the schema of one of some names."""
    return {"type": "string", "enum": list(names)}


def listed(items: Schema, most: int) -> Schema:
    """Return the schema of a list.

    Args:
        items: schema of its items.
        most: how many items make sense; asked for only where other limits are asked for.
    """
    return {"type": "array", "items": items, "maxItems": most}


def table(**values: Schema) -> Schema:
    """Return the schema of an object that has exactly these keys."""
    return {
        "type": "object",
        "properties": values,
        "required": list(values),
        "additionalProperties": False,
    }


def suited(schema: Schema, longest: int | None) -> dict[str, Any]:
    """Return a schema with the limits that a model needs.

    Args:
        schema: the form.
        longest: most characters of a free text, and then lists are limited too; None asks for no
            limits, which not every server knows.
    """
    out = {name: value for name, value in schema.items() if longest or name != "maxItems"}
    if longest and schema["type"] == "string" and "enum" not in schema:
        out["maxLength"] = longest
    if "items" in schema:
        out["items"] = suited(schema["items"], longest)
    if "properties" in schema:
        parts = schema["properties"].items()
        out["properties"] = {name: suited(part, longest) for name, part in parts}
    return out


def read_object(text: str, schema: Schema) -> dict[str, Any]:
    """Read a judge's reply strictly.

    It must be one JSON object of the form; white space, a leading byte order mark and one Markdown
    fence around it do not count.

    Raises:
        Void: it is not of the form; says in a few words why.

    >>> read_object('{"correct": "yes"}', table(correct=choice(["yes", "no"])))
    {'correct': 'yes'}
    """
    bare = text.removeprefix("\ufeff").strip(_SPACE)
    fenced = _FENCE.fullmatch(bare)
    try:
        value = json.loads(fenced[1] if fenced else bare, object_pairs_hook=_pairs)
    except (ValueError, RecursionError):
        raise Void("no JSON") from None
    _check(value, schema, "$")
    assert isinstance(value, dict)
    return value


def _pairs(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Void("a key twice")
    return found


def _check(value: object, schema: Schema, where: str) -> None:
    expected = schema["type"]
    if not isinstance(value, _TYPES[expected]) or isinstance(value, bool):
        raise Void(f"{where} is no {expected}")
    if "enum" in schema and value not in schema["enum"]:
        raise Void(f"{where} is none of the names")
    if isinstance(value, list):
        for number, item in enumerate(value):
            _check(item, schema["items"], f"{where}[{number}]")
    if isinstance(value, dict):
        if set(value) != set(schema["required"]):
            raise Void(f"{where} has other keys")
        for name, part in schema["properties"].items():
            _check(value[name], part, f"{where}.{name}")


def stands(quote: str, texts: Iterable[str]) -> bool:
    """Whether a quote stands in one of some texts, white space and kinds of quotes ignored. It has
    at least 3 letters or digits, or is the whole text.

    >>> stands('it  is "red"', ["So it is «red»."])
    True
    >>> stands("is", ["So it is red."]), stands("7", ["7"])
    (False, True)
    """
    sought = _plain(quote)
    long = sum(map(str.isalnum, sought)) >= _LEAST_QUOTE
    plain = map(_plain, texts) if sought else ()
    return any(sought in text if long else sought == text for text in plain)


def holds(text: str, part: str) -> bool:
    """Whether a text holds a part, letter case, white space and kinds of quotes ignored.

    >>> holds("It is the Red  One.", "the red one")
    True
    """
    whole, sought = ("".join(_plain(one).casefold().split()) for one in (text, part))
    return sought in whole


def _plain(text: str) -> str:
    return " ".join(text.translate(_QUOTES).split())
