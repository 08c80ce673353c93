"""What a report says, apart from how it is printed: sections of tables, lines and figures, in which
every number knows its interval, its n and where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from socialcircuits.records import TrialRecord, TrialSummary
from socialcircuits.statistics import Significance

Steps = Callable[[TrialRecord], Iterable[int]]
"""The steps of a trial that a number reads, by their index."""


@dataclass(frozen=True)
class Trail:
    """Where a number comes from.

    Args:
        definition: what is counted, over what, with the treatment of invalid answers.
        trials: the trials that it rests on, as measures see them.
        method: estimator, interval and test; empty for a count.
        adds: what one trial adds to it, in words such as ``3 of 4``; None where it is no sum or
            mean over trials.
        reads: the steps of a trial that it reads; None for all of them.
        levels: counts at each level, as in `Estimate`.
        behind: name of the table of the page that lists the units behind it; empty without one.
    """

    definition: str
    trials: Sequence[TrialSummary] = ()
    method: str = ""
    adds: Callable[[TrialSummary], str] | None = None
    reads: Steps | None = None
    levels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    behind: str = ""


class Adjusted(NamedTuple):
    """A p value that allows for the number of tests.

    Args:
        p: the adjusted p.
        declared: whether the study declared the test before (Holm), or it is explored
            (Benjamini-Hochberg).
        among: the number of tests in its family.
    """

    p: float
    declared: bool
    among: int


@dataclass(frozen=True)
class Number:
    """A number of a report.

    Args:
        name: the quantity, such as a measure's name.
        value: the number itself; None where there is none.
        text: as it is printed, in the unit of its table.
        trail: where it comes from.
        low: lower end of its interval in the unit of `value`; None without one.
        high: likewise the upper end.
        interval: both ends as printed; empty without one.
        n: number of units of evidence; None for a count, which is its own.
        unit: what these units are, such as ``seeds``.
        test: the test of whether it is `null`, if any.
        null: the value that stands for nothing, such as 0 for a difference.
        detectable: what as many units would have found with power .8, as printed; empty unless
            tested.
        adjusted: the p value that allows for the number of tests of the page.
        warnings: what a reader must know, as in `Estimate`.
    """

    name: str
    value: float | int | None
    text: str
    trail: Trail
    low: float | None = None
    high: float | None = None
    interval: str = ""
    n: int | None = None
    unit: str = ""
    test: Significance | None = None
    null: float = 0
    detectable: str = ""
    adjusted: Adjusted | None = None
    warnings: tuple[str, ...] = ()


Cell = Number | str


class Head(NamedTuple):
    """The head of a column.

    Args:
        name: its name in ids: lower case, no spaces or dots.
        text: as it is printed; a newline where it may break.
    """

    name: str
    text: str


@dataclass(frozen=True)
class Row:
    """A row of a table.

    Args:
        key: what the row is about, such as its condition in words; the same in every report of the
            run, and once in its table.
        cells: one for each head.
    """

    key: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """A table.

    Args:
        name: its name in ids, once in a page: lower case, no spaces or dots.
        caption: what stands below it.
        heads: the columns.
        rows: the rows.
    """

    name: str
    caption: str
    heads: tuple[Head, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Line:
    """A sentence, in parts.

    Args:
        name: its name in ids, once in a page; empty where it holds no number.
        parts: texts and numbers in order; a text with line breaks is to be typed as it stands.
        loud: whether it must not be overlooked.
    """

    name: str
    parts: tuple[Cell, ...]
    loud: bool = False


@dataclass(frozen=True)
class Picture:
    """A figure.

    Args:
        name: as the study names it, with what tells slices apart.
        files: its PNG, PDF and CSV, where it was drawn.
        left_out: why it was not drawn; empty where it was.
    """

    name: str
    files: tuple[Path, ...] = ()
    left_out: str = ""


Block = Table | Line | Picture


@dataclass(frozen=True)
class Section:
    """A part of a page under a title.

    Args:
        title: the title.
        blocks: what stands under it, in order.
        folded: whether it is only for who asks: HTML folds its tables, text and Markdown leave it
            out.
    """

    title: str
    blocks: tuple[Block, ...]
    folded: bool = False


class Place(NamedTuple):
    """Where a number stands, whatever else is in the page.

    Args:
        block: name of the table or line.
        row: key of the row; of a line, empty.
        column: name of the head; of a line, the number's place in it, from 1.
    """

    block: str
    row: str
    column: str


@dataclass(frozen=True)
class Page:
    """A report.

    Args:
        title: the study's name and what it asks.
        label: what kind of agents sat in the seats.
        head: what must be read first: what was planned, completed, excluded and invalid.
        sections: the parts, in order.
    """

    title: str
    label: str
    head: tuple[Line, ...]
    sections: tuple[Section, ...]

    def blocks(self) -> Iterator[Block]:
        """Yield all blocks in order, those of the head first."""
        yield from self.head
        for section in self.sections:
            yield from section.blocks

    def numbers(self) -> Iterator[tuple[str, Place, Number]]:
        """Yield every number with its id and its place.

        An id is the table's name, the row's number from 1 and the column's name, or the line's
        name and the number's place in it, joined by dots.

        >>> line = Line("trials", ("done: ", Number("completed", 3, "3", Trail("trials"))))
        >>> page = Page("a study", "simulated agents", (line,), ())
        >>> [(id, number.value) for id, _, number in page.numbers()]
        [('trials.1', 3)]
        """
        for block in self.blocks():
            if isinstance(block, Table):
                for number, row in enumerate(block.rows, 1):
                    for head, cell in zip(block.heads, row.cells, strict=True):
                        if isinstance(cell, Number):
                            place = Place(block.name, row.key, head.name)
                            yield f"{block.name}.{number}.{head.name}", place, cell
            elif isinstance(block, Line):
                found = [part for part in block.parts if isinstance(part, Number)]
                for order, one in enumerate(found, 1):
                    yield f"{block.name}.{order}", Place(block.name, "", str(order)), one
