"""Crops on which models disagree, with what each answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from socialcircuits.errors import SettingError
from socialcircuits.figures.style import (
    GREEN,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    new_figure,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.transforms import Affine2DBase

__all__ = ["MOST", "Example", "draw", "table"]

MOST = 8
"""Most crops in one figure."""

COLUMNS = 4

KINDS = (
    Series("right", "right", TRUTH, "o", "none"),
    Series("compatible", "wrong, fits the crop", GREEN, "^", "none"),
    Series("incompatible", "wrong, does not fit", RIVAL, "s", "none"),
    Series("invalid", "invalid", "#000000", "D", "none", filled=False),
)

LINE = 10.5
"""Height of a line of answers in points."""

LETTERS = 27
"""Letters in a line of answers."""


@dataclass(frozen=True)
class Example:
    """One crop of the figure.

    Args:
        picture: the crop, shape (height, width, 3), RGB as 0-255 integers or 0-1 floats.
        truth: the right answer.
        answers: name of each model -> its answer (None where invalid) and the answer's kind: right,
            compatible (wrong, but the crop occurs in its flag), incompatible or invalid.
    """

    picture: Any
    truth: str
    answers: Mapping[str, tuple[str | None, str]]


def draw(examples: Sequence[Example], total: int, label: str) -> Figure:
    """Draw crops in rows of four, each with its truth above and the models' answers below.

    Kinds of answers differ by colour and marker.

    Args:
        examples: the crops that are shown, from 1 to 8.
        total: how many crops there are on which models disagree; the figure says so.
        label: what kind of agents was run.

    Raises:
        SettingError: there is no crop or there are too many, `total` is less than those shown, or
            an answer is of an unknown kind.

    Source: Flag Game, Fig. 4c.

    >>> example = Example([[[255, 255, 255]]], "Peru",
    ...     {"A": ("Peru", "right"), "B": ("Mali", "incompatible")})
    >>> draw([example], 12, "simulated agents").legends[0].get_title().get_text()
    '1 of 12 crops on which models disagree'
    """
    _check(examples, total)
    rows = -(-len(examples) // COLUMNS)
    columns = min(COLUMNS, len(examples))
    texts = [_lines(example) for example in examples]
    below = max(len(lines) for lines in texts) * LINE / 72
    figure = new_figure(max(4.4, 0.2 + 1.75 * columns), 1.0 + rows * (1.5 + below), label)
    crops = "crop" if total == 1 else "crops"
    title = f"{len(examples)} of {total} {crops} on which models disagree"
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat:
        axes.set_axis_off()
    for axes, example, lines in zip(grid.flat, examples, texts, strict=False):
        _crop(axes, example, lines, figure.dpi_scale_trans)
    figure.legend(
        handles=[_marker(kind) for kind in KINDS],
        title=title,
        title_fontsize=TEXT,
        loc="outside upper center",
        ncols=4,
        frameon=False,
        fontsize=SMALL,
    )
    return figure


def table(examples: Sequence[Example]) -> pd.DataFrame:
    """Return the answers of the figure as a table.

    Args:
        examples: as in `draw`.

    Returns:
        Columns crop (from 1, in the order drawn), truth, model, answer (missing where invalid) and
        kind; one row for each crop and model.

    >>> table([Example([[[255, 255, 255]]], "Peru", {"A": (None, "invalid")})])["kind"].tolist()
    ['invalid']
    """
    import pandas as pd

    rows = [
        (number, example.truth, model, answer, kind)
        for number, example in enumerate(examples, start=1)
        for model, (answer, kind) in example.answers.items()
    ]
    return pd.DataFrame(rows, columns=["crop", "truth", "model", "answer", "kind"])


def _check(examples: Sequence[Example], total: int) -> None:
    if not 1 <= len(examples) <= MOST:
        raise SettingError("examples", len(examples), f"1 to {MOST} crops")
    if total < len(examples):
        raise SettingError("total", total, f"at least the {len(examples)} crops that are shown")
    names = [kind.name for kind in KINDS]
    for example in examples:
        for _, kind in example.answers.values():
            if kind not in names:
                raise SettingError("examples", kind, "one of " + ", ".join(names), among=names)


def _lines(example: Example) -> list[tuple[str, str]]:
    """Return the lines of text below a crop, each with a kind where an answer begins, else ''."""
    lines = []
    for model, (answer, kind) in example.answers.items():
        text = f"{model}: {'invalid' if answer is None else answer}"
        parts = wrap(text, LETTERS, subsequent_indent="  ")
        lines += [(part, "" if nth else kind) for nth, part in enumerate(parts)]
    return lines


def _crop(
    axes: Axes, example: Example, lines: Sequence[tuple[str, str]], inches: Affine2DBase
) -> None:
    from matplotlib.transforms import ScaledTranslation

    axes.imshow(example.picture, interpolation="none")
    axes.set_axis_on()
    axes.set(xticks=[], yticks=[])
    axes.set_title("\n".join(wrap(f"truth: {example.truth}", LETTERS)), fontsize=SMALL + 0.5)
    for nth, (text, kind) in enumerate(lines):
        down = -(nth + 0.8) * LINE
        axes.annotate(
            text,
            (0, 0),
            xycoords="axes fraction",
            xytext=(10, down),
            textcoords="offset points",
            va="center",
            fontsize=SMALL,
        )
        for marker in [_marker(one) for one in KINDS if one.name == kind]:
            place = ScaledTranslation(4 / 72, down / 72, inches)
            marker.set(xdata=[0], ydata=[0], clip_on=False, transform=axes.transAxes + place)
            axes.add_artist(marker)


def _marker(kind: Series) -> Line2D:
    from matplotlib.lines import Line2D

    handle = Line2D([], [], color=kind.colour, linestyle="none", marker=kind.marker, markersize=4.5)
    handle.set_markerfacecolor(kind.colour if kind.filled else "white")
    handle.set_label(kind.title)
    return handle
