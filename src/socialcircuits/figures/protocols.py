"""Accuracy of each condition, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socialcircuits.errors import SettingError
from socialcircuits.figures.style import (
    GREEN,
    GREY,
    NOT_CONDITION,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    check_estimates,
    intervals,
    legend,
    new_figure,
    tidy,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

FINAL = (
    Series("collective_accuracy", "collective (population)", TRUTH, "o", "none"),
    Series("manager_accuracy", "manager", GREEN, "s", "none"),
)
INITIAL = Series("initial_accuracy", "initial", GREY, "D", "none", filled=False)
BELOW = 0.2


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw the final accuracy of each condition, sorted, with its initial accuracy below it.

    Args:
        table: estimates with columns measure, value, low, high, n and one or more columns of the
            condition (all others but levels and method; a missing value does not apply to that
            condition). A condition has one row of collective_accuracy or manager_accuracy and may
            have one of initial_accuracy. Other measures are ignored; rows without a value (n = 0)
            stand last, without a point.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no final accuracy, or a condition has two.

    Source: Flag Game, Fig. 2b.

    >>> import pandas
    >>> rows = [("pairwise", 0.5), ("broadcast", 0.7)]
    >>> table = pandas.DataFrame([
    ...     {"measure": "collective_accuracy", "protocol": name, "value": value, "low": value - 0.1,
    ...      "high": value + 0.1, "n": 60} for name, value in rows])
    >>> [text.get_text() for text in draw(table, "simulated agents").axes[0].get_yticklabels()]
    ['broadcast', 'pairwise']
    """
    table = check_estimates(table)
    keys = [column for column in table.columns if column not in NOT_CONDITION]
    if not keys:
        raise SettingError("table", list(table.columns), "a column of the condition")
    named = table.assign(condition=[_name(keys, row) for row in table[keys].to_numpy(object)])
    final = named[named["measure"].isin([series.name for series in FINAL])]
    if final.empty:
        raise SettingError("table", sorted(set(table["measure"])), "a final accuracy")
    twice = final[final.duplicated("condition")]
    if not twice.empty:
        given = f"two final accuracies of {twice.iloc[0]['condition']}"
        raise SettingError("table", given, "one final accuracy for each condition")
    final = final.sort_values("value", ascending=False, kind="stable", na_position="last")
    places = {name: place for place, name in enumerate(final["condition"])}
    figure = new_figure(6.6, 1.4 + 0.34 * len(places), label)
    axes = figure.subplots()
    for series in FINAL:
        _points(axes, named, series, places)
    _points(axes, named, INITIAL, places, BELOW)
    _condition_axis(axes, final)
    return figure


def _name(keys: list[str], row: Any) -> str:
    """Name a condition: the protocol first and by itself, other settings with their key."""
    parts: list[str] = []
    for key, value in zip(keys, row, strict=True):
        if value == "":
            continue
        if isinstance(value, str):
            place, name = (0, value) if key == "protocol" else (len(parts), f"{key} {value}")
            parts.insert(place, name)
        elif value is not None and value == value:  # noqa: PLR0124 (NaN: does not apply)
            number = int(value) if float(value).is_integer() else value
            parts.append(f"{key} = {number}")
    return ", ".join(parts)


def _points(
    axes: Axes, table: pd.DataFrame, series: Series, places: dict[str, int], below: float = 0.0
) -> None:
    rows = table[(table["measure"] == series.name) & table["condition"].isin(places)]
    rows = rows[rows["value"].notna()]
    if rows.empty:
        return
    axes.errorbar(
        rows["value"],
        rows["condition"].map(places) + below,
        xerr=intervals(rows),
        label=series.title,
        color=series.colour,
        marker=series.marker,
        linestyle=series.line,
        markersize=4.0 if below else 5.5,
        markerfacecolor=series.colour if series.filled else "white",
        elinewidth=0.8 if below else 1.3,
        capsize=1.8,
    )


def _condition_axis(axes: Axes, final: pd.DataFrame) -> None:
    axes.set_yticks(range(len(final)), list(final["condition"]))
    axes.set_ylim(len(final) - 0.4, -0.6)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel(f"Accuracy, {LEVEL:.0%} intervals", fontsize=TEXT)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    tidy(axes)
    for place, n in enumerate(final["n"]):
        axes.annotate(
            f"n = {n}",
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=SMALL,
            color=GREY,
        )
    legend(axes, columns=3)
