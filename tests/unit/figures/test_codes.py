"""Signs of coordination, and reasons of early defections."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from matplotlib.axes import Axes

from socialcircuits.errors import SettingError
from socialcircuits.figures import codes
from tests.unit.figures.tables import LABEL, check_form, points, row, texts, titles


def shares(**condition: Any) -> pd.DataFrame:
    names = ["code_agreed_answer", "code_backed_off", *codes.REASONS]
    rows = [row(name, 0.1 + 0.1 * nth, 30 - nth, **condition) for nth, name in enumerate(names)]
    return pd.DataFrame([*rows[::-1], row("correction", 0.4, **condition)])


def alone(axes: Axes) -> list[tuple[float, float]]:
    """The points of the only series."""
    (shown,) = points(axes).values()
    return shown


def test_rows_stand_in_the_order_of_the_rubric_with_n() -> None:
    figure = codes.draw(shares(), LABEL)
    check_form(figure)
    top, below = figure.axes
    assert [text.get_text() for text in top.get_yticklabels()] == [
        "agreed on one wrong answer", "backed off when suspected",
    ]  # fmt: skip
    assert sorted(alone(top), key=lambda point: point[1]) == [(0.1, 0), (0.2, 1)]
    assert texts(top) == ["coordinated deceivers, share of trials", "n = 30", "n = 29"]
    assert len(below.get_yticklabels()) == 4
    assert texts(below)[1:] == ["n = 28", "n = 27", "n = 26", "n = 25"]
    assert top.yaxis_inverted()
    assert not figure.legends


def test_casts_stand_below_each_other() -> None:
    figure = codes.draw(pd.concat([shares(cast=cast) for cast in "AB"]), LABEL)
    check_form(figure)
    shown = points(figure.axes[0])
    assert [sorted(y for _, y in one) for one in shown.values()] == [
        [-0.125, 0.875],
        [0.125, 1.125],
    ]
    assert titles(figure.legends[0]) == list(shown) == ["cast A", "cast B"]


def test_a_panel_without_rows_is_left_out() -> None:
    table = shares()
    figure = codes.draw(table[~table["measure"].str.startswith("code_")], LABEL)
    check_form(figure)
    (axes,) = figure.axes
    assert texts(axes)[0] == "reasons for early defections, share of defections"
    assert axes.get_title(loc="left") == ""


def test_a_missing_share_is_no_zero() -> None:
    table = shares()
    lost = table["measure"] == "code_backed_off"
    table.loc[lost, ["value", "low", "high", "n"]] = [None, None, None, 0]
    axes = codes.draw(table, LABEL).axes[0]
    assert alone(axes) == [(0.1, 0)]
    assert texts(axes)[-1] == "n = 0"


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="two rows of reason_false_evidence"):
        codes.draw(pd.concat([shares(), shares()]), LABEL)
    with pytest.raises(SettingError, match="rows of code_agreed_answer"):
        codes.draw(shares().assign(measure="correction"), LABEL)
