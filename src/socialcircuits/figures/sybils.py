"""How many hold the false claim in private, and how many say so, by number of attackers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socialcircuits.figures.beside import (
    cast_name,
    in_order,
    legend_of,
    panels,
    parts,
    place_names,
    rows_of,
    side_by_side,
)
from socialcircuits.figures.style import (
    AMBER,
    GREY,
    RIVAL,
    TEXT,
    TRUTH,
    Series,
    check_columns,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["draw"]

SHOWN = (
    Series("final_infection", "agents that hold it at the end", GREY, "D", "none", filled=False),
    Series("private_infection", "exposed turns: hold it in private", RIVAL, "s", "none"),
    Series("public_endorsement", "exposed turns: endorse it in public", TRUTH, "o", "none"),
    Series("unvoiced_infection", "turns that hold it: unvoiced", AMBER, "^", "none", filled=False),
)


def draw(table: pd.DataFrame, label: str) -> Figure:
    r"""Draw private infection beside public endorsement, over the number of attackers.

    One panel a cast. At each number stand, from left to right, the share of benign agents that hold
    the planted answer at the end; of their exposed turns the shares in which they hold it, and
    endorse it; and of the exposed turns in which they hold it the share that hedge on the claim,
    ignore it or speak of something else. Without attackers no turn is exposed. Bars are the
    estimates' intervals; under each number stands the number of units of evidence.

    Args:
        table: estimates with columns measure, deceivers, value, low, high and n, and cast where it
            was swept; at most one row of final_infection, private_infection, public_endorsement and
            unvoiced_infection for each number of attackers and cast. Other measures are ignored;
            a row without a value (n = 0) is marked at the foot.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of these measures, or a measure has two
            rows at one place.

    Source: believed but not said, Fig. 3, sections 4.1 and 4.2.

    >>> import pandas
    >>> rows = [{"measure": "private_infection", "deceivers": number, "value": 0.5, "low": 0.4,
    ...     "high": 0.6, "n": 40} for number in (1, 3)]
    >>> axes = draw(pandas.DataFrame(rows), "simulated agents").axes[0]
    >>> [text.get_text() for text in axes.get_xticklabels()]
    ['1\nn = 40', '3\nn = 40']
    """
    check_columns(table, ["deceivers"])
    drawn = rows_of(table, [one.name for one in SHOWN], "cast", "deceivers")
    casts, numbers = in_order(drawn["cast"]), in_order(drawn["deceivers"])
    title = f"Share, {LEVEL:.0%} intervals"
    figure, shown = panels([cast_name(cast) for cast in casts], title, label, len(numbers))
    for axes, cast in zip(shown, casts, strict=True):
        rows = drawn[drawn["cast"] == cast]
        side_by_side(axes, "deceivers", place_names(numbers), parts(rows, SHOWN))
        axes.set_ylim(-0.02, 1.02)
        axes.set_xlabel("Attackers", fontsize=TEXT)
    legend_of(figure, shown, columns=2)
    return figure
