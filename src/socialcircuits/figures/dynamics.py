"""How the false answer spreads round by round."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from socialcircuits.figures.beside import (
    attackers,
    cast_name,
    in_order,
    legend_of,
    panels,
)
from socialcircuits.figures.proportions import in_turn, note
from socialcircuits.figures.style import (
    TEXT,
    Series,
    check_columns,
    check_once,
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

CURVE = "infection"
PLACE = ("cast", "deceivers")

REACHED = {"half_round": ("half", "v"), "most_round": ("80 %", "D")}
"""Measure -> what part of the final infection is reached, and the mark on the curve."""

TICKS = 8
"""Most ticks of rounds, after that of round 0."""


def draw(curves: pd.DataFrame, reached: pd.DataFrame, label: str) -> Figure:
    """Draw private infection by round, one panel a cast, one curve a number of attackers.

    Bands are the intervals at each round. Large marks stand on a curve at the first round after
    which half and 80 % of its final infection are there; the lines above a panel name these rounds
    and the number of units of evidence.

    Args:
        curves: columns measure, round (0: before the talk), value, low, high and n, and cast and
            deceivers where they were swept; one row of infection for each round and place. Other
            measures are ignored, rounds without a value (n = 0) are left out.
        reached: columns half_round and most_round (rounds; missing where nobody is infected at the
            end), and cast and deceivers where they were swept. A place without a row has no mark;
            it may be empty.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of infection, or two stand at one place.

    Source: believed but not said, Fig. 6 and section 4.6.

    >>> import pandas
    >>> rows = [{"measure": "infection", "round": number, "deceivers": 1, "value": number / 5,
    ...     "low": 0.0, "high": 1.0, "n": 40} for number in (0, 1, 2)]
    >>> marks = pandas.DataFrame([{"deceivers": 1, "half_round": 1, "most_round": 2}])
    >>> draw(pandas.DataFrame(rows), marks, "simulated agents").axes[0].texts[0].get_text()
    '1 attacker: n = 40; rounds: half by 1, 80 % by 2'
    """
    check_columns(curves, ["round"])
    unset = {name: "" for name in PLACE if name not in curves.columns}
    drawn = select(curves.assign(**unset), [CURVE], ["round"], PLACE)
    drawn = drawn.sort_values("round", kind="stable")
    marks = _marks(reached)
    casts, numbers = in_order(drawn["cast"]), in_order(drawn["deceivers"])
    title = f"Private infection, {LEVEL:.0%} intervals"
    names = [cast_name(cast) for cast in casts]
    figure, shown = panels(names, title, label, above=len(numbers))
    for axes, cast in zip(shown, casts, strict=True):
        told = []
        for nth, number in enumerate(numbers):
            rows = drawn[(drawn["cast"] == cast) & (drawn["deceivers"] == number)]
            known = rows[rows["value"].notna()]
            if len(known):
                look = in_turn(nth, attackers(number) or "infection")
                _curve(axes, known, look)
                told.append(_marked(axes, known, marks.get((cast, number), {}), look))
        note(axes, told[::-1])
        _axes(axes, int(drawn["round"].max()))
    legend_of(figure, shown, columns=2)
    return figure


def _curve(axes: Axes, rows: pd.DataFrame, look: Series) -> None:
    axes.plot(
        rows["round"],
        rows["value"],
        color=look.colour,
        linestyle=look.line,
        marker=look.marker,
        markersize=2.5,
        linewidth=1.3,
        label=look.title,
    )
    band = (look.colour, 0.15)
    axes.fill_between(rows["round"], rows["low"], rows["high"], color=band, linewidth=0)


def _marks(reached: pd.DataFrame) -> dict[tuple[object, object], dict[str, float]]:
    """Return the rounds at each place, by measure; those that are missing are left out."""
    if reached.empty:
        return {}
    check_columns(reached, list(REACHED))
    unset = {name: "" for name in PLACE if name not in reached.columns}
    table = reached.assign(what="rounds", **unset)
    check_once(table, ["what"], PLACE)
    return {
        (cast, number): {
            measure: float(when)
            for measure, when in zip(REACHED, rounds, strict=True)
            if when is not None and not isnan(when)
        }
        for cast, number, *rounds in table[[*PLACE, *REACHED]].itertuples(index=False)
    }


def _marked(axes: Axes, rows: pd.DataFrame, marks: dict[str, float], look: Series) -> str:
    """Mark when parts of the final infection are reached, and say it with the number of units."""
    import numpy as np

    said = []
    for measure, when in marks.items():
        part, marker = REACHED[measure]
        height = float(np.interp(when, rows["round"], rows["value"]))
        axes.plot(when, height, **_mark(marker, look.colour), markersize=7.5, zorder=4)
        said.append(f"{part} by {when:g}")
    rounds = [f"rounds: {', '.join(said)}"] if said else []
    return f"{look.title}: " + "; ".join([units(rows["n"]), *rounds])


def _mark(marker: str, colour: str) -> dict[str, Any]:
    return {
        "marker": marker,
        "linestyle": "none",
        "markerfacecolor": "white",
        "markeredgecolor": colour,
        "markeredgewidth": 1.4,
    }


def _axes(axes: Axes, last: int) -> None:
    axes.set_xticks(range(0, last + 1, max(1, -(-last // TICKS))))
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("Round (0: before the talk)", fontsize=TEXT)
    axes.grid(color="0.93", linewidth=0.6)
    tidy(axes)
    for part, marker in REACHED.values():
        title = f"{part} of the final infection is there"
        axes.plot([], [], **_mark(marker, "black"), label=title)
