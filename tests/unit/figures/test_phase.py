"""The phase map, its slice, and runs on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex

from socialcircuits.errors import SettingError
from socialcircuits.figures import phase, phase_runs, phase_slice, population
from tests.unit.figures.tables import LABEL, boxes, check_form, places, ticks, titles

SETTINGS = "a_T + a_R = 0.45, h_0 = 0.3, t to infinity"


def cell(n: int, share: float, *values: float) -> dict[str, Any]:
    names = [one.name for one in phase.CLASSES]
    return {"N": n, "share": share, **dict(zip(names, values, strict=True))}


def cells() -> pd.DataFrame:
    """At N = 2 correct, then wrong; at N = 8 fragmented before wrong, but for three classes."""
    return pd.DataFrame(
        [
            cell(8, 0.0, 0.7, 0.1, 0.1, 0.1),
            cell(2, 0.0, 0.9, 0.1, 0.0, 0.0),
            cell(2, 0.5, 0.4, 0.4, 0.1, 0.1),
            cell(2, 1.0, 0.1, 0.9, 0.0, 0.0),
            cell(8, 1.0, 0.1, 0.7, 0.1, 0.1),
            cell(8, 0.5, 0.1, 0.2, 0.3, 0.4),
        ]
    )


def areas(axes: Axes) -> list[tuple[str, float, float, float, float]]:
    """Colour, left, right, low and high of each region."""
    return [
        (to_hex(patch.get_facecolor()), *np.round([box.x0, box.x1, box.y0, box.y1], 6).tolist())
        for patch, box in zip(axes.patches, boxes(axes), strict=True)
    ]


def colours() -> dict[str, str]:
    return {one.name: one.colour.lower() for one in phase.CLASSES}


def test_classes_look_as_in_runs() -> None:
    counted = {one.name: one for one in population.CLASSES}
    for one in phase.CLASSES:
        assert one._replace(name="") == counted[phase.MEASURES[one.name]]._replace(name="")
    assert len({part.hatch for part in phase.PARTS.values()}) == 4


def test_regions_reach_half_way() -> None:
    (axes,) = phase.draw(cells(), LABEL, SETTINGS).axes
    named = colours()
    assert areas(axes) == [
        (named["correct"], 0, 2, 0, 0.75),  # of equals the first
        (named["wrong"], 0, 2, 0.75, 1),
        (named["correct"], 2, 4, 0, 0.25),
        (named["fragmented"], 2, 4, 0.25, 0.75),
        (named["wrong"], 2, 4, 0.75, 1),
    ]
    assert ticks(axes) == ["2", "8"]
    assert axes.get_xlim() == (0, 4)


def test_the_figure_says_how_many_classes_it_compares() -> None:
    four = phase.draw(cells(), LABEL, SETTINGS)
    three = phase.draw(cells(), LABEL, SETTINGS, classes=3)
    check_form(four)
    check_form(three)
    heads = [figure.axes[0].get_title(loc="left") for figure in (four, three)]
    assert heads == [
        f"Most probable of four classes\n{SETTINGS}",
        f"Most probable of three classes: fragmentation is left out\n{SETTINGS}",
    ]
    found = [titles(figure.axes[0].get_legend()) for figure in (four, three)]
    assert found == [
        ["correct consensus", "wrong consensus", "fragmentation"],
        ["correct consensus", "wrong consensus", "polarization"],
    ]


def test_a_cut_is_a_line() -> None:
    (axes,) = phase.draw(cells(), LABEL, SETTINGS, cut=0.35).axes
    assert [places(line)[1] for line in axes.lines] == [[0.35, 0.35]]


def test_one_size_and_many_sizes_can_be_drawn() -> None:
    one = phase.draw(cells()[cells()["N"] == 8], LABEL, SETTINGS)
    check_form(one)
    assert one.axes[0].get_xlim() == (2.5, 3.5)
    many = [cell(n, 0.5, 1.0, 0.0, 0.0, 0.0) for n in range(2, 40)]
    assert len(ticks(phase.draw(pd.DataFrame(many), LABEL, SETTINGS).axes[0])) <= phase.MOST_TICKS


def test_bad_maps_are_refused() -> None:
    with pytest.raises(SettingError, match="classes: 2 is not allowed; expected 3 or 4"):
        phase.draw(cells(), LABEL, SETTINGS, classes=2)
    with pytest.raises(SettingError, match="missing: wrong"):
        phase.draw(cells().drop(columns="wrong"), LABEL, SETTINGS)
    with pytest.raises(SettingError, match="two rows of probabilities at N = 8, share = 0"):
        phase.draw(pd.concat([cells(), cells().iloc[:1]]), LABEL, SETTINGS)


def test_a_slice_shows_all_classes_over_n() -> None:
    table = cells()[cells()["share"] == 0.5]
    figure = phase_slice.draw(table, LABEL, SETTINGS)
    check_form(figure)
    (axes,) = figure.axes
    assert [places(line) for line in axes.lines] == [
        ([2, 8], [0.4, 0.1]),
        ([2, 8], [0.4, 0.2]),
        ([2, 8], [0.1, 0.3]),
        ([2, 8], [0.1, 0.4]),
    ]
    assert titles(axes.get_legend()) == [one.title for one in phase.CLASSES]
    assert (axes.get_xscale(), ticks(axes)) == ("log", ["2", "8"])
    with pytest.raises(SettingError, match="two rows of probabilities at N = 2"):
        phase_slice.draw(cells(), LABEL, SETTINGS)


def trials() -> pd.DataFrame:
    rows = [
        (4, 0.2, "correct"),
        (4, 0.3, "correct"),
        (4, 0.3, "wrong"),
        (4, 0.36, "wrong"),
        (4, 0.9, "polarized"),
        (64, 0.5, "fragmented"),
        (64, None, "wrong"),
    ]
    return pd.DataFrame(rows, columns=["N", "share", "endpoint"])


def test_the_locally_most_frequent_class() -> None:
    shown = trials().dropna()
    at = [0.0, 0.2, 0.3, 0.36, 0.6, 0.8, 1.0]
    found = phase_runs.locally(shown, at)
    assert found["N"].tolist() == [4] * 7 + [64] * 7
    most = found["most"].fillna("").tolist()
    assert most[:7] == ["", "correct", "wrong", "wrong", "", "polarized", "polarized"]
    # At 64 there is one trial, at .5; what happened at N = 4 does not count.
    assert most[7:] == ["", "", "", "fragmented", "fragmented", "", ""]


def test_the_kernel_weighs_by_distance_in_share() -> None:
    # Two trials at one bandwidth weigh 2 exp(-1/2) = 1.21, more than one at no distance, and at
    # two bandwidths 2 exp(-2) = .27, less.
    near = pd.DataFrame(
        [(8, 0.5, "wrong"), (8, 0.55, "correct"), (8, 0.45, "correct")],
        columns=["N", "share", "endpoint"],
    )
    far = near.assign(share=[0.5, 0.6, 0.4])
    assert phase_runs.locally(near, [0.5])["most"].tolist() == ["correct"]
    assert phase_runs.locally(far, [0.5])["most"].tolist() == ["wrong"]


def test_each_trial_is_a_dot_at_its_own_share() -> None:
    figure = phase_runs.draw(trials(), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    dots = [np.asarray(one.get_offsets()) for one in axes.collections]
    assert [one[:, 1].tolist() for one in dots] == [[0.2, 0.3], [0.3, 0.36], [0.9], [0.5]]
    doublings = np.concatenate(dots)[:, 0]
    assert np.abs(doublings - [2, 2, 2, 2, 2, 6]).max() <= 0.5
    assert titles(axes.get_legend()) == [one.title for one in phase.CLASSES]
    assert axes.get_title(loc="left").startswith(
        "Most frequent class of trials near a share (6 trials; 1 without a share not drawn)\n"
    )


def test_bad_trials_are_refused() -> None:
    with pytest.raises(SettingError, match="did you mean 'polarized'"):
        phase_runs.draw(trials().replace("polarized", "polarised"), LABEL)
    with pytest.raises(SettingError, match="at least one trial with a rival share"):
        phase_runs.draw(trials().assign(share=None), LABEL)
    with pytest.raises(SettingError, match="missing: endpoint"):
        phase_runs.draw(trials().drop(columns="endpoint"), LABEL)
