"""Defection under coordinated and independent deceivers, over their proportion."""

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
from socialcircuits.figures.style import GREEN, RIVAL, Series, check_columns, check_once
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["KINDS", "draw", "kind"]

KINDS = (
    Series("independent", "independent deceivers", RIVAL, "s", "-"),
    Series("coordinated", "coordinated deceivers", GREEN, "o", "--", filled=False),
)
"""How deceivers that work alone and together are drawn."""

LONE = Series("lone", "one deceiver, nobody to coordinate with", GREEN, "x", "none")
"""How a single deceiver that was to coordinate is drawn."""


def kind(coordinated: object) -> str:
    """Name the kind of deceivers; where nothing is said, they do not know each other.

    >>> kind(True), kind("False"), kind("")
    ('coordinated', 'independent', 'independent')
    """
    return KINDS[str(coordinated).lower() == "true"].name


def draw(table: pd.DataFrame, lines: pd.DataFrame, label: str) -> Figure:
    r"""Draw honest defection over the proportion of deceivers, coordinated beside independent.

    One panel a cast, one point a composition: the points at one proportion stand side by side, from
    the smallest group to the largest, coordinated right of independent. Bars are the estimates'
    intervals, and under each proportion stands the number of units of evidence. Trials without
    deceivers stand with the independent ones. A single deceiver that was to coordinate is a cross:
    its composition enters no line.

    Args:
        table: estimates with columns measure, N, deceivers (a number, or a share such as ``1/5``),
            coordinated (true or false; empty: false), value, low, high and n, and cast where it was
            swept; one row of honest_defection for each composition, kind and cast. Other measures
            are ignored; rows without a value (n = 0) have no point, and count in n.
        lines: straight lines as in `defection.draw`, with the group ``independent`` or
            ``coordinated``, after the cast and a comma where it was swept (``A, coordinated``).
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of honest_defection, a composition has
            two of one kind, or a line has no series.

    Source: adversarial influence, Fig. 5.

    >>> import pandas
    >>> rows = [{"measure": "honest_defection", "N": 10, "deceivers": "1/5", "coordinated": one,
    ...     "value": 0.2, "low": 0.1, "high": 0.3, "n": 40} for one in (True, False)]
    >>> axes = draw(pandas.DataFrame(rows), pandas.DataFrame(), "simulated agents").axes[0]
    >>> [f"{container[0].get_xdata()[0]:.4f}" for container in axes.containers]
    ['0.1945', '0.2055']
    """
    check_columns(table, ["coordinated"])
    drawn = compositions(table, ["honest_defection"], "coordinated")
    drawn = drawn.assign(kind=[kind(one) for one in drawn["coordinated"]])
    check_once(drawn, ["measure"], ["N", "cast", "proportion", "kind"])
    groups = [_group(*pair) for pair in zip(drawn["cast"], drawn["kind"], strict=True)]
    drawn = drawn.assign(group=groups, lone=_lone(drawn))
    fitted = check_lines(lines, groups)
    title = f"Honest defection, {LEVEL:.0%} intervals"
    figure, panels = new_panels(drawn, title, label, 3.4, above=3)
    for axes, rows in panels:
        crossed = rows["lone"] & (rows["kind"] == KINDS[1].name)
        parts = {one: rows[(rows["kind"] == one.name) & ~crossed] for one in KINDS}
        looks = {one._replace(line="none"): part for one, part in parts.items()}
        over_proportion(
            axes, rows, {**looks, LONE: rows[crossed]} if drawn["lone"].any() else looks
        )
        share_axis(axes, drawn)
        told: list[str] = []
        for one, part in parts.items():
            for group in set(part["group"]) & set(fitted.index):
                straight_line(axes, fitted.loc[group], part[~part["lone"]], one)
                told += slope_text(one.name, fitted.loc[group])
        note(axes, told)
    legend_above(figure, panels[0][0], columns=2)
    return figure


def _lone(drawn: pd.DataFrame) -> pd.Series[bool]:
    """Whether the one deceiver of a composition was to coordinate in some trials."""
    single = drawn["proportion"] * drawn["N"].astype(int) == 1
    sizes = set(drawn.loc[single & (drawn["kind"] == KINDS[1].name), "N"])
    return single & drawn["N"].isin(sizes)


def _group(cast: object, kind: str) -> str:
    return f"{cast}, {kind}" if cast != "" else kind
