"""What all figures share: colours, the label of the agents, checks of the table."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from socialcircuits.errors import SettingError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import LineStyleType

TRUTH = "#0072B2"
RIVAL = "#D55E00"
GREEN = "#009E73"
AMBER = "#B37A00"
GREY = "#6E6E6E"

ESTIMATE = ("measure", "value", "low", "high", "n")
"""Columns of a table of estimates beside those of the condition."""

NOT_CONDITION = frozenset({*ESTIMATE, "levels", "method"})

SMALL = 7.0
TEXT = 8.5

LETTERS = 17
"""Letters of the label to an inch, at which it is broken into lines."""


class Series(NamedTuple):
    """How a series is drawn, so that it can be told apart without colour.

    Args:
        name: the measure, or the kind of answer.
        title: its name in the legend.
        colour: as #RRGGBB.
        marker: matplotlib's code.
        line: matplotlib's code or a pattern of dashes.
        filled: whether markers are filled or hollow.
    """

    name: str
    title: str
    colour: str
    marker: str
    line: LineStyleType
    filled: bool = True


def new_figure(width: float, height: float, label: str) -> Figure:
    """Return an empty figure of a size in inches that says which agents it shows.

    Args:
        width: in inches.
        height: in inches.
        label: what kind of agents was run, in a small line at the foot.

    Raises:
        SettingError: the label is empty; a figure must say what it shows.

    >>> new_figure(4, 3, "simulated agents").get_supxlabel()
    'simulated agents'
    """
    from matplotlib.figure import Figure

    if not label.strip():
        raise SettingError("label", label, "a line that says which agents were run")
    figure = Figure(figsize=(width, height), layout="constrained")
    lines = fill(label, int(width * LETTERS))
    figure.supxlabel(lines, x=0.01, ha="left", fontsize=SMALL, color=GREY)
    return figure


def check_columns(table: pd.DataFrame, columns: Sequence[str]) -> None:
    """Check that a table has rows and the columns a figure needs.

    Raises:
        SettingError: a column is missing or the table is empty.
    """
    missing = [column for column in columns if column not in table.columns]
    if missing:
        names = [str(column) for column in table.columns]
        raise SettingError(
            "table", names, f"columns {', '.join(columns)} (missing: {', '.join(missing)})"
        )
    if table.empty:
        raise SettingError("table", "no row", "at least one row")


def check_estimates(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of estimates with its numbers as floats, NaN where there is no value.

    Raises:
        SettingError: a column is missing or the table is empty.
    """
    check_columns(table, ESTIMATE)
    return table.astype({"value": float, "low": float, "high": float})


def tidy(axes: Axes) -> None:
    """Take off what carries no data."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=TEXT)
    axes.set_axisbelow(True)


def legend(axes: Axes, columns: int) -> None:
    """Put the legend above the axes, where it hides nothing."""
    axes.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=columns,
        frameon=False,
        fontsize=SMALL,
        handlelength=3.2,
    )


def intervals(table: pd.DataFrame) -> Any:
    """Return the lengths of intervals below and above their values, shape (2, rows)."""
    return [table["value"] - table["low"], table["high"] - table["value"]]


def units(counts: pd.Series[int]) -> str:
    """Say how many units of evidence estimates rest on.

    >>> import pandas
    >>> units(pandas.Series([38, 40, 40]))
    'n = 38-40'
    """
    smallest, largest = int(counts.min()), int(counts.max())
    return f"n = {smallest}" if smallest == largest else f"n = {smallest}-{largest}"
