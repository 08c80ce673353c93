"""How often each model alone is right on each question, and which questions are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socialcircuits.errors import SettingError
from socialcircuits.figures.proportions import COLUMNS, LETTERS, note
from socialcircuits.figures.style import (
    GREY,
    SMALL,
    TEXT,
    TRUTH,
    Part,
    check_columns,
    check_once,
    name_panel,
    new_figure,
    tidy,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

KEPT = Part("kept", "kept", TRUTH, "")
DROPPED = Part("dropped", "dropped", GREY, "///")

ATTEMPTS = 4


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw for each model the number of questions it answers alone 0, 1, 2, 3 and 4 times rightly.

    Kept questions are filled, dropped ones hatched; above each bar stands its number, above each
    panel how many of all questions are kept.

    Args:
        table: columns model, right (0 to 4: right answers of four isolated ones), questions (how
            many) and kept (whether they are asked in the trials); one row for each model and number
            of right answers. A number without a row has no bar.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, the table is empty, a model has two rows of one number,
            or a number is not 0 to 4.

    Source: adversarial influence, section 2.3 and Table 3.

    >>> import pandas
    >>> rows = [("A", 0, 12, False), ("A", 2, 30, True), ("A", 4, 18, False)]
    >>> table = pandas.DataFrame(rows, columns=["model", "right", "questions", "kept"])
    >>> [text.get_text() for text in draw(table, "simulated agents").axes[0].texts]
    ['12', '30', '18', 'A', '30 of 60 questions kept']
    """
    check_columns(table, ["model", "right", "questions", "kept"])
    check_once(table.assign(what="questions"), ["what"], ["model", "right"])
    strange = sorted(set(table["right"]) - set(range(ATTEMPTS + 1)))
    if strange:
        raise SettingError("right", strange[0], f"a whole number from 0 to {ATTEMPTS}")
    models = list(dict.fromkeys(table["model"]))
    columns = min(COLUMNS, len(models))
    lines = -(-len(models) // columns)
    figure = new_figure(4.4 if columns == 1 else 6.6, 1.0 + 2.2 * lines, label)
    grid = figure.subplots(lines, columns, squeeze=False, sharey=True)
    for axes in grid.flat[len(models) :]:
        axes.set_axis_off()
    for axes, model, letter in zip(grid.flat, models, LETTERS, strict=False):
        rows = table[table["model"] == model]
        _bars(axes, rows)
        kept = rows.loc[rows["kept"], "questions"].sum()
        name_panel(axes, letter if len(models) > 1 else "", str(model), legend_lines=1)
        note(axes, [f"{kept} of {rows['questions'].sum()} questions kept"])
    for axes in grid[:, 0]:
        axes.set_ylabel("Questions", fontsize=TEXT)
    _legend(figure)
    return figure


def _bars(axes: Axes, rows: pd.DataFrame) -> None:
    from matplotlib.ticker import MaxNLocator

    for part, shown in ((KEPT, rows[rows["kept"]]), (DROPPED, rows[~rows["kept"]])):
        axes.bar(shown["right"], shown["questions"], width=0.7, linewidth=0.6, **part.look)
    for right, questions in zip(rows["right"], rows["questions"], strict=True):
        axes.annotate(
            str(questions),
            (right, questions),
            xytext=(0, 2),
            textcoords="offset points",
            ha="center",
            fontsize=SMALL,
        )
    axes.set_xticks(range(ATTEMPTS + 1))
    axes.set_xlim(-0.6, ATTEMPTS + 0.6)
    axes.set_xlabel(f"Right answers of {ATTEMPTS}, alone", fontsize=TEXT)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(y=0.12)
    tidy(axes)


def _legend(figure: Figure) -> None:
    from matplotlib.patches import Patch

    figure.legend(
        handles=[Patch(label=part.title, **part.look) for part in (KEPT, DROPPED)],
        loc="outside upper center",
        ncols=2,
        frameon=False,
        fontsize=SMALL,
    )
