"""Infection by round."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import dynamics
from tests.unit.figures.tables import LABEL, check_form, places, row, texts, titles


def curves(*casts: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            row("infection", 0.1 * number, cast=cast, deceivers=attackers, round=number)
            for cast in casts
            for attackers in (3, 1)
            for number in (0, 2, 1, 4, 3)
        ]
    )


def marks(*casts: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"cast": cast, "deceivers": 3, "half_round": 2, "most_round": 3, "n": 40}
            for cast in casts
        ]
    )


def test_a_curve_a_number_of_attackers_with_its_rounds_marked() -> None:
    figure = dynamics.draw(curves("A"), marks("A"), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    one, three, half, most = axes.lines[:4]
    assert places(one)[0] == [0, 1, 2, 3, 4]
    assert places(one)[1] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    assert one.get_linestyle() != three.get_linestyle()
    assert [places(mark)[0] for mark in (half, most)] == [[2.0], [3.0]]
    assert [places(mark)[1][0] for mark in (half, most)] == pytest.approx([0.2, 0.3])
    assert texts(axes) == [
        "cast A",
        "3 attackers: n = 40; rounds: half by 2, 80 % by 3\n1 attacker: n = 40",
    ]
    assert titles(figure.legends[0])[:2] == ["1 attacker", "3 attackers"]


def test_nobody_infected_at_the_end_has_no_mark() -> None:
    (axes,) = dynamics.draw(curves("A"), marks("A").assign(most_round=None), LABEL).axes
    assert len(axes.lines) == 5  # two curves, one mark, and the legend's marks
    assert texts(axes)[1].startswith("3 attackers: n = 40; rounds: half by 2\n")


def test_rounds_without_a_value_are_left_out_of_the_curve() -> None:
    table = curves("A")
    table.loc[table["round"] == 4, ["value", "low", "high", "n"]] = [None, None, None, 0]
    (axes,) = dynamics.draw(table, pd.DataFrame(), LABEL).axes
    assert places(axes.lines[0])[0] == [0, 1, 2, 3]
    assert texts(axes)[1] == "3 attackers: n = 40\n1 attacker: n = 40"


def test_a_panel_a_cast_and_bad_tables() -> None:
    figure = dynamics.draw(curves(*"ABCD"), pd.DataFrame(), LABEL)
    check_form(figure)
    assert sum(axes.axison for axes in figure.axes) == 4
    with pytest.raises(SettingError, match="two rows of infection at round = 0"):
        dynamics.draw(pd.concat([curves("A"), curves("A")]), pd.DataFrame(), LABEL)
    with pytest.raises(SettingError, match="two rows of rounds at cast = A, deceivers = 3"):
        dynamics.draw(curves("A"), pd.concat([marks("A"), marks("A")]), LABEL)
    with pytest.raises(SettingError, match="missing: round"):
        dynamics.draw(curves("A").drop(columns="round"), pd.DataFrame(), LABEL)
