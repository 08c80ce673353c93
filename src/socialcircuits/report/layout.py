"""A table of numbers laid out as lines of text: what stands in which cell, whatever prints it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from socialcircuits.report.page import Cell, Line, Number, Table
from socialcircuits.report.words import adjusted_text, p_text, verdict

BESIDE = 2
"""In a table with at most so many columns of intervals and tests intervals stand beside their
numbers, not below them, which saves half of its lines."""


class Printed(NamedTuple):
    """A cell as it is printed.

    Args:
        lines: its lines.
        id: the id of the number that it shows; empty where it shows none of its own.
    """

    lines: tuple[str, ...]
    id: str = ""


class Column(NamedTuple):
    """A column as it is printed.

    Args:
        lines: the lines of its head.
        numeric: whether it holds numbers, which are set to the right.
    """

    lines: tuple[str, ...]
    numeric: bool


class GridRow(NamedTuple):
    """A row as it is printed.

    Args:
        id: its id, such as ``accuracy.3``; with a dot and a head's name that of a number.
        cells: one for each column.
    """

    id: str
    cells: tuple[Printed, ...]


@dataclass(frozen=True)
class Grid:
    """A table as it is printed.

    Args:
        name: the table's name.
        caption: what stands below it.
        columns: the columns.
        rows: the rows.
        notes: the sentences to which marks such as ``[1]`` in cells lead, each with its mark, and
            what an n in cells counts.
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[GridRow, ...]
    notes: tuple[str, ...]


def laid(table: Table) -> Grid:
    """Lay out a table.

    Each number shows its interval and its n: where all numbers of every row share their n, it
    stands once, in a column that is headed by the unit, and otherwise in each cell. Behind a column
    with tests stand their p, the adjusted p and the verdict. Warnings become marks, with their
    sentences below the table.

    >>> from socialcircuits.report.page import Head, Row, Trail
    >>> number = Number("x", 0.5, "0.50", Trail("x"), 0.1, 0.9, "0.10 to 0.90", 38, "seeds")
    >>> heads = (Head("n", "N"), Head("x", "share"))
    >>> grid = laid(Table("t", "", heads, (Row("N = 4", ("4", number)),)))
    >>> [column.lines for column in grid.columns]
    [('N',), ('seeds',), ('share',)]
    >>> [cell.lines for cell in grid.rows[0].cells], grid.rows[0].cells[2].id
    ([('4',), ('38',), ('0.50 (0.10 to 0.90)',)], 't.1.x')
    """
    return _Layout(table).grid()


