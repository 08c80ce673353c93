"""What one agent answers as its memory turns from the target to the lure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import isnan
from typing import TYPE_CHECKING, Any

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
    plain,
    select,
    tidy,
    units,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

TARGET = Part("private_target_share", "target", TRUTH, "")
LURE = Part("social_share", "lure", RIVAL, "...")
PARTS = (
    TARGET,
    Part("other_compatible_share", "other, fits the crop", GREEN, "///"),
    Part("incompatible_share", "other, does not fit", GREY, "xxx"),
    Part("no_answer_share", "invalid", "#FFFFFF", ""),
    LURE,
)
"""The parts of a bar from the floor to the ceiling."""

BESIDE = 0.17
"""How far left of the middle the target's interval stands, and the lure's right of it."""

BAND: dict[str, Any] = {"color": ("black", 0.75), "linewidth": 0}
STRIP = 0.035
"""Height of the strip that shows the interval of the yield point, as a part of a panel."""
"""How the interval of the yield point is drawn."""

AGENT = ("cast", "m")
REGIME = ("evidence", "lure")

REGIMES = (("weak", "agrees"), ("weak", "contradicts"), ("strong", "contradicts"))
"""The regimes of the paper, in the order of the columns; others follow."""


def draw(table: pd.DataFrame, yields: pd.DataFrame, label: str, entries: int = 8) -> Figure:
    r"""Draw the shares of answers over the ladder of memories, a panel a regime and agent.

    Rows are casts and bandwidths m, columns regimes. The target's part of a bar stands on the
    floor and the lure's hangs from the ceiling; each has its interval at its edge, the target's
    left of the lure's. Above a panel stands the number of lure entries at which agents yield; a
    line and a band mark it with its interval where it is within the ladder.

    Args:
        table: estimates with columns measure, evidence (weak or strong), lure (agrees or
            contradicts: whether it fits the crop), lures (entries that name the lure, 0 to
            `entries`), value, low, high and n, and where they were swept cast and m; one row of
            each of private_target_share, social_share, other_compatible_share, incompatible_share
            and no_answer_share for each panel and number of lures. Other measures, and rows
            without a number of lures, are ignored; a bar that lacks a value is not drawn.
        yields: estimates of yield_point, in lure entries, with the same columns but lures. A
            value below 0 says that the lure is named at every rung, one above `entries` at none.
        label: what kind of agents was run.
        entries: H, the number of planted entries.

    Raises:
        SettingError: a column is missing, there is no row of the shares or of yield_point, a
            measure has two rows at one place, or a number of lures is not of the ladder.

    Source: Flag Game, Fig. 5b and 10.

    >>> import pandas
    >>> row = {"evidence": "weak", "lure": "agrees", "low": 0.2, "high": 0.2, "n": 36}
    >>> rows = [{**row, "measure": part.name, "lures": 3, "value": 0.2} for part in PARTS]
    >>> yields = pandas.DataFrame([{**row, "measure": "yield_point", "value": 8.5}])
    >>> draw(pandas.DataFrame(rows), yields, "simulated agents").axes[0].texts[0].get_text()
    'n = 36 a ratio\ndoes not yield, n = 36'
    """
    table, yields = _with_agents(table), _with_agents(yields)
    keys = [*AGENT, *REGIME]
    drawn = select(table, [part.name for part in PARTS], ["lures"], keys)
    turned = select(yields, ["yield_point"], [], keys)
    strange = sorted(set(drawn["lures"]) - set(range(entries + 1)))
    if strange:
        raise SettingError("lures", strange[0], f"a whole number from 0 to {entries}")
    cast_by_cast = drawn[list(AGENT)].drop_duplicates().sort_values("cast", kind="stable")
    agents = list(cast_by_cast.itertuples(index=False, name=None))
    given = set(drawn[list(REGIME)].itertuples(index=False, name=None))
    regimes = [one for one in REGIMES if one in given] + sorted(given - set(REGIMES))
    figure = new_figure(0.9 + 2.15 * max(2, len(regimes)), 1.5 + 1.7 * len(agents), label)
    grid = figure.subplots(len(agents), len(regimes), squeeze=False, sharex=True, sharey=True)
    for (agent, regime), axes in zip(product(agents, regimes), grid.flat, strict=True):
        place = (*agent, *regime)
        rows = _at(drawn, keys, place)
        _panel(axes, rows, entries)
        _note(axes, rows, _at(turned, keys, place), entries)
    for axes, agent in zip(grid[:, 0], agents, strict=True):
        axes.set_ylabel(f"{_name(agent)}Share, {LEVEL:.0%} intervals", fontsize=TEXT)
    for axes, (evidence, lure) in zip(grid[0], regimes, strict=True):
        axes.set_title(f"{evidence} evidence,\nmemory {lure}", fontsize=TEXT, pad=26)
    for axes in grid[-1]:
        axes.set_xlabel("Memory, target:lure", fontsize=TEXT)
    _legend(figure, columns=7 if len(regimes) > 2 else 4)
    return figure


def _with_agents(table: pd.DataFrame) -> pd.DataFrame:
    """Add the columns of the agent that were not swept, empty."""
    return table.assign(**{name: "" for name in AGENT if name not in table.columns})


def _at(table: pd.DataFrame, keys: Sequence[str], place: Sequence[object]) -> pd.DataFrame:
    return table[(table[keys] == list(place)).all(axis="columns")]


def _name(agent: Sequence[object]) -> str:
    """Name the agent of a row, by the settings that were swept."""
    cast, m = map(plain, agent)
    parts = [f"cast {cast}"] * bool(cast) + [f"m = {m}"] * bool(m)
    return ", ".join(parts) + "\n" * bool(parts)


def _panel(axes: Axes, rows: pd.DataFrame, entries: int) -> None:
    wide = rows.pivot(index="lures", columns="measure", values="value")
    wide = wide.reindex(columns=[part.name for part in PARTS]).dropna()
    bottom = wide[TARGET.name] * 0
    for part in PARTS:
        axes.bar(wide.index, wide[part.name], bottom=bottom, width=0.9, linewidth=0.4, **part.look)
        bottom += wide[part.name]
    rows = rows[rows["lures"].isin(wide.index)]
    _edges(axes, rows[rows["measure"] == TARGET.name], -BESIDE)
    hung = rows[rows["measure"] == LURE.name]
    turned = {"value": 1 - hung["value"], "low": 1 - hung["high"], "high": 1 - hung["low"]}
    _edges(axes, hung.assign(**turned), BESIDE)
    names = [f"{entries - lures}:{lures}" for lures in range(entries + 1)]
    axes.set_xticks(range(entries + 1), names)
    axes.set(xlim=(-0.6, entries + 0.6), ylim=(0, 1))
    tidy(axes)
    axes.tick_params(axis="x", labelsize=SMALL - 1)


def _edges(axes: Axes, rows: pd.DataFrame, beside: float) -> None:
    axes.errorbar(
        rows["lures"] + beside,
        rows["value"],
        yerr=intervals(rows),
        linestyle="none",
        color="black",
        elinewidth=0.8,
        capsize=1.5,
        capthick=0.8,
    )


def _note(axes: Axes, rows: pd.DataFrame, turned: pd.DataFrame, entries: int) -> None:
    """Write n and the yield point above a panel, and mark the point where it is in the ladder."""
    lines = [f"{units(rows['n'])} a ratio" if len(rows) else "not run"]
    for value, low, high, n in turned[["value", "low", "high", "n"]].itertuples(index=False):
        if -0.5 < value < entries + 0.5:
            # A strip at the foot: a band over the bars would hide what they show.
            axes.axvspan(max(low, -0.6), min(high, entries + 0.6), ymax=STRIP, **BAND)
            axes.axvline(value, color="black", linewidth=1.4)
            text = f"yields at {value:.1f} ({low:.1f} to {high:.1f})"
        elif isnan(value):
            text = "where it yields is not known"
        else:
            text = "does not yield" if value > entries else "names the lure at any ratio"
        lines.append(f"{text}, n = {n}")
    axes.annotate(
        "\n".join(lines),
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 4),
        textcoords="offset points",
        fontsize=SMALL,
    )


def _legend(figure: Figure, columns: int) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Artist] = [Patch(label=part.title, **part.look) for part in PARTS]
    handles.append(Line2D([], [], color="black", linewidth=1.4, label="yields"))
    handles.append(Patch(label=f"its {LEVEL:.0%} interval", **BAND))
    figure.legend(
        handles=handles, loc="outside upper center", ncols=columns, frameon=False, fontsize=SMALL
    )
