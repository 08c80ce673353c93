"""What agents knew before the talk, and how much of it they gave up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socialcircuits.figures.beside import in_order, rows_of
from socialcircuits.figures.proportions import in_turn
from socialcircuits.figures.style import SMALL, TEXT, intervals, name_panel, new_figure, tidy
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

KNOWN = "known_at_first"
LOST = {
    "abandoned": "not answered TRUE at the end",
    "abandoned_to_false": "the planted answer held",
}


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw the share of facts known before the talk against the share of these given up by its end.

    One point a cast. Left, given up means that the last answer is not the true one; right, that it
    is the planted one. Bars are the estimates' intervals in both directions. The legend gives the
    numbers of units of evidence: of what is known, and of what was given up.

    Args:
        table: estimates with columns measure, value, low, high and n, and cast where it was swept;
            one row of known_at_first, abandoned and abandoned_to_false for each cast. Other
            measures are ignored; a cast that lacks either value (n = 0) has no point and says so in
            the legend.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of these measures, or a measure has two
            rows of one cast.

    Source: believed but not said, Fig. 4 and section 4.4.

    >>> import pandas
    >>> rows = [{"measure": name, "value": 0.5, "low": 0.4, "high": 0.6, "n": n}
    ...     for name, n in [("known_at_first", 40), ("abandoned", 38)]]
    >>> figure = draw(pandas.DataFrame(rows), "simulated agents")
    >>> figure.legends[0].get_texts()[0].get_text()
    'n = 40 (known), 38 (given up)'
    """
    drawn = rows_of(table, [KNOWN, *LOST], "cast")
    casts = in_order(drawn["cast"])
    figure = new_figure(7.2, 3.6 + 0.16 * (len(casts) // 2), label)
    grid = figure.subplots(1, len(LOST), sharey=True)
    for axes, (measure, title), letter in zip(grid, LOST.items(), "ab", strict=True):
        for nth, cast in enumerate(casts):
            rows = drawn[drawn["cast"] == cast].set_index("measure")
            _point(axes, rows, measure, nth)
        _axes(axes)
        name_panel(axes, letter, f"given up: {title}")
    grid[0].set_ylabel(f"Given up, {LEVEL:.0%} intervals", fontsize=TEXT)
    _legend(figure, drawn, casts)
    return figure


def _point(axes: Axes, rows: pd.DataFrame, measure: str, nth: int) -> None:
    known, lost = rows.reindex([KNOWN]), rows.reindex([measure])
    if known["value"].isna().any() or lost["value"].isna().any():
        return
    look = in_turn(nth, "")
    axes.errorbar(
        known["value"],
        lost["value"],
        xerr=intervals(known),
        yerr=intervals(lost),
        color=look.colour,
        marker=look.marker,
        markersize=6.0,
        markerfacecolor=look.colour if look.filled else "white",
        elinewidth=0.9,
        capsize=1.8,
        linestyle="none",
    )


def _axes(axes: Axes) -> None:
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.set_xlabel(f"Known at first, {LEVEL:.0%} intervals", fontsize=TEXT)
    axes.grid(color="0.9", linewidth=0.6)
    tidy(axes)


def _legend(figure: Figure, drawn: pd.DataFrame, casts: list[object]) -> None:
    from matplotlib.lines import Line2D

    handles = []
    for nth, cast in enumerate(casts):
        counts = drawn[drawn["cast"] == cast].set_index("measure")["n"].reindex([KNOWN, *LOST])
        known, lost = (int(n) for n in counts.fillna(0).iloc[:2])
        look = in_turn(nth, "")
        name = f"{cast}: " if cast != "" else ""
        handle = Line2D([], [], color=look.colour, marker=look.marker, linestyle="none")
        handle.set_markerfacecolor(look.colour if look.filled else "white")
        handle.set_label(f"{name}n = {known} (known), {lost} (given up)")
        handles.append(handle)
    figure.legend(
        handles=handles,
        loc="outside upper center",
        ncols=2,
        frameon=False,
        fontsize=SMALL,
    )
