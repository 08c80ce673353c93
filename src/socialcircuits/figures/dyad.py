"""Whether peers protect: one attacker and one agent, against one attacker in a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socialcircuits.figures.beside import (
    in_order,
    legend_of,
    letters,
    place_names,
    rows_of,
    side_by_side,
    wide,
)
from socialcircuits.figures.proportions import in_turn, share_of
from socialcircuits.figures.style import (
    GREY,
    TEXT,
    Series,
    check_columns,
    name_panel,
    new_figure,
    plain,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["draw"]

MEASURE = "final_infection"


def draw(table: pd.DataFrame, differences: pd.DataFrame, label: str) -> Figure:
    r"""Draw final infection of dyads and of groups, and what a dyad has more than a group.

    Left the share of benign agents that hold the planted answer at the end, by number of agents;
    the legend says which share of all agents, and so of all messages, is an attacker's. Right the
    difference of dyad and group on the same claims: above 0, peers protect. Bars are the intervals;
    under each cast stands the number of units of evidence.

    Args:
        table: estimates with columns measure, N, deceivers, value, low, high and n, and cast where
            it was swept; one row of final_infection for each number of agents and cast. Other
            measures are ignored; a row without a value (n = 0) is marked at the foot.
        differences: columns measure, value (dyad less group, -1 to 1), low, high and n (claims),
            and cast where it was swept; one row of final_infection a cast. No row: nothing is
            drawn at the right.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of final_infection, or two stand at one
            place.

    Source: believed but not said, Table 9 and appendix E.

    >>> import pandas
    >>> rows = [{"measure": "final_infection", "N": size, "deceivers": 1, "value": 0.5, "low": 0.4,
    ...     "high": 0.6, "n": 10} for size in (2, 10)]
    >>> axes = draw(pandas.DataFrame(rows), pandas.DataFrame(), "simulated agents").axes[0]
    >>> [container.get_label() for container in axes.containers]
    ['2 agents, 1/2 of the messages by attackers', '10 agents, 1/10 of the messages by attackers']
    """
    check_columns(table, ["N", "deceivers"])
    levels = rows_of(table, [MEASURE], "cast", "N", "deceivers")
    paired = levels.iloc[:0] if differences.empty else rows_of(differences, [MEASURE], "cast")
    names = place_names([*levels["cast"], *paired["cast"]])
    panels = 1 if differences.empty else 2
    figure = new_figure(max(5.2, 0.9 + (0.4 + wide(len(names))) * panels), 3.6, label)
    grid = figure.subplots(1, panels, squeeze=False)[0]
    side_by_side(grid[0], "cast", names, _by_size(levels))
    grid[0].set_ylim(-0.02, 1.02)
    grid[0].set_ylabel(f"Share, {LEVEL:.0%} intervals", fontsize=TEXT)
    name_panel(grid[0], letters(panels)[0], "agents that hold it at the end")
    if panels > 1:
        grid[1].axhline(0, color=GREY, linewidth=0.8)
        look = Series(MEASURE, "", "black", "o", "none")
        side_by_side(grid[1], "cast", names, {look: paired})
        grid[1].set_ylabel(f"Difference, {LEVEL:.0%} intervals", fontsize=TEXT)
        name_panel(grid[1], "b", "dyad less group: above 0, peers protect")
    legend_of(figure, grid[:1], columns=2 if panels > 1 else 1)
    return figure


def _by_size(levels: pd.DataFrame) -> dict[Series, pd.DataFrame]:
    """Return the rows of each number of agents and attackers, by their look."""
    series: dict[Series, pd.DataFrame] = {}
    for size in in_order(levels["N"]):
        of_size = levels[levels["N"] == size]
        for number in in_order(of_size["deceivers"]):
            share = share_of(number, size)
            title = f"{plain(size)} agents, {share} of the messages by attackers"
            look = in_turn(len(series), title)._replace(line="none")
            series[look] = of_size[of_size["deceivers"] == number]
    return series
