"""Bars of right, compatible, incompatible and invalid answers."""

from __future__ import annotations

from itertools import combinations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import single_agent
from tests.unit.figures.tables import LABEL, boxes, check_form, row, texts, titles

MEASURES = ("initial_accuracy", "compatible_errors", "incompatible_errors")


def answers(**casts: tuple[float | None, ...]) -> pd.DataFrame:
    rows = [
        row(name, share, 0 if share is None else 100, cast=cast)
        for cast, shares in casts.items()
        for name, share in zip(MEASURES, shares, strict=True)
    ]
    return pd.DataFrame(rows)


def test_parts_are_stacked_and_the_rest_is_invalid() -> None:
    figure = single_agent.draw(answers(A=(0.4, 0.5, 0.06), B=(0.35, 0.03, 0.62)), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    bars = [
        (round((box.y0 + box.y1) / 2, 6), round(box.x0, 6), round(box.x1, 6)) for box in boxes(axes)
    ]
    assert bars[:4] == [(0, 0, 0.4), (0, 0.4, 0.9), (0, 0.9, 0.96), (0, 0.96, 1)]
    assert bars[4:] == [(1, 0, 0.35), (1, 0.35, 0.38), (1, 0.38, 1), (1, 1, 1)]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["A", "B"]
    assert axes.yaxis_inverted()
    assert titles(axes.get_legend()) == [
        "right", "wrong, fits the crop", "wrong, does not fit", "invalid",
    ]  # fmt: skip
    assert len({bar.get_hatch() for bar in axes.patches[:3]}) == 3


def test_numbers_and_intervals_are_written() -> None:
    table = answers(A=(0.4, 0.03, 0.06))
    (axes,) = single_agent.draw(table.assign(low=table["value"] - 0.03), LABEL).axes
    assert texts(axes) == [
        "n = 100\ninvalid 0.51",
        "0.40\n(0.37 to 0.50)",
        "0.03 (0.00 to 0.13)",
        "0.06 (0.03 to 0.16)",
    ]
    places = [text.get_position() for text in axes.texts[1:]]
    assert [x for x, _ in places] == pytest.approx([0.2, 0.415, 0.46])
    edge = single_agent.HEIGHT / 2
    assert places[0][1] == 0
    assert places[1][1] < -edge  # above the bar: y grows downwards
    assert places[2][1] > edge
    (segment,) = axes.containers[-1][2][0].get_segments()
    assert segment[:, 0] == pytest.approx([0.37, 0.5])


def test_narrow_parts_are_written_apart_from_each_other() -> None:
    figure = single_agent.draw(answers(A=(0.02, 0.03, 0.05), B=(0.01, 0.02, 0.01)), LABEL)
    check_form(figure)
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    crossing = [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)]
    assert not crossing


def test_a_cast_without_values_has_no_bar() -> None:
    (axes,) = single_agent.draw(answers(A=(0.4, 0.5, 0.1), B=(None, None, None)), LABEL).axes
    assert len(axes.patches) == 4
    assert texts(axes)[-1] == "n = 0"


def test_bad_tables_are_refused() -> None:
    table = answers(A=(0.4, 0.5, 0.1))
    with pytest.raises(SettingError, match="missing: cast"):
        single_agent.draw(table.drop(columns="cast"), LABEL)
    with pytest.raises(SettingError, match="two rows of initial_accuracy at cast = A"):
        single_agent.draw(pd.concat([table, table]), LABEL)
    with pytest.raises(SettingError, match="cast A without incompatible_errors"):
        single_agent.draw(table.iloc[:2], LABEL)
    with pytest.raises(SettingError, match=r"shares of 1.2 in all of cast A"):
        single_agent.draw(answers(A=(0.6, 0.5, 0.1)), LABEL)
