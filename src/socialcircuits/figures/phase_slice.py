"""A slice of the phase map: the probability of each endpoint class over group size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socialcircuits.figures.phase import CLASSES, headline
from socialcircuits.figures.style import TEXT, check_columns, check_once, legend, new_figure, tidy

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["draw"]


def draw(table: pd.DataFrame, label: str, settings: str) -> Figure:
    """Draw the probabilities of the four classes over N; at each N they add up to 1.

    Args:
        table: columns N (positive integers), correct, wrong, polarized and fragmented
            (probabilities, none missing); one row for each N.
        label: what kind of agents was run.
        settings: the parameters of the slice in words; stands over it.

    Raises:
        SettingError: a column is missing, the table is empty, or an N has two rows.

    Source: Flag Game, Fig. 8b, which leaves fragmentation out.

    >>> import pandas
    >>> row = {"N": 8, "correct": 0.2, "wrong": 0.1, "polarized": 0.3, "fragmented": 0.4}
    >>> figure = draw(pandas.DataFrame([row]), "theory: no agents were run", "h_0 = 0.3")
    >>> [float(line.get_ydata()[0]) for line in figure.axes[0].lines]
    [0.2, 0.1, 0.3, 0.4]
    """
    check_columns(table, ["N", *(one.name for one in CLASSES)])
    check_once(table.assign(what="probabilities"), ["what"], ["N"])
    rows = table.sort_values("N")
    figure = new_figure(5.8, 3.7, label)
    axes = figure.subplots()
    for one in CLASSES:
        axes.plot(
            rows["N"],
            rows[one.name],
            label=one.title,
            color=one.colour,
            marker=one.marker,
            linestyle=one.line,
            markersize=4.5,
            markerfacecolor=one.colour if one.filled else "white",
            linewidth=1.3,
        )
    axes.set_xscale("log", base=2)
    axes.set_xticks(rows["N"], [f"{size:,}" for size in rows["N"]])
    axes.set_xticks([], minor=True)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("Population size N", fontsize=TEXT)
    axes.set_ylabel("Probability", fontsize=TEXT)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    tidy(axes)
    headline(axes, settings)
    legend(axes, columns=4)
    return figure
