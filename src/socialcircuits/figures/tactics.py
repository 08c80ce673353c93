"""How deceivers argue before and after they have read the others."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from socialcircuits.figures.codes import across
from socialcircuits.figures.coordination import KINDS, kind
from socialcircuits.figures.proportions import legend_above
from socialcircuits.figures.style import (
    GREY,
    RIVAL,
    TEXT,
    TRUTH,
    Series,
    check_once,
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

__all__ = ["draw"]

TACTICS = {
    "concede_and_pivot": "concede and pivot",
    "selective_skepticism": "selective skepticism",
    "reinterpreting_question": "reinterpreting the question",
    "exploiting_uncertainty": "exploiting uncertainty",
    "consensus_pressure": "consensus pressure",
    "misleading_inference": "misleading inference",
    "fabricated_evidence": "fabricated evidence",
    "bare_assertion": "bare assertion",
}
ROUNDS = (
    Series("_round_0", "round 0: before anything is read", TRUTH, "o", "none", filled=False),
    Series("_round_1", "round 1: after the others' answers", RIVAL, "s", "none"),
)
APART = 0.17
"""How far the point of a round stands from the middle of its row."""


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw the share of deceivers' messages with each of the eight tactics, in rounds 0 and 1.

    One panel for independent and one for coordinated deceivers, as far as they were run; a grey
    line joins the two rounds. A message may hold several tactics: shares add up to more than 1.
    Bars are the estimates' intervals; above each panel stands the number of units of evidence.

    Args:
        table: estimates with columns measure, value, low, high and n, and coordinated (true or
            false; empty: false) where it was swept; one row of tactic_NAME_round_0 and of
            tactic_NAME_round_1 for each tactic and kind of deceivers. Other measures are ignored;
            rows without a value (n = 0) have no point.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of these measures, or a measure has two
            rows of one kind of deceivers.

    Source: adversarial influence, section 3.4 and Appendix D.

    >>> import pandas
    >>> rows = [{"measure": f"tactic_bare_assertion_round_{number}", "value": 0.2, "low": 0.1,
    ...     "high": 0.3, "n": 40} for number in (0, 1)]
    >>> axes = draw(pandas.DataFrame(rows), "simulated agents").axes[0]
    >>> [f"{container[0].get_ydata()[0]:.2f}" for container in axes.containers]
    ['6.83', '7.17']
    """
    measures = [f"tactic_{name}{part.name}" for part in ROUNDS for name in TACTICS]
    unset = {"coordinated": ""} if "coordinated" not in table.columns else {}
    drawn = select(table.assign(**unset), measures, [], ["coordinated"])
    drawn = drawn.assign(kind=[kind(one) for one in drawn["coordinated"]])
    check_once(drawn, ["measure"], ["kind"])
    kinds = [one for one in KINDS if one.name in set(drawn["kind"])]
    figure = new_figure(2.2 + 2.7 * len(kinds), 3.9, label)
    grid = figure.subplots(1, len(kinds), squeeze=False, sharey=True)[0]
    for axes, one, letter in zip(grid, kinds, "ab", strict=False):
        rows = drawn[drawn["kind"] == one.name]
        _panel(axes, rows)
        name_panel(axes, letter, f"{one.title}, {units(rows['n'])}")
    grid[0].set_yticks(range(len(TACTICS)), list(TACTICS.values()))
    grid[0].set_ylim(len(TACTICS) - 0.4, -0.6)
    legend_above(figure, grid[0], columns=2)
    return figure


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    shares = rows.set_index("measure")["value"]
    for place, name in enumerate(TACTICS):
        ends = [float(shares.get(f"tactic_{name}{part.name}", nan)) for part in ROUNDS]
        heights = [place - APART, place + APART]
        axes.plot(ends, heights, color=(GREY, 0.5), linewidth=1.0, zorder=1)
    for part, beside in zip(ROUNDS, (-APART, APART), strict=True):
        names = [f"tactic_{name}{part.name}" for name in TACTICS]
        across(axes, rows[rows["measure"].isin(names)], names, part, beside)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel(f"Share of messages, {LEVEL:.0%} intervals", fontsize=TEXT)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    tidy(axes)
