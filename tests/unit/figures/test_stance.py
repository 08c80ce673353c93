"""What is said in public, by what is held in private."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import stance
from tests.unit.figures.tables import LABEL, boxes, check_form, texts, titles

SHARES = {"endorse": 0.3, "hedge": 0.25, "ignore": 0.25, "unrelated": 0.1, "reject": 0.1}


def turns(
    held: str, of: int, shares: dict[str, float], /, **condition: Any
) -> list[dict[str, Any]]:
    return [
        {
            **condition,
            "label": held,
            "stance": name,
            "value": share,
            "n": 36,
            "counted": round(share * of),
            "of": of,
        }
        for name, share in shares.items()
    ]


def test_a_bar_a_private_answer_with_its_counts() -> None:
    figure = stance.draw(pd.DataFrame(turns("FALSE", 200, SHARES)), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    edges = [(round(box.x0, 6), round(box.x1, 6)) for box in boxes(axes)]
    assert edges == [(0, 0.3), (0.3, 0.55), (0.55, 0.8), (0.8, 0.9), (0.9, 1)]
    assert {round((box.y0 + box.y1) / 2, 6) for box in boxes(axes)} == {0}
    assert texts(axes) == ["60", "50", "50", "20", "20", "200 turns\nn = 36", *["no turn"] * 3]
    assert [text.get_text() for text in axes.get_yticklabels()] == list(stance.LABELS)
    settled = [part.title for part in stance.STANCES if part.name not in stance.OTHERS]
    assert titles(figure.legends[0]) == settled


def test_what_was_not_settled_has_its_part_and_its_bar() -> None:
    shares = {"reject": 0.6, "hedge": 0.02, "unjudged": 0.38}
    rows = turns("TRUE", 100, shares) + turns("unjudged", 10, {"endorse": 1.0})
    figure = stance.draw(pd.DataFrame(rows), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    assert [round(box.x1, 6) for box in boxes(axes)] == [0.02, 0.4, 1, 1]
    assert texts(axes)[1:4] == ["38", "60", "100 turns\nn = 36"]  # 2 turns have no room
    assert [text.get_text() for text in axes.get_yticklabels()] == [*stance.LABELS, "unjudged"]
    assert "not settled by the judge" in titles(figure.legends[0])


def test_panels_are_casts_and_attackers_and_rooms_without_any_are_left_out() -> None:
    rows = [
        one
        for cast in "AB"
        for number in (0, 1, 3)
        for one in turns("FALSE", 200 * number, SHARES, cast=cast, deceivers=number)
    ]
    figure = stance.draw(pd.DataFrame(rows), LABEL)
    check_form(figure)
    assert [axes.texts[-1].get_text() for axes in figure.axes] == [
        "cast A, 1 attacker", "cast A, 3 attackers", "cast B, 1 attacker", "cast B, 3 attackers",
    ]  # fmt: skip


def test_bad_tables_are_refused() -> None:
    table = pd.DataFrame(turns("FALSE", 200, SHARES))
    with pytest.raises(SettingError, match="missing: counted"):
        stance.draw(table.drop(columns="counted"), LABEL)
    with pytest.raises(SettingError, match="two rows of FALSE endorse"):
        stance.draw(pd.concat([table, table]), LABEL)
    with pytest.raises(SettingError, match="at least one row"):
        stance.draw(table.assign(of=0), LABEL)
