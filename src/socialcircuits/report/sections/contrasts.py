"""Differences of measures on matched seeds: between the ends of an axis, and by intervention."""

from __future__ import annotations

from collections.abc import Iterator

from socialcircuits.measures import Row as Measured
from socialcircuits.report.numbers import CHANGE, Trials, measured
from socialcircuits.report.page import Block, Head, Row, Table
from socialcircuits.report.words import plain, setting, units, where
from socialcircuits.studies import Run

HEADS = (
    Head("measure", "measure"),
    Head("where", "difference"),
    Head("difference", "estimate"),
)


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield the contrasts of a study and the effects of its interventions."""
    unit = units(run.study)
    rows = [_row(row, trials, unit) for row in run.rows() if "minus" in row.condition]
    if rows:
        caption = f"Differences on matched {unit}, with 95 % intervals."
        yield Table("contrasts", caption, HEADS, tuple(rows))


def _row(row: Measured, trials: Trials, unit: str) -> Row:
    name, words = plain(row.measure), difference(row)
    return Row(f"{name}: {words}", (name, words, measured(row, trials, unit, CHANGE)))


def difference(row: Measured) -> str:
    """Return in words what is subtracted from what.

    >>> from socialcircuits.statistics import mean
    >>> condition = {"N": 8, "alpha": 1.0, "minus": {"N": 4}}
    >>> difference(Measured("uplift", condition, mean([])))
    'N = 8 minus 4, alpha = 1.0'
    """
    minus = row.condition["minus"]
    parts = [
        f"{name} = {setting(row.condition[name])} minus {setting(value)}"
        for name, value in minus.items()
    ]
    rest = {n: v for n, v in row.condition.items() if n != "minus" and n not in minus}
    return where(rest, *parts)