class _Layout:
    """What is decided for a table as a whole."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._columns = list(zip(*(row.cells for row in table.rows), strict=True))
        if not table.rows:
            self._columns = [() for _ in table.heads]
        units = {one.unit for row in table.rows for one in _numbers(row.cells) if one.n is not None}
        unit = units.pop() if len(units) == 1 else ""
        shared = all(len(_counts(row.cells)) < 2 for row in table.rows)
        self._unit, self._counted = (unit, "") if shared else ("", unit)
        self._first = next((i for i, cells in enumerate(self._columns) if _measured(cells)), None)
        intervals = sum(any(one.interval for one in _numbers(cells)) for cells in self._columns)
        self._tested = [any(one.test for one in _numbers(cells)) for cells in self._columns]
        self._beside = intervals + sum(self._tested) <= BESIDE
        self._warned = _Warned(self._columns)

    def grid(self) -> Grid:
        table = self._table
        notes = list(self._warned.notes())
        if self._counted:
            notes.append(f"n counts {self._counted}.")
        rows = (
            GridRow(f"{table.name}.{number}", tuple(self._row(number, row.cells)))
            for number, row in enumerate(table.rows, 1)
        )
        return Grid(table.name, table.caption, tuple(self._heads()), tuple(rows), tuple(notes))

    def _heads(self) -> Iterable[Column]:
        for place, head in enumerate(self._table.heads):
            if place == self._first and self._unit:
                yield Column((self._unit,), numeric=True)
            first, *below = head.text.split("\n")
            lines = (first + self._warned.head(place), *below)
            yield Column(lines, numeric=any(True for _ in _numbers(self._columns[place])))
            if self._tested[place]:
                of = (head.text.replace("\n", " "),) if sum(self._tested) > 1 else ()
                yield Column((*of, "p"), numeric=True)
                yield Column((*of, "adjusted p"), numeric=True)
                yield Column((*of, "verdict"), numeric=False)

    def _row(self, number: int, cells: Sequence[Cell]) -> Iterable[Printed]:
        for place, (head, cell) in enumerate(zip(self._table.heads, cells, strict=True)):
            if place == self._first and self._unit:
                yield Printed((_n_of(cells),))
            if isinstance(cell, Number):
                yield Printed(self._lines(cell, place), f"{self._table.name}.{number}.{head.name}")
            else:
                yield Printed(tuple(cell.split("\n")))
            if self._tested[place]:
                yield from _test(cell)

    def _lines(self, number: Number, column: int) -> tuple[str, ...]:
        marks, below = self._warned.cell(number, column), []
        if number.n is not None and (not self._unit or number.value is None):
            unit = "" if number.unit in {self._unit, self._counted} else f" {number.unit}"
            below = [f"n {number.n:,}{unit}"]
        if number.interval and self._beside:
            return (f"{number.text} ({number.interval}){marks}", *below)
        return (number.text + marks, *([number.interval] if number.interval else []), *below)


class _Warned:
    """Where the marks of warnings stand: none for what holds of all numbers of a table, at its head
    for what holds of all of a column, else in the cell. Warnings that differ in counts alone share
    a mark, and their sentence gives the range of each count."""

    def __init__(self, columns: Sequence[Sequence[Cell]]) -> None:
        found = [
            [one.warnings for one in _numbers(cells) if one.n is not None] for cells in columns
        ]
        everywhere = [own for column in found for own in column]
        self._groups: dict[str, list[str]] = {}
        for warning in (one for own in everywhere for one in own):
            self._groups.setdefault(_kind(warning), []).append(warning)
        self._all = _common(everywhere)
        self._heads = [_common(column) - self._all for column in found]
        marked = [kind for kind in self._groups if kind not in self._all]
        self._marks = {kind: f" [{place}]" for place, kind in enumerate(marked, 1)}

    def head(self, column: int) -> str:
        return "".join(mark for kind, mark in self._marks.items() if kind in self._heads[column])

    def cell(self, number: Number, column: int) -> str:
        kinds = [_kind(one) for one in number.warnings]
        above = self._all | self._heads[column]
        return "".join(self._marks[kind] for kind in kinds if kind not in above)

    def notes(self) -> Iterable[str]:
        for kind, warnings in self._groups.items():
            where = "All numbers:" if kind in self._all else self._marks[kind].strip()
            yield f"{where} {_range(warnings)}."


_COUNT = re.compile(r"(?<![\d.,])\d+(?![.,]?\d)")


def _kind(warning: str) -> str:
    return _COUNT.sub("#", warning)


def _range(warnings: Sequence[str]) -> str:
    """One sentence for several that differ in counts.

    >>> _range(["only 4 units of 4", "only 3 units of 4"])
    'only 3 to 4 units of 4'
    """
    slots = iter(zip(*(map(int, _COUNT.findall(one)) for one in warnings), strict=True))

    def said(_: re.Match[str]) -> str:
        low, high = min(counts := next(slots)), max(counts)
        return str(low) if low == high else f"{low} to {high}"

    return _COUNT.sub(said, warnings[0])


def _common(warnings: Sequence[tuple[str, ...]]) -> frozenset[str]:
    """The kinds that all have; none for a single number, whose own mark is as near."""
    if len(warnings) < 2:
        return frozenset()
    kinds = [frozenset(map(_kind, own)) for own in warnings]
    return frozenset.intersection(*kinds)


def sentence(line: Line) -> tuple[tuple[str, str], ...]:
    """Return the parts of a line, each with the id of its number; empty for words.

    A number that is no count is followed by its interval and its n, then by its warnings.

    >>> from socialcircuits.report.page import Trail
    >>> number = Number("x", 0.5, "0.50", Trail("x"), 0.1, 0.9, "0.10 to 0.90", 38, "seeds")
    >>> sentence(Line("share", ("It is ", number, ".")))
    (('It is ', ''), ('0.50 (0.10 to 0.90, n 38 seeds)', 'share.1'), ('.', ''))
    """
    parts, found = [], 0
    for part in line.parts:
        if isinstance(part, Number):
            found += 1
            parts.append((_spoken(part), f"{line.name}.{found}"))
        else:
            parts.append((part, ""))
    return tuple(parts)


def _spoken(number: Number) -> str:
    n = () if number.n is None else (f"n {number.n:,} {number.unit}".rstrip(),)
    test = () if number.test is None else (f"p {p_text(number.test.p, number.test.exact)}",)
    if number.adjusted is not None:
        test = (*test, f"adjusted {adjusted_text(number.adjusted)}")
    beside = [part for part in (number.interval, *n, *test, *number.warnings) if part]
    return f"{number.text} ({', '.join(beside)})" if beside else number.text


def _numbers(cells: Iterable[Cell]) -> Iterable[Number]:
    return (cell for cell in cells if isinstance(cell, Number))


def _measured(cells: Iterable[Cell]) -> bool:
    return any(one.n is not None for one in _numbers(cells))


def _counts(cells: Iterable[Cell]) -> set[int]:
    """The n of the numbers of a row; one without a value has its own, and says so itself."""
    return {one.n for one in _numbers(cells) if one.n is not None and one.value is not None}


def _n_of(cells: Iterable[Cell]) -> str:
    found = _counts(cells)
    measured = any(one.n is not None for one in _numbers(cells))
    return f"{found.pop():,}" if found else "0" if measured else ""


def _test(cell: Cell) -> Iterable[Printed]:
    if not isinstance(cell, Number) or cell.test is None:
        return (Printed(("",)),) * 3
    p = p_text(cell.test.p, cell.test.exact)
    adjusted = "" if cell.adjusted is None else adjusted_text(cell.adjusted)
    return Printed((p,)), Printed((adjusted,)), Printed((verdict(cell),))
