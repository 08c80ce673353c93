"""How far false claims got: what honest agents write in private and say in public."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from socialcircuits.figures.proportions import compositions, over_proportion
from socialcircuits.figures.style import (
    GREEN,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    check_once,
    legend,
    name_panel,
    new_figure,
    points,
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

REFLECTIONS = (
    Series("reflection_credits", "credits a false claim", RIVAL, "s", "-"),
    Series("reflection_doubts", "doubts a deceiver", GREEN, "^", "-.", filled=False),
    Series("reflection_holds_correct", "holds the right answer", TRUTH, "o", "--"),
)
MESSAGES = (
    Series("message_repeats", "repeats a false claim", RIVAL, "s", "-"),
    Series("message_challenges", "challenges a deceiver", GREEN, "^", "-.", filled=False),
)
PANELS = ((REFLECTIONS, "honest reflections"), (MESSAGES, "honest messages"))

MEASURES = [series.name for shown, _ in PANELS for series in shown]

DODGE = 0.06
"""Distance of the series in rounds, so that points of one round can be told apart."""


def draw(table: pd.DataFrame, rounds: pd.DataFrame, label: str) -> Figure:
    r"""Draw the audit of honest reflections and messages over proportion, and by round below.

    Left are private reflections, right public messages. Points at one proportion stand side by
    side, from the smallest group to the largest. Bars are the estimates' intervals; under each
    proportion and round stands the number of units of evidence.

    Args:
        table: estimates with columns measure, N, deceivers (a number, or a share such as ``1/5``),
            value, low, high and n; one row of reflection_credits, reflection_doubts,
            reflection_holds_correct, message_repeats and message_challenges for each composition.
            Other measures are ignored; rows without a value (n = 0) have no point, and count in n.
        rounds: the same measures with the columns measure, round (from 0), value, low, high and n;
            one row a measure and round. No row: nothing is drawn below.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of these measures, or a measure has two
            rows at one composition or round.

    Source: adversarial influence, section 3.4 and Appendix C.

    >>> import pandas
    >>> row = {"measure": "message_repeats", "value": 0.4, "low": 0.3, "high": 0.5, "n": 31}
    >>> table = pandas.DataFrame([{**row, "N": 10, "deceivers": "1/5"}])
    >>> rounds = pandas.DataFrame([{**row, "round": number} for number in (1, 2)])
    >>> [text.get_text() for text in draw(table, rounds, "simulated").axes[3].get_xticklabels()]
    ['1\nn = 31', '2\nn = 31']
    """
    drawn = compositions(table, MEASURES)
    check_once(drawn, ["measure"], ["N", "proportion"])
    later = None if rounds.empty else select(rounds, MEASURES, ["round"]).sort_values("round")
    lines = 1 if later is None else 2
    figure = new_figure(7.6, 0.8 + 3.0 * lines, label)
    grid = figure.subplots(lines, len(PANELS), squeeze=False, sharey=True)
    for axes, (shown, title), letter in zip(grid[0], PANELS, "ab", strict=True):
        rows = drawn[drawn["measure"].isin([one.name for one in shown])]
        parts = {one._replace(line="none"): rows[rows["measure"] == one.name] for one in shown}
        over_proportion(axes, rows, parts)
        name_panel(axes, letter, title, legend_lines=2)
        if len(rows):
            legend(axes, columns=2)
    if later is not None:
        for axes, (shown, title), letter in zip(grid[1], PANELS, "cd", strict=True):
            _over_rounds(axes, later, shown)
            name_panel(axes, letter, f"{title}, by round")
    for axes in grid[:, 0]:
        axes.set_ylim(-0.02, 1.02)
        axes.set_ylabel(f"Share, {LEVEL:.0%} intervals", fontsize=TEXT)
    return figure


def _over_rounds(axes: Axes, table: pd.DataFrame, shown: Sequence[Series]) -> None:
    rows = table[table["measure"].isin([one.name for one in shown])]
    for nth, one in enumerate(shown):
        part = rows[rows["measure"] == one.name]
        points(axes, part["round"] + DODGE * (nth - (len(shown) - 1) / 2), part, one)
    counts = rows.groupby("round")["n"].agg(units)
    axes.set_xticks(list(counts.index), [f"{number:g}\n{n}" for number, n in counts.items()])
    axes.set_xlabel("Round", fontsize=TEXT)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    tidy(axes)
    axes.tick_params(axis="x", labelsize=SMALL)
