"""Figures: what they show, what they refuse, and that they are written without a date."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from socialcircuits.errors import SettingError
from socialcircuits.figures import belief_map, population, protocols, save, style

LABEL = "simulated agents: checks the software, not a finding about any model"


def row(measure: str, value: float | None, n: int = 40, **condition: Any) -> dict[str, Any]:
    low, high = (None, None) if value is None else (value - 0.1, value + 0.1)
    return {"measure": measure, **condition, "value": value, "low": low, "high": high, "n": n}


def sizes() -> pd.DataFrame:
    rows = [
        row(measure, value, N=size)
        for measure in ("initial_accuracy", "collective_accuracy", "polarization", "fragmentation")
        for size, value in ((4, 0.25), (16, 0.5), (128, 0.75))
    ]
    return pd.DataFrame(rows)


def points(axes: Axes) -> dict[str, list[tuple[float, float]]]:
    """The points of each series of error bars, by its title."""
    found = {}
    for container in axes.containers:
        line = container[0]
        xs, ys = line.get_data()
        found[str(container.get_label())] = list(zip(map(float, xs), map(float, ys), strict=True))
    return found


def texts(figure: Figure) -> str:
    return "\n".join(text.get_text() for axes in figure.axes for text in axes.texts)


def ticks(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.get_xticklabels()]


def test_population_shows_values_intervals_and_n() -> None:
    left, right = population.draw(sizes(), LABEL).axes
    assert list(points(left)) == ["collective", "initial"]
    assert list(points(right)) == ["polarization", "fragmentation"]
    shown = points(left)["collective"]
    assert [y for _, y in shown] == [0.25, 0.5, 0.75]
    assert [round(x) for x, _ in shown] == [4, 15, 123]  # moved sideways by 2^-.055
    bars = left.containers[0][2][0].get_segments()
    assert [tuple(bar[:, 1].round(6)) for bar in bars] == [(0.15, 0.35), (0.4, 0.6), (0.65, 0.85)]
    assert left.get_xscale() == "log"
    assert ticks(left) == ["4\nn = 40", "16\nn = 40", "128\nn = 40"]


def test_population_says_where_n_differs_and_where_there_is_no_value() -> None:
    lost = [row("collective_accuracy", None, 0, N=64), row("initial_accuracy", 0.5, 38, N=64)]
    left, right = population.draw(pd.concat([sizes(), pd.DataFrame(lost)]), LABEL).axes
    assert ticks(left) == ["4\nn = 40", "16\nn = 40", "64\nn = 0-38", "128\nn = 40"]
    assert ticks(right)[2] == "64"
    assert len(points(left)["collective"]) == 3


def test_series_differ_without_colour() -> None:
    for series in (population.ACCURACY, population.CLASSES, belief_map.KINDS):
        assert len({(one.marker, one.line, one.filled) for one in series}) == len(series)
        assert len({one.marker + str(one.filled) for one in series}) == len(series)


def test_population_refuses_two_conditions() -> None:
    table = pd.concat([sizes().assign(model="A"), sizes().assign(model="B")])
    with pytest.raises(SettingError, match="two rows of initial_accuracy at N = 4"):
        population.draw(table, LABEL)


def test_population_refuses_other_measures() -> None:
    with pytest.raises(SettingError, match="accuracies or endpoint classes"):
        population.draw(pd.DataFrame([row("uplift", 0.1, N=4)]), LABEL)


@pytest.mark.parametrize("draw", [population.draw, protocols.draw])
def test_missing_columns_and_rows_are_named(draw: Any) -> None:
    table = sizes().drop(columns="low")
    with pytest.raises(SettingError, match=r"missing: low"):
        draw(table, LABEL)
    with pytest.raises(SettingError, match="at least one row"):
        draw(sizes().iloc[:0], LABEL)


def grid() -> pd.DataFrame:
    return pd.DataFrame(
        [
            row("collective_accuracy", 0.5, 60, protocol="pairwise", manager=None, m=3),
            row("initial_accuracy", 0.3, 60, protocol="pairwise", manager=None, m=3),
            row("manager_accuracy", 0.8, 59, protocol="manager", manager="B", m=3),
            row("collective_accuracy", 0.7, 60, protocol="broadcast", manager=None, m=None),
            row("manager_accuracy", None, 0, protocol="manager", manager="A", m=3),
        ]
    )


def test_protocols_are_sorted_and_named() -> None:
    (axes,) = protocols.draw(grid(), LABEL).axes
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        "manager, manager B, m = 3",
        "broadcast",
        "pairwise, m = 3",
        "manager, manager A, m = 3",
    ]
    assert axes.yaxis_inverted()
    assert [text.get_text() for text in axes.texts] == ["n = 59", "n = 60", "n = 60", "n = 0"]
    shown = points(axes)
    assert shown["collective (population)"] == [(0.5, 2), (0.7, 1)]
    assert shown["manager"] == [(0.8, 0)]
    assert shown["initial"] == [(0.3, 2.2)]


def test_protocols_refuse_a_condition_twice() -> None:
    with pytest.raises(SettingError, match="two final accuracies of pairwise, m = 3"):
        protocols.draw(pd.concat([grid(), grid().iloc[:1]]), LABEL)


def test_protocols_need_a_final_accuracy_and_a_condition() -> None:
    with pytest.raises(SettingError, match="a final accuracy"):
        protocols.draw(pd.DataFrame([row("initial_accuracy", 0.5, protocol="pairwise")]), LABEL)
    with pytest.raises(SettingError, match="a column of the condition"):
        protocols.draw(pd.DataFrame([row("collective_accuracy", 0.5)]), LABEL)


def panel(stopped: bool = True) -> belief_map.Panel:
    dots = pd.DataFrame(
        [
            {"x": 0.25, "y": 0.5, "answer": "France"},
            {"x": 0.5, "y": 0.25, "answer": "Peru"},
            {"x": 0.5, "y": 0.75, "answer": "Mali"},
            {"x": 0.75, "y": 0.5, "answer": None},
            {"x": 0.25, "y": 0.5, "answer": "France"},
        ]
    )
    shares = pd.DataFrame(
        [
            {"time": time, "answer": answer, "share": share, "carried": stopped and time == 2}
            for time, answer, share in [
                (0, "France", 0.2),
                (0, "Peru", 0.2),
                (0, "Mali", 0.2),
                (0, "Chad", 0.2),
                (0, None, 0.2),
                (1, "France", 0.4),
                (1, "Peru", 0.2),
                (1, "Mali", 0.2),
                (1, None, 0.2),
                (2, "France", 0.4),
                (2, "Peru", 0.2),
                (2, "Mali", 0.2),
                (2, None, 0.2),
            ]
        ]
    )
    picture = np.full((16, 24, 3), 255, dtype=np.uint8)
    return belief_map.Panel("N = 5", picture, dots, shares, "France", "Peru")


def test_belief_map_colours_dots_by_final_answer() -> None:
    top = belief_map.draw([panel()], {}, LABEL).axes[0]
    shown = [
        (
            to_hex(np.asarray(one.get_facecolor())[0]),
            np.asarray(one.get_offsets()).round(3).tolist(),
        )
        for one in top.collections
    ]
    assert shown[0] == ("#ffffff", [[18.0, 8.0]])  # invalid: hollow
    assert to_hex(np.asarray(top.collections[0].get_edgecolor())[0]) == "#000000"
    assert shown[1] == ("#6e6e6e", [[12.0, 12.0]])
    assert shown[2] == ("#d55e00", [[12.0, 4.0]])
    assert shown[3][0] == "#0072b2"
    first, second = shown[3][1]
    assert first == [6.0, 8.0]
    assert np.hypot(*np.subtract(second, first)) == pytest.approx(24 * style.SPREAD, abs=1e-2)
    assert top.get_xlabel() == "n = 5 seats"
    assert top.images[0].get_alpha() == belief_map.FADED


def test_belief_map_draws_shares_and_folds_the_rest() -> None:
    figure = belief_map.draw([panel()], {"consensus": 17 / 20}, LABEL)
    other, rival, truth, threshold = figure.axes[1].lines
    assert [line.get_linestyle() for line in (other, rival, truth)] == [":", "--", "-"]
    assert np.allclose(np.asarray(other.get_ydata()), [0.4, 0.2, 0.2])
    assert np.allclose(np.asarray(rival.get_ydata()), [0.2, 0.2, 0.2])
    assert np.allclose(np.asarray(truth.get_ydata()), [0.2, 0.4, 0.4])
    assert list(np.asarray(threshold.get_ydata())) == [17 / 20, 17 / 20]
    assert set(texts(figure).split("\n")) == {"consensus", "stopped"}
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["France (truth)", "Peru (rival)", "other answers", "invalid"]


def test_belief_map_marks_a_stop_only_where_there_is_one() -> None:
    assert "stopped" not in texts(belief_map.draw([panel(stopped=False)], {}, LABEL))


def test_belief_map_names_sides_only_where_they_agree() -> None:
    other = panel()
    other = belief_map.Panel("N = 6", other.picture, other.dots, other.shares, "France", "Mali")
    figure = belief_map.draw([panel(), other], {}, LABEL)
    assert [text.get_text() for text in figure.legends[0].get_texts()][:2] == [
        "France (truth)",
        "rival",
    ]


def test_belief_map_refuses_nothing_to_draw() -> None:
    with pytest.raises(SettingError, match="at least one trial"):
        belief_map.draw([], {}, LABEL)
    bare = panel()
    bare = belief_map.Panel("", bare.picture, bare.dots[["x", "y"]], bare.shares, "France", None)
    with pytest.raises(SettingError, match="missing: answer"):
        belief_map.draw([bare], {}, LABEL)


def test_belief_map_table_holds_all_that_is_drawn() -> None:
    table = belief_map.table([panel()])
    assert list(table.columns) == [
        "panel", "part", "x", "y", "time", "answer", "share", "carried",
    ]  # fmt: skip
    assert list(table["part"].value_counts()[["dot", "share"]]) == [5, 13]


def figures() -> list[Figure]:
    return [
        population.draw(sizes(), LABEL),
        protocols.draw(grid(), LABEL),
        belief_map.draw([panel()], {"consensus": 17 / 20}, LABEL),
    ]


def test_every_figure_says_which_agents_it_shows() -> None:
    for figure in figures():
        assert " ".join(figure.get_supxlabel().split()) == LABEL
    with pytest.raises(SettingError, match="which agents were run"):
        population.draw(sizes(), " ")


def test_saved_files_are_reproducible(tmp_path: Path) -> None:
    first = save(population.draw(sizes(), LABEL), sizes(), tmp_path / "fig.3a")
    assert [path.name for path in first] == ["fig.3a.pdf", "fig.3a.png", "fig.3a.csv"]
    second = save(population.draw(sizes(), LABEL), sizes(), tmp_path / "again")
    for one, two in zip(first, second, strict=True):
        assert one.read_bytes() == two.read_bytes()
    assert first[0].read_bytes().startswith(b"%PDF")
    assert b"CreationDate" not in first[0].read_bytes()
    assert first[1].read_bytes().startswith(b"\x89PNG")
    assert first[2].read_text().splitlines()[:2] == [
        "measure,N,value,low,high,n",
        "initial_accuracy,4,0.25,0.15,0.35,40",
    ]


def test_labels_stay_inside_the_figure() -> None:
    for figure in figures():
        figure.draw_without_rendering()
        box = figure.get_tightbbox()
        width, height = figure.get_size_inches()
        rounding = 0.02
        assert min(box.x0, box.y0) >= -rounding
        assert box.x1 <= width + rounding
        assert box.y1 <= height + rounding


def test_drawing_needs_no_global_state_and_importing_no_plotting() -> None:
    code = (
        "import sys, socialcircuits.figures.population, socialcircuits.figures.protocols\n"
        "import socialcircuits.figures.belief_map, socialcircuits.measures\n"
        "heavy = {'matplotlib', 'pandas', 'scipy', 'numpy'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "import pandas\n"
        "row = dict(measure='polarization', N=4, value=.5, low=.4, high=.6, n=4)\n"
        "socialcircuits.figures.population.draw(pandas.DataFrame([row]), 'simulated agents')\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
