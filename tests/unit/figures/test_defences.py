"""What defences avoid, and what they cost."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import defences
from tests.unit.figures.tables import LABEL, check_form, places, points, row, texts, ticks, titles


def table(*ways: str, n: int = 40) -> pd.DataFrame:
    return pd.DataFrame(
        [
            row(measure, 0.3 + 0.1 * attackers, n, defence=way, deceivers=attackers)
            for measure in defences.LEVELS
            for way in ways
            for attackers in (1, 3)
        ]
    )


def test_levels_above_and_paired_differences_below() -> None:
    figure = defences.draw(table("", "check", "monitor"), table("check", "monitor", n=36), LABEL)
    check_form(figure)
    harm, kept, avoided, cost = figure.axes
    assert points(harm) == {
        "1 attacker": [(-0.085, 0.4), (0.915, 0.4), (1.915, 0.4)],
        "3 attackers": [(0.085, 0.6), (1.085, 0.6), (2.085, 0.6)],
    }
    assert ticks(kept) == ["none\nn = 40", "check\nalone\nn = 40", "belief\nmonitor\nn = 40"]
    assert ticks(avoided) == ["check\nalone\nn = 36", "belief\nmonitor\nn = 36"]
    assert [places(axes.lines[-1])[1] for axes in (avoided, cost)] == [[0, 0], [0, 0]]
    assert titles(figure.legends[0]) == ["1 attacker", "3 attackers"]


def test_a_difference_without_pairs_is_no_zero() -> None:
    paired = table("check", n=36)
    paired.loc[paired["measure"] == "truth_rejects", ["value", "low", "high", "n"]] = [
        None, None, None, 0,
    ]  # fmt: skip
    figure = defences.draw(table("", "check"), paired, LABEL)
    check_form(figure)
    assert points(figure.axes[3]) == {}
    assert texts(figure.axes[3])[:2] == ["n = 0", "n = 0"]


def test_without_pairs_there_is_one_row_of_panels_and_bad_tables_are_refused() -> None:
    levels = table("", "check")
    figure = defences.draw(levels[levels["measure"] != "truth_rejects"], pd.DataFrame(), LABEL)
    check_form(figure)
    assert [axes.get_xlabel() for axes in figure.axes] == ["", "not run"]
    with pytest.raises(SettingError, match="missing: defence"):
        defences.draw(levels.drop(columns="defence"), pd.DataFrame(), LABEL)
    with pytest.raises(SettingError, match="two rows of final_infection at defence = "):
        defences.draw(pd.concat([levels, levels]), pd.DataFrame(), LABEL)
