"""Change of collective accuracy by a patch, over population size."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import patch_effect
from socialcircuits.figures.evidence_share import BESIDE
from tests.unit.figures.tables import LABEL, check_form, points, ticks, titles

EIGHTH = "1/8 of crops patched: mean, 95% interval"
QUARTER = "1/4 of crops patched: mean, 95% interval"


def means() -> pd.DataFrame:
    rows = [
        {"N": size, "patched": patched, "value": value, "low": value - 0.1, "high": value + 0.2}
        for size, patched, value in ((16, 2, 0.3), (4, 1, 0.35), (8, 1, 0.4), (32, 4, None))
        if value is not None
    ]
    blank = {"N": 32, "patched": 4, "value": None, "low": None, "high": None, "n": 0}
    return pd.DataFrame([*({**row, "n": 3} for row in rows), blank])


def runs() -> pd.DataFrame:
    changes = [(4, 0.25), (4, 0.5), (4, None), (8, 0.375), (8, 0.375), (16, -0.0625), (16, 0.5)]
    return pd.DataFrame(changes, columns=["N", "change"])


def test_means_stand_beside_the_runs_and_only_one_share_is_joined() -> None:
    figure = patch_effect.draw(means(), runs(), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    assert points(axes) == {
        EIGHTH: [(round(size * 2**BESIDE, 6), value) for size, value in ((8, 0.4), (16, 0.3))],
        QUARTER: [(round(4 * 2**BESIDE, 6), 0.35)],
    }
    lines = {str(one.get_label()): one[0] for one in axes.containers}
    assert lines[EIGHTH].get_linestyle() == "-"
    assert lines[QUARTER].get_linestyle() == "None"
    assert lines[QUARTER].get_markerfacecolor() == "white"
    assert titles(axes.get_legend()) == ["one run", EIGHTH, QUARTER]


def test_each_size_says_how_many_were_patched_and_run() -> None:
    (axes,) = patch_effect.draw(means(), runs(), LABEL).axes
    assert ticks(axes) == [
        "4\n1 of 4\nn = 3", "8\n1 of 8\nn = 3", "16\n2 of 16\nn = 3", "32\n4 of 32\nn = 0",
    ]  # fmt: skip
    assert axes.get_ylabel() == "Change of collective accuracy"


def test_every_run_is_a_dot_near_its_size() -> None:
    (axes,) = patch_effect.draw(means(), runs(), LABEL).axes
    dots = np.asarray(axes.collections[0].get_offsets(), dtype=float)
    heights = [y for y in dots[:, 1].tolist() if not np.isnan(y)]
    assert heights == [0.25, 0.5, 0.375, 0.375, -0.0625, 0.5]
    doublings = np.log2(dots[:, 0])
    assert np.nanmax(np.abs(doublings - [2, 2, 2, 3, 3, 4, 4])) < BESIDE
    assert len(set(dots[:, 0].tolist())) == len(dots)


def test_the_table_holds_means_and_runs() -> None:
    table = patch_effect.table(means(), runs())
    assert list(table.columns) == ["part", "N", "patched", "change", "low", "high", "n"]
    assert table["part"].tolist() == ["mean"] * 4 + ["run"] * 7
    assert table["change"].tolist()[:3] == [0.3, 0.35, 0.4]
    assert table["patched"].tolist()[:4] == [2, 1, 1, 4]
    assert table["change"].isna().sum() == 2


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="missing: patched"):
        patch_effect.draw(means().drop(columns="patched"), runs(), LABEL)
    with pytest.raises(SettingError, match="missing: change"):
        patch_effect.draw(means(), runs()[["N"]], LABEL)
    with pytest.raises(SettingError, match="two rows of mean at N = 16"):
        patch_effect.draw(pd.concat([means(), means()]), runs(), LABEL)
    with pytest.raises(SettingError, match="'9 of 8' is not allowed; expected 0 to N agents"):
        patch_effect.draw(means().assign(N=[8, 4, 16, 32], patched=9), runs(), LABEL)
    with pytest.raises(SettingError, match="runs: 'N = 8' is not allowed"):
        patch_effect.draw(means()[:2], runs(), LABEL)
    with pytest.raises(SettingError, match="'1/32, 1/16, 1/8, 1/4' is not allowed"):
        patch_effect.draw(means().assign(patched=1), runs(), LABEL)
