"""Whether each infected peer makes a switch more likely: counted, adjusted, by experiment."""

from __future__ import annotations

from math import ceil
from textwrap import fill
from typing import TYPE_CHECKING

from socialcircuits.figures.beside import (
    COLUMNS,
    WIDE,
    cast_name,
    in_order,
    legend_of,
    letters,
    rows_of,
    side_by_side,
)
from socialcircuits.figures.style import (
    GREY,
    LETTERS,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    check_columns,
    name_panel,
    new_figure,
    plain,
    points,
    select,
    tidy,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

CURVES = (
    Series("hazard_raw", "as counted", GREY, "s", ":", filled=False),
    Series("hazard_adjusted", "items, agents and rounds held equal", RIVAL, "o", "-"),
)
INJECTED = Series("injected", "peers made to assert the claim", TRUTH, "D", "none")

WARNING = (
    "The counted curve rises even where no agent heeds another, since items differ: "
    "read the slope of the adjusted one, and the experiment."
)
APART = 0.16
"""Distance of the two curves in peers, so that their points can be told apart."""


def draw(curves: pd.DataFrame, injected: pd.DataFrame, label: str) -> Figure:
    r"""Draw the share of agents that switch in a round, by number of infected peers.

    Panels are casts. Above stands the counted curve beside the one that a model with terms of
    items, agents and rounds gives: items that differ make the counted curve rise by themselves, as
    a line above says. Below stands the experiment: peers are made to assert the claim, and the
    final infection of all others is compared with that on the same items where nobody is. Bars
    are intervals, those of the adjusted curve turn it about its mean; under each number of peers
    stands the number of items in which an agent had so many.

    Args:
        curves: columns measure, peers (infected benign peers before the round), value (chance to
            hold the planted answer after the round), low, high and n, and cast where it was swept;
            one row of hazard_raw and of hazard_adjusted for each number of peers and cast. Rows
            without a value (n = 0, or a model that could not be fitted) have no point.
        injected: columns peers (number of those made to assert the claim), value (final infection
            of the others less that without, -1 to 1), low, high and n, and cast where it was swept;
            one row for each number and cast. No row: nothing is drawn below.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of the two curves, or two stand at one
            place.

    Source: believed but not said, Fig. 5 and section 4.5; adjustment and experiment are ours.

    >>> import pandas
    >>> rows = [{"measure": "hazard_raw", "peers": peers, "value": 0.1 + 0.1 * peers, "low": 0.0,
    ...     "high": 0.9, "n": 40 - peers} for peers in (0, 1)]
    >>> axes = draw(pandas.DataFrame(rows), pandas.DataFrame(), "simulated agents").axes[0]
    >>> [text.get_text() for text in axes.get_xticklabels()]
    ['0\n40', '1\n39']
    """
    check_columns(curves, ["peers"])
    unset = {"cast": ""} if "cast" not in curves.columns else {}
    drawn = select(curves.assign(**unset), [one.name for one in CURVES], ["peers"], ["cast"])
    named = injected.assign(measure=INJECTED.name)
    empty = drawn.iloc[:0]
    below = empty if injected.empty else rows_of(named, [INJECTED.name], "cast", "peers")
    casts = in_order([*drawn["cast"], *below["cast"]])
    tables = [drawn] if below.empty else [drawn, below]
    columns = min(COLUMNS, len(casts))
    lines = len(tables) * ceil(len(casts) / columns)
    width = max(5.2, 0.7 + WIDE * columns)
    figure = new_figure(width, 1.3 + 2.6 * lines, label)
    grid = figure.subplots(lines, columns, squeeze=False, sharey="row")
    for axes in grid.flat:
        axes.set_axis_off()
    names = iter(letters(len(casts) * len(tables)))
    for part, (rows, show) in enumerate(zip(tables, (_curves, _experiment), strict=False)):
        for nth, cast in enumerate(casts):
            here, axes = rows[rows["cast"] == cast], grid[part :: len(tables)].flat[nth]
            if len(here):
                axes.set_axis_on()
                show(axes, here)
                if cast != "":
                    name_panel(axes, next(names), cast_name(cast))
    legend_of(figure, grid.flat, 3, fill(WARNING, int(width * LETTERS)))
    return figure


def _curves(axes: Axes, rows: pd.DataFrame) -> None:
    for look, beside in zip(CURVES, (-APART / 2, APART / 2), strict=True):
        part = rows[rows["measure"] == look.name].sort_values("peers")
        if part["value"].notna().any():
            points(axes, part["peers"] + beside, part, look)
    counted = rows[rows["measure"] == CURVES[0].name]
    counts = dict(zip(counted["peers"], counted["n"], strict=True))
    order = sorted(set(rows["peers"]))
    axes.set_xticks(order, [f"{plain(peers)}\n{counts.get(peers, 0)}" for peers in order])
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("Infected peers before the round\n(below each number: n)", fontsize=TEXT)
    place = axes.get_subplotspec()
    if place is not None and place.is_first_col():
        axes.set_ylabel(f"Switch in a round, {LEVEL:.0%} intervals", fontsize=TEXT)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    tidy(axes)
    axes.tick_params(axis="x", labelsize=SMALL)


def _experiment(axes: Axes, rows: pd.DataFrame) -> None:
    names = {number: plain(number) for number in in_order(rows["peers"])}
    axes.axhline(0, color=GREY, linewidth=0.8, zorder=1)
    side_by_side(axes, "peers", names, {INJECTED: rows})
    axes.set_xlabel("Peers made to assert the claim", fontsize=TEXT)
    # Not every cast has one, so that each panel names its own axis.
    axes.set_ylabel("Infection of others, difference", fontsize=TEXT)
    axes.tick_params(axis="y", labelleft=True)
