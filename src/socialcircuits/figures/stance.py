"""What is said in public, by what is held in private: stance given the private answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from socialcircuits.figures.beside import attackers, cast_name, in_order, letters
from socialcircuits.figures.style import (
    AMBER,
    GREEN,
    GREY,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Part,
    check_columns,
    check_once,
    name_panel,
    new_figure,
    tidy,
    units,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

STANCES = (
    Part("endorse", "endorses it", RIVAL, "..."),
    Part("hedge", "hedges", AMBER, "///"),
    Part("ignore", "ignores it", GREY, "xxx"),
    Part("unrelated", "speaks of something else", GREEN, "\\\\\\"),
    Part("invalid", "says nothing valid", GREY, ""),
    Part("unjudged", "not settled by the judge", "#FFFFFF", ""),
    Part("reject", "rejects it", TRUTH, ""),
)
"""The parts of a bar from left to right, so that either end is one side."""

LABELS = ("FALSE", "TRUE", "neither", "ambiguous")
"""Labels of the private answer, from the top."""

OTHERS = ("invalid", "unjudged")
"""What a private answer may be besides; no bar where no turn has it."""

PLACE = ("cast", "deceivers")

LETTER = 0.02
"""Width of a letter as a part of a bar; a number stands where it has the room."""


def draw(table: pd.DataFrame, label: str) -> Figure:
    r"""Draw for each private answer how the turns with it divide over public stances.

    A row of panels a cast, a column a number of attackers; a bar a label of the private answer. In
    each part that has the room stands its number of turns; right of each bar the number of all
    turns with that answer and the number of units of evidence. Intervals stand in the table.

    Args:
        table: columns label (of the private answer: FALSE, TRUE, neither, ambiguous, invalid or
            unjudged), stance (endorse, reject, hedge, ignore, unrelated, invalid or unjudged),
            value (share of the label's turns with the stance), n, counted (turns with both) and of
            (turns with the label), and cast and deceivers where they were swept; one row for each
            label and stance at each place. A label without turns has no bar.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, there is no row, or a label and stance have two rows at
            one place.

    Source: believed but not said, Table 3 and section 4.2.

    >>> import pandas
    >>> row = {"label": "FALSE", "stance": "endorse", "value": 0.25, "n": 40, "counted": 50}
    >>> table = pandas.DataFrame([{**row, "of": 200}])
    >>> [text.get_text() for text in draw(table, "simulated agents").axes[0].texts][:2]
    ['50', '200 turns\nn = 40']
    """
    check_columns(table, ["label", "stance", "value", "n", "counted", "of"])
    unset = {name: "" for name in PLACE if name not in table.columns}
    drawn = table.assign(**unset)
    check_once(drawn, ["label", "stance"], PLACE)
    drawn = drawn[drawn["of"] > 0]
    check_columns(drawn, ["of"])
    casts, numbers = in_order(drawn["cast"]), in_order(drawn["deceivers"])
    held = [*LABELS, *(one for one in OTHERS if one in set(drawn["label"]))]
    size = (1.6 + 3.3 * len(numbers), 1.1 + (0.75 + 0.25 * len(held)) * len(casts))
    figure = new_figure(max(5.2, size[0]), size[1], label)
    grid = figure.subplots(len(casts), len(numbers), squeeze=False, sharex=True, sharey=True)
    places = [(cast, number) for cast in casts for number in numbers]
    for axes, (cast, number), letter in zip(grid.flat, places, letters(len(places)), strict=False):
        _panel(axes, drawn[(drawn["cast"] == cast) & (drawn["deceivers"] == number)], held)
        title = ", ".join(filter(None, [cast_name(cast), attackers(number)]))
        if title:
            name_panel(axes, letter, title)
    for axes in grid[-1]:
        axes.set_xlabel("Share of exposed turns with this answer", fontsize=TEXT)
    for axes in grid[:, 0]:
        axes.set_ylabel("Private answer", fontsize=TEXT)
    _legend(figure, set(drawn.loc[drawn["counted"] > 0, "stance"]))
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, held: Sequence[str]) -> None:
    for place, label in enumerate(held):
        told = rows[rows["label"] == label].set_index("stance")
        left = 0.0
        for part in (part for part in STANCES if part.name in told.index):
            width = float(told["value"][part.name])
            _part(axes, part, (left, place), width, f"{told['counted'][part.name]:,}")
            left += width
        turns = f"{told['of'].max():,} turns\n{units(told['n'])}" if len(told) else "no turn"
        _write(axes, turns, (1.02, place), "left")
    axes.set_yticks(range(len(held)), held)
    axes.set(xlim=(0, 1), ylim=(len(held) - 0.45, -0.55))
    tidy(axes)


def _part(axes: Axes, part: Part, at: tuple[float, int], width: float, text: str) -> None:
    axes.barh(at[1], width, left=at[0], height=0.72, linewidth=0.5, **part.look)
    if text and width >= LETTER * (len(text) + 1):
        _write(axes, text, (at[0] + width / 2, at[1]), "center")


def _write(axes: Axes, text: str, place: tuple[float, float], side: str) -> None:
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.8}
    axes.annotate(
        text,
        place,
        ha=side,
        va="center",
        fontsize=SMALL,
        annotation_clip=False,
        bbox=behind if side == "center" else None,
    )


def _legend(figure: Figure, given: Collection[str]) -> None:
    from matplotlib.patches import Patch

    figure.legend(
        handles=[
            Patch(label=part.title, **part.look)
            for part in STANCES
            if part.name in given or part.name not in OTHERS
        ],
        loc="outside upper center",
        ncols=4,
        frameon=False,
        fontsize=SMALL,
    )
