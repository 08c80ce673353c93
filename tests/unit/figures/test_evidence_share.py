"""Rival evidence in the crops of a trial and over trials."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.colors import to_hex

from socialcircuits.errors import SettingError
from socialcircuits.figures import evidence_share
from tests.unit.figures.tables import LABEL, check_form, points, row, texts, ticks, titles


def shown() -> evidence_share.Shown:
    crops = pd.DataFrame(
        [
            {"x": 0.25, "y": 0.5, "rival_share": 0.0, "n": 50},
            {"x": 0.5, "y": 0.25, "rival_share": 1.0, "n": 50},
            {"x": 0.5, "y": 0.75, "rival_share": 0.5, "n": 48},
            {"x": 0.75, "y": 0.5, "rival_share": None, "n": 0},
            {"x": 0.25, "y": 0.5, "rival_share": 0.0, "n": 50},
        ]
    )
    picture = np.full((16, 24, 3), 255, dtype=np.uint8)
    return evidence_share.Shown(picture, crops, "Yemen", "Austria", 0.375)


def trials() -> pd.DataFrame:
    shares = [(4, 0.1), (4, 0.5), (4, None), (16, 0.3), (16, 0.4)]
    return pd.DataFrame(shares, columns=["N", "share"])


def means() -> pd.DataFrame:
    rows = [row("rival_share", 0.35, 2, N=16), row("rival_share", 0.3, 2, N=4)]
    return pd.DataFrame(
        [*rows, row("invalid_share", 0.0, 3, N=4), row("rival_share", 0.3, 4, N="")]
    )


def faces(drawn: Collection) -> list[str]:
    return [to_hex(tuple(colour)) for colour in np.asarray(drawn.get_facecolor()).tolist()]


def dots(axes: Axes) -> list[list[tuple[float, float]]]:
    return [
        [tuple(place) for place in np.asarray(one.get_offsets()).round(6).tolist()]
        for one in axes.collections[:3]
    ]


def test_crops_are_coloured_by_the_rivals_share() -> None:
    figure = evidence_share.draw(shown(), trials(), means(), LABEL)
    check_form(figure)
    axes = figure.axes[0]
    truth, rival, missing = dots(axes)
    assert truth[0] == (6, 8)
    assert truth[1] == (12, 12)
    assert 0 < np.hypot(truth[2][0] - 6, truth[2][1] - 8) < 1  # the same crop once more
    assert (rival, missing) == ([(12, 4)], [(18, 8)])
    colours = [faces(one) for one in axes.collections[:3]]
    assert colours == [["#0072b2", "#f2f1f1", "#0072b2"], ["#d55e00"], ["#ffffff"]]
    assert texts(axes) == ["rival evidence share: 0.38"]
    assert axes.get_xlabel() == "n = 5 crops, 0-50 valid probes each"
    assert titles(axes.get_legend()) == [
        "leans to Yemen (truth)", "leans to Austria (rival)", "no valid probe",
    ]  # fmt: skip
    bar = figure.axes[2]
    assert (bar.get_ylabel(), bar.get_ylim()) == ("Share of probes for the rival", (0, 1))


def test_sides_differ_without_colour() -> None:
    assert len({one.marker for one in evidence_share.LEANS}) == 3


def test_trials_are_dots_beside_their_mean() -> None:
    axes = evidence_share.draw(shown(), trials(), means(), LABEL).axes[1]
    found = np.asarray(axes.collections[0].get_offsets())
    heights = [y for y in found[:, 1].tolist() if y == y]  # noqa: PLR0124
    assert heights == [0.1, 0.5, 0.3, 0.4]
    doublings = np.log2(found[:, 0])
    assert np.abs(doublings - [2, 2, 2, 4, 4]).max() < evidence_share.BESIDE
    assert points(axes) == {
        "mean, 95% interval": [
            (round(4 * 2**evidence_share.BESIDE, 6), 0.3),
            (round(16 * 2**evidence_share.BESIDE, 6), 0.35),
        ]
    }
    assert ticks(axes) == ["4\nn = 2", "16\nn = 2"]


def test_a_trial_without_a_valid_probe_has_no_share() -> None:
    crops = shown().crops.assign(rival_share=None, n=0)
    figure = evidence_share.draw(
        replace(shown(), crops=crops, share=None), trials(), means(), LABEL
    )
    assert texts(figure.axes[0]) == ["rival evidence share: -"]
    assert [len(places) for places in dots(figure.axes[0])] == [0, 0, 5]
    assert titles(figure.axes[0].get_legend()) == ["no valid probe"]


def test_the_table_holds_all_that_is_drawn() -> None:
    table = evidence_share.table(shown(), trials(), means())
    assert list(table.columns) == ["part", "x", "y", "N", "rival_share", "low", "high", "n"]
    assert table["part"].tolist() == ["crop"] * 5 + ["trial"] * 5 + ["estimate"] * 3
    assert table["rival_share"].isna().sum() == 2


def test_bad_tables_are_refused() -> None:
    crops = shown().crops.drop(columns="rival_share")
    with pytest.raises(SettingError, match="missing: rival_share"):
        evidence_share.draw(replace(shown(), crops=crops), trials(), means(), LABEL)
    with pytest.raises(SettingError, match="missing: share"):
        evidence_share.draw(shown(), trials()[["N"]], means(), LABEL)
    with pytest.raises(SettingError, match="two rows of rival_share at N = 16"):
        evidence_share.draw(shown(), trials(), pd.concat([means(), means()]), LABEL)
