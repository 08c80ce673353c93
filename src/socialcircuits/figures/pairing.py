"""Whether the gap between saying and holding hangs on when one asks: three pairings."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from socialcircuits.figures.beside import COLUMNS, cast_name, in_order, legend_of, letters, rows_of
from socialcircuits.figures.style import (
    AMBER,
    GREEN,
    GREY,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    intervals,
    name_panel,
    new_figure,
    tidy,
    units,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]


class Line(NamedTuple):
    """One line of the figure: what it shows, and the measure of each way to pair."""

    title: str
    measures: dict[str, str]


WAYS = {
    "turn": Series("turn", "every turn, asked after the round", TRUTH, "o", "none"),
    "first": Series("first", "first speakers, asked before", RIVAL, "s", "none"),
    "last": Series("last", "last speakers, asked after", GREEN, "^", "none", filled=False),
    "strict": Series("strict", "the answer before and after", AMBER, "D", "none", filled=False),
    "switched": Series("switched", "switched in this round", GREY, "v", "none"),
    "settled": Series("settled", "held it before", GREY, "s", "none", filled=False),
}
"""How utterance and private answer are paired, and how that is drawn."""


def _paired(what: str) -> dict[str, str]:
    return {way: f"paired_{way}_{what}" for way in ("turn", "first", "last")}


LINES = (
    Line("holds TRUE:\nrejects the claim", _paired("rejects_true")),
    Line("holds TRUE:\nendorses the claim", _paired("endorses_true")),
    Line(
        "holds FALSE:\nhedges or ignores",
        {**_paired("silent_false"), "strict": "strict_silent_false"},
    ),
    Line(
        "holds FALSE:\nrejects the claim",
        {"switched": "reject_false_switched", "settled": "reject_false_settled"},
    ),
)

APART = 0.19
"""Distance of two points of one line; lines are 1 apart."""


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw what holders of either answer say, under three pairings of utterance and private answer.

    One panel a cast. Each utterance is paired with the private answer after its round; first
    speakers of a round with the one before it; last speakers with the one after it. The strict
    check takes agents that held the planted answer before and after. The last line parts those
    that took the planted answer over in this round from those that held it before. Bars are the
    estimates' intervals; beside each line stands the number of units of evidence.

    Args:
        table: estimates with columns measure, value, low, high and n, and cast where it was swept;
            at most one row of each paired_WAY_WHAT (WAY: turn, first, last; WHAT: rejects_true,
            endorses_true, silent_false), strict_silent_false, reject_false_switched and
            reject_false_settled for each cast. Other measures are ignored; rows without a value
            (n = 0) have no point, and count in n.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of these measures, or a measure has two
            rows of one cast.

    Source: believed but not said, Table 7 and appendix B.

    >>> import pandas
    >>> name = "paired_first_rejects_true"
    >>> row = {"measure": name, "value": 0.6, "low": 0.5, "high": 0.7, "n": 40}
    >>> axes = draw(pandas.DataFrame([row]), "simulated agents").axes[0]
    >>> axes.texts[0].get_text(), axes.containers[0].get_label()
    ('n = 40', 'first speakers, asked before')
    """
    drawn = rows_of(table, [name for line in LINES for name in line.measures.values()], "cast")
    casts = in_order(drawn["cast"])
    columns = min(COLUMNS, len(casts))
    lines = ceil(len(casts) / columns)
    figure = new_figure(2.0 + 2.5 * max(1.6, columns), 0.8 + 3.9 * lines, label)
    grid = figure.subplots(lines, columns, squeeze=False, sharey=True)
    for axes in grid.flat[len(casts) :]:
        axes.set_axis_off()
    for axes, cast, letter in zip(grid.flat, casts, letters(len(casts)), strict=False):
        _panel(axes, drawn[drawn["cast"] == cast])
        if cast != "":
            name_panel(axes, letter, cast_name(cast))
    grid[0, 0].set_yticks(range(len(LINES)), [line.title for line in LINES])
    legend_of(figure, grid.flat, columns=2 if columns == 1 else 3)
    return figure


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    for way, look in WAYS.items():
        places = {line.measures[way]: _place(line, way) for line in LINES if way in line.measures}
        known = rows[rows["measure"].isin(places) & rows["value"].notna()]
        if known.empty:
            continue
        axes.errorbar(
            known["value"],
            known["measure"].map(places),
            xerr=intervals(known),
            label=look.title,
            color=look.colour,
            marker=look.marker,
            linestyle=look.line,
            markersize=4.5,
            markerfacecolor=look.colour if look.filled else "white",
            elinewidth=0.9,
            capsize=1.8,
        )
    for place, line in enumerate(LINES):
        counts = rows.loc[rows["measure"].isin(line.measures.values()), "n"]
        axes.annotate(
            units(counts) if len(counts) else "not run",
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=SMALL - 0.5,
            color=GREY,
        )
        axes.axhline(place + 0.5, color="0.85", linewidth=0.6)
    axes.set(xlim=(-0.02, 1.02), ylim=(len(LINES) - 0.5, -0.5))
    axes.set_xlabel(f"Share, {LEVEL:.0%} intervals", fontsize=TEXT)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    tidy(axes)


def _place(line: Line, way: str) -> float:
    """How far below the top a point stands: its line, and its turn in that line."""
    nth, ways = list(line.measures).index(way), len(line.measures)
    return LINES.index(line) + APART * (nth - (ways - 1) / 2)
