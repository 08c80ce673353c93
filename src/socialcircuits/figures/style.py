"""What all figures share: colours, the label of the agents, checks of the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin, sqrt
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from socialcircuits.errors import SettingError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import LineStyleType

TRUTH = "#0072B2"
RIVAL = "#D55E00"
GREEN = "#009E73"
AMBER = "#B37A00"
GREY = "#6E6E6E"

ESTIMATE = ("measure", "value", "low", "high", "n")
"""Columns of a table of estimates beside those of the condition."""

NOT_CONDITION = frozenset({*ESTIMATE, "levels", "method"})

SMALL = 7.0
TEXT = 8.5

LETTERS = 17
"""Letters of the label to an inch, at which it is broken into lines."""

MOST_AGENTS = 32
"""Most agents that have a row each; with more the rows cannot be read."""

GOLDEN = (sqrt(5) - 1) / 2
GOLDEN_ANGLE = pi * (3 - sqrt(5))
SPREAD = 0.016
"""Distance of dots at one place, as a part of the width of the picture."""


class Series(NamedTuple):
    """How a series is drawn, so that it can be told apart without colour.

    Args:
        name: the measure, or the kind of answer.
        title: its name in the legend.
        colour: as #RRGGBB.
        marker: matplotlib's code.
        line: matplotlib's code or a pattern of dashes.
        filled: whether markers are filled or hollow.
    """

    name: str
    title: str
    colour: str
    marker: str
    line: LineStyleType
    filled: bool = True


class Part(NamedTuple):
    """How a part of a stacked bar is drawn, so that it can be told apart without colour.

    Args:
        name: the measure.
        title: its name in the legend.
        colour: as #RRGGBB; it is drawn pale, so that black text and marks stand out.
        hatch: matplotlib's code.
    """

    name: str
    title: str
    colour: str
    hatch: str

    @property
    def look(self) -> dict[str, Any]:
        """Arguments of the patches of matplotlib."""
        return {
            "facecolor": (self.colour, 0.45),
            "edgecolor": GREY,
            "hatch": self.hatch,
            "hatchcolor": (self.colour, 0.6),
        }


def new_figure(width: float, height: float, label: str) -> Figure:
    """Return an empty figure of a size in inches that says which agents it shows.

    Args:
        width: in inches.
        height: in inches.
        label: what kind of agents was run, in a small line at the foot.

    Raises:
        SettingError: the label is empty; a figure must say what it shows.

    >>> new_figure(4, 3, "simulated agents").get_supxlabel()
    'simulated agents'
    """
    from matplotlib.figure import Figure

    if not label.strip():
        raise SettingError("label", label, "a line that says which agents were run")
    figure = Figure(figsize=(width, height), layout="constrained")
    lines = fill(label, int(width * LETTERS))
    figure.supxlabel(lines, x=0.01, ha="left", fontsize=SMALL, color=GREY)
    return figure


def check_columns(table: pd.DataFrame, columns: Sequence[str]) -> None:
    """Check that a table has rows and the columns a figure needs.

    Raises:
        SettingError: a column is missing or the table is empty.
    """
    missing = [column for column in columns if column not in table.columns]
    if missing:
        names = [str(column) for column in table.columns]
        raise SettingError(
            "table", names, f"columns {', '.join(columns)} (missing: {', '.join(missing)})"
        )
    if table.empty:
        raise SettingError("table", "no row", "at least one row")


def check_estimates(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of estimates with its numbers as floats, NaN where there is no value.

    Raises:
        SettingError: a column is missing or the table is empty.
    """
    check_columns(table, ESTIMATE)
    return table.astype({"value": float, "low": float, "high": float})


