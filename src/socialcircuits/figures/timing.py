"""When honest agents first give way: in round 1, by round 2, or in the vote alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socialcircuits.figures.proportions import (
    compositions,
    legend_above,
    new_panels,
    over_proportion,
)
from socialcircuits.figures.style import GREY, RIVAL, TRUTH, Series
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["draw"]

CLASSES = (
    Series("first_defection_round_1", "in round 1", TRUTH, "o", "none"),
    Series("first_defection_by_round_2", "by round 2", RIVAL, "s", "none"),
    Series("first_defection_vote_only", "in the vote alone", GREY, "D", "none", filled=False),
)

HALF = 0.5


def draw(table: pd.DataFrame, label: str) -> Figure:
    r"""Draw the shares of first defections in round 1, by round 2 and in the vote alone.

    One panel a cast, one point a class and composition, over the proportion of deceivers: the
    points at one proportion stand side by side, from the smallest group to the largest. A dashed
    line marks one half, against which early defection is tested. Bars are the estimates'
    intervals, and under each proportion stands the number of units of evidence.

    Args:
        table: estimates with columns measure, N, deceivers (a number, or a share such as ``1/5``),
            value, low, high and n, and cast where it was swept; one row of first_defection_round_1,
            first_defection_by_round_2 and first_defection_vote_only for each composition and cast.
            Other measures are ignored; rows without a value (n = 0) have no point, and count in n.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of these measures, or a measure has two
            rows at one composition.

    Source: adversarial influence, section 3.4.

    >>> import pandas
    >>> row = {"measure": "first_defection_round_1", "N": 10, "deceivers": "1/5", "value": 0.4,
    ...     "low": 0.3, "high": 0.5, "n": 31}
    >>> axes = draw(pandas.DataFrame([row]), "simulated agents").axes[0]
    >>> axes.get_xticklabels()[0].get_text()
    '1/5\nn = 31'
    """
    drawn = compositions(table, [one.name for one in CLASSES])
    title = f"Share of first defections, {LEVEL:.0%} intervals"
    figure, panels = new_panels(drawn, title, label, 3.1)
    for axes, rows in panels:
        axes.axhline(HALF, color=GREY, linewidth=1.0, linestyle=(0, (4, 3)), label="one half")
        parts = {one: rows[rows["measure"] == one.name] for one in CLASSES}
        over_proportion(axes, rows, parts)
        axes.set_ylim(-0.02, 1.02)
    legend_above(figure, panels[0][0], columns=4)
    return figure
