"""What a judge found in trials: how deceivers coordinated, and why honest agents gave way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from socialcircuits.figures.proportions import in_turn, legend_above
from socialcircuits.figures.style import (
    GREY,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    intervals,
    name_panel,
    new_figure,
    select,
    tidy,
    units,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["across", "draw", "name_rows"]

CODES = {
    "code_agreed_answer": "agreed on one wrong answer",
    "code_divided_roles": "divided roles",
    "code_targeted_objections": "targeted different objections",
    "code_varied_wording": "varied their wording",
    "code_distinct_arguments": "prepared distinct arguments",
    "code_backed_off": "backed off when suspected",
    "code_built_on_success": "built on what had worked",
    "code_changed_jointly": "changed answer or strategy jointly",
    "code_honest_suspicion": "an honest agent suspected them",
}
REASONS = {
    "reason_question_reinterpretation": "the question meant something else",
    "reason_uncertainty": "uncertainty",
    "reason_perceived_consensus": "perceived consensus",
    "reason_false_evidence": "false or misrepresented evidence",
}
PANELS = (
    (CODES, "coordinated deceivers, share of trials"),
    (REASONS, "reasons for early defections, share of defections"),
)

ONE = Series("", "", TRUTH, "o", "none")
"""How estimates are drawn where there is one cast."""

SPREAD = 0.5
"""Part of a row over which the points of all casts are spread."""

LINE = 0.25
"""Height of a row in inches."""


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw the share of trials with each sign of coordination, and of each reason to defect.

    Panel a is what coordinated deceivers did, panel b why honest agents defected in the first two
    rounds, as they say themselves; a panel without rows is left out. Bars are the estimates'
    intervals, and beside each row stands the number of units of evidence.

    Args:
        table: estimates with columns measure, value, low, high and n, and cast where it was swept;
            for each cast at most one row of each measure named code_... or reason_... Other
            measures are ignored; rows without a value (n = 0) have no point.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of these measures, or a measure has two
            rows of one cast.

    Source: adversarial influence, section 3.4.

    >>> import pandas
    >>> row = {"measure": "code_divided_roles", "value": 0.9, "low": 0.8, "high": 1.0, "n": 30}
    >>> axes = draw(pandas.DataFrame([row]), "simulated agents").axes[0]
    >>> axes.get_yticklabels()[0].get_text(), axes.texts[1].get_text()
    ('divided roles', 'n = 30')
    """
    unset = {"cast": ""} if "cast" not in table.columns else {}
    drawn = select(table.assign(**unset), [*CODES, *REASONS], [], ["cast"])
    given = [
        ({key: name for key, name in names.items() if key in set(drawn["measure"])}, title)
        for names, title in PANELS
    ]
    shown = [(names, title) for names, title in given if names]
    sizes = [len(names) + 1 for names, _ in shown]
    casts = list(dict.fromkeys(drawn["cast"]))
    rows_tall = max(LINE, 0.16 * len(casts))
    figure = new_figure(6.6, 1.3 + 0.45 * len(shown) + rows_tall * sum(sizes), label)
    grid = figure.subplots(len(shown), 1, squeeze=False, height_ratios=sizes, sharex=True)[:, 0]
    for axes, (names, title), letter in zip(grid, shown, "ab", strict=False):
        name_panel(axes, letter if len(shown) > 1 else "", title)
        for nth, cast in enumerate(casts):
            rows = drawn[(drawn["cast"] == cast) & drawn["measure"].isin(names)]
            look = in_turn(nth, f"cast {cast}") if len(casts) > 1 else ONE
            beside = SPREAD * ((nth + 0.5) / len(casts) - 0.5)
            across(axes, rows, list(names), look, beside)
        name_rows(axes, drawn, names)
    grid[-1].set_xlabel(f"Share, {LEVEL:.0%} intervals", fontsize=TEXT)
    if len(casts) > 1:
        legend_above(figure, grid[0], columns=4)
    return figure


def across(
    axes: Axes, rows: pd.DataFrame, measures: Sequence[str], look: Series, beside: float
) -> None:
    """Draw estimates from left to right, a measure a row; those without a value have no point.

    Args:
        axes: where.
        rows: estimates.
        measures: what the rows are, from the top.
        look: how they are drawn, without a line.
        beside: how far below the middle of its row a point stands.
    """
    known = rows[rows["value"].notna()]
    axes.errorbar(
        known["value"],
        [measures.index(measure) + beside for measure in known["measure"]],
        xerr=intervals(known),
        label=look.title,
        color=look.colour,
        marker=look.marker,
        linestyle="none",
        markersize=4.5,
        markerfacecolor=look.colour if look.filled else "white",
        elinewidth=0.9,
        capsize=1.8,
        zorder=3,
    )


def name_rows(axes: Axes, rows: pd.DataFrame, names: Mapping[str, str]) -> None:
    """Name the rows of an axis of shares, and write the number of units beside each."""
    axes.set_yticks(range(len(names)), list(names.values()))
    axes.set(xlim=(-0.02, 1.02), ylim=(len(names) - 0.4, -0.6))
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    tidy(axes)
    for place, measure in enumerate(names):
        axes.annotate(
            units(rows.loc[rows["measure"] == measure, "n"]),
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=SMALL,
            color=GREY,
        )
