"""Final beliefs over the evidence, and how the shares got there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from socialcircuits.errors import SettingError
from socialcircuits.figures.style import (
    GREY,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    check_columns,
    new_figure,
    spread,
    tidy,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Panel", "draw", "table"]

FADED = 0.3

KINDS = (
    Series("invalid", "invalid", "#000000", "o", "none", filled=False),
    Series("other", "other answers", GREY, "D", ":"),
    Series("rival", "rival", RIVAL, "s", "--"),
    Series("truth", "truth", TRUTH, "o", "-"),
)
"""Kinds of answers in the order in which they are drawn."""


@dataclass(frozen=True)
class Panel:
    """One trial of the figure.

    Args:
        title: for example ``N = 16: correct consensus``.
        picture: the hidden flag, shape (height, width, 3), RGB as 0-255 integers or 0-1 floats.
        dots: one row a seat with columns x and y, the centre of its crop as a part of the width
            and of the height (0 to 1, from the top left), and answer, missing where invalid.
        shares: rows with columns time (t/N), answer (missing for invalid ones), share (0 to 1) and
            carried (whether the trial had stopped and the share is repeated).
        truth: the right answer.
        rival: the wrong answer that is drawn apart from the others; None for none.
    """

    title: str
    picture: Any
    dots: pd.DataFrame
    shares: pd.DataFrame
    truth: str
    rival: str | None


def draw(panels: Sequence[Panel], thresholds: Mapping[str, float], label: str) -> Figure:
    """Draw for each trial the final answers over the faded flag and the shares over t/N below.

    The truth is a filled circle and a solid line, the rival a square and a dashed line, other
    answers grey diamonds and one dotted line of their summed share, invalid answers hollow circles.
    Seats with the same crop are spread around its centre.

    Args:
        panels: the trials, from left to right.
        thresholds: name -> share at which a horizontal line is drawn.
        label: what kind of agents was run.

    Raises:
        SettingError: there is no panel, or a table of one lacks a column or rows.

    Source: Flag Game, Fig. 3c-d.

    >>> import pandas
    >>> panel = Panel("N = 1", [[[255, 255, 255]]],
    ...     pandas.DataFrame({"x": [0.5], "y": [0.5], "answer": ["Peru"]}),
    ...     pandas.DataFrame({"time": [0], "answer": ["Peru"], "share": [1.0], "carried": [False]}),
    ...     truth="Peru", rival=None)
    >>> draw([panel], {}, "simulated agents").axes[0].get_xlabel()
    'n = 1 seat'
    """
    if not panels:
        raise SettingError("panels", "none", "at least one trial")
    for panel in panels:
        check_columns(panel.dots, ["x", "y", "answer"])
        check_columns(panel.shares, ["time", "answer", "share", "carried"])
    figure = new_figure(1.0 + 2.3 * max(1.5, len(panels)), 4.0, label)
    grid = figure.subplots(2, len(panels), squeeze=False, sharey="row", height_ratios=[1.15, 1.0])
    for column, panel in enumerate(panels):
        _map(grid[0, column], panel)
        _lines(grid[1, column], panel, thresholds)
    grid[1, 0].set_ylabel("Share of seats", fontsize=TEXT)
    for name, share in thresholds.items():
        _note(grid[1, -1], name, (1.0, share), "axes fraction")
    _legend(figure, panels)
    return figure


def table(panels: Sequence[Panel]) -> pd.DataFrame:
    """Return the data of the figure as one table, dots first, then shares.

    Args:
        panels: as in `draw`.

    Returns:
        Columns panel (its title), part (dot or share), x, y, time, answer, share and carried;
        empty where a column does not apply or an answer is invalid.
    """
    import pandas as pd

    parts = [
        rows.assign(panel=panel.title, part=part)
        for part in ("dot", "share")
        for panel in panels
        for rows in [panel.dots if part == "dot" else panel.shares]
    ]
    columns = ["panel", "part", "x", "y", "time", "answer", "share", "carried"]
    return pd.concat(parts, ignore_index=True)[columns]


def _kinds(panel: Panel, answers: pd.Series[Any]) -> list[str]:
    """Say of each answer whether it is the truth, the rival, another one or invalid."""
    named = {panel.truth: "truth", panel.rival: "rival"}
    return [
        named.get(answer, "other") if isinstance(answer, str) else "invalid" for answer in answers
    ]


def _map(axes: Axes, panel: Panel) -> None:
    height, width = len(panel.picture), len(panel.picture[0])
    axes.imshow(panel.picture, extent=(0, width, height, 0), alpha=FADED, interpolation="none")
    # Dots of crops that touch the border, and dots spread around them, may stand over it.
    axes.set(xlim=(0, width), ylim=(height, 0), xticks=[], yticks=[])
    places = spread(panel.dots, width, height)
    kinds = _kinds(panel, panel.dots["answer"])
    for one in KINDS:
        chosen = [place for place, kind in zip(places, kinds, strict=True) if kind == one.name]
        axes.scatter(
            [x for x, _ in chosen],
            [y for _, y in chosen],
            s=20,
            marker=one.marker,
            c=one.colour if one.filled else "white",
            edgecolors="white" if one.filled else one.colour,
            linewidths=0.7,
            clip_on=False,
        )
    axes.set_title(panel.title, fontsize=TEXT)
    seats = len(panel.dots)
    axes.set_xlabel(f"n = {seats} seat{'s' if seats != 1 else ''}", fontsize=SMALL)


def _lines(axes: Axes, panel: Panel, thresholds: Mapping[str, float]) -> None:
    shares = panel.shares.assign(kind=_kinds(panel, panel.shares["answer"]))
    times = sorted(set(shares["time"]))
    summed = shares.groupby(["kind", "time"])["share"].sum()
    for one in KINDS:
        if one.name in set(shares["kind"]) and one.name != "invalid":
            series = summed[one.name].reindex(times, fill_value=0.0)
            axes.plot(times, series, color=one.colour, linestyle=one.line, linewidth=1.6)
    for share in thresholds.values():
        axes.axhline(share, color=GREY, linewidth=0.7, linestyle=(0, (1, 2)))
    if shares["carried"].any():
        stop = shares.loc[~shares["carried"].astype(bool), "time"].max()
        axes.axvspan(stop, times[-1], color="0.93", linewidth=0, zorder=0)
        _note(axes, "stopped", (stop, 0.5), "data")
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("t/N", fontsize=TEXT)
    tidy(axes)


def _note(
    axes: Axes, text: str, place: tuple[float, float], across: Literal["data", "axes fraction"]
) -> None:
    axes.annotate(
        text,
        place,
        xycoords=(across, "data"),
        xytext=(3, 0),
        textcoords="offset points",
        va="center",
        fontsize=SMALL - 1,
        color=GREY,
    )


def _legend(figure: Figure, panels: Sequence[Panel]) -> None:
    from matplotlib.lines import Line2D

    present = {kind for panel in panels for kind in _kinds(panel, panel.dots["answer"])}
    present |= {kind for panel in panels for kind in _kinds(panel, panel.shares["answer"])}
    named = {
        "truth": {panel.truth for panel in panels},
        "rival": {str(panel.rival) for panel in panels},
    }
    handles = []
    for one in [one for one in reversed(KINDS) if one.name in present]:
        # One name in all panels stands in the legend; where they differ, only the kind does.
        name = "".join(named[one.name]) if len(named.get(one.name, ())) == 1 else ""
        handle = Line2D([], [], color=one.colour, marker=one.marker, markersize=5)
        handle.set_linestyle(one.line)
        handle.set_markerfacecolor(one.colour if one.filled else "white")
        handle.set_label(f"{name} ({one.title})" if name else one.title)
        handles.append(handle)
    figure.legend(
        handles=handles,
        loc="outside upper center",
        ncols=4,
        frameon=False,
        fontsize=SMALL,
        handlelength=3.2,
    )
