"""Rows of JSON, JSON Lines, CSV, TSV and TOML files, with errors that name file, row and field."""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from socialcircuits.errors import SettingError

__all__ = ["Row", "read_rows", "sound_rows"]

_LONGEST_SHOWN = 80
_LONGEST_FIELD = 1 << 26


@dataclass(frozen=True)
class Row:
    """One row of a file.

    Args:
        file: name of the file.
        number: of the row, from 1; of JSON Lines the line, of CSV the row below the first line.
        values: column -> value.
        fault: why it is no row; empty if it is one.
    """

    file: str
    number: int
    values: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""

    @property
    def where(self) -> str:
        """The file and the row, for errors."""
        return f"{self.file}: row {self.number}"

    def has(self, *names: str) -> bool:
        """Return whether the row has all these columns."""
        return set(names) <= set(self.values)

    def refuse(self, name: str, given: object, expected: str) -> SettingError:
        """Return the error for one field; a long value is shown by its beginning."""
        if isinstance(given, str) and len(given) > _LONGEST_SHOWN:
            given = given[:_LONGEST_SHOWN] + "..."
        elif isinstance(given, list | dict) and len(given) > 20:
            given = f"{type(given).__name__} of {len(given)}"
        return SettingError(f"{self.where}: {name}", given, expected)

    def text(self, name: str) -> str:
        """Return a field's text in one line, with single spaces; it must not be empty."""
        value = self.values.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self.refuse(name, value, "some text")
        return " ".join(value.split())

    def within(self, name: str) -> Row:
        """Return the row that a field holds as a table."""
        value = self.values.get(name)
        if not isinstance(value, dict):
            raise self.refuse(name, value, "a table")
        return Row(self.file, self.number, value)

    def texts(self, name: str) -> list[str]:
        """Return the texts of a field that holds a list, or one written as JSON; none are empty."""
        value = self.values.get(name)
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                value = None
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise self.refuse(name, self.values.get(name), "a list of texts")
        return [" ".join(part.split()) for part in value if part.strip()]


def read_rows(path: str | Path) -> list[Row]:
    r"""Return the rows of a file, those that cannot be read too, each with its fault.

    A JSON file is a list of tables, tables one a line, or a page of the hub (``rows``, each with
    its ``row``).

    Raises:
        SettingError: the file cannot be read at all, has no rows or a form that is not known.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "x.jsonl"
    ...     _ = file.write_text('{"a": 1}\n{"a": ', encoding="utf-8")
    ...     [(row.number, row.values, row.fault[:8]) for row in read_rows(file)]
    [(1, {'a': 1}, ''), (2, {}, 'not JSON')]
    """
    file = Path(path)
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        raise SettingError("file", str(file), "a file that ends in " + ", ".join(_READERS))
    try:
        found = list(reader(file))
    except (OSError, ValueError, RecursionError, csv.Error) as error:
        raise SettingError("file", str(file), f"a file that can be read ({error})") from error
    if not found:
        raise SettingError("file", str(file), "a file with at least one row; it has none")
    return [_row(file.name, number, value) for number, value in found]


def sound_rows(path: str | Path) -> list[Row]:
    """Return the rows of a file, all of which must be tables.

    Raises:
        SettingError: as `read_rows`, or a row is faulty; the first one is named.
    """
    rows = read_rows(path)
    for row in rows:
        if row.fault:
            raise SettingError(row.where, row.fault, "named fields")
    return rows


def _row(file: str, number: int, value: object) -> Row:
    if isinstance(value, Exception):
        return Row(file, number, fault=str(value))
    if not isinstance(value, dict):
        return Row(file, number, fault=f"{type(value).__name__}, not a table")
    return Row(file, number, value)


def _json_values(file: Path) -> Iterator[tuple[int, object]]:
    text = file.read_text(encoding="utf-8-sig")
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        if not error.msg.startswith("Extra data"):
            raise
        yield from _lines(text)
        return
    pages = data.get("rows") if isinstance(data, dict) else None
    if isinstance(pages, list):
        data = [page.get("row") if isinstance(page, dict) else page for page in pages]
    yield from enumerate(data if isinstance(data, list) else [data], 1)


def _jsonl_values(file: Path) -> Iterator[tuple[int, object]]:
    return _lines(file.read_text(encoding="utf-8-sig"))


def _lines(text: str) -> Iterator[tuple[int, object]]:
    # Not splitlines: a text may hold a line separator of Unicode.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                yield number, ValueError(f"not JSON: {error}")


def _table_values(file: Path) -> Iterator[tuple[int, object]]:
    delimiter = "\t" if file.suffix.lower() == ".tsv" else ","
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            table = csv.DictReader(lines, strict=True, delimiter=delimiter)
            for number, row in enumerate(table, 1):
                if None in row or None in row.values():
                    yield number, ValueError("not as many fields as the first line")
                else:
                    yield number, row
    finally:
        csv.field_size_limit(before)


def _toml_values(file: Path) -> Iterator[tuple[int, object]]:
    data = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    claims = data.pop("claim", [])
    if data or not isinstance(claims, list):
        raise ValueError("only tables [[claim]] are read")
    yield from enumerate(claims, 1)


_READERS: dict[str, Callable[[Path], Iterator[tuple[int, object]]]] = {
    ".json": _json_values,
    ".jsonl": _jsonl_values,
    ".csv": _table_values,
    ".tsv": _table_values,
    ".toml": _toml_values,
}
