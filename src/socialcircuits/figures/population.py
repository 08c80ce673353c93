"""Accuracy and endpoint classes over population size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from socialcircuits.errors import SettingError
from socialcircuits.figures.style import (
    AMBER,
    GREEN,
    GREY,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    check_columns,
    check_estimates,
    check_once,
    legend,
    new_figure,
    points,
    tidy,
    units,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

ACCURACY = (
    Series("collective_accuracy", "collective", TRUTH, "o", "-"),
    Series("majority_accuracy", "majority vote", GREEN, "s", "--"),
    Series("initial_accuracy", "initial", GREY, "D", ":", filled=False),
)
CLASSES = (
    Series("correct_consensus", "correct consensus", TRUTH, "o", "-"),
    Series("wrong_consensus", "wrong consensus", RIVAL, "s", "--"),
    Series("polarization", "polarization", GREEN, "^", "-."),
    Series(
        "truth_rival_polarization", "of these truth-rival", AMBER, "v", (0, (1, 1)), filled=False
    ),
    Series("fragmentation", "fragmentation", GREY, "D", (0, (5, 4)), filled=False),
)
DODGE = 0.11


def draw(table: pd.DataFrame, label: str) -> Figure:
    r"""Draw accuracy (left) and the shares of the endpoint classes (right) over N.

    Bars are the estimates' intervals; points are moved sideways a little so that these can be told
    apart. Under each N stands the number of units of evidence.

    Args:
        table: estimates with columns measure, N (positive integers), value, low, high and n; one
            row for each measure and N. Other measures and rows without N are ignored;
            rows without a value (n = 0) have no point, and count in n. No contrasts.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, a measure has two rows at one N, or there is no row of
            either panel's measures.

    Source: Flag Game, Fig. 3a-b.

    >>> import pandas
    >>> row = {"measure": "polarization", "N": 4, "value": 0.2, "low": 0.1, "high": 0.4, "n": 38}
    >>> draw(pandas.DataFrame([row]), "simulated agents").axes[1].get_xticklabels()[0].get_text()
    '4\nn = 38'
    """
    check_columns(table, ["N"])
    names = [series.name for series in (*ACCURACY, *CLASSES)]
    drawn = check_estimates(table)[table["measure"].isin(names) & table["N"].notna()]
    if drawn.empty:
        raise SettingError("table", sorted(set(table["measure"])), "accuracies or endpoint classes")
    check_once(drawn, ["measure"], ["N"])
    figure = new_figure(7.2, 3.7, label)
    left, right = figure.subplots(1, 2)
    _panel(left, drawn, ACCURACY, f"Accuracy, {LEVEL:.0%} intervals")
    _panel(right, drawn, CLASSES, f"Share of trials, {LEVEL:.0%} intervals")
    for axes, letter in ((left, "a"), (right, "b")):
        axes.set_title(letter, loc="left", fontsize=TEXT + 1, fontweight="bold")
    return figure


def _panel(axes: Axes, table: pd.DataFrame, series: Sequence[Series], title: str) -> None:
    sizes = sorted(set(table["N"]))
    table = table[table["measure"].isin([one.name for one in series])]
    present = [one for one in series if one.name in set(table["measure"])]
    for place, one in enumerate(present):
        rows = table[table["measure"] == one.name].sort_values("N")
        shift = DODGE * (place - (len(present) - 1) / 2)
        points(axes, rows["N"] * 2.0**shift, rows, one)
    _size_axis(axes, sizes, table)
    axes.set_ylim(-0.02, 1.02)
    axes.set_ylabel(title, fontsize=TEXT)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    tidy(axes)
    axes.tick_params(axis="x", labelsize=SMALL)
    if present:
        legend(axes, columns=2)


def _size_axis(axes: Axes, sizes: Sequence[int], table: pd.DataFrame) -> None:
    counts = [table.loc[table["N"] == size, "n"] for size in sizes]
    names = [
        f"{size:g}\n{units(n)}" if len(n) else f"{size:g}"
        for size, n in zip(sizes, counts, strict=True)
    ]
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, names)
    axes.set_xticks([], minor=True)
    axes.set_xlim(sizes[0] / 1.4, sizes[-1] * 1.4)
    axes.set_xlabel("Population size N", fontsize=TEXT)
