"""How far the endpoint classes depend on the thresholds that define them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from socialcircuits.errors import SettingError
from socialcircuits.figures.population import CLASSES
from socialcircuits.figures.style import (
    GREY,
    SMALL,
    TEXT,
    check_columns,
    check_once,
    name_panel,
    new_figure,
    tidy,
    units,
)
from socialcircuits.measures.endpoints import CONSENSUS, PAIRS, POLAR

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

DRAWN = tuple(series for series in CLASSES if series.name != "truth_rival_polarization")
RANGE = f"range over {len(PAIRS)} threshold pairs:\na sensitivity, not an uncertainty"


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw for each endpoint class the range of its share over the threshold pairs, over N.

    A bar reaches from the smallest to the largest share, a mark stands at the chosen thresholds.

    Args:
        table: columns N (positive integers), class (correct_consensus, wrong_consensus,
            polarization or fragmentation; others are ignored), low, high and chosen (shares from 0
            to 1, missing where n = 0) and n (trials); one row for each class and N.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, a class has two rows at one N, or there is no row of
            these classes.

    Source: Flag Game, Table 3.

    >>> import pandas
    >>> row = {"N": 4, "class": "polarization", "low": 0.13, "high": 0.24, "chosen": 0.2, "n": 38}
    >>> axes = draw(pandas.DataFrame([row]), "simulated agents").axes[2]
    >>> f"{axes.patches[0].get_height():.2f}"
    '0.11'
    """
    columns = ["low", "high", "chosen"]
    check_columns(table, ["N", "class", *columns, "n"])
    names = [series.name for series in DRAWN]
    drawn = table[table["class"].isin(names)].astype(dict.fromkeys(columns, float))
    if drawn.empty:
        raise SettingError("table", sorted(set(table["class"])), "rows of " + ", ".join(names))
    check_once(drawn, ["class"], ["N"])
    figure = new_figure(6.6, 4.6, label)
    grid = figure.subplots(2, 2, sharex=True, sharey=True)
    sizes = sorted(set(drawn["N"]))
    for axes, series, letter in zip(grid.flat, DRAWN, "abcd", strict=True):
        _panel(axes, drawn[drawn["class"] == series.name], series.colour, sizes)
        name_panel(axes, letter, series.title)
    counts = [drawn.loc[drawn["N"] == size, "n"] for size in sizes]
    names = [f"{size:g}\n{units(n)}" for size, n in zip(sizes, counts, strict=True)]
    grid[1, 0].set_xticks(range(len(sizes)), names)
    grid[1, 0].set_xlim(-0.6, len(sizes) - 0.4)
    for axes in grid[1]:
        axes.set_xlabel("Population size N", fontsize=TEXT)
        axes.tick_params(axis="x", labelsize=SMALL)
    figure.supylabel(f"Share of trials; {RANGE}", fontsize=TEXT, multialignment="center")
    _legend(figure)
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, colour: str, sizes: Sequence[int]) -> None:
    rows = rows[rows["chosen"].notna()]
    places = [sizes.index(size) for size in rows["N"]]
    axes.bar(
        places,
        rows["high"] - rows["low"],
        bottom=rows["low"],
        width=0.5,
        color=(colour, 0.35),
        edgecolor=colour,  # shows a range of no length too
        linewidth=1.0,
    )
    axes.plot(places, rows["chosen"], linestyle="none", marker="D", markersize=4.0, color="black")
    axes.set_ylim(-0.03, 1.03)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    tidy(axes)


def _legend(figure: Figure) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    chosen = f"at the chosen thresholds, {float(CONSENSUS):g} and {float(POLAR):g}"
    figure.legend(
        handles=[
            Patch(facecolor=(GREY, 0.35), edgecolor=GREY, label="smallest to largest share"),
            Line2D([], [], linestyle="none", marker="D", markersize=4, color="black", label=chosen),
        ],
        loc="outside upper center",
        ncols=2,
        frameon=False,
        fontsize=SMALL,
    )
