"""Defection over the size of the group, at fixed proportions of deceivers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socialcircuits.figures.proportions import compositions, in_turn, new_panels, share_axis
from socialcircuits.figures.style import SMALL, TEXT, legend, points, tidy, units
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

DODGE = 0.16
"""Distance in N of the series, so that points at one N can be told apart."""


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw honest defection over N, a series for each proportion of deceivers, a panel a cast.

    Bars are the estimates' intervals; in the legend stand the proportion and the number of units
    of evidence. Points are moved sideways a little.

    Args:
        table: estimates with columns measure, N, deceivers (a number, or a share such as ``1/5``),
            value, low, high and n, and cast where it was swept; one row of honest_defection for
            each composition and cast. Other measures are ignored; rows without a value (n = 0) have
            no point, and count in n.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of honest_defection, or a composition has
            two.

    Source: adversarial influence, Fig. 4.

    >>> import pandas
    >>> rows = [{"measure": "honest_defection", "N": size, "deceivers": "1/5", "value": 0.2,
    ...     "low": 0.1, "high": 0.3, "n": 40} for size in (5, 10)]
    >>> axes = draw(pandas.DataFrame(rows), "simulated agents").axes[0]
    >>> axes.get_legend().get_texts()[0].get_text()
    '1/5, n = 40'
    """
    drawn = compositions(table, ["honest_defection"])
    shares = sorted(set(drawn["proportion"]))
    title = f"Honest defection, {LEVEL:.0%} intervals"
    figure, panels = new_panels(drawn, title, label, 3.1, above=2)
    for axes, rows in panels:
        for nth, share in enumerate(shares):
            part = rows[rows["proportion"] == share]
            if len(part):
                look = in_turn(nth, f"{share}, {units(part['n'])}")
                points(axes, part["N"] + DODGE * (nth - (len(shares) - 1) / 2), part, look)
        _size_axis(axes, sorted(set(drawn["N"])))
        share_axis(axes, drawn)
        legend(axes, columns=2)
    return figure


def _size_axis(axes: Axes, sizes: list[float]) -> None:
    axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
    axes.set_xlim(sizes[0] - 1, sizes[-1] + 1)
    axes.set_xlabel("Group size N; a series for each proportion of deceivers", fontsize=TEXT)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    tidy(axes)
    axes.tick_params(axis="x", labelsize=SMALL)
