"""Runs side by side: what the others differ in from the first, on matched seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from socialcircuits.analyses.deltas import RUN, deltas
from socialcircuits.errors import RunFileError
from socialcircuits.measures import Row as Measured
from socialcircuits.report.numbers import CHANGE, Trials, measured
from socialcircuits.report.page import Block, Head, Line, Number, Row, Table
from socialcircuits.report.words import plain, units, where
from socialcircuits.studies import Run

HEADS = (
    Head("runs", "difference"),
    Head("measure", "measure"),
    Head("where", "where"),
    Head("difference", "estimate"),
)


def blocks(runs: Sequence[Run], names: Sequence[str]) -> Iterator[Block]:
    """Yield the differences of all further runs from the first, and which have none.

    Args:
        runs: the runs.
        names: the name of each.
    """
    first, *others = runs
    rows = []
    for other, name in zip(others, names[1:], strict=True):
        try:
            found = deltas(first, other)
        except RunFileError as error:
            yield Line("", (f"{name} is not compared with {names[0]}: {error}.",))
        else:
            pair = _Pair(first, other, f"{name} minus {names[0]}")
            rows += [pair.row(row) for row in found]
    if rows:
        caption = (
            f"Differences from {names[0]} on matched {units(first.study)}, with 95 % intervals. "
            "They are no declared tests of the study."
        )
        yield Table("between", caption, HEADS, tuple(rows))


class _Pair:
    """Two runs that are compared."""

    def __init__(self, first: Run, second: Run, words: str) -> None:
        self._sides, self._words = (Trials(first), Trials(second)), words
        self._unit = units(first.study)

    def row(self, row: Measured) -> Row:
        condition = {n: v for n, v in row.condition.items() if n not in {RUN, "minus"}}
        number = self._number(replace(row, condition=condition))
        cells = (self._words, plain(row.measure), where(condition))
        return Row(", ".join(cells), (*cells, number))

    def _number(self, row: Measured) -> Number:
        one, two = (measured(row, side, self._unit, CHANGE) for side in self._sides)
        trail = replace(one.trail, trials=(*one.trail.trials, *two.trail.trials))
        return replace(one, name=f"between_{row.measure}", trail=trail)
