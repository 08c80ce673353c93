"""Runs on the phase map: how each trial ended, and which ending is locally the most frequent."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

from socialcircuits.errors import SettingError
from socialcircuits.figures.phase import (
    CLASSES,
    PARTS,
    ROUNDING,
    headline,
    patches,
    region_legend,
    regions,
)
from socialcircuits.figures.style import check_columns, dodge, new_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["BANDWIDTH", "REACH", "draw", "locally"]

BANDWIDTH = 0.05
"""Of the Gaussian kernel, in rival share."""

REACH = 3
"""Bandwidths around a trial within which there is a region; beyond, nothing is known."""

_SHARES = tuple(i / 200 for i in range(201))
_WIDTH = 0.7
"""Width of the dots of one N, in doublings of N."""
_EDGE = "#303030"


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw each trial as a dot at its own rival share, over the locally most frequent class.

    Args:
        table: columns N (positive integers), share (measured rival share, 0 to 1, missing where it
            could not be measured: these trials are counted and not drawn) and endpoint (the name
            of a class); one row a trial.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, no trial has a share, or a class is unknown.

    Source: Flag Game, Fig. 8d.

    >>> import pandas
    >>> rows = [{"N": 8, "share": 0.3, "endpoint": "correct"}, {"N": 8, "endpoint": "wrong"}]
    >>> figure = draw(pandas.DataFrame(rows), "simulated agents")
    >>> figure.axes[0].get_title(loc="left").splitlines()[0]
    'Most frequent class of trials near a share (1 trial; 1 without a share not drawn)'
    """
    check_columns(table, ["N", "share", "endpoint"])
    unknown = sorted(set(table["endpoint"]) - set(PARTS))
    if unknown:
        raise SettingError("endpoint", unknown[0], "a class: " + ", ".join(PARTS), among=PARTS)
    shown = table.astype({"share": float}).dropna(subset=["share"])
    if shown.empty:
        raise SettingError("table", "no share", "at least one trial with a rival share")
    found = locally(shown)
    figure = new_figure(6.0, 4.4, label)
    axes = figure.subplots()
    regions(axes, found)
    _dots(axes, shown)
    lost = len(table) - len(shown)
    trials = f"{len(shown)} trial{'s' if len(shown) != 1 else ''}"
    without = f"; {lost} without a share not drawn" if lost else ""
    headline(
        axes,
        f"Most frequent class of trials near a share ({trials}{without})\n"
        f"Gaussian kernel of bandwidth {BANDWIDTH:g} in share, each N alone; "
        f"blank: no trial within {REACH * BANDWIDTH:g}",
    )
    _legend(axes, set(shown["endpoint"]))
    return figure


def locally(table: pd.DataFrame, shares: Sequence[float] = _SHARES) -> pd.DataFrame:
    """Return the locally most frequent class of trials, for each N by itself.

    A trial counts with the weight of a Gaussian of its distance in share. Of equal weights the
    first class in the order of tables wins.

    Args:
        table: columns N, share (0 to 1, none missing) and endpoint; one row a trial.
        shares: where to look, 0 to 1.

    Returns:
        Columns N, share and most, the name of a class, missing where no trial of that N lies
        within `REACH` bandwidths; one row for each N and share.

    Source: Flag Game, Fig. 8d.

    >>> import pandas
    >>> table = pandas.DataFrame({"N": 8, "share": [0.3, 0.5], "endpoint": ["correct", "wrong"]})
    >>> locally(table, [0.35, 0.45, 0.9])["most"].fillna("unknown").tolist()
    ['correct', 'wrong', 'unknown']
    """
    import numpy as np
    import pandas as pd

    at = np.array(shares)
    rows = []
    for size, trials in table.groupby("N"):
        away = (at[:, None] - trials["share"].to_numpy()) / BANDWIDTH
        weights = np.exp(-(away**2) / 2)
        totals = [weights[:, trials["endpoint"] == one.name].sum(axis=1) for one in CLASSES]
        equal = totals >= np.max(totals, axis=0) * (1 - ROUNDING)
        names = [CLASSES[place].name for place in np.argmax(equal, axis=0)]
        near = np.abs(away).min(axis=1) <= REACH
        most = [name if close else None for name, close in zip(names, near, strict=True)]
        rows.append(pd.DataFrame({"N": size, "share": at, "most": most}))
    return pd.concat(rows, ignore_index=True)


def _dots(axes: Axes, table: pd.DataFrame) -> None:
    places = dodge(table["N"], _WIDTH).map(log2)
    for one in CLASSES:
        here = table["endpoint"] == one.name
        axes.scatter(
            places[here],
            table.loc[here, "share"],
            s=13,
            marker=one.marker,
            c=one.colour if one.filled else "white",
            edgecolors=_EDGE,
            linewidths=0.6,
            zorder=3,
            clip_on=False,
        )


def _legend(axes: Axes, present: set[str]) -> None:
    from matplotlib.lines import Line2D

    entries: dict[str, tuple[Artist, ...]] = {}
    here = [one for one in CLASSES if one.name in present]
    for one, patch in zip(here, patches(present), strict=True):
        face = one.colour if one.filled else "white"
        dot = Line2D([], [], marker=one.marker, linestyle="none", markersize=4, color=face)
        dot.set_markeredgecolor(_EDGE)
        entries[one.title] = (patch, dot)
    region_legend(axes, entries)
