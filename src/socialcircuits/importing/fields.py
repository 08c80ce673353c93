"""The fields of a line, and the map that names the user's own columns for them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from socialcircuits.errors import SettingError, UsageError

__all__ = ["FIELDS", "FieldMap", "load_map"]

FIELDS: Mapping[str, str] = {
    "conversation": "name of the conversation; needed",
    "speaker": "name of who says it; needed",
    "text": "what was said, as it came; needed, but for what nobody else can read",
    "to": "who could read it: names, or all; without it that is unknown",
    "undelivered": "names among them whom it did not reach",
    "id": "a name of the line; no other line has it",
    "round": "its round, a whole number from 0",
    "turn": "its place in the conversation, a whole number from 0",
    "time": "when it was said: a number, or a date and time (ISO 8601)",
    "answer": "the answer that it gives",
    "truth": "the right answer of the conversation",
    "lure": "the wrong answer that is planted in it",
    "question": "what the conversation is about",
    "purpose": "message (the default), report, decision or chat; in private: probe, vote, guess, "
    "reflection or plan; or monitor",
    "role": "role of the speaker, such as observer (the default), deceiver, sybil, manager",
    "name": "name by which others know the speaker, where it is another one",
    "model": "what sits in the speaker's seat",
    "reason": "the words of a text that holds more than them",
    "valid": "whether it is of the form that was asked for; true by default",
    "why": "why it is not, or how it was read",
    "kind": "model (the default); given: words that were put into the speaker's mouth; computed",
    "variant": "which of several steps of one purpose it is",
    "reads": "what of that which is addressed to the speaker stood in its context: any (the "
    "default), previous (of the round before), nothing, or a list of views",
}
"""Field of a line -> what it holds."""

PARTS = ("fields", "defaults")


@dataclass(frozen=True)
class FieldMap:
    """Where the fields of a line stand in the user's own lines.

    Args:
        columns: field -> the user's column, or a path of nested columns such as ``author.name``;
            a field that is not named stands in the column of its own name.
        defaults: field -> its value in lines that do not have it.

    >>> mapped = FieldMap({"speaker": "author.name"}, {"to": "all"})
    >>> row = {"author": {"name": "Ada"}, "text": "Lima."}
    >>> mapped.value(row, "speaker"), mapped.value(row, "text"), mapped.value(row, "to")
    ('Ada', 'Lima.', 'all')
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def value(self, row: Mapping[str, Any], name: str) -> Any:
        """Return the value of a field in one line; None where there is none."""
        found = self.own(row, name)
        return self.defaults.get(name) if found is None else found

    def own(self, row: Mapping[str, Any], name: str) -> Any:
        """Return what the line itself has; None where it has nothing."""
        return _at(row, self.columns.get(name, name))


def _at(row: Mapping[str, Any], path: str) -> Any:
    if path in row:
        return row[path]
    found: Any = row
    for part in path.split("."):
        if not isinstance(found, dict) or part not in found:
            return None
        found = found[part]
    return found


def load_map(path: str | Path) -> FieldMap:
    r"""Return the map of a TOML file: a table ``[fields]``, and one of ``[defaults]``.

    Raises:
        UsageError: the file cannot be read.
        SettingError: a table or a field is unknown, or a column is no text.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "map.toml"
    ...     _ = file.write_text('[fields]\nspeaker = "who"\n', encoding="utf-8")
    ...     load_map(file).columns
    {'speaker': 'who'}
    """
    try:
        values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} is no TOML: {error}") from None
    for part, table in values.items():
        if part not in PARTS or not isinstance(table, dict):
            raise SettingError(f"{path}", part, "the tables fields and defaults", among=PARTS)
        for name, value in table.items():
            if name not in FIELDS:
                expected = "a field: " + ", ".join(FIELDS)
                raise SettingError(f"{path}: {part}", name, expected, among=FIELDS)
            if part == "fields" and not isinstance(value, str):
                raise SettingError(f"{path}: fields.{name}", value, "the name of a column")
    return FieldMap(values.get("fields", {}), values.get("defaults", {}))
