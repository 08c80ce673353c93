"""A table for the page: rows of Python's analyses as plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, SupportsFloat

from socialcircuits.records.digests import canonical

__all__ = ["Frame", "framed"]

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Frame:
    """A table: every row has a value, or null, for every column.

    Args:
        title: what it shows.
        note: what a row is, which interval, and what is left out.
        columns: their names.
        rows: texts, numbers, truth values or None.
    """

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        rows = [list(row) for row in self.rows]
        return {**vars(self), "columns": list(self.columns), "rows": rows}


def framed(title: str, note: str, rows: Iterable[Row], axes: Iterable[str] = ()) -> Frame | None:
    """Return rows as a table, None without any.

    Args:
        title: as in `Frame`.
        note: likewise.
        rows: column -> value. Numbers that are missing become None, lists and mappings JSON text.
        axes: the swept settings. Those that any row has are the first columns, and the empty text
            stands where one does not apply.

    >>> rows = [{"n": 2, "value": float("nan"), "N": 4}, {"n": 3, "levels": {"seeds": 1}}]
    >>> frame = framed("a table", "a row a thing", rows, ["N", "alpha"])
    >>> frame.columns, frame.rows[1]
    (('N', 'n', 'value', 'levels'), ('', 3, None, '{"seeds":1}'))
    """
    rows = list(rows)
    if not rows:
        return None
    there = dict.fromkeys(name for row in rows for name in row)
    swept = [axis for axis in axes if axis in there]
    columns = (*swept, *(name for name in there if name not in swept))
    blank = dict.fromkeys(swept, "")
    return Frame(
        title,
        note,
        columns,
        tuple(tuple(_plain(row.get(name, blank.get(name))) for name in columns) for row in rows),
    )


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, Mapping | list | tuple):
        return canonical(value)
    # Fractions and the numbers of numpy and pandas; what is missing there is not a number.
    number = float(value) if isinstance(value, SupportsFloat) else math.nan
    return number if math.isfinite(number) else None
