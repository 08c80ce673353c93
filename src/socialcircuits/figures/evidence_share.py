"""What each crop says between the truth and its rival, and how that varies between trials."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

from socialcircuits.figures.belief_map import FADED
from socialcircuits.figures.style import (
    GREY,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    check_columns,
    dodge,
    legend,
    name_panel,
    new_figure,
    points,
    select,
    spread,
    tidy,
    units,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Shown", "draw", "table"]

EDGE = "#404040"

MIDDLE = "#F2F2F2"
"""Colour of a crop that speaks for both alike."""

LEANS = (
    Series("truth", "leans to {} (truth)", TRUTH, "s", "none"),
    Series("rival", "leans to {} (rival)", RIVAL, "D", "none"),
    Series("missing", "no valid probe", GREY, "X", "none", filled=False),
)
MEAN = Series("rival_share", f"mean, {LEVEL:.0%} interval", "#000000", "o", "-")

WIDTH = 0.36
"""Width of the dots of one N, in doublings of N."""

BESIDE = 0.27
"""How far right of N its mean stands, in doublings of N."""


@dataclass(frozen=True)
class Shown:
    """The trial whose crops are drawn.

    Args:
        picture: the hidden flag, shape (height, width, 3), RGB as 0-255 integers or 0-1 floats.
        crops: one row a crop that was dealt, with columns x and y, its centre as a part of the
            width and of the height (0 to 1, from the top left), rival_share, the share of its valid
            probes that chose the rival (0 to 1, missing where none was valid), and n, how many were
            valid.
        truth: the right answer.
        rival: the other answer of the probes.
        share: the trial's rival evidence share, 0 to 1; None where no probe was valid.
    """

    picture: Any
    crops: pd.DataFrame
    truth: str
    rival: str
    share: float | None


def draw(shown: Shown, trials: pd.DataFrame, estimates: pd.DataFrame, label: str) -> Figure:
    """Draw the crops of one trial over its faded flag, and the shares of all trials over N.

    Crops are coloured from the truth's blue to the rival's orange; those above one half are
    diamonds, others squares, those without a valid probe crosses. Crops at one place are spread
    around it. On the right each dot is a trial; beside them stands their mean with its interval.

    Args:
        shown: the trial on the left.
        trials: columns N (positive integers) and share (0 to 1, missing where no probe was valid);
            one row a trial.
        estimates: estimates with columns measure, N, value, low, high and n; one row of
            rival_share for each N. Other measures, and rows without N, are ignored.
        label: what kind of agents was run.

    Raises:
        SettingError: a table lacks a column or rows, or there are two estimates at one N.

    Source: Flag Game, Fig. 8a.

    >>> import pandas
    >>> crops = pandas.DataFrame({"x": [0.5], "y": [0.5], "rival_share": [0.64], "n": [50]})
    >>> shown = Shown([[[255, 255, 255]]], crops, "Yemen", "Austria", 0.64)
    >>> row = {"measure": "rival_share", "N": 1, "value": 0.6, "low": 0.5, "high": 0.7, "n": 40}
    >>> trials = pandas.DataFrame({"N": [1], "share": [0.64]})
    >>> draw(shown, trials, pandas.DataFrame([row]), "simulated agents").axes[0].get_xlabel()
    'n = 1 crop, 50 valid probes each'
    """
    check_columns(shown.crops, ["x", "y", "rival_share", "n"])
    check_columns(trials, ["N", "share"])
    means = select(estimates, [MEAN.name], ["N"])
    figure = new_figure(7.4, 3.5, label)
    left, right = figure.subplots(1, 2, width_ratios=[1.35, 1.0])
    _crops(figure, left, shown)
    _trials(right, trials.astype({"N": float, "share": float}), means)
    share = "-" if shown.share is None else f"{shown.share:.2f}"
    name_panel(left, "a", f"rival evidence share: {share}", legend_lines=2)
    name_panel(right, "b", "all trials", legend_lines=2)
    return figure


def table(shown: Shown, trials: pd.DataFrame, estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the data of the figure as one table: crops, then trials, then estimates.

    Args:
        shown: as in `draw`.
        trials: as in `draw`.
        estimates: as in `draw`.

    Returns:
        Columns part (crop, trial or estimate), x, y, N, rival_share, low, high and n; empty where
        a column does not apply or there is no value.
    """
    import pandas as pd

    rows = estimates[estimates["measure"] == MEAN.name]
    parts = [
        shown.crops.assign(part="crop"),
        trials.assign(part="trial", rival_share=trials["share"]),
        rows.assign(part="estimate", rival_share=rows["value"]),
    ]
    columns = ["part", "x", "y", "N", "rival_share", "low", "high", "n"]
    return pd.concat([part.reindex(columns=columns) for part in parts], ignore_index=True)


