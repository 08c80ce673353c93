"""The range of class shares over threshold pairs."""

from __future__ import annotations

import pandas as pd
import pytest
from matplotlib.colors import to_hex

from socialcircuits.errors import SettingError
from socialcircuits.figures import robustness
from tests.unit.figures.tables import LABEL, boxes, check_form, places, ticks, titles

CLASSES = ("correct_consensus", "wrong_consensus", "polarization", "fragmentation")


def sweep() -> pd.DataFrame:
    rows = [
        {"class": name, "N": size, "low": 0.1 * place, "high": 0.1 * place + width, "n": 38}
        for place, name in enumerate(CLASSES)
        for size, width in ((128, 0.05), (4, 0.2), (16, 0.0))
    ]
    return pd.DataFrame(rows).assign(chosen=lambda table: (table["low"] + table["high"]) / 2)


def test_a_bar_is_the_range_and_a_mark_the_chosen_thresholds() -> None:
    figure = robustness.draw(sweep(), LABEL)
    check_form(figure)
    for place, axes in enumerate(figure.axes):
        low = 0.1 * place
        bars = boxes(axes)
        middles = [round((bar.x0 + bar.x1) / 2, 6) for bar in bars]
        assert middles == [2, 0, 1]
        assert [bar.y0 for bar in bars] == pytest.approx([low, low, low])
        assert [bar.y1 for bar in bars] == pytest.approx([low + 0.05, low + 0.2, low])
        (marks,) = axes.lines
        across, up = places(marks)
        assert across == [2, 0, 1]
        assert up == pytest.approx([low + 0.025, low + 0.1, low])
    assert ticks(figure.axes[2]) == ["4\nn = 38", "16\nn = 38", "128\nn = 38"]
    assert [axes.texts[0].get_text() for axes in figure.axes] == [
        name.replace("_", " ") for name in CLASSES
    ]


def test_it_says_what_the_range_is() -> None:
    figure = robustness.draw(sweep(), LABEL)
    assert " ".join(figure.get_supylabel().split()) == (
        "Share of trials; range over 30 threshold pairs: a sensitivity, not an uncertainty"
    )
    assert titles(figure.legends[0]) == [
        "smallest to largest share",
        "at the chosen thresholds, 0.85 and 0.25",
    ]


def test_classes_have_the_colours_of_the_population_figure() -> None:
    axes = robustness.draw(sweep(), LABEL).axes
    colours = [to_hex(one.patches[0].get_edgecolor()) for one in axes]
    assert colours == ["#0072b2", "#d55e00", "#009e73", "#6e6e6e"]


def test_a_size_without_trials_has_no_bar() -> None:
    table = sweep()
    table.loc[table["N"] == 16, ["low", "high", "chosen"]] = None
    table.loc[table["N"] == 16, "n"] = 0
    figure = robustness.draw(table, LABEL)
    assert [len(axes.patches) for axes in figure.axes] == [2, 2, 2, 2]
    assert ticks(figure.axes[2])[1] == "16\nn = 0"


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="missing: chosen"):
        robustness.draw(sweep().drop(columns="chosen"), LABEL)
    with pytest.raises(SettingError, match="two rows of correct_consensus at N = 128"):
        robustness.draw(pd.concat([sweep(), sweep()]), LABEL)
    with pytest.raises(SettingError, match=r"\['polarisation'\] is not allowed; expected rows of"):
        robustness.draw(sweep().assign(**{"class": "polarisation"}), LABEL)
