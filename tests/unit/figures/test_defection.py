"""Defection and correction over the proportion of deceivers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import FillBetweenPolyCollection

from socialcircuits.errors import SettingError
from socialcircuits.figures import defection
from tests.unit.figures.tables import LABEL, check_form, notes, places, points, row, ticks, titles

GROUPS = (("0", 2), ("0", 12), ("1/5", 5), ("1/5", 15), ("1/3", 6), ("3/7", 14))
SHARES = [float(Fraction(share)) for share, _ in GROUPS]


def rates(**condition: Any) -> pd.DataFrame:
    rows = [
        row(measure, start + turn * share, 38 + size, N=size, deceivers=text, **condition)
        for measure, start, turn in (("honest_defection", 0.1, 0.5), ("correction", 0.4, -0.4))
        for share, (text, size) in zip(SHARES[::-1], GROUPS[::-1], strict=True)
    ]
    return pd.DataFrame([*rows, row("net_change", 0.1, N=4, deceivers=1, **condition)])


def lines(*groups: str, slope: float | None = 0.05) -> pd.DataFrame:
    ends = {"low": None, "high": None} if slope is None else {"low": 0.03, "high": 0.07}
    line = {"intercept": 0.1, "slope_per_tenth": slope, **ends}
    counts = {"n_questions": 41, "n_compositions": 6}
    return pd.DataFrame([{"group": group, **line, **counts} for group in groups])


def test_points_stand_at_their_proportion_small_groups_left() -> None:
    figure = defection.draw(rates(), lines(""), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    assert axes.get_xticks().tolist() == pytest.approx([0, 0.2, 1 / 3, 3 / 7])
    assert ticks(axes) == [
        "0\nn = 40-50", "1/5\nn = 43-53", "1/3\nn = 44", "3/7\nn = 52",
    ]  # fmt: skip
    shown = points(axes)
    assert list(shown) == ["defection: right, then wrong", "correction: wrong, then right"]
    moved, corrected = shown.values()
    step = 0.011
    beside = [-1.5, 0.5, -1.5, 0.5, -0.5, -0.5]
    middles = [x - step * slots for (x, _), slots in zip(moved, beside, strict=True)]
    assert middles == pytest.approx(SHARES, abs=1e-6)
    assert [y for _, y in moved] == pytest.approx(
        [0.1, 0.1, 0.2, 0.2, 0.266667, 0.314286], abs=1e-6
    )
    assert corrected[0] == pytest.approx((-0.5 * step, 0.4))
    assert titles(figure.legends[0]) == list(shown)


def test_the_line_and_its_band() -> None:
    axes = defection.draw(rates(), lines(""), LABEL).axes[0]
    (line,) = [line for line in axes.lines if line.get_linestyle() == "-"]
    xs, ys = places(line)
    assert (xs[0], xs[-1]) == pytest.approx((0, 3 / 7))
    assert (ys[0], ys[-1]) == pytest.approx((0.1, 0.1 + 1.5 / 7))
    (band,) = [one for one in axes.collections if isinstance(one, FillBetweenPolyCollection)]
    corners = np.unique(np.asarray(band.get_paths()[0].vertices).round(6), axis=0)
    middle = float(np.mean(SHARES))
    height = 0.1 + 0.5 * middle
    left = [height - 0.7 * middle, height - 0.3 * middle]
    assert corners[:2, 1].tolist() == pytest.approx(left, abs=1e-6)
    assert corners[2].tolist() == pytest.approx([middle, height], abs=1e-6)
    assert notes(axes)[-1][1] == (
        "defection: 5.0 (3.0 to 7.0) points per 0.1\n"
        "    41 questions, 6 compositions; band: slope alone"
    )


def test_a_panel_a_cast_each_with_its_line() -> None:
    table = pd.concat([rates(cast=cast) for cast in "ABC"])
    figure = defection.draw(table, lines("A", "C"), LABEL)
    check_form(figure)
    shown = figure.axes[:3]
    assert [notes(axes)[0][1] for axes in shown] == ["cast A", "cast B", "cast C"]
    assert [len(notes(axes)) for axes in shown] == [2, 1, 2]
    assert not figure.axes[3].axison
    with pytest.raises(SettingError, match="lines: 'D' is not allowed"):
        defection.draw(table, lines("D"), LABEL)


def test_a_line_without_a_slope_is_said_and_not_drawn() -> None:
    axes = defection.draw(rates(), lines("", slope=None), LABEL).axes[0]
    assert "defection: no slope" in notes(axes)[-1][1]
    assert not [one for one in axes.collections if isinstance(one, FillBetweenPolyCollection)]


def test_a_missing_value_is_no_zero() -> None:
    table = rates()
    lost = (table["measure"] == "honest_defection") & (table["N"] == 5)
    table.loc[lost, ["value", "low", "high", "n"]] = [None, None, None, 0]
    axes = defection.draw(table, pd.DataFrame(), LABEL).axes[0]
    assert len(points(axes)["defection: right, then wrong"]) == len(GROUPS) - 1
    assert ticks(axes)[1] == "1/5\nn = 0-53"


def test_the_axis_reaches_over_all_intervals() -> None:
    table = rates()
    assert defection.draw(table, pd.DataFrame(), LABEL).axes[0].get_ylim()[1] == pytest.approx(0.51)
    table[["value", "low", "high"]] = None
    axes = defection.draw(table, pd.DataFrame(), LABEL).axes[0]
    assert axes.get_ylim()[1] == pytest.approx(1.02)
    assert [len(one) for one in points(axes).values()] == [0, 0]


def test_bad_tables_are_refused() -> None:
    none = pd.DataFrame()
    with pytest.raises(SettingError, match="missing: deceivers"):
        defection.draw(rates().drop(columns="deceivers"), none, LABEL)
    with pytest.raises(SettingError, match="expected rows of honest_defection, correction"):
        defection.draw(rates().assign(measure="uplift"), none, LABEL)
    two = pd.concat([rates(coordinated=one) for one in (True, False)])
    with pytest.raises(SettingError, match="two rows of honest_defection at N = 14"):
        defection.draw(two, none, LABEL)
