"""How what one agent knows reaches the others: earliest-arrival paths through a schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socialcircuits.errors import SettingError
from socialcircuits.figures.style import (
    GREEN,
    GREY,
    SMALL,
    TEXT,
    check_agents,
    check_columns,
    check_once,
    new_figure,
    round_names,
    tidy,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

COLUMNS = ("source", "agent", "time", "speaker", "round", "position")

PALE = "#A6DBCB"
"""Colour of what is known where no path goes on."""

MARGIN = 0.2
"""How far from the readouts before and after it the first and the last message stand, in rounds."""

ROW, COLUMN = 0.3, 0.52
"""Height of an agent's row and width of a round in inches."""


def draw(table: pd.DataFrame, rounds: int, label: str) -> Figure:
    """Draw from one source the paths by which its information first reaches each agent.

    A row is an agent, a column a readout. Nodes are filled once the agent is reached. A vertical
    line leads from the speaker to the reader at the message's place within its round, a thick
    horizontal one from where information arrives to where it is passed on for the last time. On the
    right stands the number of the message on which an agent is reached.

    Args:
        table: the earliest-arrival tree of one source, columns source, agent (from 0), time (number
            of the message from 1; 0 for the source), speaker (who says it), round (from 1) and
            position (of the message within its round, 0 to 1); one row an agent. Time, speaker,
            round and position are missing where an agent is not reached; of the source only its
            agent is read.
        rounds: how many the trial has, at least 1.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, the table is empty, it has more than one source, more
            than 32 agents or two rows of an agent, the source has no row, a speaker is not reached
            itself, or a round or position is out of range.

    Source: Flag Game, Fig. 6.

    >>> import pandas
    >>> rows = [(4, 4, 0, None, None, None), (4, 1, 3, 4, 1, 0.25), (4, 0, None, None, None, None)]
    >>> axes = draw(pandas.DataFrame(rows, columns=COLUMNS), 2, "simulated agents").axes[0]
    >>> [text.get_text() for text in axes.texts[-3:]]
    ['not reached', '3', 'source']
    """
    check_columns(table, COLUMNS)
    agents = check_agents(table["agent"])
    reached = _check(table, rounds)
    source = int(table["source"].iloc[0])
    row = {agent: place for place, agent in enumerate(agents)}
    width = max(4.6, 1.7 + COLUMN * rounds)
    figure = new_figure(width, 0.95 + ROW * (len(agents) + 1), label)
    axes = figure.subplots()
    arrival = {source: 0.0} | {one["agent"]: _place(one) for one in reached}
    _paths(axes, reached, arrival, row)
    _nodes(axes, arrival, row, rounds)
    _arrivals(axes, {one["agent"]: one["time"] for one in reached}, source, row, rounds)
    axes.set_xticks(range(rounds + 1), round_names(range(rounds + 1)))
    axes.set_yticks(range(len(agents)), [f"A{agent}" for agent in agents])
    axes.get_yticklabels()[row[source]].set_fontweight("bold")
    axes.set(xlim=(-0.4, rounds + 1.4), ylim=(len(agents) - 0.5, -1.1))
    tidy(axes)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    _legend(figure, source, columns=4 if width > 6 else 2)
    return figure


def _check(table: pd.DataFrame, rounds: int) -> list[dict[str, Any]]:
    """Return the rows of the agents that are reached, but not of the source."""
    if rounds < 1:
        raise SettingError("rounds", rounds, "at least 1")
    sources = sorted(set(table["source"]))
    if len(sources) != 1:
        raise SettingError("table", f"sources {sources}", "the tree of one source; choose one")
    check_once(table.assign(what="arrival"), ["what"], ["agent"])
    rows = table[(table["agent"] != sources[0]) & table["time"].notna()]
    numbers = rows.astype(dict.fromkeys(("agent", "time", "speaker", "round"), int))
    if sources[0] not in set(table["agent"]):
        raise SettingError("table", f"no row of agent {sources[0]}", "a row of the source too")
    strangers = sorted(set(numbers["speaker"]) - {sources[0], *numbers["agent"]})
    if strangers:
        raise SettingError("speaker", strangers[0], "the source or an agent that is reached")
    for name, low, high in (("round", 1, rounds), ("position", 0, 1)):
        strange = numbers.loc[~numbers[name].between(low, high), name].tolist()
        if strange:
            raise SettingError(name, strange[0], f"{low} to {high}")
    columns = [name for name in COLUMNS if name != "source"]
    return [
        dict(zip(columns, one, strict=True))
        for one in numbers[columns].itertuples(index=False, name=None)
    ]


def _place(message: dict[str, Any]) -> float:
    """Return where a message stands across the figure, in rounds."""
    return float(message["round"] - 1 + MARGIN + (1 - 2 * MARGIN) * message["position"])


def _paths(
    axes: Axes,
    reached: Sequence[dict[str, Any]],
    arrival: dict[int, float],
    row: dict[int, int],
) -> None:
    last: dict[int, float] = {}
    starts = [(_place(one), row[one["speaker"]]) for one in reached]
    # A dot where a line starts tells it from one that crosses the row.
    axes.scatter([x for x, _ in starts], [y for _, y in starts], s=16, color=GREEN, zorder=3)
    for one in reached:
        speaker, x = one["speaker"], _place(one)
        last[speaker] = max(x, last.get(speaker, x))
        arrow = {"arrowstyle": "-|>", "color": GREEN, "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0}
        axes.annotate(
            "", (x, row[one["agent"]]), xytext=(x, row[speaker]), arrowprops=arrow, zorder=3
        )
    for speaker, x in last.items():
        axes.plot([arrival[speaker], x], [row[speaker]] * 2, color=GREEN, linewidth=2.2, zorder=2)


def _nodes(axes: Axes, arrival: dict[int, float], row: dict[int, int], rounds: int) -> None:
    for agent, y in row.items():
        since = arrival.get(agent, float("inf"))
        axes.plot([0, rounds], [y, y], color="0.85", linewidth=0.8, zorder=0)
        if agent in arrival:
            axes.plot([since, rounds], [y, y], color=PALE, linewidth=1.6, zorder=1)
        axes.scatter(
            range(rounds + 1),
            [y] * (rounds + 1),
            s=34,
            c=[GREEN if number >= since else "white" for number in range(rounds + 1)],
            edgecolors=[GREEN if number >= since else GREY for number in range(rounds + 1)],
            linewidths=0.9,
            zorder=4,
        )


def _arrivals(
    axes: Axes, times: dict[int, int], source: int, row: dict[int, int], rounds: int
) -> None:
    axes.text(rounds + 0.3, -0.75, "message", fontsize=SMALL, color=GREY, va="center")
    for agent, y in row.items():
        text = "source" if agent == source else f"{times.get(agent, 'not reached')}"
        axes.text(rounds + 0.3, y, text, fontsize=TEXT - 0.5, va="center")


def _legend(figure: Figure, source: int, columns: int) -> None:
    from matplotlib.lines import Line2D

    node: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 5.5}
    path = Line2D([], [], color=GREEN, linewidth=2.0, label="earliest-arrival path")
    handles = [
        Line2D([], [], color=GREEN, label=f"reached from A{source}", **node),
        Line2D([], [], color="white", markeredgecolor=GREY, label="not yet reached", **node),
        path,
        Line2D([], [], color=PALE, linewidth=1.6, label="known, no path goes on"),
    ]
    figure.legend(
        handles=handles, loc="outside upper center", ncols=columns, frameon=False, fontsize=SMALL
    )
