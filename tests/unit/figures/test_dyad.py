"""One attacker and one agent, against one attacker in a group."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import dyad
from tests.unit.figures.tables import LABEL, check_form, places, points, row, texts, ticks, titles


def levels() -> pd.DataFrame:
    return pd.DataFrame(
        [
            row("final_infection", 0.1 * size / 2, 10, N=size, deceivers=1, cast=cast)
            for size in (10, 2)
            for cast in "AB"
        ]
    )


def differences() -> pd.DataFrame:
    rows = [row("final_infection", 0.3, 9, cast="A"), row("final_infection", None, 0, cast="B")]
    return pd.DataFrame(rows)


def test_dyads_stand_beside_groups_and_their_difference() -> None:
    figure = dyad.draw(levels(), differences(), LABEL)
    check_form(figure)
    left, right = figure.axes
    assert [one[0] for one in points(left).values()] == [(-0.085, 0.1), (0.085, 0.5)]
    assert titles(figure.legends[0]) == [
        "2 agents, 1/2 of the messages by attackers",
        "10 agents, 1/10 of the messages by attackers",
    ]
    assert list(points(right).values()) == [[(0, 0.3)]]
    assert places(right.lines[0])[1] == [0, 0]
    assert ticks(right) == ["A\nn = 9", "B\nn = 0"]
    assert "n = 0" in texts(right)


def test_without_pairs_only_the_levels_are_drawn() -> None:
    figure = dyad.draw(levels(), pd.DataFrame(), LABEL)
    check_form(figure)
    assert len(figure.axes) == 1
    with pytest.raises(SettingError, match="missing: N"):
        dyad.draw(levels().drop(columns="N"), pd.DataFrame(), LABEL)
    with pytest.raises(SettingError, match="two rows of final_infection at cast = A, N = 10"):
        dyad.draw(pd.concat([levels(), levels()]), pd.DataFrame(), LABEL)
