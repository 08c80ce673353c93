"""Right, compatible, incompatible and invalid answers of agents that were alone."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Literal

from socialcircuits.errors import SettingError
from socialcircuits.figures.style import (
    GREEN,
    GREY,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Part,
    intervals,
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

PARTS = (
    Part("initial_accuracy", "right", TRUTH, ""),
    Part("compatible_errors", "wrong, fits the crop", GREEN, "///"),
    Part("incompatible_errors", "wrong, does not fit", RIVAL, "..."),
    Part("invalid", "invalid", "#FFFFFF", ""),
)

WIDE = 0.13
"""Least share that is written in its part."""

HEIGHT = 0.5
"""Of a bar, of the 1 that a cast takes."""

LINES = (-HEIGHT / 2 - 0.1, HEIGHT / 2 + 0.1, -HEIGHT / 2 - 0.25)
"""Where shares are written that have no room in their part, from the middle of the bar down."""

ROUNDING = 1e-9


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw for each cast one bar of its right, compatible, incompatible and invalid answers.

    In each part, or beside it where it is too narrow, stand its share and its interval; the
    interval of the right answers is drawn too. Invalid answers are what the other three leave, and
    are given without an interval. A cast that lacks a value has no bar.

    Args:
        table: estimates with columns measure, cast, value, low, high and n; one row of
            initial_accuracy, compatible_errors and incompatible_errors for each cast. Other
            measures are ignored.
        label: what kind of agents was run.

    Raises:
        SettingError: a column or one of the three measures is missing, a measure has two rows of
            one cast, or its shares add up to more than 1.

    Source: Flag Game, Fig. 4b.

    >>> import pandas
    >>> shares = {"initial_accuracy": 0.4, "compatible_errors": 0.5, "incompatible_errors": 0.1}
    >>> rows = [{"measure": name, "cast": "A", "value": share, "low": share, "high": share, "n": 9}
    ...     for name, share in shares.items()]
    >>> axes = draw(pandas.DataFrame(rows), "simulated agents").axes[0]
    >>> [f"{bar.get_width():.1f}" for bar in axes.patches]
    ['0.4', '0.5', '0.1', '0.0']
    """
    measures = [part.name for part in PARTS[:-1]]
    drawn = select(table, measures, [], ["cast"])
    casts = list(dict.fromkeys(drawn["cast"]))
    figure = new_figure(6.6, 1.4 + 0.78 * len(casts), label)
    axes = figure.subplots()
    for place, cast in enumerate(casts):
        rows = drawn[drawn["cast"] == cast].set_index("measure")
        missing = [name for name in measures if name not in rows.index]
        if missing:
            raise SettingError("table", f"cast {cast} without {', '.join(missing)}", "all three")
        _bar(axes, rows.loc[measures], place, cast)
    _cast_axis(axes, casts)
    return figure


def _bar(axes: Axes, rows: pd.DataFrame, place: int, cast: str) -> None:
    rest = 1 - float(rows["value"].sum(skipna=False))
    invalid = "" if isnan(rest) else f"\ninvalid {max(0.0, rest):.2f}"
    axes.annotate(
        units(rows["n"]) + invalid,
        (1.0, place),
        xycoords=("axes fraction", "data"),
        xytext=(4, 0),
        textcoords="offset points",
        va="center",
        fontsize=SMALL,
        color=GREY,
    )
    if isnan(rest):
        return
    if rest < -ROUNDING:
        raise SettingError("table", f"shares of {1 - rest:g} in all of cast {cast}", "at most 1")
    ends = [0.0, *rows["value"].cumsum(), 1.0]
    for part, left, right in zip(PARTS, ends, ends[1:], strict=False):
        axes.barh(
            place,
            max(0.0, right - left),
            left=left,
            height=HEIGHT,
            linewidth=0.8,
            **part.look,
        )
    _numbers(axes, rows, place)
    first = rows.iloc[[0]]
    axes.errorbar(
        first["value"],
        [place + HEIGHT / 3],
        xerr=intervals(first),
        color="black",
        marker="o",
        markersize=3.0,
        elinewidth=1.0,
        capsize=2.0,
    )


def _numbers(axes: Axes, rows: pd.DataFrame, place: int) -> None:
    """Write the shares and their intervals: in the bar, or above and below it where there is no
    room in their part."""
    left, free = 0.0, list(LINES)
    shares = rows[["value", "low", "high"]].itertuples(index=False)
    for part, (value, low, high) in zip(PARTS, shares, strict=False):
        middle, inside = left + value / 2, value >= WIDE
        between = "\n" if inside else " "
        axes.text(
            middle,
            place if inside else place + free.pop(0),
            f"{value:.2f}{between}({low:.2f} to {high:.2f})",
            ha="center" if inside else _side(middle),
            va="center",
            fontsize=SMALL,
            color="black" if inside else part.colour,
            bbox={"facecolor": ("white", 0.75), "linewidth": 0, "pad": 1.0} if inside else None,
        )
        left += value


def _side(middle: float) -> Literal["left", "center", "right"]:
    """Which side of a text stands at a share, so that it stays over the bar."""
    return "left" if middle < 0.2 else "right" if middle > 0.8 else "center"


def _cast_axis(axes: Axes, casts: list[str]) -> None:
    from matplotlib.patches import Patch

    axes.set_yticks(range(len(casts)), casts)
    axes.set(xlim=(0, 1.003), ylim=(len(casts) - 0.4, -0.6))
    axes.set_ylabel("Cast", fontsize=TEXT)
    axes.set_xlabel(f"Share of answers, {LEVEL:.0%} intervals", fontsize=TEXT)
    tidy(axes)
    axes.legend(
        handles=[Patch(label=part.title, **part.look) for part in PARTS],
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=4,
        frameon=False,
        fontsize=SMALL,
    )
