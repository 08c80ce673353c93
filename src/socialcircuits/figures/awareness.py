"""Accuracy over the social-evidence uptake that agents are prompted with."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from socialcircuits.figures.population import ACCURACY
from socialcircuits.figures.style import (
    GREY,
    SMALL,
    TEXT,
    legend,
    new_figure,
    points,
    select,
    tidy,
    units,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

EDGES = (0.2, 0.4, 0.6, 0.8)
"""Upper edges of the prompt's bands of alpha, but the last: where its line changes."""

DODGE = 0.008


def draw(table: pd.DataFrame, label: str) -> Figure:
    r"""Draw collective, majority-vote and initial accuracy over alpha.

    Bars are the estimates' intervals; points are moved sideways a little so that these can be told
    apart. Dotted lines part the bands of alpha within which the prompt is the same. Under each
    alpha stands the number of units of evidence.

    Args:
        table: estimates with columns measure, alpha (0 to 1), value, low, high and n; one row for
            each measure and alpha. Other measures, and rows where alpha is no number (off, or
            empty), are ignored; rows without a value (n = 0) have no point, and count in n.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, a measure has two rows at one alpha, or there is no row
            of an accuracy.

    Source: Flag Game, Fig. 9.

    >>> import pandas
    >>> row = {"measure": "collective_accuracy", "alpha": 0.75, "value": 0.7, "low": 0.6,
    ...     "high": 0.8, "n": 28}
    >>> draw(pandas.DataFrame([row]), "simulated agents").axes[0].get_xticklabels()[0].get_text()
    '0.75\nn = 28'
    """
    drawn = select(table, [series.name for series in ACCURACY], ["alpha"])
    figure = new_figure(5.2, 3.7, label)
    axes = figure.subplots()
    _bands(axes)
    present = [series for series in ACCURACY if series.name in set(drawn["measure"])]
    for place, series in enumerate(present):
        rows = drawn[drawn["measure"] == series.name].sort_values("alpha")
        points(axes, rows["alpha"] + DODGE * (place - (len(present) - 1) / 2), rows, series)
    counts = drawn.groupby("alpha")["n"].agg(units)
    axes.set_xticks(list(counts.index), [f"{alpha:g}\n{n}" for alpha, n in counts.items()])
    axes.set(xlim=(-0.04, 1.04), ylim=(-0.02, 1.09))
    axes.set_xlabel("Prompted social-evidence uptake alpha", fontsize=TEXT)
    axes.set_ylabel(f"Accuracy, {LEVEL:.0%} intervals", fontsize=TEXT)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    tidy(axes)
    axes.tick_params(axis="x", labelsize=SMALL)
    legend(axes, columns=3)
    return figure


def _bands(axes: Axes) -> None:
    for edge in EDGES:
        axes.axvline(edge, color=GREY, linewidth=0.7, linestyle=(0, (1, 2)), zorder=0)
    ends = (0.0, *EDGES, 1.0)
    for place, (start, stop) in enumerate(pairwise(ends), start=1):
        axes.text(
            (start + stop) / 2,
            1.05,
            f"prompt {place}",
            ha="center",
            va="center",
            fontsize=SMALL - 1,
            color=GREY,
        )
