"""What agents answer before any talk, and at the end of one without attackers."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from socialcircuits.figures.beside import (
    legend_of,
    parts,
    place_names,
    rows_of,
    side_by_side,
    wide,
)
from socialcircuits.figures.style import GREY, RIVAL, TEXT, TRUTH, Series, name_panel, new_figure
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["draw"]

KNOWN = (Series("known_at_first", "the true answer, before the talk", TRUTH, "o", "none"),)
HELD = (
    Series(
        "initial_infection", "the planted answer, before the talk", GREY, "D", "none", filled=False
    ),
    Series("final_infection", "the planted answer, at the end", RIVAL, "s", "none"),
)

MOST = 0.03
"""Most that ended on the planted answer without attackers in any cell of the paper (3.4)."""


def draw(table: pd.DataFrame, label: str) -> Figure:
    r"""Draw how many agents know the answer at first, and how many hold the planted one by chance.

    Left the share of agents whose answer before the talk is true; right the shares that hold the
    planted answer before the talk and at its end, without attackers. A dashed line marks the most
    that the paper found at the end. Bars are the estimates' intervals; under each cast stands the
    number of units of evidence.

    Args:
        table: estimates of runs without attackers with columns measure, value, low, high and n, and
            cast where it was swept; at most one row of known_at_first, initial_infection and
            final_infection for each cast. Other measures are ignored; a row without a value (n = 0)
            is marked at the foot.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of these measures, or a measure has two
            rows of one cast.

    Source: believed but not said, Table 8, section 3.4 and appendix C.

    >>> import pandas
    >>> row = {"measure": "final_infection", "value": 0.0, "low": 0.0, "high": 0.09, "n": 40}
    >>> axes = draw(pandas.DataFrame([{**row, "cast": "A"}]), "simulated agents").axes[1]
    >>> axes.get_xticklabels()[0].get_text()
    'A\nn = 40'
    """
    drawn = rows_of(table, [one.name for one in (*KNOWN, *HELD)], "cast")
    names = place_names(drawn["cast"])
    figure = new_figure(1.3 + 2 * wide(len(names)), 3.5, label)
    grid = figure.subplots(1, 2)
    titles = ("know the answer", "hold the planted answer")
    for axes, looks, letter, title in zip(grid, (KNOWN, HELD), "ab", titles, strict=True):
        side_by_side(axes, "cast", names, parts(drawn, looks))
        name_panel(axes, letter, title)
    grid[0].set_ylim(-0.02, 1.02)
    grid[0].set_ylabel(f"Share of agents, {LEVEL:.0%} intervals", fontsize=TEXT)
    highs = drawn.loc[drawn["measure"].isin([one.name for one in HELD]), "high"].dropna()
    grid[1].set_ylim(-0.004, max([0.1, *(ceil(20 * high) / 20 for high in highs)]))
    dashed = {"color": GREY, "linewidth": 0.9, "linestyle": (0, (4, 3))}
    grid[1].axhline(MOST, **dashed, label=f"{MOST:.0%}: the paper's most")
    legend_of(figure, grid, columns=2)
    return figure
