"""With and without a check before the vote."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import verification
from tests.unit.figures.tables import LABEL, check_form, notes, places, points, row, ticks, titles


def levels(*ways: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            row(measure, 0.3 + 0.1 * nth, 40, N=size, deceivers=share, verify=way)
            for measure in verification.MEASURES
            for share, size in (("1/5", 10), ("3/7", 14))
            for nth, way in enumerate(ways)
        ]
    )


def paired() -> pd.DataFrame:
    table = levels("alone", "claim").replace(
        {"measure": dict(zip(verification.MEASURES, verification.PAIRED, strict=True))}
    )
    return table.assign(value=-0.1, low=-0.2, high=0.0, n=36)


def test_levels_above_and_paired_differences_below() -> None:
    figure = verification.draw(levels("", "alone", "claim"), paired(), LABEL)
    check_form(figure)
    assert len(figure.axes) == 6
    assert [notes(axes)[0][1] for axes in figure.axes[::3]] == [
        "honest defection", "defection, paired, by question",
    ]  # fmt: skip
    shown = points(figure.axes[2])
    assert list(shown) == ["no check", "answers again alone", "checks the leading claim"]
    assert [one[0] for one in shown.values()] == [(0.189, 0.3), (0.2, 0.4), (0.211, 0.5)]
    assert ticks(figure.axes[2]) == ["1/5\nn = 40", "3/7\nn = 40"]
    below = figure.axes[5]
    assert list(points(below)) == ["answers again alone", "checks the leading claim"]
    assert points(below)["answers again alone"][0] == (0.1945, -0.1)
    assert places(below.lines[0])[1] == [0, 0]
    assert ticks(below)[0] == "1/5\nn = 36"
    assert titles(figure.legends[0]) == list(shown)


def test_without_pairs_there_is_one_row_of_panels() -> None:
    table = levels("", "alone")
    figure = verification.draw(table[table["measure"] != "correction"], pd.DataFrame(), LABEL)
    check_form(figure)
    assert len(figure.axes) == 3
    assert figure.axes[1].get_xlabel() == "not run"
    assert titles(figure.legends[0]) == ["no check", "answers again alone"]


def test_a_missing_value_is_no_zero() -> None:
    table = levels("", "alone")
    lost = (table["verify"] == "alone") & (table["N"] == 10)
    table.loc[lost, ["value", "low", "high", "n"]] = [None, None, None, 0]
    axes = verification.draw(table, pd.DataFrame(), LABEL).axes[0]
    assert [len(one) for one in points(axes).values()] == [2, 1]
    assert ticks(axes)[0] == "1/5\nn = 0-40"


def test_two_conditions_are_refused() -> None:
    two = pd.concat([levels("", "alone").assign(cast=cast) for cast in "AB"])
    with pytest.raises(SettingError, match="two rows of honest_defection at N = 10"):
        verification.draw(two, pd.DataFrame(), LABEL)
    with pytest.raises(SettingError, match="missing: verify"):
        verification.draw(levels("").drop(columns="verify"), pd.DataFrame(), LABEL)
