"""What figures share: which rows are drawn, and which tables are refused."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures.style import check_once, select
from tests.unit.figures.tables import row


def test_only_rows_of_the_measure_with_a_number_are_drawn() -> None:
    rows = [row("a", 0.5, alpha=alpha) for alpha in ("off", "", None, 0, "0.25")]
    drawn = select(pd.DataFrame([*rows, row("b", 0.5, alpha=0.5)]), ["a"], ["alpha"])
    assert drawn["alpha"].tolist() == [0.0, 0.25]


@pytest.mark.parametrize("column", ["alpha", "cast", "measure", "high", "n"])
def test_missing_columns_are_named(column: str) -> None:
    table = pd.DataFrame([row("a", 0.5, alpha=0.5, cast="A")])
    with pytest.raises(SettingError, match=rf"missing: {column}\b"):
        select(table.drop(columns=column), ["a"], ["alpha"], ["cast"])


def test_no_rows_are_refused() -> None:
    table = pd.DataFrame([row("a", 0.5, alpha="off")])
    with pytest.raises(SettingError, match="at least one row"):
        select(table.iloc[:0], ["a"], ["alpha"])
    with pytest.raises(SettingError, match="rows of a at numbers of alpha"):
        select(table, ["a"], ["alpha"])
    with pytest.raises(SettingError, match=r"expected rows of b$"):
        select(table, ["b"], [])


def test_rows_without_a_value_are_kept() -> None:
    drawn = select(pd.DataFrame([row("a", None, 0, N=4)]), ["a"], ["N"])
    assert drawn["value"].isna().tolist() == [True]


def test_two_conditions_are_refused_at_the_first_double() -> None:
    table = pd.DataFrame([row("a", 0.5, N=4.0, cast=cast) for cast in "AB"])
    check_once(table, ["measure"], ["N", "cast"])
    with pytest.raises(SettingError, match=r"two rows of a at N = 4' .* choose one condition"):
        check_once(table, ["measure"], ["N"])
