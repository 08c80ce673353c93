"""Whether the false answer is the agent's own: private probes asked again in other words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socialcircuits.figures.beside import (
    legend_of,
    panels,
    parts,
    place_names,
    rows_of,
    side_by_side,
)
from socialcircuits.figures.style import GREEN, GREY, RIVAL, Series
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["draw"]

USUAL = "asked as always"
OWN = "asked for its own view"
ANONYMOUS = "own messages unsigned"

RETAINED = (
    Series("reask_own_retained", OWN, RIVAL, "s", "none"),
    Series("reask_anonymous_retained", ANONYMOUS, GREEN, "^", "none", filled=False),
)
FINAL = (
    Series("final_infection", USUAL, GREY, "D", "none", filled=False),
    Series("final_infection_own", OWN, RIVAL, "s", "none"),
    Series("final_infection_anonymous", ANONYMOUS, GREEN, "^", "none", filled=False),
)
PANELS = {"false answers kept when asked again": RETAINED, "false answers at the end": FINAL}


def draw(table: pd.DataFrame, label: str) -> Figure:
    r"""Draw the false answers that remain when agents are asked again, and infection at the end.

    Left the share of FALSE answers that are FALSE again, asked for the agent's own view and with
    its own messages unsigned in its history. Right final infection by the usual probe and by
    either wording. Bars are the estimates' intervals; under each cast stands the number of units
    of evidence.

    Args:
        table: estimates with columns measure, value, low, high and n, and cast where it was swept;
            at most one row of reask_own_retained, reask_anonymous_retained, final_infection,
            final_infection_own and final_infection_anonymous for each cast. Other measures are
            ignored; a row without a value (n = 0) is marked at the foot.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of these measures, or a measure has two
            rows of one cast.

    Source: believed but not said, Table 5 and section 4.3.

    >>> import pandas
    >>> row = {"measure": "reask_own_retained", "value": 0.8, "low": 0.7, "high": 0.9, "n": 38}
    >>> axes = draw(pandas.DataFrame([{**row, "cast": "A"}]), "simulated agents").axes[0]
    >>> axes.get_xticklabels()[0].get_text()
    'A\nn = 38'
    """
    every = (*RETAINED, *FINAL)
    drawn = rows_of(table, [one.name for one in every], "cast")
    names = place_names(drawn["cast"])
    figure, shown = panels(list(PANELS), f"Share, {LEVEL:.0%} intervals", label, len(names))
    for axes, looks in zip(shown, PANELS.values(), strict=True):
        side_by_side(axes, "cast", names, parts(drawn, looks))
        axes.set_ylim(-0.02, 1.02)
    legend_of(figure, shown[::-1], columns=3)
    return figure
