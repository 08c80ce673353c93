"""Which agent matters most: predicted influence over the measured effect of its patch."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from socialcircuits.figures.style import (
    GREEN,
    GREY,
    SMALL,
    TEXT,
    TRUTH,
    check_agents,
    check_columns,
    check_once,
    intervals,
    name_panel,
    new_figure,
    tidy,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

COLUMNS = ("agent", "S", "dA", "dp", "E", "D", "unreached")

OPTIONAL = ("low", "high", "out_degree", "shapley", "shapley_error")

PALE = 0.35

EQUAL = 9
"""Digits after the point in which tied numbers agree: sums in another order differ in the last."""


class Row(NamedTuple):
    """A row of the small multiples.

    Args:
        column: of the table.
        title: what its axis says.
        marker: matplotlib's code.
        reached: whether it depends on whom the agent reaches.
    """

    column: str
    title: str
    marker: str
    reached: bool = False


ROWS = (
    Row("dp", "accuracy\ngain dp", "o"),
    Row("E", "temporal\ncloseness E", "s", reached=True),
    Row("D", "mean arrival D\n(messages)", "D", reached=True),
    Row("out_degree", "out-degree", "^"),
    Row("shapley", "Shapley value,\nstandard error", "v"),
)
"""The small multiples from top to bottom; the last two where the table has them."""


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw S of each agent, below it the measured change dA, below these what stands beside S.

    Above a bar stands its rank from the largest, ``2=`` for one that is tied; the bars of the first
    rank are in full colour, so that a hit is seen at a glance. Hollow marks of E and D are of
    agents that do not reach all others; how many they miss stands beside E.

    Args:
        table: columns agent (from 0), S (social circuit attribution score), dA (change of
            collective accuracy when this agent alone is patched, -1 to 1), dp (accuracy gain of the
            patch, -1 to 1), E (temporal closeness), D (mean arrival time in messages, over the
            agents that are reached) and unreached (how many are not); optionally low and high (the
            interval of dA), out_degree, and shapley with shapley_error (its standard error). One
            row an agent; numbers may be missing, and are then not drawn: ``-`` stands for S and dA.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, the table is empty, an agent has two rows, or there are
            more than 32 agents.

    Source: Flag Game, Fig. 7b and Table 5.

    >>> import pandas
    >>> rows = [(0, 0.47, 0.50, 1, 0.47, 19.4, 0), (4, 1.81, 0.75, 1, 1.81, 12.9, 0)]
    >>> figure = draw(pandas.DataFrame(rows, columns=COLUMNS), "simulated agents")
    >>> [text.get_text() for text in figure.axes[0].texts[:2]]
    ['2', '1']
    """
    sampled = ["shapley_error"] * ("shapley" in table.columns)
    check_columns(table, [*COLUMNS, *sampled])
    agents = check_agents(table["agent"])
    check_once(table.assign(what="attribution"), ["what"], ["agent"])
    table = table.sort_values("agent").reset_index(drop=True)
    numbers = set(table.columns) & {*COLUMNS[1:], *OPTIONAL}
    table = table.astype(dict.fromkeys(numbers, float))
    rows = [row for row in ROWS if row.column in table.columns]
    width = max(5.4, 1.5 + 0.34 * len(agents))
    figure = new_figure(width, 3.9 + 0.78 * len(rows), label)
    sizes = [1.8, 1.8, *[1.0] * len(rows)]
    predicted, measured, *small = figure.subplots(
        2 + len(rows), 1, sharex=True, height_ratios=sizes
    )
    _bars(predicted, table, "S", TRUTH)
    _bars(measured, table, "dA", GREEN)
    name_panel(predicted, "a", "predicted: S = dp x E, with rank")
    name_panel(measured, "b", f"measured: agent patched alone, with rank{_stated(table)}")
    predicted.set_ylabel("S", fontsize=TEXT)
    measured.set_ylabel("Change of\ncollective accuracy", fontsize=TEXT)
    for axes, row in zip(small, rows, strict=True):
        _marks(axes, table, row)
    hollow = " (hollow: number of agents unreached)" * bool((table["unreached"] > 0).any())
    name_panel(small[0], "c", f"beside S{hollow}")
    small[-1].set_xticks(range(len(agents)), [f"A{agent}" for agent in agents])
    small[-1].set_xlim(-0.6, len(agents) - 0.4)
    figure.align_ylabels()
    return figure


def _stated(table: pd.DataFrame) -> str:
    return f" and {LEVEL:.0%} interval" if {"low", "high"} <= set(table.columns) else ""


def _bars(axes: Axes, table: pd.DataFrame, column: str, colour: str) -> None:
    values = table[column]
    ranks = _ranks(values)
    colours = [(colour, 1.0 if rank in {"1", "1="} else PALE) for rank in ranks]
    axes.bar(range(len(values)), values, width=0.62, color=colours, edgecolor=colour, linewidth=1.0)
    axes.axhline(0, color=GREY, linewidth=0.8)
    tops = values.clip(lower=0).fillna(0)
    if column == "dA" and _stated(table):
        known = table["low"].notna() & values.notna()
        axes.errorbar(
            values.index[known],
            values[known],
            yerr=intervals(table[known].assign(value=values)),
            linestyle="none",
            color="black",
            elinewidth=0.8,
            capsize=1.8,
        )
        tops = tops.where(~known, table["high"].clip(lower=0))
    for place, (top, rank) in enumerate(zip(tops, ranks, strict=True)):
        axes.annotate(
            rank,
            (place, top),
            xytext=(0, 2.5),
            textcoords="offset points",
            ha="center",
            fontsize=SMALL,
        )
    axes.margins(y=0.16)
    tidy(axes)


def _ranks(values: pd.Series[float]) -> list[str]:
    """Write each number's rank from the largest, with ``=`` where it is shared."""
    rounded = values.round(EQUAL)
    ranks = rounded.rank(method="min", ascending=False)
    shared = rounded.duplicated(keep=False)
    return [
        "-" if isnan(rank) else f"{rank:g}{'=' if tied else ''}"
        for rank, tied in zip(ranks, shared, strict=True)
    ]


def _marks(axes: Axes, table: pd.DataFrame, row: Row) -> None:
    values = table[row.column]
    missed = table["unreached"].where(values.notna() & row.reached, 0)
    faces = ["white" if count > 0 else GREY for count in missed]
    axes.scatter(
        range(len(values)), values, marker=row.marker, s=22, c=faces, edgecolors=GREY, zorder=3
    )
    if row.column == "shapley":
        axes.errorbar(
            range(len(values)),
            values,
            yerr=table["shapley_error"],
            linestyle="none",
            color="black",
            elinewidth=0.8,
            capsize=2.4,
            zorder=4,
        )
    if row.column == "E":
        _counts(axes, values, missed)
    axes.axhline(0, color=GREY, linewidth=0.6)
    axes.grid(axis="x", color="0.92", linewidth=0.6)
    axes.margins(y=0.3)
    axes.set_ylabel(row.title, fontsize=SMALL, rotation=0, ha="right", va="center")
    tidy(axes)
    axes.tick_params(axis="y", labelsize=SMALL)


def _counts(axes: Axes, values: pd.Series[float], missed: pd.Series[float]) -> None:
    for place, (value, count) in enumerate(zip(values, missed, strict=True)):
        if count > 0:
            axes.annotate(
                f"{count:g}",
                (place, value),
                xytext=(4, 4),
                textcoords="offset points",
                va="center",
                fontsize=SMALL - 0.5,
                color=GREY,
            )
