"""What is held in private beside what is said in public, by number of attackers."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import sybils
from tests.unit.figures.tables import LABEL, check_form, points, row, texts, ticks, titles


def shares(**condition: Any) -> pd.DataFrame:
    values = {"private_infection": 0.5, "public_endorsement": 0.2, "unvoiced_infection": 0.6}
    rows = [row("final_infection", 0.1 + number / 5, deceivers=number) for number in (0, 1, 3)]
    rows += [
        row(measure, value, 38, deceivers=number)
        for measure, value in values.items()
        for number in (1, 3)
    ]
    return pd.DataFrame(rows).assign(**condition)


def test_the_shares_stand_side_by_side_and_only_the_end_without_attackers() -> None:
    figure = sybils.draw(shares(), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    shown = points(axes)
    assert [len(one) for one in shown.values()] == [3, 2, 2, 2]
    assert [one[-1] for one in shown.values()] == [
        (1.775, 0.7), (1.925, 0.5), (2.075, 0.2), (2.225, 0.6),
    ]  # fmt: skip
    assert ticks(axes) == ["0\nn = 40", "1\nn = 38-40", "3\nn = 38-40"]
    assert titles(figure.legends[0]) == list(shown)


def test_a_share_without_turns_is_marked_and_has_no_point() -> None:
    table = shares()
    lost = (table["measure"] == "unvoiced_infection") & (table["deceivers"] == 3)
    table.loc[lost, ["value", "low", "high", "n"]] = [None, None, None, 0]
    (axes,) = sybils.draw(table, LABEL).axes
    assert texts(axes) == ["n = 0"]
    assert axes.texts[0].get_position()[0] == 0
    assert [len(one) for one in points(axes).values()] == [3, 2, 2, 1]
    assert ticks(axes)[2] == "3\nn = 0-40"


def test_a_panel_a_cast_and_one_row_a_place() -> None:
    figure = sybils.draw(
        pd.concat([shares(cast=cast) for cast in ("A (quiet)", "B", "C", "D")]), LABEL
    )
    check_form(figure)
    named = [axes.texts[0].get_text() for axes in figure.axes if axes.texts]
    assert named == ["cast A (quiet)", "cast B", "cast C", "cast D"]
    with pytest.raises(SettingError, match="two rows of final_infection at cast = , deceivers = 0"):
        sybils.draw(pd.concat([shares(), shares()]), LABEL)
    with pytest.raises(SettingError, match="missing: deceivers"):
        sybils.draw(shares().drop(columns="deceivers"), LABEL)
    with pytest.raises(SettingError, match="rows of final_infection"):
        sybils.draw(shares().assign(measure="correction"), LABEL)
