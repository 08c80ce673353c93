"""What figures over the share of deceivers have in common: exact places, panels, straight lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, isnan
from typing import TYPE_CHECKING

from socialcircuits.errors import SettingError
from socialcircuits.figures.style import (
    AMBER,
    GREEN,
    GREY,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    check_columns,
    check_once,
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
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOOKS = (
    Series("", "", TRUTH, "o", "-"),
    Series("", "", RIVAL, "s", "--", filled=False),
    Series("", "", GREEN, "^", "-."),
    Series("", "", AMBER, "D", ":", filled=False),
    Series("", "", GREY, "v", (0, (5, 1))),
    Series("", "", "#00224E", "o", (0, (1, 1)), filled=False),
)
"""How series are drawn that have no look of their own, used in turn."""

LINE = ("group", "intercept", "slope_per_tenth", "low", "high", "n_questions", "n_compositions")
"""Columns of a table of straight lines."""

STEP = 0.011
"""Distance of two points at one proportion, as a proportion."""

WIDTH = 0.072
"""Widest spread of the points at one proportion; less than from 1/3 to 3/7."""

MARGIN = 0.05

COLUMNS = 2
"""Panels in a row."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def share_of(deceivers: object, size: object) -> Fraction:
    """Return the exact share of a group that deceives.

    Args:
        deceivers: a number of agents, or a share of the group as text.
        size: N, the number of agents.

    Raises:
        SettingError: it is neither, or not below 1.

    >>> str(share_of("3/7", 14)), str(share_of(2, 10)), str(share_of("0", 8))
    ('3/7', '1/5', '0')
    """
    text = plain(deceivers)
    try:
        number = Fraction(text)
        share = number if "/" in text else number / Fraction(plain(size))
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share < 1 or ("/" not in text and number.denominator != 1):
        raise SettingError("deceivers", deceivers, "a number of agents, or a share such as '1/5'")
    return share


def compositions(table: pd.DataFrame, measures: Sequence[str], *settings: str) -> pd.DataFrame:
    """Return the estimates that a figure draws: one row a measure, composition and setting.

    Args:
        table: estimates with columns measure, N, deceivers (a number, or a share as text), value,
            low, high and n, and where they were swept cast and `settings`. Rows of other measures,
            and rows where N or deceivers hold nothing, are left out.
        measures: the measures that are drawn.
        settings: further columns that tell rows apart; empty where the table has none.

    Returns:
        The rows, with the column proportion of exact fractions, sorted by it and by N.

    Raises:
        SettingError: a column is missing, no row is left, or a measure has two rows at one place.

    >>> import pandas
    >>> row = {"measure": "correction", "value": 0.2, "low": 0.1, "high": 0.3, "n": 9}
    >>> rows = [{**row, "N": 10, "deceivers": "1/5"}, {**row, "N": 12, "deceivers": 0}]
    >>> [str(one) for one in compositions(pandas.DataFrame(rows), ["correction"])["proportion"]]
    ['0', '1/5']
    """
    import pandas as pd

    check_columns(table, ["N", "deceivers"])
    sizes = pd.to_numeric(table["N"], errors="coerce")
    table = table[sizes.notna() & table["deceivers"].notna() & (table["deceivers"] != "")]
    told = [share_of(*pair) for pair in zip(table["deceivers"], table["N"], strict=True)]
    unset = {name: "" for name in ("cast", *settings) if name not in table.columns}
    table = table.assign(proportion=pd.Series(told, index=table.index, dtype=object), **unset)
    drawn = select(table, measures, ["N"], ["cast", "proportion", *settings])
    return drawn.sort_values(["proportion", "N"], kind="stable")


def in_turn(nth: int, title: str) -> Series:
    """Return the look of the series at a place from 0, and name it.

    >>> in_turn(1, "1/5").colour == RIVAL, in_turn(7, "1/8").marker
    (True, 's')
    """
    return LOOKS[nth % len(LOOKS)]._replace(title=title)


def new_panels(
    rows: pd.DataFrame, title: str, label: str, height: float, above: int = 0
) -> tuple[Figure, list[tuple[Axes, pd.DataFrame]]]:
    """Return a figure with a panel for each cast, by name, two in a row, and the rows of each.

    Args:
        rows: what is drawn, with the column cast.
        title: of the left axes.
        label: what kind of agents was run.
        height: of a panel, in inches.
        above: lines of text to be left free below the name of a panel.
    """
    casts = sorted(set(rows["cast"]))
    lines = ceil(len(casts) / COLUMNS)
    columns = min(COLUMNS, len(casts))
    figure = new_figure(5.2 if columns == 1 else 8.6, 0.8 + height * lines, label)
    grid = figure.subplots(lines, columns, squeeze=False, sharey=True)
    for axes in grid.flat[len(casts) :]:
        axes.set_axis_off()
    for axes in grid[:, 0]:
        axes.set_ylabel(title, fontsize=TEXT)
    panels = []
    for axes, cast, letter in zip(grid.flat, casts, LETTERS, strict=False):
        if len(casts) > 1:
            name_panel(axes, letter, f"cast {cast}", above)
        panels.append((axes, rows[rows["cast"] == cast]))
    return figure, panels


