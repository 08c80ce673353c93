"""What each agent holds after every round, and whom it followed when it switched."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, count
from typing import TYPE_CHECKING, Any

from socialcircuits.errors import SettingError
from socialcircuits.figures.style import (
    AMBER,
    GREEN,
    GREY,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    check_agents,
    check_columns,
    check_once,
    name_panel,
    new_figure,
    round_names,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Trace", "draw", "table"]

WRONG = (RIVAL, GREEN, "#8E5CA8", AMBER, "#C44E79", "#7A5230", "#8A9A1F")
"""Colours of wrong answers, from the one held most often; further ones are grey."""

PALE = 0.22

INK, EDGE = "#202020", "#404040"

APART = 1.75
"""Distance of two rounds in heights of a row."""

WIDE, HIGH = 1.08, 0.76
"""Size of a cell in heights of a row; arrows run in the gap between two columns."""

FIRST = 2.0
"""Where the first round stands, right of the crops."""

ROW = 0.27
"""Height of a row in inches."""

HEADER = 0.95
"""How far above the first row the rounds are named."""

BAND = "0.88"


@dataclass(frozen=True)
class Trace:
    """One trial of the figure.

    Args:
        title: for example ``original crops``.
        beliefs: columns agent (from 0), round (0 for before the first one) and answer (missing
            where invalid); one row an agent and readout.
        arrows: columns agent, round and source: the agent's answer after this round is not the one
            before, and agrees with the latest message it received, which came from the source.
        crops: agent -> its crop, shape (height, width, 3), RGB as 0-255 integers or 0-1 floats; an
            agent that is not named is blind.
        truth: the right answer.
        patched: agents whose crop was replaced.
    """

    title: str
    beliefs: pd.DataFrame
    arrows: pd.DataFrame
    crops: Mapping[int, Any]
    truth: str
    patched: Collection[int] = ()


def draw(traces: Sequence[Trace], label: str) -> Figure:
    """Draw the held answers, a row an agent and a column a round, one trial below the other.

    A new answer is in full colour, an unchanged one pale, an invalid one hollow; each carries the
    short name that the legend explains. Arrows lead from the row of the source to the agent's. The
    panel's title states the share of agents that are right at the end; invalid answers count as not
    right.

    Args:
        traces: one trial, or two: the original one and the patched one.
        label: what kind of agents was run.

    Raises:
        SettingError: there is no trial or more than two, one has more than 32 agents, a table
            lacks a column, beliefs have no row or two for one agent and round, a patched agent is
            not there, or an arrow comes from an agent that is not or leads to no valid answer after
            the first.

    Source: Flag Game, Fig. 7a and 7c.

    >>> import pandas
    >>> beliefs = [(0, 0, "Chad"), (1, 0, "Peru"), (0, 1, "Peru"), (1, 1, "Peru")]
    >>> beliefs = pandas.DataFrame(beliefs, columns=["agent", "round", "answer"])
    >>> arrows = pandas.DataFrame({"agent": [0], "round": [1], "source": [1]})
    >>> trace = Trace("original crops", beliefs, arrows, {}, "Peru")
    >>> draw([trace], "simulated agents").axes[0].texts[-1].get_text()
    'original crops: collective accuracy 100% (2 of 2)'
    """
    if not 1 <= len(traces) <= 2:
        raise SettingError("traces", len(traces), "one trial, or the original and the patched one")
    agents = [_check(trace) for trace in traces]
    looks = _looks(traces)
    handles = _handles(traces, looks)
    rounds = max(trace.beliefs["round"].nunique() for trace in traces)
    rows = [len(one) + HEADER for one in agents]
    width = max(5.2, 0.75 + ROW * (FIRST + APART * rounds))
    across = int(width / 1.6)
    height = 0.45 + 0.165 * -(-len(handles) // across) + sum(0.35 + ROW * size for size in rows)
    figure = new_figure(width, height, label)
    grid = figure.subplots(len(traces), 1, squeeze=False, height_ratios=rows)
    for axes, trace, own, letter in zip(grid[:, 0], traces, agents, "ab", strict=False):
        _panel(axes, trace, own, looks)
        last = trace.beliefs[trace.beliefs["round"] == trace.beliefs["round"].max()]
        right = int((last["answer"] == trace.truth).sum())
        share = f"{right / len(last):.0%} ({right} of {len(last)})"
        name_panel(axes, letter, f"{trace.title}: collective accuracy {share}")
    figure.legend(
        handles=handles,
        loc="outside upper center",
        ncols=across,
        frameon=False,
        fontsize=SMALL,
        handlelength=1.6,
    )
    return figure


def table(traces: Sequence[Trace]) -> pd.DataFrame:
    """Return the data of the figure as one table, beliefs first, then arrows.

    Args:
        traces: as in `draw`.

    Returns:
        Columns panel (its title), part (belief or arrow), agent, round, answer, source and patched
        (whether the agent's crop was replaced); empty where a column does not apply or an answer
        is invalid.
    """
    import pandas as pd

    parts = [
        rows.assign(panel=trace.title, part=part, patched=rows["agent"].isin(list(trace.patched)))
        for part in ("belief", "arrow")
        for trace in traces
        for rows in [trace.beliefs if part == "belief" else trace.arrows]
    ]
    columns = ["panel", "part", "agent", "round", "answer", "source", "patched"]
    whole = pd.concat([part.reindex(columns=columns) for part in parts], ignore_index=True)
    return whole.astype({"source": "Int64"})


def _check(trace: Trace) -> list[int]:
    """Return the agents of a trial whose tables fit together."""
    check_columns(trace.beliefs, ["agent", "round", "answer"])
    check_once(trace.beliefs.assign(what="belief"), ["what"], ["agent", "round"])
    missing = {"agent", "round", "source"} - set(trace.arrows.columns)
    if missing:
        raise SettingError("arrows", list(trace.arrows.columns), "columns agent, round and source")
    agents = check_agents(trace.beliefs["agent"])
    strangers = sorted(set(trace.patched) - set(agents))
    if strangers:
        raise SettingError("patched", strangers[0], f"agents of the beliefs: {agents}")
    later = trace.beliefs[trace.beliefs["round"] > trace.beliefs["round"].min()]
    valid = later[later["answer"].notna()]
    held = set(zip(valid["agent"], valid["round"], strict=True))
    for agent, number, source in trace.arrows[["agent", "round", "source"]].itertuples(index=False):
        if (agent, number) not in held or source not in agents:
            given = f"an arrow from agent {source} to agent {agent} in round {number}"
            expected = "agents of the beliefs, and a later round than the first with a valid answer"
            raise SettingError("arrows", given, expected)
    return agents


def _looks(traces: Sequence[Trace]) -> dict[str, tuple[str, str]]:
    """Give each answer its colour and short name: truths first, then wrong ones by how often."""
    import pandas as pd

    held = pd.concat([trace.beliefs["answer"] for trace in traces]).dropna()
    truths = list(dict.fromkeys(trace.truth for trace in traces))
    often = held.value_counts().to_dict()
    wrong = sorted(set(often) - set(truths), key=lambda answer: (-often[answer], answer))
    looks = dict.fromkeys(truths, TRUTH)
    looks |= dict(zip(wrong, chain(WRONG, [GREY] * len(wrong)), strict=False))
    return dict(zip(looks, zip(looks.values(), _short(looks), strict=True), strict=True))


def _short(names: Iterable[str]) -> list[str]:
    """Shorten names to at most three letters that differ: the first three where they do."""
    taken: list[str] = []
    for name in names:
        letters = "".join(filter(str.isalnum, name)) or name
        threes = (letters[0] + "".join(pair) for pair in combinations(letters[1:], 2))
        short = [letters] if len(letters) <= 3 else threes
        numbered = (f"{letters[0]}{number}" for number in count(2))
        taken.append(next(one for one in chain(short, numbered) if one not in taken))
    return taken


def _panel(
    axes: Axes, trace: Trace, agents: Sequence[int], looks: Mapping[str, tuple[str, str]]
) -> None:
    row = {agent: place for place, agent in enumerate(agents)}
    rounds = sorted(set(trace.beliefs["round"]))
    place = {number: FIRST + APART * nth for nth, number in enumerate(rounds)}
    end = place[rounds[-1]] + WIDE / 2 + 0.25
    for agent in trace.patched:
        axes.axhspan(row[agent] - 0.5, row[agent] + 0.5, color=BAND, linewidth=0, zorder=0)
    _crops(axes, trace, row)
    ordered = trace.beliefs.sort_values("round")
    at = zip(ordered["agent"], ordered["round"], strict=True)
    held = dict(zip(at, ordered["answer"], strict=True))
    before: dict[int, object] = {}
    for (agent, number), answer in held.items():
        pale = before.get(agent) == answer
        _cell(axes, (place[number], row[agent]), looks.get(answer), pale=pale)
        before[agent] = answer
    for agent, number, source in trace.arrows[["agent", "round", "source"]].itertuples(index=False):
        stop, gap = place[number] - WIDE / 2, APART - WIDE
        colour, _ = looks[held[agent, number]]
        _arrow(axes, (stop - gap, row[source]), (stop, row[agent]), colour)
    # Equal units keep the crops in shape, and let a cell's text fit whatever the figure's size.
    axes.set_aspect("equal", anchor="W")
    axes.set(xlim=(-0.35, end), ylim=(len(agents) - 0.5, -0.45 - HEADER), xticks=[])
    for x, name in zip([0.5, *place.values()], ["crop", *round_names(rounds)], strict=True):
        axes.text(x, -HEADER, name, ha="center", va="center", fontsize=TEXT)
    axes.set_yticks(range(len(agents)), [f"A{agent}" for agent in agents], fontsize=TEXT)
    for tick, agent in zip(axes.get_yticklabels(), agents, strict=True):
        tick.set_fontweight("bold" if agent in trace.patched else "normal")
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set_visible(False)


def _crops(axes: Axes, trace: Trace, row: Mapping[int, int]) -> None:
    from matplotlib.patches import Rectangle

    for agent, y in row.items():
        if agent not in trace.crops:
            axes.text(0.5, y, "blind", ha="center", va="center", fontsize=SMALL, color=GREY)
            continue
        picture = trace.crops[agent]
        wide = min(1.5, HIGH * len(picture[0]) / len(picture))
        high = wide * len(picture) / len(picture[0])
        left, top = 0.5 - wide / 2, y - high / 2
        axes.imshow(picture, extent=(left, left + wide, top + high, top), interpolation="none")
        thick = 1.6 if agent in trace.patched else 0.5
        axes.add_patch(
            Rectangle((left, top), wide, high, fill=False, edgecolor="black", linewidth=thick)
        )


def _cell(
    axes: Axes, middle: tuple[float, float], look: tuple[str, str] | None, *, pale: bool
) -> None:
    from matplotlib.patches import Rectangle

    x, y = middle
    colour, short = look or ("white", "-")
    cell = Rectangle((x - WIDE / 2, y - HIGH / 2), WIDE, HIGH, linewidth=0.7, zorder=2)
    cell.set_facecolor(_blend(colour, PALE if pale else 1.0))
    cell.set_edgecolor(GREY if look is None else _blend(colour, PALE if pale else 1.0))
    cell.set_linestyle("--" if look is None else "-")
    axes.add_patch(cell)
    text = axes.text(x, y, short, ha="center", va="center_baseline", fontsize=SMALL, zorder=3)
    text.set_color(INK)
    if look and not pale:
        text.set(color=_ink(colour), fontweight="bold")


def _blend(colour: str, strength: float) -> str:
    """Mix a colour with white, so that what lies below does not show through."""
    from matplotlib.colors import to_hex, to_rgb

    red, green, blue = (1 - strength * (1 - part) for part in to_rgb(colour))
    return to_hex((red, green, blue))


def _ink(colour: str) -> str:
    """Black or white, whichever can be read better on a colour."""
    from matplotlib.colors import to_rgb

    linear = [((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    luminance = sum(part * w for part, w in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
    return "white" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "black"


def _arrow(axes: Axes, start: tuple[float, float], stop: tuple[float, float], colour: str) -> None:
    arrow = {
        "arrowstyle": "-|>,head_length=0.35,head_width=0.16",
        "color": colour,
        "linewidth": 1.1,
        "shrinkA": 1.0,
        "shrinkB": 1.0,
    }
    axes.annotate("", stop, xytext=start, arrowprops=arrow, zorder=4)


def _handles(traces: Sequence[Trace], looks: Mapping[str, tuple[str, str]]) -> list[Artist]:
    """Return what the legend shows: the answers, and the marks that occur."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    truths = {trace.truth for trace in traces}
    handles: list[Artist] = []
    for answer, (colour, short) in looks.items():
        name = f"{short}  {answer}" + " (truth)" * (answer in truths)
        handles.append(Patch(facecolor=colour, label=name))
    if any(trace.beliefs["answer"].isna().any() for trace in traces):
        handles.append(Patch(facecolor="white", edgecolor=GREY, linestyle="--", label="-  invalid"))
    handles.append(Patch(facecolor=_blend(GREY, PALE), label="pale: unchanged"))
    if any(len(trace.arrows) for trace in traces):
        arrow = Line2D([], [], color=EDGE, marker=">", markersize=4, linewidth=1.1)
        arrow.set_label("switch, as the latest message said")
        handles.append(arrow)
    if any(trace.patched for trace in traces):
        handles.append(Patch(facecolor=BAND, edgecolor="black", label="patched crop"))
    return handles