def _crops(figure: Figure, axes: Axes, shown: Shown) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap

    height, width = len(shown.picture), len(shown.picture[0])
    axes.imshow(shown.picture, extent=(0, width, height, 0), alpha=FADED, interpolation="none")
    axes.set(xlim=(0, width), ylim=(height, 0), xticks=[], yticks=[])
    colours = ScalarMappable(cmap=LinearSegmentedColormap.from_list("", [TRUTH, MIDDLE, RIVAL]))
    colours.set_clim(0, 1)
    shares = shown.crops["rival_share"].astype(float)
    places = spread(shown.crops, width, height)
    for one in LEANS:
        chosen = [lean == one.name for lean in shares.map(_lean)]
        axes.scatter(
            [x for (x, _), here in zip(places, chosen, strict=True) if here],
            [y for (_, y), here in zip(places, chosen, strict=True) if here],
            s=26,
            marker=one.marker,
            c=colours.to_rgba(shares[chosen].to_numpy()) if one.filled else "white",
            edgecolors=EDGE,
            linewidths=0.6,
            clip_on=False,
        )
    crops = f"n = {len(shares)} crop{'s' if len(shares) != 1 else ''}"
    valid = units(shown.crops["n"]).removeprefix("n = ")
    axes.set_xlabel(
        f"{crops}, {valid} valid probe{'s' if valid != '1' else ''} each", fontsize=SMALL
    )
    bar = figure.colorbar(colours, ax=axes, fraction=0.05, pad=0.02, aspect=24)
    bar.set_label("Share of probes for the rival", fontsize=SMALL)
    bar.ax.tick_params(labelsize=SMALL)
    bar.ax.axhline(0.5, color=EDGE, linewidth=0.8)
    _legend(axes, shown, set(shares.map(_lean)))


def _lean(share: float) -> str:
    return "missing" if isnan(share) else "rival" if share > 0.5 else "truth"


def _legend(axes: Axes, shown: Shown, present: Collection[str]) -> None:
    from matplotlib.lines import Line2D

    handles = []
    for one in [one for one in LEANS if one.name in present]:
        handle = Line2D([], [], color=one.colour, linestyle="none", marker=one.marker, markersize=5)
        handle.set_markerfacecolor(one.colour if one.filled else "white")
        handle.set_markeredgecolor(EDGE)
        handle.set_label(one.title.format(shown.truth if one.name == "truth" else shown.rival))
        handles.append(handle)
    axes.legend(
        handles=handles,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=2,
        frameon=False,
        fontsize=SMALL,
    )


def _trials(axes: Axes, trials: pd.DataFrame, means: pd.DataFrame) -> None:
    axes.scatter(dodge(trials["N"], WIDTH), trials["share"], s=9, color=(GREY, 0.5), linewidths=0)
    means = means.sort_values("N")
    points(axes, means["N"] * 2**BESIDE, means, MEAN)
    sizes = sorted({*trials["N"], *means["N"]})
    counts = dict(zip(means["N"], means["n"], strict=True))
    names = [f"{size:g}" + (f"\nn = {counts[size]}" if size in counts else "") for size in sizes]
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, names)
    axes.set_xticks([], minor=True)
    axes.set(xlim=(sizes[0] / 1.5, sizes[-1] * 1.5), ylim=(-0.02, 1.02))
    axes.axhline(0.5, color=GREY, linewidth=0.7, linestyle=(0, (1, 2)), zorder=0)
    axes.set_xlabel("Population size N", fontsize=TEXT)
    axes.set_ylabel("Rival evidence share of a trial", fontsize=TEXT)
    tidy(axes)
    axes.tick_params(axis="x", labelsize=SMALL)
    legend(axes, columns=2)
