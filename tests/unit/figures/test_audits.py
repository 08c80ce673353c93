"""The audit of honest reflections and messages."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import audits
from tests.unit.figures.tables import LABEL, check_form, points, row, ticks, titles


def shares() -> pd.DataFrame:
    return pd.DataFrame(
        [
            row(name, 0.1 + 0.1 * nth, 40 + nth, N=size, deceivers=share)
            for share, size in (("1/3", 12), ("1/5", 10))
            for nth, name in enumerate(audits.MEASURES)
        ]
    )


def by_round() -> pd.DataFrame:
    return pd.DataFrame(
        [
            row(name, 0.1 + 0.1 * number, 50 - number, round=number)
            for number in (2, 0, 1)
            for name in audits.MEASURES
            if number or name.startswith("reflection")
        ]
    )


def test_reflections_and_messages_over_proportion_and_round() -> None:
    figure = audits.draw(shares(), by_round(), LABEL)
    check_form(figure)
    reflections, messages, _, later = figure.axes
    assert list(points(reflections)) == [
        "credits a false claim", "doubts a deceiver", "holds the right answer",
    ]  # fmt: skip
    assert points(messages)["challenges a deceiver"][0] == (0.2055, 0.5)
    assert titles(messages.get_legend()) == ["repeats a false claim", "challenges a deceiver"]
    assert ticks(reflections) == ["1/5\nn = 40-42", "1/3\nn = 40-42"]
    assert ticks(figure.axes[2]) == ["0\nn = 50", "1\nn = 49", "2\nn = 48"]
    assert ticks(later) == ["1\nn = 49", "2\nn = 48"]
    assert points(later)["repeats a false claim"] == [(0.97, 0.2), (1.97, 0.3)]


def test_without_rounds_nothing_is_drawn_below() -> None:
    figure = audits.draw(shares(), pd.DataFrame(), LABEL)
    check_form(figure)
    assert len(figure.axes) == 2


def test_what_was_not_audited_is_said() -> None:
    table = shares()
    figure = audits.draw(table[table["measure"].str.startswith("ref")], pd.DataFrame(), LABEL)
    check_form(figure)
    assert figure.axes[1].get_xlabel() == "not run"
    assert not points(figure.axes[1])


def test_a_missing_share_is_no_zero() -> None:
    table = shares()
    lost = (table["measure"] == "message_repeats") & (table["N"] == 10)
    table.loc[lost, ["value", "low", "high", "n"]] = [None, None, None, 0]
    axes = audits.draw(table, pd.DataFrame(), LABEL).axes[1]
    assert [len(one) for one in points(axes).values()] == [1, 2]
    assert ticks(axes)[0] == "1/5\nn = 0-44"


def test_two_conditions_are_refused() -> None:
    two = pd.concat([shares().assign(cast=cast) for cast in "AB"])
    with pytest.raises(SettingError, match="two rows of reflection_credits at N = 10"):
        audits.draw(two, pd.DataFrame(), LABEL)
    with pytest.raises(SettingError, match="missing: round"):
        audits.draw(shares(), by_round().drop(columns="round"), LABEL)
