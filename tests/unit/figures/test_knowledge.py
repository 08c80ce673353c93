"""What was known before the talk, and given up by its end."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import knowledge
from tests.unit.figures.tables import LABEL, check_form, points, row, titles


def shares() -> pd.DataFrame:
    values = {"known_at_first": 0.85, "abandoned": 0.25, "abandoned_to_false": 0.2}
    return pd.DataFrame(
        [
            row(name, value + 0.1 * nth, 40 if name == "known_at_first" else 38, cast=cast)
            for nth, cast in enumerate("AB")
            for name, value in values.items()
        ]
    )


def test_a_point_a_cast_with_intervals_both_ways() -> None:
    figure = knowledge.draw(shares(), LABEL)
    check_form(figure)
    lost, to_false = figure.axes
    assert list(points(lost).values()) == [[(0.85, 0.25)], [(0.95, 0.35)]]
    assert list(points(to_false).values()) == [[(0.85, 0.2)], [(0.95, 0.3)]]
    assert all(one.has_xerr and one.has_yerr for one in lost.containers)  # type: ignore[attr-defined]
    assert titles(figure.legends[0]) == [
        "A: n = 40 (known), 38 (given up)", "B: n = 40 (known), 38 (given up)",
    ]  # fmt: skip


def test_a_cast_that_knew_nothing_has_no_point_and_says_so() -> None:
    table = shares()
    lost = (table["measure"] != "known_at_first") & (table["cast"] == "B")
    table.loc[lost, ["value", "low", "high", "n"]] = [None, None, None, 0]
    figure = knowledge.draw(table, LABEL)
    assert [len(axes.containers) for axes in figure.axes] == [1, 1]
    assert titles(figure.legends[0])[1] == "B: n = 40 (known), 0 (given up)"


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="two rows of known_at_first"):
        knowledge.draw(pd.concat([shares(), shares()]), LABEL)
    with pytest.raises(SettingError, match="rows of known_at_first, abandoned"):
        knowledge.draw(shares().assign(measure="correction"), LABEL)
