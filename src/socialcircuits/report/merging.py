"""Pages of several runs as one: what has the same name stands side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from socialcircuits.report.page import Block, Head, Line, Page, Row, Section, Table

MISSING = ""
"""What stands in a column that the table of a run does not have."""

RUN = Head("run", "run")


def merged(pages: Sequence[Page], names: Sequence[str]) -> Page:
    """Return one page of several that have the same sections.

    Tables of the same name are one table: the run stands in a first column and before the key of
    each row, and the columns are those of all. Lines name their run.

    Args:
        pages: shape (runs,).
        names: shape (runs,), a name for each run, no two alike.
    """
    first, numbers = pages[0], range(1, len(pages) + 1)
    head = (
        _line(line, name, number)
        for page, name, number in zip(pages, names, numbers, strict=True)
        for line in page.head
    )
    parts = zip(*(page.sections for page in pages), strict=True)
    sections = (Section(same[0].title, tuple(_blocks(same, names))) for same in parts)
    label = "; ".join(dict.fromkeys(page.label for page in pages))
    return Page(first.title, label, tuple(head), tuple(sections))


def _blocks(sections: Sequence[Section], names: Sequence[str]) -> Iterator[Block]:
    """The blocks of all: each table where the first run that has it has it, lines after the block
    that they follow."""
    tables: dict[str, list[tuple[str, Table]]] = {}
    for section, name in zip(sections, names, strict=True):
        for block in section.blocks:
            if isinstance(block, Table):
                tables.setdefault(block.name, []).append((name, block))
    for number, (section, name) in enumerate(zip(sections, names, strict=True), 1):
        for block in section.blocks:
            if isinstance(block, Line):
                yield _line(block, name, number)
            elif not isinstance(block, Table):
                yield block
            elif block.name in tables:
                yield _table(tables.pop(block.name))


def _line(line: Line, name: str, number: int) -> Line:
    if any(isinstance(part, str) and "\n" in part for part in line.parts):
        # What is to be typed must stand as it is.
        return line
    return replace(
        line, name=f"{line.name}_{number}" if line.name else "", parts=(f"{name}: ", *line.parts)
    )


def _table(tables: Sequence[tuple[str, Table]]) -> Table:
    heads = tuple(dict.fromkeys(head for _, table in tables for head in table.heads))
    captions = dict.fromkeys(table.caption for _, table in tables)
    rows = []
    for name, table in tables:
        for row in table.rows:
            own = dict(zip(table.heads, row.cells, strict=True))
            cells = (own.get(head, MISSING) for head in heads)
            rows.append(Row(f"{name}: {row.key}", (name, *cells)))
    return Table(tables[0][1].name, " ".join(captions), (RUN, *heads), tuple(rows))
