"""Shares of deceivers as exact places, and straight lines over them."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import proportions
from socialcircuits.figures.proportions import check_lines, compositions, share_of
from tests.unit.figures.tables import row


@pytest.mark.parametrize(
    ("deceivers", "size", "share"),
    [
        ("3/7", 21, "3/7"),
        ("0", 8, "0"),
        (0, 8, "0"),
        (2, 10, "1/5"),
        ("2", 6.0, "1/3"),
        (3.0, 9, "1/3"),
    ],
)
def test_numbers_and_shares_come_to_the_same_place(
    deceivers: object, size: object, share: str
) -> None:
    assert str(share_of(deceivers, size)) == share


@pytest.mark.parametrize(
    ("deceivers", "size"),
    [("many", 8), (8, 8), (-1, 8), (0.2, 10), ("0.2", 10), ("1/0", 4), ("7/5", 5)],
)
def test_what_is_no_share_is_refused(deceivers: object, size: object) -> None:
    with pytest.raises(SettingError, match=r"deceivers: .* a number of agents, or a share"):
        share_of(deceivers, size)


def test_compositions_are_sorted_by_share_and_size() -> None:
    groups = [(14, "3/7"), (10, 2), (5, "1/5"), (8, 0)]
    table = [
        row("correction", 0.3, N=size, deceivers=share)
        for size, share in [*groups, ("", "1/5"), (5, ""), (5, None)]
    ]
    found = compositions(
        pd.DataFrame([*table, row("uplift", 0.1, N=4, deceivers=1)]), ["correction"]
    )
    places = zip(found["proportion"], found["N"], strict=True)
    assert [(str(share), size) for share, size in places] == [
        ("0", 8), ("1/5", 5), ("1/5", 10), ("3/7", 14),
    ]  # fmt: skip
    assert set(found["cast"]) == {""}


def test_a_share_and_its_number_are_one_composition() -> None:
    table = pd.DataFrame([row("correction", 0.3, N=10, deceivers=one) for one in ("1/5", 2)])
    with pytest.raises(SettingError, match=r"two rows of correction at N = 10, .*proportion = 1/5"):
        compositions(table, ["correction"])


def test_lines_are_checked() -> None:
    line = {"group": "A", "intercept": 0.1, "slope_per_tenth": 0.05, "low": 0.03, "high": 0.07}
    table = pd.DataFrame([{**line, "n_questions": 41, "n_compositions": 12}])
    assert check_lines(table, ["A"]).loc["A", "low"] == 0.03
    assert check_lines(pd.DataFrame(), ["A"]).empty
    with pytest.raises(SettingError, match="lines: 'A' is not allowed; expected the groups 'B'"):
        check_lines(table, ["B"])
    with pytest.raises(SettingError, match="two rows of line at group = A"):
        check_lines(pd.concat([table, table]), ["A"])
    with pytest.raises(SettingError, match="missing: low"):
        check_lines(table.drop(columns="low"), ["A"])


def test_looks_differ_without_colour() -> None:
    looks = proportions.LOOKS
    assert len({(one.marker, one.filled) for one in looks}) == len(looks)
