"""What a private check before the vote avoids, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from socialcircuits.figures.proportions import (
    compositions,
    legend_above,
    over_proportion,
    share_axis,
)
from socialcircuits.figures.style import (
    GREEN,
    GREY,
    TEXT,
    TRUTH,
    Series,
    check_columns,
    check_once,
    name_panel,
    new_figure,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

WAYS = (
    Series("", "no check", GREY, "D", "none", filled=False),
    Series("alone", "answers again alone", TRUTH, "o", "none"),
    Series("claim", "checks the leading claim", GREEN, "s", "none"),
)
"""Values of verify, and how they are drawn."""

MEASURES = {
    "honest_defection": "honest defection",
    "correction": "correction",
    "group_accuracy": "group accuracy",
}
PAIRED = {
    "honest_defection_macro": "defection, paired, by question",
    "correction_macro": "correction, paired, by question",
    "group_accuracy": "group accuracy, paired",
}
"""Pooled over agents a share has no value for each question, so that the pairs need its mean."""


def draw(table: pd.DataFrame, differences: pd.DataFrame, label: str) -> Figure:
    r"""Draw defection, correction and group accuracy with and without a check before the vote.

    Above are the estimates, pooled over agents; below them the differences from no check on the
    same questions, where each question counts once. All stand over the proportion of deceivers,
    those of one proportion side by side, from the smallest group to the largest. Under each
    proportion stands the number of units of evidence.

    Args:
        table: estimates with columns measure, N, deceivers (a number, or a share such as ``1/5``),
            verify (empty, alone or claim), value, low, high and n; one row of honest_defection,
            correction and group_accuracy for each composition and way. Other measures are
            ignored; rows without a value (n = 0) have no point, and count in n.
        differences: the same columns, of honest_defection_macro, correction_macro and
            group_accuracy; value is the mean paired difference of a way (alone or claim) from no
            check, -1 to 1, n the number of pairs. No row: nothing is drawn below.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of the three measures, or a measure has
            two rows at one composition and way.

    Source: adversarial influence, section 5 (proposed as future work).

    >>> import pandas
    >>> rows = [{"measure": "correction", "N": 10, "deceivers": "1/5", "verify": way, "value": 0.4,
    ...     "low": 0.3, "high": 0.5, "n": 31} for way in ("", "alone")]
    >>> axes = draw(pandas.DataFrame(rows), pandas.DataFrame(), "simulated agents").axes[1]
    >>> [container.get_label() for container in axes.containers]
    ['no check', 'answers again alone']
    """
    levels = _ways(table, MEASURES, WAYS)
    paired = None if differences.empty else _ways(differences, PAIRED, WAYS[1:])
    lines = 1 if paired is None else 2
    figure = new_figure(9.6, 1.0 + 2.7 * lines, label)
    grid = figure.subplots(lines, len(MEASURES), squeeze=False, sharey="row")
    for axes, (measure, title), letter in zip(grid[0], MEASURES.items(), "abc", strict=True):
        _panel(axes, levels[levels["measure"] == measure], WAYS)
        share_axis(axes, levels)
        name_panel(axes, letter, title)
    grid[0, 0].set_ylabel(f"Share, {LEVEL:.0%} intervals", fontsize=TEXT)
    if paired is not None:
        for axes, (measure, title), letter in zip(grid[1], PAIRED.items(), "def", strict=True):
            axes.axhline(0, color=GREY, linewidth=0.8)
            _panel(axes, paired[paired["measure"] == measure], WAYS[1:])
            name_panel(axes, letter, title)
        grid[1, 0].set_ylabel(f"Difference, {LEVEL:.0%} intervals", fontsize=TEXT)
    legend_above(figure, max(grid[0], key=lambda axes: len(axes.containers)), columns=3)
    return figure


def _ways(
    table: pd.DataFrame, measures: Mapping[str, str], ways: tuple[Series, ...]
) -> pd.DataFrame:
    check_columns(table, ["verify"])
    rows = compositions(table, list(measures), "verify")
    check_once(rows, ["measure"], ["N", "proportion", "verify"])
    return rows[rows["verify"].isin([way.name for way in ways])]


def _panel(axes: Axes, rows: pd.DataFrame, ways: tuple[Series, ...]) -> None:
    parts = {way: rows[rows["verify"] == way.name] for way in ways}
    over_proportion(axes, rows, {way: part for way, part in parts.items() if len(part)})
