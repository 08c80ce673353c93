"""Defection and correction over the proportion of deceivers, with a straight line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socialcircuits.figures.proportions import (
    check_lines,
    compositions,
    legend_above,
    new_panels,
    note,
    over_proportion,
    share_axis,
    slope_text,
    straight_line,
)
from socialcircuits.figures.style import RIVAL, TRUTH, Series
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["draw"]

DEFECTION = Series("honest_defection", "defection: right, then wrong", RIVAL, "s", "-")
CORRECTION = Series("correction", "correction: wrong, then right", TRUTH, "o", "--", filled=False)


def draw(table: pd.DataFrame, lines: pd.DataFrame, label: str) -> Figure:
    r"""Draw honest defection, and correction beside it, over the proportion of deceivers.

    One panel a cast, one point a composition: the points at one proportion stand side by side, from
    the smallest group to the largest. Bars are the estimates' intervals, and under each proportion
    stands the number of units of evidence. The line is fitted to defection; the band shows how far
    the interval of its slope turns it about its middle. Slope, interval and counts stand above.

    Args:
        table: estimates with columns measure, N, deceivers (a number, or a share such as ``1/5``),
            value, low, high and n, and cast where it was swept; one row of honest_defection and of
            correction for each composition and cast. Other measures are ignored; rows without a
            value (n = 0) have no point, and count in n.
        lines: straight lines of defection, with columns group (the cast; empty where it was not
            swept), intercept (a share), slope_per_tenth, low and high (shares for each 0.1 of the
            proportion, and their interval), n_questions and n_compositions. A group without a line
            has none; a line without a slope is not drawn.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of the two measures, a measure has two
            rows at one composition, or a line has no panel.

    Source: adversarial influence, Fig. 3; correction: section 5.

    >>> import pandas
    >>> rows = [{"measure": "honest_defection", "N": 10, "deceivers": share, "value": 0.2,
    ...     "low": 0.1, "high": 0.3, "n": 40} for share in ("0", "1/5")]
    >>> axes = draw(pandas.DataFrame(rows), pandas.DataFrame(), "simulated agents").axes[0]
    >>> [text.get_text() for text in axes.get_xticklabels()]
    ['0\nn = 40', '1/5\nn = 40']
    """
    shown = (DEFECTION, CORRECTION)
    drawn = compositions(table, [one.name for one in shown])
    fitted = check_lines(lines, list(drawn["cast"]))
    title = f"Share of honest agents, {LEVEL:.0%} intervals"
    figure, panels = new_panels(drawn, title, label, 3.2, above=2)
    for axes, rows in panels:
        parts = {one._replace(line="none"): rows[rows["measure"] == one.name] for one in shown}
        over_proportion(axes, rows, parts)
        share_axis(axes, drawn)
        for cast in set(rows["cast"]) & set(fitted.index):
            straight_line(
                axes, fitted.loc[cast], rows[rows["measure"] == DEFECTION.name], DEFECTION
            )
            note(axes, slope_text("defection", fitted.loc[cast]))
    legend_above(figure, panels[0][0], columns=2)
    return figure
