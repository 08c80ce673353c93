"""Accuracy over prompted uptake."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import awareness
from tests.unit.figures.tables import LABEL, check_form, places, points, row, texts, ticks, titles


def sweep() -> pd.DataFrame:
    rows = [
        row(name, start + 0.1 * alpha, 28, alpha=alpha)
        for name, start in (("initial_accuracy", 0.3), ("collective_accuracy", 0.6))
        for alpha in (1.0, 0.0, 0.5)
    ]
    return pd.DataFrame([*rows, row("majority_accuracy", 0.5, 27, alpha=0.5)])


def test_points_stand_at_alpha_and_are_moved_a_little() -> None:
    figure = awareness.draw(sweep(), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    assert points(axes) == {
        "collective": [(-0.008, 0.6), (0.492, 0.65), (0.992, 0.7)],
        "majority vote": [(0.5, 0.5)],
        "initial": [(0.008, 0.3), (0.508, 0.35), (1.008, 0.4)],
    }
    bars = axes.containers[0][2][0].get_segments()
    assert [tuple(bar[:, 1].round(6)) for bar in bars] == [(0.5, 0.7), (0.55, 0.75), (0.6, 0.8)]
    assert ticks(axes) == ["0\nn = 28", "0.5\nn = 27-28", "1\nn = 28"]
    assert titles(axes.get_legend()) == ["collective", "majority vote", "initial"]


def test_the_bands_of_the_prompt_are_marked() -> None:
    (axes,) = awareness.draw(sweep(), LABEL).axes
    edges = [places(line)[0] for line in axes.lines[:4]]
    assert edges == [[edge, edge] for edge in (0.2, 0.4, 0.6, 0.8)]
    assert texts(axes) == [f"prompt {band}" for band in range(1, 6)]
    assert [text.get_position()[0] for text in axes.texts] == pytest.approx(
        [0.1, 0.3, 0.5, 0.7, 0.9]
    )


def test_off_is_no_place_on_the_axis() -> None:
    off = pd.DataFrame([row("collective_accuracy", 0.9, 28, alpha="off")])
    (axes,) = awareness.draw(pd.concat([sweep(), off]), LABEL).axes
    assert ticks(axes) == ["0\nn = 28", "0.5\nn = 27-28", "1\nn = 28"]


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="missing: alpha"):
        awareness.draw(sweep().drop(columns="alpha"), LABEL)
    with pytest.raises(SettingError, match="two rows of initial_accuracy at alpha = 1"):
        awareness.draw(pd.concat([sweep(), sweep()]), LABEL)
    with pytest.raises(SettingError, match="rows of collective_accuracy, majority_accuracy"):
        awareness.draw(pd.DataFrame([row("uplift", 0.1, alpha=0.5)]), LABEL)
