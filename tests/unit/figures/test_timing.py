"""When honest agents first give way."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import timing
from tests.unit.figures.tables import LABEL, check_form, places, points, row, ticks, titles


def shares(**condition: Any) -> pd.DataFrame:
    values = {
        "first_defection_round_1": 0.4,
        "first_defection_by_round_2": 0.7,
        "first_defection_vote_only": 0.1,
    }
    return pd.DataFrame(
        [
            row(measure, value, 20 + size, N=size, deceivers=share, **condition)
            for measure, value in values.items()
            for share, size in (("1/5", 10), ("1/3", 12))
        ]
    )


def test_the_three_classes_stand_side_by_side_over_one_half() -> None:
    figure = timing.draw(shares(), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    shown = points(axes)
    assert list(shown) == ["in round 1", "by round 2", "in the vote alone"]
    assert [one[0] for one in shown.values()] == [(0.189, 0.4), (0.2, 0.7), (0.211, 0.1)]
    assert places(axes.lines[0])[1] == [0.5, 0.5]
    assert axes.lines[0].get_linestyle() == "--"
    assert titles(figure.legends[0]) == ["one half", *shown]
    assert ticks(axes) == ["1/5\nn = 30", "1/3\nn = 32"]


def test_a_group_without_defections_has_no_point() -> None:
    table = shares()
    table.loc[table["N"] == 10, ["value", "low", "high", "n"]] = [None, None, None, 0]
    axes = timing.draw(table, LABEL).axes[0]
    assert [len(one) for one in points(axes).values()] == [1, 1, 1]
    assert ticks(axes)[0] == "1/5\nn = 0"


def test_a_panel_a_cast() -> None:
    figure = timing.draw(pd.concat([shares(cast=cast) for cast in "AB"]), LABEL)
    check_form(figure)
    assert [axes.texts[0].get_text() for axes in figure.axes] == ["cast A", "cast B"]
    with pytest.raises(SettingError, match="two rows of first_defection_round_1 at N = 10"):
        timing.draw(pd.concat([shares(), shares()]), LABEL)
