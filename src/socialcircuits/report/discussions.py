"""The figures of deliberations, drawn from a run's tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from socialcircuits.analyses.behaviour import audits_by_round, shares
from socialcircuits.analyses.counting import counted
from socialcircuits.analyses.deliberation import verification as contrasts
from socialcircuits.analyses.trends import trends
from socialcircuits.figures import (
    audits,
    codes,
    coordination,
    defection,
    group_size,
    pairings,
    strata,
    tactics,
    timing,
    verification,
)
from socialcircuits.measures import Row
from socialcircuits.measures.defection import MEASURES as CHANGES
from socialcircuits.report.slices import Drawn, Slice, Undrawn, slices
from socialcircuits.studies import Run

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Draw = Callable[[Run], Drawn]

PAIRED = {measure.name.removesuffix("_macro"): measure.name for measure in CHANGES}
"""A ratio that is pooled over trials -> the mean over questions that stands for it in pairs."""


def _plain(draw: Callable[[pd.DataFrame, str], Figure], *own: str) -> Draw:
    def drawn(run: Run) -> Drawn:
        for part in slices(run, *own):
            yield part.suffix, draw(part.table, part.label), part.table

    return drawn


def _lined(draw: Callable[[pd.DataFrame, pd.DataFrame, str], Figure], *own: str) -> Draw:
    """Return the drawer of a figure with straight lines over the proportion of deceivers."""

    def drawn(run: Run) -> Drawn:
        every = trends(counted(run.summaries()))
        found = [trend for trend in every if trend.change == "honest_defection"]
        for part in slices(run, *own):
            kept = [trend for trend in found if _within(part, trend.condition)]
            # A slice holds one kind of deceivers, unless the figure has an axis for it.
            named = [trend.group if "coordinated" in own else trend.model for trend in kept]
            lines = _frame(
                [{**t.line(), "group": name} for t, name in zip(kept, named, strict=True)]
            )
            if "cast" in part.table and not lines.empty and run.study.trial.cast == "A":
                lines["group"] = [_cast(name, part.table) for name in lines["group"]]
            yield part.suffix, draw(part.table, lines, part.label), part.table

    return drawn


def _cast(group: str, table: pd.DataFrame) -> str:
    """The group of a line with its cast, where the table has one and the line does not."""
    casts = [str(name) for name in table["cast"].unique()]
    head = group.partition(", ")[0]
    if head in casts or len(casts) != 1:
        return group
    return f"{casts[0]}, {group}" if group else casts[0]


def _within(part: Slice, condition: Mapping[str, Any]) -> bool:
    return all(part.settings.get(name, value) == value for name, value in condition.items())


def _strata(run: Run) -> Drawn:
    rows = [row for found in run.strata() for row in found.rows() if row["right"] != "unjudged"]
    if not rows:
        raise Undrawn("no item was answered by a model alone")
    table = _frame(rows).rename(columns={"items": "questions"})
    if len(run.parts) > 1:
        table = table.groupby(["model", "right", "kept"], as_index=False).sum()
    yield "", strata.draw(table, run.label), table


def _tactics(run: Run) -> Drawn:
    table = _pooled(run, "tactic_")
    yield "", tactics.draw(table, run.label), table


def _codes(run: Run) -> Drawn:
    table = _pooled(run, "code_", "reason_")
    yield "", codes.draw(table, run.label), table


def _pooled(run: Run, *starts: str) -> pd.DataFrame:
    """Labelled shares over all compositions."""
    rows = [row for row in shares(run.summaries()) if row.measure.startswith(starts)]
    if not rows:
        raise Undrawn("nothing of the kind was judged")
    return _frame([_flat(row) for row in rows])


def _flat(row: Row) -> dict[str, Any]:
    entry = row.as_json()
    return {**entry.pop("condition"), **{n: entry[n] for n in ("measure", *_NUMBERS)}}


_NUMBERS = ("value", "low", "high", "n")


def _audits(run: Run) -> Drawn:
    for part in slices(run, "N", "deceivers"):
        here = [one for one in run.summaries() if _within(part, _others(one.condition))]
        rounds = _frame(audits_by_round(here))
        yield part.suffix, audits.draw(part.table, rounds, part.label), part.table


def _others(condition: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in condition.items() if name not in {"N", "deceivers"}}


def _verification(run: Run) -> Drawn:
    found = [one.row() for one in contrasts(run.summaries())]
    fixed = {"N": run.study.trial.N, "deceivers": run.study.trial.deceivers}
    for part in slices(run, "N", "deceivers", "verify"):
        rows = [
            {**fixed, **row, "measure": PAIRED.get(row["measure"], row["measure"])}
            for row in found
            if "deceivers" in row and row["value"] is not None
        ]
        figure = verification.draw(part.table, _frame(rows), part.label)
        yield part.suffix, figure, part.table


def _frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows))


COMPOSITION = ("N", "deceivers", "cast")

DRAW: dict[str, Draw] = {
    "defection": _lined(defection.draw, *COMPOSITION),
    "group_size": _plain(group_size.draw, *COMPOSITION),
    "coordination": _lined(coordination.draw, *COMPOSITION, "coordinated"),
    "pairings": _plain(pairings.draw, *COMPOSITION, "deceiver"),
    "timing": _plain(timing.draw, *COMPOSITION),
    "tactics": _tactics,
    "audits": _audits,
    "codes": _codes,
    "strata": _strata,
    "verification": _verification,
}
"""Name of a figure -> its drawer."""
