"""What figures of the chatroom have in common: panels, and series side by side at named places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil
from textwrap import fill
from typing import TYPE_CHECKING

from socialcircuits.figures.proportions import LETTERS
from socialcircuits.figures.style import (
    GREY,
    SMALL,
    TEXT,
    Series,
    name_panel,
    new_figure,
    plain,
    points,
    select,
    tidy,
    units,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 3
"""Panels in a row."""

WIDTH = 0.6
"""Widest spread of the points at one place; places are 1 apart."""

STEP = 0.17
"""Distance of two points at one place."""

WIDE, TALL = 2.65, 3.3
"""Least width of a panel, and its height, in inches."""

ROOM = 0.72
"""Width of a place in inches, for its name."""

LETTERS_A_LINE = 11
"""Longest line of the name of a place."""


def rows_of(table: pd.DataFrame, measures: Sequence[str], *settings: str) -> pd.DataFrame:
    """Return the estimates that a figure draws; settings that were not swept are empty.

    Args:
        table: estimates with columns measure, value, low, high and n, and where they were swept
            `settings`.
        measures: the measures that are drawn.
        settings: columns that tell rows apart.

    Raises:
        SettingError: a column is missing, no row is left, or a measure has two rows at one place.

    >>> import pandas
    >>> row = {"measure": "final_infection", "value": 0.4, "low": 0.3, "high": 0.5, "n": 40}
    >>> rows_of(pandas.DataFrame([row]), ["final_infection"], "cast")["cast"].tolist()
    ['']
    """
    unset = {name: "" for name in settings if name not in table.columns}
    return select(table.assign(**unset), measures, [], list(settings))


def in_order(values: Iterable[object]) -> list[object]:
    """Return settings, each once: numbers and shares by size, then others as they come.

    >>> in_order([3, "ring", 0, "complete", 3, "1/5"])
    [0, '1/5', 3, 'ring', 'complete']
    """
    found = list(dict.fromkeys(values))
    sizes = {value: _size(value) for value in found}
    numbers = [value for value in found if sizes[value] is not None]
    return sorted(numbers, key=lambda v: sizes[v] or Fraction(0)) + [
        value for value in found if sizes[value] is None
    ]


def _size(value: object) -> Fraction | None:
    try:
        return Fraction(plain(value))
    except (ValueError, ZeroDivisionError):
        return None


def attackers(number: object) -> str:
    """Say how many attackers there are.

    >>> attackers(0), attackers(1), attackers(3), attackers("1/5"), attackers("")
    ('no attacker', '1 attacker', '3 attackers', '1/5 attackers', '')
    """
    text = plain(number)
    if not text:
        return ""
    return {"0": "no attacker", "1": "1 attacker"}.get(text, f"{text} attackers")


def cast_name(cast: object) -> str:
    """Name a cast; one that was not swept has no name.

    >>> cast_name("A (quiet)"), cast_name("")
    ('cast A (quiet)', '')
    """
    return f"cast {cast}" if cast != "" else ""


def wide(places: int) -> float:
    """Return the width in inches of a panel with so many places.

    >>> wide(3), wide(6)
    (2.65, 4.32)
    """
    return max(WIDE, ROOM * places)


def place_names(values: Iterable[object]) -> dict[object, str]:
    r"""Return places in order with their names, long ones broken into lines.

    >>> place_names(["A (gpt-oss-120b)", "B"])
    {'A (gpt-oss-120b)': 'A (gpt-\noss-120b)', 'B': 'B'}
    """
    return {value: fill(plain(value), LETTERS_A_LINE) for value in in_order(values)}


def letters(number: int) -> Sequence[str]:
    """Return the letters of so many panels; an only one has none.

    >>> letters(1), letters(2)[1]
    (('',), 'b')
    """
    return LETTERS if number > 1 else ("",)


def panels(
    names: Sequence[str], title: str, label: str, places: int = 3, above: int = 0
) -> tuple[Figure, list[Axes]]:
    """Return a figure with a panel for each name, three in a row, that share their axes of values.

    Args:
        names: of the panels; a single one has none where it is empty.
        title: of the axes of values.
        label: what kind of agents was run.
        places: how many places stand side by side in a panel.
        above: lines of text to be left free below the name of a panel.
    """
    columns = min(COLUMNS, len(names))
    lines = ceil(len(names) / columns)
    figure = new_figure(max(4.6, 0.7 + wide(places) * columns), 0.9 + TALL * lines, label)
    grid = figure.subplots(lines, columns, squeeze=False, sharey=True)
    for axes in grid.flat[len(names) :]:
        axes.set_axis_off()
    for axes in grid[:, 0]:
        axes.set_ylabel(title, fontsize=TEXT)
    shown = list(grid.flat[: len(names)])
    for axes, name, letter in zip(shown, names, letters(len(names)), strict=False):
        if len(names) > 1 or name:
            name_panel(axes, letter, name, above)
    return figure, shown


def side_by_side(
    axes: Axes,
    place: str,
    names: Mapping[object, str],
    series: Mapping[Series, pd.DataFrame],
) -> None:
    """Draw series of estimates over named places, with n under each name.

    The points at one place stand side by side in the order of the series. Where a series has a row
    without a value, ``n = 0`` stands at the foot.

    Args:
        axes: where.
        place: the column that says at which place a row stands.
        names: each place -> its name, from left to right.
        series: each look -> its rows, with float columns value, low and high; where there is none,
            the panel says so.
    """
    import pandas as pd

    tidy(axes)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    if not series:
        axes.set_xticks([])
        axes.set_xlabel("not run", fontsize=TEXT)
        return
    order, step = list(names), min(STEP, WIDTH / len(series))
    for nth, (look, rows) in enumerate(series.items()):
        beside = step * (nth - (len(series) - 1) / 2)
        places = [order.index(value) + beside for value in rows[place]]
        xs = pd.Series(places, index=rows.index, dtype=float)
        if rows["value"].notna().any():
            points(axes, xs, rows, look)
        missing(axes, xs[rows["value"].isna()])
    every = pd.concat(list(series.values()))
    parts = [every.loc[every[place] == value, "n"] for value in order]
    ticks = [
        f"{name}\n{units(n) if len(n) else 'not run'}"
        for name, n in zip(names.values(), parts, strict=True)
    ]
    axes.set_xticks(range(len(order)), ticks)
    axes.set_xlim(-0.6, len(order) - 0.4)
    axes.tick_params(axis="x", labelsize=SMALL)


def missing(axes: Axes, places: Iterable[float]) -> None:
    """Write at the foot of a panel that nothing was counted here."""
    for place in places:
        axes.annotate(
            "n = 0",
            (place, 0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            rotation=90,
            ha="center",
            va="bottom",
            fontsize=SMALL - 1,
            color=GREY,
        )


def parts(rows: pd.DataFrame, looks: Iterable[Series]) -> dict[Series, pd.DataFrame]:
    """Return the rows of each measure that has some, by its look."""
    found = {look: rows[rows["measure"] == look.name] for look in looks}
    return {look: part for look, part in found.items() if len(part)}


def legend_of(figure: Figure, shown: Iterable[Axes], columns: int, title: str = "") -> None:
    """Put one legend of all series of these panels above them, each named once, under a title."""
    handles: dict[str, Artist] = {}
    for axes in shown:
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(name, handle)
    figure.legend(
        list(handles.values()),
        list(handles),
        loc="outside upper center",
        ncols=columns,
        frameon=False,
        fontsize=SMALL,
        handlelength=2.4,
        title=title or None,
        title_fontsize=SMALL,
    )
