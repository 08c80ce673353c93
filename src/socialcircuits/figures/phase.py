"""The phase map: which endpoint class is the most probable at each group size and rival share."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby, pairwise
from math import log2
from typing import TYPE_CHECKING

from socialcircuits.errors import SettingError
from socialcircuits.figures import population
from socialcircuits.figures.style import (
    SMALL,
    TEXT,
    Part,
    Series,
    check_columns,
    check_once,
    new_figure,
    tidy,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

__all__ = [
    "CLASSES",
    "MEASURES",
    "NO_AGENTS",
    "PARTS",
    "ROUNDING",
    "draw",
    "headline",
    "patches",
    "region_legend",
    "regions",
]

NO_AGENTS = "theory: no agents were run"
"""The label of figures that show the theory alone."""

MEASURES = {
    "correct": "correct_consensus",
    "wrong": "wrong_consensus",
    "polarized": "polarization",
    "fragmented": "fragmentation",
}
"""The classes of the theory, in the order of tables, and the measures that count them in runs."""

_LINES = {one.name: one for one in population.CLASSES}

CLASSES: tuple[Series, ...] = tuple(
    _LINES[measure]._replace(name=name) for name, measure in MEASURES.items()
)
"""How the classes are drawn as lines and dots: as where they are counted in runs."""

_HATCHES = ("", "xxx", "//", "..")

PARTS: dict[str, Part] = {
    one.name: Part(one.name, one.title, one.colour, hatch)
    for one, hatch in zip(CLASSES, _HATCHES, strict=True)
}
"""How their regions are drawn, by name."""

MOST_TICKS = 12

ROUNDING = 1e-12
"""Probabilities and weights that differ by less are equal: the first class is named."""


def draw(
    table: pd.DataFrame, label: str, settings: str, classes: int = 4, cut: float | None = None
) -> Figure:
    """Draw the region of each class: where it is the most probable one, for each N by itself.

    Args:
        table: columns N (positive integers), share (rival share, 0 to 1), correct, wrong,
            polarized and fragmented (probabilities, none missing); one row for each N and share.
        label: what kind of agents was run.
        settings: the parameters of the map in words; stands over it.
        classes: 4, or 3 to compare the first three only; the figure says which.
        cut: a rival share at which a line is drawn, that of a slice; None for no line.

    Raises:
        SettingError: a column is missing, the table is empty, a place has two rows, or the number
            of classes is another one.

    Source: Flag Game, Fig. 8c, which compares three classes.

    >>> import pandas
    >>> row = {"N": 8, "share": 0.5, "correct": 0.2, "wrong": 0.1, "polarized": 0.3}
    >>> table = pandas.DataFrame([{**row, "fragmented": 0.4}])
    >>> figure = draw(table, NO_AGENTS, "h_0 = 0.3", classes=3)
    >>> figure.axes[0].get_legend().get_texts()[0].get_text()
    'polarization'
    """
    if classes not in (3, 4):
        raise SettingError("classes", classes, "3 or 4")
    names = [one.name for one in CLASSES]
    check_columns(table, ["N", "share", *names])
    check_once(table.assign(what="probabilities"), ["what"], ["N", "share"])
    values = table[names[:classes]]
    most = values.ge(values.max(axis=1) - ROUNDING, axis=0).idxmax(axis=1)
    figure = new_figure(5.8, 4.3, label)
    axes = figure.subplots()
    regions(axes, table.assign(most=most))
    if cut is not None:
        axes.axhline(cut, color="black", linewidth=0.9, linestyle=(0, (4, 3)))
    compared = "four classes" if classes == 4 else "three classes: fragmentation is left out"
    headline(axes, f"Most probable of {compared}\n{settings}")
    region_legend(axes, {str(patch.get_label()): patch for patch in patches(set(map(str, most)))})
    return figure


def headline(axes: Axes, text: str) -> None:
    """Write lines of text over a panel, above one line of its legend."""
    axes.set_title(text, loc="left", fontsize=TEXT, pad=20, linespacing=1.4)


def regions(axes: Axes, table: pd.DataFrame) -> None:
    """Fill the place of each N and share with the look of its class.

    A column reaches half way to the next N (on a logarithmic axis) and a cell half way to the next
    share.

    Args:
        axes: where.
        table: columns N, share and most, the name of a class; rows without one stay empty.
    """
    sizes = sorted(set(table["N"]))
    places = [log2(size) for size in sizes]
    borders = _borders(places, apart=1.0)
    for size, (left, right) in zip(sizes, pairwise(borders), strict=True):
        rows = table[table["N"] == size].sort_values("share")
        levels = [min(1.0, max(0.0, y)) for y in _borders(list(rows["share"]), apart=1.0)]
        cells = zip(rows["most"], pairwise(levels), strict=True)
        for name, group in groupby(cells, key=lambda cell: cell[0]):
            heights = [height for _, height in group]
            if name not in PARTS:
                continue
            low, high = heights[0][0], heights[-1][1]
            look = PARTS[name].look
            axes.bar(left, high - low, right - left, low, align="edge", linewidth=0, **look)
    _size_axis(axes, sizes, places, borders)
    axes.set(ylim=(0, 1))
    axes.set_ylabel("Rival evidence share", fontsize=TEXT)
    tidy(axes)


def patches(present: Collection[str]) -> list[Patch]:
    """Return what stands in the legend for the regions of the classes that are there."""
    from matplotlib.patches import Patch

    return [Patch(label=PARTS[name].title, **PARTS[name].look) for name in PARTS if name in present]


def region_legend(axes: Axes, entries: Mapping[str, Artist | tuple[Artist, ...]]) -> None:
    """Name the regions on one line above the axes: title -> what stands before it."""
    axes.legend(
        handles=list(entries.values()),
        labels=list(entries),
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0.2,
        borderpad=0.1,
        ncols=4,
        columnspacing=1.4,
        frameon=False,
        fontsize=SMALL,
        handlelength=2.4,
        handleheight=1.2,
    )


def _borders(places: Sequence[float], apart: float) -> list[float]:
    """Half-way points between places, and as far outside the first and the last."""
    middles = [(a + b) / 2 for a, b in pairwise(places)]
    before = places[0] - middles[0] if middles else -apart / 2
    after = middles[-1] - places[-1] if middles else -apart / 2
    return [places[0] + before, *middles, places[-1] - after]


def _size_axis(
    axes: Axes, sizes: Sequence[int], places: Sequence[float], borders: Sequence[float]
) -> None:
    every = -(-len(sizes) // MOST_TICKS)
    axes.set_xticks(places[::every], [f"{size:,}" for size in sizes[::every]])
    axes.set_xlim(borders[0], borders[-1])
    axes.set_xlabel("Population size N", fontsize=TEXT)
