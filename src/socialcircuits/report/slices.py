"""The slices of a run: its estimates at one value of each setting that a figure has no axis for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from socialcircuits.studies import Run

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Drawn = Iterator[tuple[str, "Figure", "pd.DataFrame"]]
"""What the file's name ends in, the figure, and its data; one for each slice of a run."""


class Undrawn(Exception):
    """Why a figure cannot be drawn."""


class Slice(NamedTuple):
    """The estimates at one value of each setting that a figure has no axis for."""

    suffix: str
    label: str
    settings: Mapping[str, Any]
    table: pd.DataFrame


def slices(run: Run, *own: str, table: pd.DataFrame | None = None) -> Iterator[Slice]:
    """Yield the slices of a run for a figure whose axes are `own`."""
    table = cells(run) if table is None else table
    if table.empty:
        raise Undrawn("no trial that enters estimates is completed")
    fixed = {axis: getattr(run.study.trial, axis) for axis in own if axis not in table}
    table = table.assign(**fixed)
    swept = dict.fromkeys(axis for cell in run.plan.cells for axis in cell.condition)
    others = [axis for axis in swept if axis not in own and axis in table]
    if not others:
        yield Slice("", run.label, {}, table)
        return
    for values, part in table.groupby(others, sort=False):
        settings = dict(zip(others, values, strict=True))
        words = ", ".join(f"{name} = {value}" for name, value in settings.items() if value != "")
        suffix = "".join(f"-{name}-{_plain(v)}" for name, v in settings.items() if v != "")
        yield Slice(suffix, f"{run.label}; {words}" if words else run.label, settings, part)


def _plain(value: object) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "_", str(value))


def cells(run: Run) -> pd.DataFrame:
    """The estimates of the cells, without contrasts."""
    table = run.estimates()
    if table.empty:
        return table
    return table[table["minus"] == ""].drop(columns="minus")
