"""Defection of each honest model under each deceivers' model, by proportion of deceivers."""

from __future__ import annotations

from fractions import Fraction
from math import isnan
from typing import TYPE_CHECKING

from socialcircuits.figures.proportions import LETTERS, compositions
from socialcircuits.figures.style import (
    SMALL,
    TEXT,
    check_columns,
    check_once,
    name_panel,
    new_figure,
    tidy,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

LOW, HIGH = "#FDF5EF", "#E8945C"
"""Ends of the heat map's colours, both light enough for black text."""

WIDE, TALL = 1.02, 0.72
"""Size of a cell in inches."""


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw a heat map of honest defection for each proportion: honest over deceivers' models.

    In each cell stand the value, its interval and the number of units of evidence; one that was not
    run is grey. All maps share one scale of colours.

    Args:
        table: estimates with columns measure, N, deceivers (a number, or a share such as ``1/5``),
            cast (the honest agents' model), deceiver (the deceivers' model), value, low, high and
            n; one row of honest_defection for each pairing and proportion. Other measures, and rows
            without deceivers, are ignored; rows without a value (n = 0) have a dash.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row of honest_defection with deceivers, or a
            pairing has two rows at one proportion.

    Source: adversarial influence, Fig. 6.

    >>> import pandas
    >>> rows = [{"measure": "honest_defection", "N": 10, "deceivers": "1/5", "cast": cast,
    ...     "deceiver": "B", "value": 0.2, "low": 0.1, "high": 0.3, "n": 40} for cast in "AB"]
    >>> [text.get_text() for text in draw(pandas.DataFrame(rows), "simulated").axes[0].texts][:3]
    ['0.20', '0.10 to 0.30', 'n = 40']
    """
    check_columns(table, ["cast", "deceiver"])
    drawn = compositions(table, ["honest_defection"], "deceiver")
    drawn = drawn[drawn["proportion"] > 0]
    check_columns(drawn, ["proportion"])
    check_once(drawn, ["measure"], ["proportion", "cast", "deceiver"])
    shares = sorted(set(drawn["proportion"]))
    honest, deceivers = sorted(set(drawn["cast"])), sorted(set(drawn["deceiver"]))
    width = 0.9 + len(shares) * (0.25 + WIDE * len(deceivers))
    figure = new_figure(max(4.6, width), 1.75 + TALL * len(honest), label)
    grid = figure.subplots(1, len(shares), squeeze=False, sharey=True)[0]
    for axes, share, letter in zip(grid, shares, LETTERS, strict=False):
        _map(axes, drawn, share, (honest, deceivers))
        name_panel(axes, letter, f"{share} deceivers")
    grid[0].set_ylabel("Honest agents' model", fontsize=TEXT)
    figure.suptitle(f"Honest defection, {LEVEL:.0%} intervals", fontsize=TEXT)
    return figure


def _map(
    axes: Axes, table: pd.DataFrame, share: Fraction, models: tuple[list[str], list[str]]
) -> None:
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap

    honest, deceivers = models
    rows = table[table["proportion"] == share]
    values = np.full((len(honest), len(deceivers)), np.nan)
    columns = ["cast", "deceiver", "value", "low", "high", "n"]
    for cast, deceiver, value, low, high, n in rows[columns].itertuples(index=False):
        place = (deceivers.index(deceiver), honest.index(cast))
        values[place[1], place[0]] = value
        known = not isnan(value)
        _write(axes, f"{value:.2f}" if known else "-", place, TEXT + 1, 6)
        _write(axes, f"{low:.2f} to {high:.2f}" if known else "", place, SMALL, -5)
        _write(axes, f"n = {n}", place, SMALL, -15)
    axes.imshow(
        values,
        cmap=LinearSegmentedColormap.from_list("defection", [LOW, HIGH]),
        vmin=np.floor(10 * table["value"].min()) / 10,
        vmax=np.ceil(10 * table["value"].max()) / 10,
        aspect="auto",
    )
    axes.set_facecolor("0.88")
    axes.set_xticks(range(len(deceivers)), deceivers)
    axes.set_yticks(range(len(honest)), honest)
    axes.set_xlabel("Deceivers' model", fontsize=TEXT)
    tidy(axes)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _write(axes: Axes, text: str, place: tuple[int, int], size: float, above: float) -> None:
    axes.annotate(
        text,
        place,
        xytext=(0, above),
        textcoords="offset points",
        ha="center",
        va="baseline",
        fontsize=size,
    )
