"""Coordinated beside independent deceivers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import coordination
from tests.unit.figures.tables import LABEL, check_form, notes, points, row, ticks

KINDS = ["independent deceivers", "coordinated deceivers"]


WHERE: tuple[dict[str, Any], ...] = (
    {"N": 10, "deceivers": "1/5"},
    {"N": 14, "deceivers": "3/7"},
    {"N": 7, "deceivers": "3/7"},
)


def rates(cast: str = "A") -> pd.DataFrame:
    rows = [
        row("honest_defection", 0.3 - 0.1 * together, 40, coordinated=together, **where, cast=cast)
        for where in WHERE
        for together in (True, False)
    ]
    none = row("honest_defection", 0.1, 38, N=8, deceivers="0", coordinated="", cast=cast)
    return pd.DataFrame([none, *rows])


def lines(*groups: str) -> pd.DataFrame:
    line = {"intercept": 0.1, "slope_per_tenth": 0.05, "low": 0.03, "high": 0.07}
    counts = {"n_questions": 41, "n_compositions": 4}
    return pd.DataFrame([{"group": group, **line, **counts} for group in groups])


def test_coordinated_stands_right_of_independent() -> None:
    figure = coordination.draw(rates().drop(columns="cast"), lines("coordinated"), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    alone, together = points(axes).values()
    assert list(points(axes)) == KINDS
    assert [y for _, y in alone] == pytest.approx([0.1, 0.3, 0.3, 0.3])
    assert [y for _, y in together] == pytest.approx([0.2, 0.2, 0.2])
    assert [x for x, _ in together] == pytest.approx(
        [0.2 + 0.0055, 3 / 7 - 0.0055, 3 / 7 + 0.0165], abs=1e-6
    )
    assert ticks(axes) == ["0\nn = 38", "1/5\nn = 40", "3/7\nn = 40"]
    assert notes(axes)[0][1].startswith("coordinated: 5.0 (3.0 to 7.0) points per 0.1")


def test_a_single_deceiver_is_a_cross_and_moves_no_line() -> None:
    where = {"N": 5, "deceivers": "1/5"}
    lone = [row("honest_defection", 0.5, 40, coordinated=one, **where) for one in (True, False)]
    table = pd.concat([rates().drop(columns="cast"), pd.DataFrame(lone)])
    figure = coordination.draw(table, lines("independent", "coordinated"), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    shown = points(axes)
    cross = "one deceiver, nobody to coordinate with"
    assert list(shown) == [*KINDS, cross]
    assert [y for _, y in shown[cross]] == [0.5]
    assert len(shown["independent deceivers"]) == 5
    # The cross is no part of the coordinated line, which turns about the mean of 1/5 and 3/7 twice.
    turned = [
        float(np.asarray(line.get_path().vertices)[1, 0])
        for line in axes.lines
        if line.get_linestyle() != "None"
    ]
    assert turned[1] == pytest.approx((1 / 5 + 6 / 7) / 3)
    assert turned[0] == pytest.approx((0 + 1 / 5 + 6 / 7) / 4)


def test_lines_are_named_by_cast_and_kind() -> None:
    table = pd.concat([rates("A"), rates("B")])
    figure = coordination.draw(table, lines("A, independent", "A, coordinated"), LABEL)
    check_form(figure)
    first, second = figure.axes
    assert [len(first.collections) - len(second.collections)] == [2]
    assert len(notes(first)[-1][1].split("\n")) == 4
    with pytest.raises(SettingError, match="lines: 'coordinated' is not allowed"):
        coordination.draw(table, lines("coordinated"), LABEL)


def test_two_rows_of_one_kind_are_refused() -> None:
    table = pd.concat([rates(), rates().query("coordinated == False").assign(coordinated="False")])
    with pytest.raises(SettingError, match=r"two rows of honest_defection at .*kind = independent"):
        coordination.draw(table, pd.DataFrame(), LABEL)
    with pytest.raises(SettingError, match="missing: coordinated"):
        coordination.draw(rates().drop(columns="coordinated"), pd.DataFrame(), LABEL)