def select(
    table: pd.DataFrame, measures: Sequence[str], axes: Sequence[str], words: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the estimates that a figure draws: one row a measure and place.

    Args:
        table: estimates; rows of other measures are left out.
        measures: the measures that are drawn.
        axes: columns of numbers; rows where one holds no number (empty, ``off``) are left out.
        words: other columns that tell places apart.

    Raises:
        SettingError: a column is missing, no row is left, or a measure has two rows at one place.

    >>> import pandas
    >>> row = {"measure": "uplift", "N": "4", "value": 0.2, "low": 0.1, "high": 0.3, "n": 9}
    >>> rows = [row, {**row, "N": ""}, {**row, "measure": "invalid_share"}]
    >>> select(pandas.DataFrame(rows), ["uplift"], ["N"])["N"].tolist()
    [4.0]
    """
    import pandas as pd

    check_columns(table, [*axes, *words])
    drawn = check_estimates(table)
    drawn = drawn[drawn["measure"].isin(measures)]
    numbers = {axis: pd.to_numeric(drawn[axis], errors="coerce").astype(float) for axis in axes}
    drawn = drawn.assign(**numbers).dropna(subset=list(axes))
    if drawn.empty:
        given = sorted(set(table["measure"]))
        at = f" at numbers of {', '.join(axes)}" if axes else ""
        raise SettingError("table", given, f"rows of {', '.join(measures)}{at}")
    check_once(drawn, ["measure"], [*axes, *words])
    return drawn


def check_agents(agents: Iterable[int]) -> list[int]:
    """Return the agents of a figure in order, each once.

    Raises:
        SettingError: there are more than 32; the rows could not be read.

    >>> check_agents([3, 1, 3])
    [1, 3]
    """
    rows = sorted({int(agent) for agent in agents})
    if len(rows) > MOST_AGENTS:
        raise SettingError("agents", len(rows), f"at most {MOST_AGENTS}, a row or column each")
    return rows


def round_names(rounds: Sequence[int]) -> list[str]:
    """Name the readouts of a trial, from before the first round to the last one.

    >>> round_names([0, 1, 2, 3])
    ['init', 'R1', 'R2', 'final']
    """
    names = ["init" if number == 0 else f"R{number}" for number in rounds]
    return [*names[:-1], "final"] if len(names) > 1 else names


def check_once(table: pd.DataFrame, what: Sequence[str], places: Sequence[str]) -> None:
    """Check that nothing is given twice at one place of a figure.

    Args:
        table: what is drawn.
        what: columns that say what a row shows.
        places: columns that say where.

    Raises:
        SettingError: two rows agree in all these columns.
    """
    twice = table[table.duplicated([*what, *places])]
    if not twice.empty:
        first = twice.iloc[0]
        where = ", ".join(f"{place} = {plain(first[place])}" for place in places)
        given = f"two rows of {' '.join(str(first[part]) for part in what)} at {where}"
        expected = f"one row for each {', '.join([*what, *places])}; choose one condition"
        raise SettingError("table", given, expected)


def plain(value: object) -> str:
    """Write a setting, whole numbers without a point.

    >>> plain(4.0), plain(0.25), plain("7A 1B")
    ('4', '0.25', '7A 1B')
    """
    return f"{value:g}" if isinstance(value, float) else str(value)


def points(axes: Axes, places: pd.Series[float], rows: pd.DataFrame, series: Series) -> None:
    """Draw estimates as points with their intervals; rows without a value have none.

    Args:
        axes: where.
        places: x of each row.
        rows: estimates with float columns value, low and high, in the order of the line.
        series: how they are drawn.
    """
    known = rows["value"].notna()
    axes.errorbar(
        places[known],
        rows.loc[known, "value"],
        yerr=intervals(rows[known]),
        label=series.title,
        color=series.colour,
        marker=series.marker,
        linestyle=series.line,
        markersize=4.5,
        markerfacecolor=series.colour if series.filled else "white",
        linewidth=1.3,
        elinewidth=0.8,
        capsize=1.8,
    )


def name_panel(axes: Axes, letter: str, title: str, legend_lines: int = 0) -> None:
    """Write a panel's letter and title over its left corner, above the lines of its legend. An
    only panel has the empty letter."""
    above = 6.0 + 13.0 * legend_lines
    axes.set_title(letter, loc="left", fontsize=TEXT + 1, fontweight="bold", pad=above)
    axes.annotate(
        title,
        (0, 1),
        xycoords="axes fraction",
        xytext=(14 if letter else 0, above),
        textcoords="offset points",
        va="baseline",
        fontsize=TEXT,
    )


def dodge(sizes: pd.Series[Any], width: float) -> pd.Series[float]:
    """Return places on a logarithmic axis (base 2), those of one size spread around it.

    Args:
        sizes: the size of each dot.
        width: of the spread, as a part of the distance from one size to its double.

    >>> import pandas
    >>> [round(place, 3) for place in dodge(pandas.Series([4, 4, 8]), 0.36)]
    [3.531, 4.12, 7.062]
    """
    nth = sizes.groupby(sizes).cumcount()
    return sizes * 2.0 ** (width * ((nth * GOLDEN) % 1 - 0.5))


def spread(dots: pd.DataFrame, width: int, height: int) -> list[tuple[float, float]]:
    """Place dots in the pixels of a picture, those at one place on a spiral around it.

    Args:
        dots: columns x and y as parts of the width and of the height, 0 to 1 from the top left.
        width: of the picture, in pixels.
        height: of the picture, in pixels.

    Returns:
        Each dot's x and y in pixels, in the order of the rows.

    >>> import pandas
    >>> from math import hypot
    >>> places = spread(pandas.DataFrame({"x": [0.5, 0.5], "y": [0.5, 0.5]}), 100, 80)
    >>> places[0], round(hypot(places[1][0] - 50, places[1][1] - 40), 3)
    ((50.0, 40.0), 1.6)
    """
    seen: dict[tuple[float, float], int] = {}
    places = []
    for x, y in zip(dots["x"], dots["y"], strict=True):
        nth = seen[x, y] = seen.get((x, y), -1) + 1
        step, angle = SPREAD * width * sqrt(nth), nth * GOLDEN_ANGLE
        places.append((x * width + step * cos(angle), y * height + step * sin(angle)))
    return places


def tidy(axes: Axes) -> None:
    """Take off what carries no data."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=TEXT)
    axes.set_axisbelow(True)


def legend(axes: Axes, columns: int) -> None:
    """Put the legend above the axes, where it hides nothing."""
    axes.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=columns,
        frameon=False,
        fontsize=SMALL,
        handlelength=3.2,
    )


def intervals(table: pd.DataFrame) -> Any:
    """Return the lengths of intervals below and above their values, shape (2, rows)."""
    return [table["value"] - table["low"], table["high"] - table["value"]]


def units(counts: pd.Series[int]) -> str:
    """Say how many units of evidence estimates rest on.

    >>> import pandas
    >>> units(pandas.Series([38, 40, 40]))
    'n = 38-40'
    """
    smallest, largest = int(counts.min()), int(counts.max())
    return f"n = {smallest}" if smallest == largest else f"n = {smallest}-{largest}"
