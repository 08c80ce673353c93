"""Answers over the ladder from target to lure."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pytest
from matplotlib.axes import Axes

from socialcircuits.errors import SettingError
from socialcircuits.figures import memory_conflict
from tests.unit.figures.tables import LABEL, boxes, check_form, places, row, texts, ticks, titles

REGIMES = (("strong", "contradicts"), ("weak", "agrees"), ("weak", "contradicts"))


def conditions(casts: Sequence[str], ms: Sequence[int]) -> list[dict[str, object]]:
    return [
        {"evidence": evidence, "lure": lure, "m": m, "cast": cast}
        for evidence, lure in REGIMES
        for cast in casts
        for m in ms
    ]


def shares(casts: Sequence[str] = "AB", ms: Sequence[int] = (1, 3)) -> pd.DataFrame:
    rows = []
    for condition in conditions(casts, ms):
        for lures in range(9):
            lure = lures / 10
            parts = {
                "private_target_share": 0.9 - lure,
                "social_share": lure,
                "other_compatible_share": 0.05,
                "incompatible_share": 0.03,
                "no_answer_share": 0.02,
            }
            rows += [
                row(name, share, 36, lures=lures, **condition) for name, share in parts.items()
            ]
    return pd.DataFrame(rows)


def yields(
    value: float | None = 4.6, n: int = 34, casts: Sequence[str] = "AB", ms: Sequence[int] = (1, 3)
) -> pd.DataFrame:
    rows = [row("yield_point", value, n, **condition) for condition in conditions(casts, ms)]
    return pd.DataFrame([*rows, row("yielded", 0.5, n, **conditions(casts, ms)[0])])


def bars(axes: Axes) -> list[tuple[float, float, float]]:
    """Middle, floor and ceiling of each part, part by part."""
    return [
        (round((box.x0 + box.x1) / 2, 6), round(box.y0, 6), round(box.y1, 6))
        for box in boxes(axes)
        if box.width < 1 and 0 < box.height < 1
    ]


def test_rows_are_agents_and_columns_regimes_in_the_order_of_the_paper() -> None:
    figure = memory_conflict.draw(shares(), yields(), LABEL)
    check_form(figure)
    assert len(figure.axes) == 12
    assert [axes.get_title() for axes in figure.axes[:3]] == [
        "weak evidence,\nmemory agrees",
        "weak evidence,\nmemory contradicts",
        "strong evidence,\nmemory contradicts",
    ]
    assert [axes.get_ylabel().split("\n")[0] for axes in figure.axes[::3]] == [
        "cast A, m = 1", "cast A, m = 3", "cast B, m = 1", "cast B, m = 3",
    ]  # fmt: skip
    assert ticks(figure.axes[-1]) == [f"{8 - lures}:{lures}" for lures in range(9)]
    assert titles(figure.legends[0])[:5] == [
        "target", "other, fits the crop", "other, does not fit", "invalid", "lure",
    ]  # fmt: skip


def test_the_target_stands_and_the_lure_hangs() -> None:
    axes = memory_conflict.draw(shares(), yields(), LABEL).axes[0]
    parts = bars(axes)
    assert parts[:9] == [(lures, 0.0, round(0.9 - lures / 10, 6)) for lures in range(9)]
    at_three = [part[1:] for part in parts if part[0] == 3]
    assert at_three == [(0, 0.6), (0.6, 0.65), (0.65, 0.68), (0.68, 0.7), (0.7, 1)]


def test_intervals_stand_at_the_edges() -> None:
    axes = memory_conflict.draw(shares(), yields(), LABEL).axes[0]
    target, lure = (container[2][0].get_segments() for container in axes.containers[-2:])
    assert target[3].ravel() == pytest.approx([2.83, 0.5, 2.83, 0.7])
    assert lure[3].ravel() == pytest.approx([3.17, 0.6, 3.17, 0.8])


def test_the_yield_point_is_a_line_with_its_interval() -> None:
    axes = memory_conflict.draw(shares(), yields(), LABEL).axes[0]
    assert places(axes.lines[-1])[0] == [4.6, 4.6]
    band = boxes(axes)[-1]
    assert (band.x0, band.x1) == pytest.approx((4.5, 4.7))
    assert texts(axes) == ["n = 36 a ratio\nyields at 4.6 (4.5 to 4.7), n = 34"]


@pytest.mark.parametrize(
    ("value", "n", "text"),
    [
        (8.5, 34, "does not yield, n = 34"),
        (-0.5, 34, "names the lure at any ratio, n = 34"),
        (None, 0, "where it yields is not known, n = 0"),
    ],
)
def test_a_yield_point_outside_the_ladder_is_a_note(value: float | None, n: int, text: str) -> None:
    figure = memory_conflict.draw(shares("A", [1]), yields(value, n, "A", [1]), LABEL)
    check_form(figure)
    assert [texts(axes) for axes in figure.axes] == [[f"n = 36 a ratio\n{text}"]] * 3
    assert all(len(axes.patches) == 45 for axes in figure.axes)


def test_one_agent_and_one_regime() -> None:
    table = shares("A", [1])
    table = table[table["evidence"] == "strong"].drop(columns=["cast", "m"])
    turned = yields(casts="A", ms=[1]).drop(columns=["cast", "m"])
    figure = memory_conflict.draw(table, turned, LABEL)
    check_form(figure)
    (axes,) = figure.axes
    assert axes.get_ylabel() == "Share, 95% intervals"
    assert len(bars(axes)) == 45  # at lures = 0 the lure's part has no height; and the strip


def test_what_was_not_run_is_said() -> None:
    table = shares("A", [1, 3])
    table = table[~((table["m"] == 3) & (table["evidence"] == "strong"))]
    axes = memory_conflict.draw(table, yields(casts="A", ms=[1]), LABEL).axes[5]
    assert texts(axes) == ["not run"]
    assert not axes.patches


def test_a_rung_without_values_has_no_bar() -> None:
    table = shares("A", [1])
    table.loc[table["lures"] == 2, ["value", "low", "high"]] = None
    table.loc[table["lures"] == 2, "n"] = 0
    axes = memory_conflict.draw(table, yields(casts="A", ms=[1]), LABEL).axes[0]
    assert not [part for part in bars(axes) if part[0] == 2]
    assert texts(axes)[0].startswith("n = 0-36 a ratio")


def test_the_memory_may_have_another_length() -> None:
    table = shares("A", [1])
    figure = memory_conflict.draw(table[table["lures"] <= 4], yields(5.0), LABEL, entries=4)
    assert ticks(figure.axes[0]) == ["4:0", "3:1", "2:2", "1:3", "0:4"]
    assert texts(figure.axes[0]) == ["n = 36 a ratio\ndoes not yield, n = 34"]


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="missing: lures"):
        memory_conflict.draw(shares().drop(columns="lures"), yields(), LABEL)
    with pytest.raises(SettingError, match="missing: evidence"):
        memory_conflict.draw(shares(), yields().drop(columns="evidence"), LABEL)
    with pytest.raises(
        SettingError, match="two rows of private_target_share at lures = 0, cast = "
    ):
        memory_conflict.draw(shares().drop(columns="m"), yields(), LABEL)
    with pytest.raises(SettingError, match=r"lures: 8.0 .* a whole number from 0 to 7"):
        memory_conflict.draw(shares(), yields(), LABEL, entries=7)
    with pytest.raises(SettingError, match="expected rows of yield_point"):
        memory_conflict.draw(shares(), shares(), LABEL)
