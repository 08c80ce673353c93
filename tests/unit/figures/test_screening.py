"""What is known, and what is held by chance, without attackers."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import screening
from tests.unit.figures.tables import LABEL, check_form, places, points, row, texts, ticks, titles


def shares(end: float | None = 0.02) -> pd.DataFrame:
    values = {"known_at_first": 0.8, "initial_infection": 0.0, "final_infection": end}
    return pd.DataFrame(
        [
            row(name, value, 0 if value is None else 40, cast=cast)
            for name, value in values.items()
            for cast in "AB"
        ]
    )


def test_knowledge_stands_beside_what_is_held_by_chance() -> None:
    figure = screening.draw(shares(), LABEL)
    check_form(figure)
    known, held = figure.axes
    assert list(points(known).values()) == [[(0, 0.8), (1, 0.8)]]
    assert [one[1] for one in points(held).values()] == [(0.915, 0.0), (1.085, 0.02)]
    assert places(held.lines[-1])[1] == [0.03, 0.03]
    assert "3%: the paper's most" in titles(figure.legends[0])
    assert ticks(held) == ["A\nn = 40", "B\nn = 40"]
    assert held.get_ylim()[1] == pytest.approx(0.15)  # above the interval's end, 0.12


def test_what_was_not_asked_is_no_zero() -> None:
    held = screening.draw(shares(None), LABEL).axes[1]
    assert len(points(held)) == 1
    assert texts(held)[:2] == ["n = 0", "n = 0"]
    assert held.get_ylim()[1] == pytest.approx(0.1)
    with pytest.raises(SettingError, match="rows of known_at_first"):
        screening.draw(shares().assign(measure="correction"), LABEL)
    with pytest.raises(SettingError, match="two rows of known_at_first at cast = "):
        screening.draw(shares().drop(columns="cast"), LABEL)