def over_proportion(axes: Axes, rows: pd.DataFrame, series: Mapping[Series, pd.DataFrame]) -> None:
    """Draw series of estimates over the proportion of deceivers, with n under each proportion.

    The points at one proportion stand side by side, from the smallest group to the largest, in
    each group in the order of the series.

    Args:
        axes: where.
        rows: all rows of the panel; where there is none, the panel says so.
        series: each look -> its rows.
    """
    import pandas as pd

    tidy(axes)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    if rows.empty:
        axes.set_xticks([])
        axes.set_xlabel("not run", fontsize=TEXT)
        return
    shares = sorted(set(rows["proportion"]))
    parts = [rows[rows["proportion"] == share] for share in shares]
    groups = {share: sorted(set(part["N"])) for share, part in zip(shares, parts, strict=True)}
    for nth, (look, part) in enumerate(series.items()):
        places = [
            float(share) + _beside(groups[share], size, nth, len(series))
            for share, size in zip(part["proportion"], part["N"], strict=True)
        ]
        points(axes, pd.Series(places, index=part.index), part, look)
    names = [f"{s}\n{units(part['n'])}" for s, part in zip(shares, parts, strict=True)]
    axes.set_xticks([float(share) for share in shares], names)
    axes.set_xlim(float(shares[0]) - MARGIN, float(shares[-1]) + MARGIN)
    several = any(len(sizes) > 1 for sizes in groups.values())
    order = "\n(at each, small groups left of large ones)" * several
    axes.set_xlabel(f"Proportion of deceivers{order}", fontsize=TEXT)
    axes.tick_params(axis="x", labelsize=SMALL)


def _beside(sizes: Sequence[float], size: float, nth: int, series: int) -> float:
    slots = len(sizes) * series
    slot = sizes.index(size) * series + nth
    return (slot - (slots - 1) / 2) * min(STEP, WIDTH / slots)


def share_axis(axes: Axes, rows: pd.DataFrame) -> None:
    """Give an axis of shares the range from 0 to the next tenth above all intervals."""
    top = rows[["value", "high"]].max().max()
    axes.set_ylim(-0.01, 1.02 if isnan(top) else max(0.2, ceil(10 * top - 1e-9) / 10) + 0.01)


def check_lines(lines: pd.DataFrame, groups: Sequence[str]) -> pd.DataFrame:
    """Return a table of straight lines by group, checked; it may be empty.

    Raises:
        SettingError: a column is missing, a group has two lines, or one is not drawn.
    """
    if lines.empty:
        return lines.reindex(columns=LINE).set_index("group")
    check_columns(lines, LINE)
    check_once(lines.assign(what="line"), ["what"], ["group"])
    strange = [group for group in lines["group"] if group not in groups]
    if strange:
        raise SettingError("lines", strange[0], f"the groups {', '.join(map(repr, groups))}")
    return lines.set_index("group").astype(dict.fromkeys(LINE[1:5], float))


def straight_line(axes: Axes, line: pd.Series[float], rows: pd.DataFrame, look: Series) -> None:
    """Draw a straight line, and how far the interval of its slope turns it about its middle.

    Args:
        axes: where.
        line: intercept (a share), slope_per_tenth (a share for each 0.1 of the proportion), low and
            high (its interval).
        rows: what it was fitted to; the middle is the mean proportion of those with a value.
        look: of the series.
    """
    rows = rows[rows["value"].notna()]
    if isnan(line["slope_per_tenth"]) or rows.empty:
        return
    shares = [float(share) for share in rows["proportion"]]
    middle = sum(shares) / len(shares)
    xs = [min(shares), middle, max(shares)]
    height = line["intercept"] + 10 * line["slope_per_tenth"] * middle
    ends = {
        name: [height + 10 * line[name] * (x - middle) for x in xs]
        for name in ("slope_per_tenth", "low", "high")
    }
    axes.plot(xs, ends["slope_per_tenth"], color=look.colour, linestyle=look.line, linewidth=1.3)
    axes.fill_between(xs, ends["low"], ends["high"], color=(look.colour, 0.15), linewidth=0)


def slope_text(what: str, line: pd.Series[float]) -> list[str]:
    """Say in two lines how steep a line is, in percentage points, on what it rests, and that its
    band is narrow where the line turns, whatever its height there.

    >>> import pandas
    >>> slope, counts = slope_text("x", pandas.Series({"slope_per_tenth": 0.053,
    ...     "low": 0.04, "high": 0.066, "n_questions": 41, "n_compositions": 12}))
    >>> slope, counts.strip()
    ('x: 5.3 (4.0 to 6.6) points per 0.1', '41 questions, 12 compositions; band: slope alone')
    """
    if isnan(line["slope_per_tenth"]):
        slope = "no slope"
    else:
        low, high = 100 * line["low"], 100 * line["high"]
        slope = f"{100 * line['slope_per_tenth']:.1f} ({low:.1f} to {high:.1f}) points per 0.1"
    number, of = int(line["n_questions"]), int(line["n_compositions"])
    band = "" if isnan(line["slope_per_tenth"]) else "; band: slope alone"
    return [f"{what}: {slope}", f"    {number} questions, {of} compositions{band}"]


def note(axes: Axes, lines: Sequence[str]) -> None:
    """Write small lines above a panel, at its left."""
    axes.annotate(
        "\n".join(lines),
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 4),
        textcoords="offset points",
        fontsize=SMALL,
    )


def legend_above(figure: Figure, axes: Axes, columns: int) -> None:
    """Put the legend of a panel above all panels."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside upper center",
        ncols=columns,
        frameon=False,
        fontsize=SMALL,
        handlelength=2.4,
    )
