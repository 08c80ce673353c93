"""Predicted influence over measured effect, agent by agent."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex, to_rgba

from socialcircuits.errors import SettingError
from socialcircuits.figures import attribution
from tests.unit.figures.tables import LABEL, boxes, check_form, texts, ticks

PUBLISHED = [
    (7, 1.19, 0.63, 1.0, 1.19, 16.6, 0),
    (0, 0.47, 0.50, 1.0, 0.47, 19.4, 0),
    (1, 0.00, 0.00, 0.0, 0.73, 14.9, 0),
    (2, 1.01, 0.13, 1.0, 1.01, 16.4, 0),
    (3, 0.46, 0.13, 1.0, 0.46, 22.9, 0),
    (4, 1.81, 0.75, 1.0, 1.81, 12.9, 0),
    (5, 0.00, 0.00, 0.0, 0.39, 24.6, 0),
    (6, 0.64, 0.13, 1.0, 0.64, 15.6, 0),
]
"""The paper's Table 5."""


def published() -> pd.DataFrame:
    return pd.DataFrame(PUBLISHED, columns=list(attribution.COLUMNS))


def full() -> pd.DataFrame:
    table = published()
    table["low"], table["high"] = table["dA"] - 0.1, table["dA"] + 0.2
    return table.assign(
        out_degree=range(8),
        shapley=table["dA"] / 2,
        shapley_error=0.05,
        unreached=[2, *[0] * 7],
        remark="not drawn",
    )


def heights(axes: Axes) -> list[float]:
    """Where each bar ends that is not at zero."""
    return [round(float(bar.y1 if bar.y1 > 0 else bar.y0), 6) for bar in boxes(axes)]


def marks(axes: Axes) -> list[tuple[float, float]]:
    offsets = np.asarray(axes.collections[0].get_offsets(), dtype=float)
    return [tuple(place) for place in offsets.tolist()]


def spans(axes: Axes) -> list[tuple[float, float, float]]:
    """Place, low and high of each error bar."""
    (lines,) = [one for one in axes.collections if isinstance(one, LineCollection)]
    return [
        (float(x), round(float(low), 6), round(float(high), 6))
        for (x, low), (_, high) in (np.asarray(one) for one in lines.get_segments())
    ]


def test_bars_stand_by_agent_with_ranks_that_show_ties() -> None:
    figure = attribution.draw(published(), LABEL)
    check_form(figure)
    predicted, measured, *small = figure.axes
    assert heights(predicted) == [0.47, 0, 1.01, 0.46, 1.81, 0, 0.64, 1.19]
    assert heights(measured) == [0.5, 0, 0.13, 0.13, 0.75, 0, 0.13, 0.63]
    assert texts(predicted)[:8] == ["5", "7=", "3", "6", "1", "7=", "4", "2"]
    assert texts(measured)[:8] == ["3", "7=", "4=", "4=", "1", "7=", "4=", "2"]
    assert texts(measured)[8] == "measured: agent patched alone, with rank"
    assert ticks(small[-1]) == [f"A{agent}" for agent in range(8)]
    assert len({axes.get_xlim() for axes in figure.axes}) == 1


def test_the_first_rank_is_in_full_colour() -> None:
    figure = attribution.draw(published(), LABEL)
    for axes, colour in zip(figure.axes, ("#0072b2", "#009e73"), strict=False):
        faces = [to_rgba(bar.get_facecolor()) for bar in axes.patches]
        assert {to_hex(face) for face in faces} == {colour}
        assert [face[3] for face in faces] == [1.0 if agent == 4 else 0.35 for agent in range(8)]
    shared = attribution.draw(published().assign(dA=0.25), LABEL).axes[1]
    assert {to_rgba(bar.get_facecolor())[3] for bar in shared.patches} == {1.0}
    assert texts(shared)[:8] == ["1="] * 8


def test_ties_are_seen_through_rounding() -> None:
    values = pd.Series([0.1 + 0.2, 0.3, 0.3001, np.nan])
    assert attribution._ranks(values) == ["2=", "2=", "1", "-"]


def test_dp_e_and_d_stand_below() -> None:
    figure = attribution.draw(published(), LABEL)
    table = published().sort_values("agent")
    assert len(figure.axes) == 5
    for axes, column in zip(figure.axes[2:], ("dp", "E", "D"), strict=True):
        assert marks(axes) == list(enumerate(table[column]))
    assert texts(figure.axes[2]) == ["beside S"]


def test_what_the_table_has_besides_is_drawn_with_its_errors() -> None:
    figure = attribution.draw(full(), LABEL)
    check_form(figure)
    table = full().sort_values("agent").reset_index(drop=True)
    measured, degree, shapley = figure.axes[1], figure.axes[5], figure.axes[6]
    assert np.allclose(spans(measured), table[["agent", "low", "high"]])
    assert texts(measured)[8] == "measured: agent patched alone, with rank and 95% interval"
    assert marks(degree) == list(enumerate(table["out_degree"].astype(float)))
    value = table["shapley"]
    assert np.allclose(
        spans(shapley), np.column_stack([table["agent"], value - 0.05, value + 0.05])
    )


def test_agents_that_miss_others_are_hollow_with_how_many() -> None:
    figure = attribution.draw(full(), LABEL)
    gain, closeness, arrival = figure.axes[2:5]
    for axes in (closeness, arrival):
        faces = [to_hex(face) for face in np.asarray(axes.collections[0].get_facecolor()).tolist()]
        assert faces == ["#6e6e6e"] * 7 + ["#ffffff"]
    assert {to_hex(face) for face in np.asarray(gain.collections[0].get_facecolor()).tolist()} == {
        "#6e6e6e"
    }
    assert texts(closeness) == ["2"]
    assert texts(gain) == ["beside S (hollow: number of agents unreached)"]


def test_what_is_missing_has_no_bar_and_no_rank() -> None:
    table = full()
    table.loc[table["agent"] == 2, ["dA", "low", "high", "S", "dp"]] = None
    table.loc[table["agent"] == 7, "D"] = None
    figure = attribution.draw(table, LABEL)
    check_form(figure)
    predicted, measured = figure.axes[:2]
    assert texts(predicted)[:8] == ["4", "6=", "-", "5", "1", "6=", "3", "2"]
    assert texts(measured)[:8] == ["3", "6=", "-", "4=", "1", "6=", "4=", "2"]
    assert len(spans(measured)) == 7
    assert np.isnan(marks(figure.axes[4])[7][1])


def test_a_harmful_patch_hangs_below_zero() -> None:
    table = published()
    table.loc[table["agent"] == 3, ["S", "dp", "dA"]] = [-0.3, -0.5, -0.25]
    predicted, measured = attribution.draw(table, LABEL).axes[:2]
    assert heights(predicted)[3] == -0.3
    assert heights(measured)[3] == -0.25
    assert texts(measured)[3] == "8"


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="missing: unreached"):
        attribution.draw(published().drop(columns="unreached"), LABEL)
    with pytest.raises(SettingError, match="missing: shapley_error"):
        attribution.draw(full().drop(columns="shapley_error"), LABEL)
    with pytest.raises(SettingError, match="two rows of attribution at agent = 7"):
        attribution.draw(pd.concat([published(), published()]), LABEL)
    many = pd.concat([published()] * 5).assign(agent=range(40))
    with pytest.raises(SettingError, match="40 is not allowed; expected at most 32"):
        attribution.draw(many, LABEL)
