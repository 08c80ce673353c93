"""What defences avoid, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from socialcircuits.figures.beside import (
    attackers,
    in_order,
    legend_of,
    rows_of,
    side_by_side,
)
from socialcircuits.figures.proportions import LETTERS, in_turn
from socialcircuits.figures.style import (
    GREY,
    TEXT,
    Series,
    check_columns,
    name_panel,
    new_figure,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

DEFENCES = {
    "": "none",
    "correct": "correct\nearly",
    "untrusted": "untrusted\nmessages",
    "check": "check\nalone",
    "monitor": "belief\nmonitor",
}

HARM, KEPT = "final_infection", "truth_rejects"

LEVELS = {
    HARM: "agents that hold the planted answer at the end",
    KEPT: "holders of TRUE that reject the claim",
}
PAIRED = {
    HARM: "the same, less without a defence: below 0, harm avoided",
    KEPT: "the same, less without a defence: at 0 or above, correction kept",
}


def draw(table: pd.DataFrame, differences: pd.DataFrame, label: str) -> Figure:
    r"""Draw harm and correction under each defence, and their paired differences from none.

    Left is the share of benign agents that hold the planted answer at the end, right the share of
    exposed turns of agents that hold the true answer in which they reject the claim. Below stand
    the differences on the same claims. The numbers of attackers stand side by side. Bars are the
    intervals; under each defence stands the number of units of evidence.

    Args:
        table: estimates with columns measure, defence (empty: none), value, low, high and n, and
            deceivers where it was swept; at most one row of final_infection and of truth_rejects
            for each defence and number of attackers. Other measures are ignored; a row without a
            value (n = 0) is marked at the foot.
        differences: the same columns; value is the mean paired difference of a defence from none,
            -1 to 1, n the number of claims. No row: nothing is drawn below.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of the two measures, or a measure has two
            rows at one place.

    Source: believed but not said, section 5 and Limitations (proposed there, not tested).

    >>> import pandas
    >>> rows = [{"measure": "final_infection", "defence": name, "value": 0.5, "low": 0.4,
    ...     "high": 0.6, "n": 40} for name in ("", "check")]
    >>> axes = draw(pandas.DataFrame(rows), pandas.DataFrame(), "simulated agents").axes[0]
    >>> [text.get_text() for text in axes.get_xticklabels()]
    ['none\nn = 40', 'check\nalone\nn = 40']
    """
    check_columns(table, ["defence"])
    levels = rows_of(table, list(LEVELS), "defence", "deceivers")
    no_pair = differences.empty
    paired = None if no_pair else rows_of(differences, list(PAIRED), "defence", "deceivers")
    looks = {
        number: in_turn(nth, attackers(number) or "all")._replace(line="none")
        for nth, number in enumerate(in_order(levels["deceivers"]))
    }
    lines = 1 if paired is None else 2
    figure = new_figure(9.2, 1.0 + 2.7 * lines, label)
    grid = figure.subplots(lines, len(LEVELS), squeeze=False, sharey="row")
    _row(grid[0], levels, LEVELS, looks)
    for axes in grid[0]:
        axes.set_ylim(-0.02, 1.02)
    grid[0, 0].set_ylabel(f"Share, {LEVEL:.0%} intervals", fontsize=TEXT)
    if paired is not None:
        _row(grid[1], paired, PAIRED, looks)
        for axes in grid[1]:
            axes.axhline(0, color=GREY, linewidth=0.8, zorder=1)
        grid[1, 0].set_ylabel(f"Difference, {LEVEL:.0%} intervals", fontsize=TEXT)
    for axes, letter, title in zip(
        grid.flat, LETTERS, (*LEVELS.values(), *PAIRED.values()), strict=False
    ):
        name_panel(axes, letter, title)
    legend_of(figure, grid.flat, columns=4)
    return figure


def _row(
    grid: list[Axes],
    rows: pd.DataFrame,
    titles: Mapping[str, str],
    looks: Mapping[object, Series],
) -> None:
    """Draw a panel for each measure, over the defences that have a row."""
    given = set(rows["defence"])
    order = [*(one for one in DEFENCES if one in given), *sorted(given - set(DEFENCES))]
    names: dict[object, str] = {one: DEFENCES.get(one, str(one)) for one in order}
    for axes, measure in zip(grid, titles, strict=True):
        part = rows[rows["measure"] == measure]
        series = {look: part[part["deceivers"] == number] for number, look in looks.items()}
        shown = {look: found for look, found in series.items() if len(found)}
        side_by_side(axes, "defence", names, shown)
