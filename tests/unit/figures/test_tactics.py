"""Tactics of deceivers, before and after they read the others."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import tactics
from tests.unit.figures.tables import LABEL, check_form, places, points, row, texts, titles


def shares() -> pd.DataFrame:
    conditions: list[dict[str, Any]] = [{"coordinated": True}, {"coordinated": False}]
    rows = [
        row(
            f"tactic_{name}_round_{number}",
            0.1 + 0.4 * number + 0.05 * nth,
            40 + number,
            **condition,
        )
        for condition in conditions
        for nth, name in enumerate(tactics.TACTICS)
        for number in (1, 0)
    ]
    return pd.DataFrame(rows)


def test_both_rounds_of_all_eight_tactics() -> None:
    figure = tactics.draw(shares(), LABEL)
    check_form(figure)
    assert [texts(axes) for axes in figure.axes] == [
        ["independent deceivers, n = 40-41"], ["coordinated deceivers, n = 40-41"],
    ]  # fmt: skip
    axes = figure.axes[0]
    before, after = points(axes).values()
    assert len(before) == len(after) == 8
    assert before[0] == (0.1, -0.17)
    assert after[7] == (0.85, 7.17)
    assert axes.get_yticklabels()[0].get_text() == "concede and pivot"
    xs, ys = places(axes.lines[0])
    assert xs == pytest.approx([0.1, 0.5])
    assert ys == [-0.17, 0.17]
    assert [title.split(":")[0] for title in titles(figure.legends[0])] == ["round 0", "round 1"]


def test_one_kind_of_deceivers() -> None:
    table = shares()
    figure = tactics.draw(table[~table["coordinated"]].drop(columns="coordinated"), LABEL)
    check_form(figure)
    assert len(figure.axes) == 1
    with pytest.raises(SettingError, match="two rows of tactic_concede_and_pivot_round_1"):
        tactics.draw(table.drop(columns="coordinated"), LABEL)


def test_a_missing_round_has_no_point_and_no_line() -> None:
    table = shares()
    lost = table["measure"] == "tactic_bare_assertion_round_0"
    table.loc[lost, ["value", "low", "high", "n"]] = [None, None, None, 0]
    table = table[table["measure"] != "tactic_fabricated_evidence_round_1"]
    axes = tactics.draw(table, LABEL).axes[0]
    assert [len(one) for one in points(axes).values()] == [7, 7]
    whole = [line for line in axes.lines[:8] if not pd.isna(places(line)[0]).any()]
    assert len(whole) == 6
    assert texts(axes) == ["independent deceivers, n = 0-41"]
