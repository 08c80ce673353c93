"""Defection over the size of the group."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import group_size
from tests.unit.figures.tables import LABEL, check_form, notes, points, row, ticks, titles

GROUPS = (("0", 2), ("0", 12), ("1/3", 12), ("1/3", 6), ("3/7", 21), (3, 7))


def rates(casts: str = "A") -> pd.DataFrame:
    return pd.DataFrame(
        [
            row("honest_defection", 0.01 * size, 30 + size, N=size, deceivers=share, cast=cast)
            for cast in casts
            for share, size in GROUPS
        ]
    )


def test_a_series_is_one_proportion_from_small_to_large() -> None:
    figure = group_size.draw(rates(), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    shown = points(axes)
    assert list(shown) == ["0, n = 32-42", "1/3, n = 36-42", "3/7, n = 37-51"]
    assert shown["0, n = 32-42"] == [(1.84, 0.02), (11.84, 0.12)]
    assert shown["1/3, n = 36-42"] == [(6.0, 0.06), (12.0, 0.12)]
    assert shown["3/7, n = 37-51"] == [(7.16, 0.07), (21.16, 0.21)]
    assert ticks(axes) == ["2", "6", "7", "12", "21"]
    assert titles(axes.get_legend()) == list(shown)


def test_a_panel_a_cast_keeps_the_looks() -> None:
    table = rates("AB")
    table = table[~((table["cast"] == "A") & (table["deceivers"] == "0"))]
    figure = group_size.draw(table, LABEL)
    check_form(figure)
    assert [notes(axes)[0][1] for axes in figure.axes] == ["cast A", "cast B"]
    first, second = figure.axes
    assert list(points(first)) == ["1/3, n = 36-42", "3/7, n = 37-51"]
    looks = [[one[0].get_marker() for one in axes.containers] for axes in (first, second)]
    assert looks[0] == looks[1][1:]


def test_missing_values_are_left_out() -> None:
    table = rates()
    table.loc[table["N"] == 6, ["value", "low", "high", "n"]] = [None, None, None, 0]
    shown = points(group_size.draw(table, LABEL).axes[0])
    assert shown["1/3, n = 0-42"] == [(12.0, 0.12)]


def test_two_rows_of_one_composition_are_refused() -> None:
    with pytest.raises(SettingError, match="two rows of honest_defection at N = 2, cast = A"):
        group_size.draw(pd.concat([rates(), rates()]), LABEL)
    with pytest.raises(SettingError, match="missing: N"):
        group_size.draw(rates().drop(columns="N"), LABEL)
