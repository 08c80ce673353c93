"""The grid of uptake and team, and its slices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from socialcircuits.errors import SettingError
from socialcircuits.figures import grid
from tests.unit.figures.tables import LABEL, check_form, image, notes, points, row, texts, ticks

TEAMS = ("8A", *(f"{8 - seats}A {seats}B" for seats in range(1, 8)), "8B")
ALPHAS = (0.0, 0.25, 0.5, 0.75, 1.0)


def cells(casts: Sequence[str] = TEAMS, alphas: Sequence[float] = ALPHAS) -> pd.DataFrame:
    rows = [
        row("collective_accuracy", 0.4 + 0.3 * alpha + 0.01 * place, 30, alpha=alpha, cast=cast)
        for place, cast in enumerate(casts)
        for alpha in reversed(alphas)
    ]
    return pd.DataFrame([*rows, row("initial_accuracy", 0.3, 30, alpha=0.5, cast="8A")])


def heat(figure: Figure) -> list[list[float]]:
    return [[round(float(value), 6) for value in line] for line in image(figure.axes[0])]


def test_the_grid_holds_each_value_at_its_place() -> None:
    figure = grid.draw(cells(), LABEL)
    check_form(figure)
    values = heat(figure)
    assert [len(line) for line in values] == [9] * 5
    assert values[0] == pytest.approx([0.4 + 0.01 * place for place in range(9)])
    assert values[4][0] == pytest.approx(0.7)
    axes = figure.axes[0]
    assert ticks(axes) == [str(seats) for seats in range(9)]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["0", "0.25", "0.5", "0.75", "1"]
    written = {place: text for place, text in notes(axes) if "n = " not in text}
    assert (written[0, 4], written[8, 0], written[3, 2]) == ("0.70", "0.48", "0.58")
    assert texts(axes).count("n = 30") == 45


def test_slices_over_alpha_are_named_teams() -> None:
    shown = points(grid.draw(cells(), LABEL).axes[1])
    assert list(shown) == ["all A", "4 A, 4 B", "all B"]
    assert [x for x, _ in shown["4 A, 4 B"]] == list(ALPHAS)
    assert [y for _, y in shown["all B"]] == pytest.approx([0.48, 0.555, 0.63, 0.705, 0.78])


def test_slices_over_teams_are_one_for_each_alpha() -> None:
    axes = grid.draw(cells(), LABEL).axes[2]
    shown = points(axes)
    assert list(shown) == [f"alpha = {alpha:g}" for alpha in ALPHAS]
    assert [x for x, _ in shown["alpha = 0.5"]] == list(range(9))
    assert [y for _, y in shown["alpha = 1"]] == pytest.approx([0.7 + 0.01 * n for n in range(9)])
    lines = [container[0] for container in axes.containers]
    assert len({(line.get_marker(), line.get_markerfacecolor()) for line in lines}) == 5


def test_without_model_b_there_is_one_column() -> None:
    figure = grid.draw(cells(["8A"]), LABEL)
    check_form(figure)
    assert [len(line) for line in heat(figure)] == [1] * 5
    assert list(points(figure.axes[1])) == ["all A"]
    xs = [xy[0][0] for xy in points(figure.axes[2]).values()]
    assert xs == pytest.approx([-0.24, -0.12, 0.0, 0.12, 0.24])
    assert ticks(figure.axes[2]) == ["0"]


def test_teams_that_are_not_counted_are_shares() -> None:
    figure = grid.draw(cells(["A", "A B", "B"], [0.5]), LABEL)
    check_form(figure)
    assert ticks(figure.axes[0]) == ["0", "0.5", "1"]
    assert list(points(figure.axes[1])) == ["all A", "half A, half B", "all B"]
    mixed = grid.draw(cells(["A", "3A 5B"], [0.5]), LABEL)
    assert ticks(mixed.axes[0]) == ["0", "5"]


def test_cells_that_were_not_run_are_empty() -> None:
    table = cells(["8A", "8B"])
    table = table[~((table["cast"] == "8B") & (table["alpha"] == 0.25))]
    lost = pd.DataFrame([row("collective_accuracy", None, 0, alpha=0.25, cast="4A 4B")])
    figure = grid.draw(pd.concat([table, lost]), LABEL)
    assert np.isnan(heat(figure)[1]).tolist() == [False, True, True]
    here = [text for place, text in notes(figure.axes[0]) if place == (1, 1)]
    assert here == ["-", "n = 0"]
    assert len(points(figure.axes[1])["4 A, 4 B"]) == 0


@pytest.mark.parametrize("cast", ["", "8C", "A:blind", "4A B", "gpt-4o"])
def test_other_casts_are_refused(cast: str) -> None:
    with pytest.raises(SettingError, match="models A and B, such as '8A'"):
        grid.draw(cells([cast]), LABEL)


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="missing: cast"):
        grid.draw(cells().drop(columns="cast"), LABEL)
    with pytest.raises(SettingError, match="casts of 4 and 8 seats"):
        grid.draw(cells(["8A", "4B"]), LABEL)
    with pytest.raises(SettingError, match="two rows of collective_accuracy at alpha = 1, b = 0"):
        grid.draw(cells(["8A", "A"]), LABEL)
    with pytest.raises(SettingError, match="rows of collective_accuracy at numbers of alpha"):
        grid.draw(cells().assign(alpha="off"), LABEL)
