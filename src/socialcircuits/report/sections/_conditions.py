"""The conditions of a run: in words, with their trials and their estimates."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from socialcircuits.analyses.counting import rest
from socialcircuits.measures import Row as Measured
from socialcircuits.measures import cell
from socialcircuits.records import TrialSummary
from socialcircuits.report.numbers import Form, Trials, measured
from socialcircuits.report.page import Cell, Head, Number, Row, Table, Trail
from socialcircuits.report.words import where
from socialcircuits.statistics import Estimate
from socialcircuits.statistics.intervals import few
from socialcircuits.studies import Run

MISSING = "-"
"""What stands where a number has no meaning."""

ITEMS = "items"
"""The unit of evidence of chatrooms."""

Values = Mapping[str, Any]


class Conditions:
    """What the tables of a run are made from.

    Args:
        run: the run.
        trials: its trials by their settings.
    """

    def __init__(self, run: Run, trials: Trials) -> None:
        self.run, self.trials = run, trials
        self.summaries = run.summaries()
        self.rows = [row for row in run.rows() if "minus" not in row.condition]
        self._estimates = {(row.measure, cell(row.condition)): row for row in self.rows}
        planned = [one.condition for one in run.plan.cells]
        self._axes = tuple(dict.fromkeys(axis for one in planned for axis in one))
        self._differ = [
            axis for axis in self._axes if len({str(one.get(axis, "")) for one in planned}) > 1
        ]

    def words(self, row: Values) -> str:
        """Return the settings in a row in words, of those that differ between conditions."""
        return where({axis: row[axis] for axis in self._differ if axis in row})

    def of(self, row: Values, without: Collection[str] = ()) -> list[TrialSummary]:
        """Return the trials of the settings in a row, whatever else the row holds.

        Args:
            row: settings and other columns.
            without: settings in which these trials may differ.
        """
        settings = {axis: row[axis] for axis in self._axes if axis in row}
        return [one for one in self.summaries if rest(one, without) == settings]

    def estimate(self, measure: str, row: Values, form: Form) -> Cell:
        """Return the number of a measure at the settings in a row."""
        settings = {axis: row[axis] for axis in self._axes if axis in row}
        found = self._estimates.get((measure, cell(settings)))
        return MISSING if found is None else self.number(found, form)

    def number(self, row: Measured, form: Form) -> Number:
        """Return the number of an estimate over items."""
        return measured(row, self.trials, ITEMS, form)


def table(
    name: str,
    caption: str,
    heads: Mapping[str, str],
    lines: Sequence[tuple[str, Mapping[str, Cell]]],
) -> Iterator[Table]:
    """Yield a table, without columns in which nothing stands; none without lines.

    Args:
        name: its name.
        caption: what stands below it.
        heads: name of each column -> its head.
        lines: key of each row -> its cells by the names of their columns.
    """
    shown = [head for head in heads if any(cells[head] not in ("", MISSING) for _, cells in lines)]
    if lines:
        rows = tuple(Row(key, tuple(cells[head] for head in shown)) for key, cells in lines)
        yield Table(name, caption, tuple(Head(head, heads[head]) for head in shown), rows)


def named(*parts: str) -> str:
    """Return the key of a row from its parts, empty ones left out.

    >>> named("", "A0"), named("N = 4", "A0")
    ('A0', 'N = 4, A0')
    """
    return ", ".join(filter(None, parts))


def plain(
    name: str, value: float | None, trail: Trail, n: int, form: Form, unit: str = ITEMS
) -> Number:
    """Return a number without an interval; ``none`` where there is no value."""
    text = "none" if value is None else form.of(value)
    return Number(name, value, text, trail, n=n, unit=unit)


def count(name: str, value: int, trail: Trail) -> Number:
    """Return a count."""
    return Number(name, value, f"{value:,}", trail)


def restored(row: Values) -> Estimate:
    """Return the estimate that stands in the columns of a row."""
    ends = (row["value"], row["low"], row["high"], row["n"], row["method"])
    return Estimate(*ends, warnings=few(row["n"]))
