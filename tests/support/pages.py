"""Pages of runs in tests: the cells of a table, and numbers made again from their trails alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from socialcircuits.report.numbers import Trials
from socialcircuits.report.page import Block, Cell, Line, Number, Page, Place, Section, Table
from socialcircuits.studies import Run

Builder = Callable[[Run, Trials], Iterator[Block]]


class Made(NamedTuple):
    """The blocks of some builders."""

    page: Page

    def table(self, name: str) -> Table:
        (found,) = (
            one for one in self.page.blocks() if isinstance(one, Table) and one.name == name
        )
        return found

    def tables(self) -> list[str]:
        return [one.name for one in self.page.blocks() if isinstance(one, Table)]

    def rows(self, name: str) -> dict[str, dict[str, Cell]]:
        """Key of each row -> the name of each column -> its cell."""
        table = self.table(name)
        heads = [head.name for head in table.heads]
        found = {row.key: dict(zip(heads, row.cells, strict=True)) for row in table.rows}
        assert len(found) == len(table.rows)
        return found

    def lines(self) -> list[str]:
        """All lines, their numbers as text."""
        return [
            "".join(part.text if isinstance(part, Number) else part for part in one.parts)
            for one in self.page.blocks()
            if isinstance(one, Line)
        ]

    def texts(self) -> dict[Place, str]:
        return {place: _whole(number) for _, place, number in self.page.numbers()}


def made(run: Run, *builders: Builder) -> Made:
    """Return a page of these blocks."""
    blocks = tuple(block for build in builders for block in build(run, Trials(run)))
    return Made(Page("a study", run.label, (), (Section("Results", blocks),)))


def number(cell: Cell) -> Number:
    """Return a cell that is a number."""
    assert isinstance(cell, Number)
    return cell


def made_again(run: Run, builders: Sequence[Builder]) -> Iterator[tuple[Place, str, str | None]]:
    """Yield each number whose text differs when it is made from the trials of its trail alone: its
    place, its text, and that text."""
    again: dict[frozenset[object], dict[Place, str]] = {}
    for _, place, found in made(run, *builders).page.numbers():
        kept = frozenset(map(run.place, found.trail.trials))
        if kept not in again:
            again[kept] = made(run.only(kept), *builders).texts()
        if again[kept].get(place) != _whole(found):
            yield place, _whole(found), again[kept].get(place)


def _whole(found: Number) -> str:
    p = "" if found.test is None else f"{found.test.p:.6f}"
    return f"{found.text} ({found.interval}) n {found.n} {found.unit} p {p}"
