"""Earliest-arrival paths from one agent."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.text import Annotation

from socialcircuits.errors import SettingError
from socialcircuits.figures import circuit
from tests.unit.figures.tables import LABEL, check_form, places, texts, ticks, titles


def tree() -> pd.DataFrame:
    """From A2 to A0 in the middle of round 1, from there to A3 in the same round and later to A1;
    A4 is not reached."""
    rows = [
        (2, 2, 0, None, None, None),
        (2, 0, 3, 2, 1, 0.5),
        (2, 3, 5, 0, 1, 1.0),
        (2, 1, 11, 0, 3, 0.0),
        (2, 4, None, None, None, None),
    ]
    return pd.DataFrame(rows, columns=list(circuit.COLUMNS))


def messages(axes: Axes) -> list[tuple[float, float, float]]:
    """Place across, and the rows of speaker and reader, of each vertical line."""
    found = []
    for text in axes.texts:
        if isinstance(text, Annotation) and text.arrow_patch is not None:
            (x, y), (to_x, to_y) = text.get_position(), text.xy
            assert x == to_x
            found.append((round(float(x), 6), y, to_y))
    return found


def filled(axes: Axes) -> list[list[bool]]:
    """Of each row from the top, which nodes are filled."""
    rows = {}
    for one in axes.collections:
        across, down = np.asarray(one.get_offsets(), dtype=float).T.tolist()
        if across != [0, 1, 2, 3]:
            continue
        (row,) = set(down)
        rows[row] = [to_hex(face) != "#ffffff" for face in np.asarray(one.get_facecolor()).tolist()]
    return [rows[row] for row in sorted(rows)]


def test_nodes_are_filled_from_the_round_of_arrival() -> None:
    figure = circuit.draw(tree(), 3, LABEL)
    check_form(figure)
    (axes,) = figure.axes
    assert filled(axes) == [
        [False, True, True, True],
        [False, False, False, True],
        [True, True, True, True],
        [False, True, True, True],
        [False, False, False, False],
    ]
    assert ticks(axes) == ["init", "R1", "R2", "final"]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == [f"A{row}" for row in range(5)]
    assert axes.get_yticklabels()[2].get_fontweight() == "bold"


def test_lines_stand_where_the_message_stands_in_its_round() -> None:
    (axes,) = circuit.draw(tree(), 3, LABEL).axes
    assert messages(axes) == [(0.5, 2, 0), (0.8, 0, 3), (2.2, 0, 1)]


def test_whole_numbers_may_be_of_a_type_with_missing_ones() -> None:
    table = tree().astype(dict.fromkeys(("time", "speaker", "round"), "Int64"))
    (axes,) = circuit.draw(table, 3, LABEL).axes
    assert messages(axes) == [(0.5, 2, 0), (0.8, 0, 3), (2.2, 0, 1)]
    assert texts(axes)[-5:] == ["3", "11", "source", "5", "not reached"]


def test_a_path_waits_at_an_agent_until_it_is_passed_on_for_the_last_time() -> None:
    (axes,) = circuit.draw(tree(), 3, LABEL).axes
    thick = [places(line) for line in axes.lines if line.get_linewidth() == 2.2]
    assert np.allclose(thick, [([0, 0.5], [2, 2]), ([0.5, 2.2], [0, 0])])
    pale = [places(line) for line in axes.lines if line.get_color() == circuit.PALE]
    assert sorted(rows[0] for _, rows in pale) == [0, 1, 2, 3]


def test_the_message_of_arrival_is_written() -> None:
    figure = circuit.draw(tree(), 3, LABEL)
    assert texts(figure.axes[0])[-6:] == ["message", "3", "11", "source", "5", "not reached"]
    assert titles(figure.legends[0]) == [
        "reached from A2", "not yet reached", "earliest-arrival path", "known, no path goes on",
    ]  # fmt: skip


def test_a_source_that_reaches_nobody_has_no_path() -> None:
    table = tree().assign(source=4)
    table[["time", "speaker", "round", "position"]] = None
    figure = circuit.draw(table, 10, LABEL)
    check_form(figure)
    assert messages(figure.axes[0]) == []
    assert texts(figure.axes[0])[-1] == "source"
    assert texts(figure.axes[0]).count("not reached") == 4


def change(agent: int, **values: float) -> pd.DataFrame:
    table = tree()
    for name, value in values.items():
        table.loc[table["agent"] == agent, name] = value
    return table


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (tree().drop(columns="position"), "missing: position"),
        (change(3, source=1), r"sources \[1, 2\]"),
        (pd.concat([tree(), tree()]), "two rows of arrival at agent = 2"),
        (tree()[1:], "no row of agent 2"),
        (change(3, speaker=4), "speaker: 4 is not allowed; expected the source or an agent"),
        (change(1, round=4), "round: 4 is not allowed; expected 1 to 3"),
        (change(1, position=1.5), "position: 1.5 is not allowed; expected 0 to 1"),
    ],
)
def test_bad_tables_are_refused(table: pd.DataFrame, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        circuit.draw(table, 3, LABEL)


def test_rounds_and_agents_have_their_range() -> None:
    with pytest.raises(SettingError, match="rounds: 0 is not allowed"):
        circuit.draw(tree(), 0, LABEL)
    with pytest.raises(SettingError, match="35 is not allowed; expected at most 32"):
        circuit.draw(pd.concat([tree()] * 7).assign(agent=range(35)), 3, LABEL)
