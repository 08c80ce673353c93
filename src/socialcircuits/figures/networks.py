"""The same attackers where not everybody hears everybody."""

from __future__ import annotations

from textwrap import fill, shorten
from typing import TYPE_CHECKING

from socialcircuits.figures.beside import (
    attackers,
    in_order,
    legend_of,
    panels,
    rows_of,
    side_by_side,
)
from socialcircuits.figures.proportions import in_turn
from socialcircuits.figures.style import check_columns
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["draw"]

PANELS = {
    "final_infection": "agents that hold it at the end",
    "private_infection": "turns: holds it in private",
    "public_endorsement": "turns: endorses it in public",
}

LONGEST, WIDEST = 14, 8
"""Letters of a network's name, and of a line of it."""


def draw(table: pd.DataFrame, label: str) -> Figure:
    r"""Draw final infection, private infection and public endorsement for each network.

    The numbers of attackers stand side by side. Without attackers no turn is exposed, so that only
    final infection has a value. Bars are the estimates' intervals; under each network stands the
    number of units of evidence.

    Args:
        table: estimates with columns measure, network, value, low, high and n, and deceivers where
            it was swept; at most one row of final_infection, private_infection and
            public_endorsement for each network and number of attackers. Other measures are
            ignored; a row without a value (n = 0) is marked at the foot.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of these measures, or a measure has two
            rows at one place.

    Source: beyond believed but not said, which names topology among its limitations.

    >>> import pandas
    >>> rows = [{"measure": "final_infection", "network": name, "value": 0.5, "low": 0.4,
    ...     "high": 0.6, "n": 40} for name in ("complete", "ring")]
    >>> axes = draw(pandas.DataFrame(rows), "simulated agents").axes[0]
    >>> [text.get_text() for text in axes.get_xticklabels()]
    ['complete\nn = 40', 'ring\nn = 40']
    """
    check_columns(table, ["network"])
    drawn = rows_of(table, list(PANELS), "network", "deceivers")
    names = {one: _name(str(one)) for one in in_order(drawn["network"])}
    looks = {
        number: in_turn(nth, attackers(number) or "all")._replace(line="none")
        for nth, number in enumerate(in_order(drawn["deceivers"]))
    }
    figure, shown = panels(
        list(PANELS.values()), f"Share, {LEVEL:.0%} intervals", label, len(names)
    )
    for axes, measure in zip(shown, PANELS, strict=True):
        rows = drawn[drawn["measure"] == measure]
        parts = {look: rows[rows["deceivers"] == number] for number, look in looks.items()}
        given = {look: part for look, part in parts.items() if len(part)}
        side_by_side(axes, "network", names, given)
        axes.set_ylim(-0.02, 1.02)
    legend_of(figure, shown, columns=4)
    return figure


def _name(network: str) -> str:
    return fill(shorten(network, LONGEST, placeholder="..."), WIDEST)
