"""The mean field: fixed points, stability, its course and the noise around it."""

from __future__ import annotations

from math import log, nan
from typing import Any

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.theory.chain import Chain, law_after, limit_law
from socialcircuits.theory.mean_field import drift, fixed_points, path, slope, spread

CASES = [
    (0.2925, 0.1575, 0.3),
    (0.2, 0.2, -5.0),
    (0.0, 0.2, 0.3),
    (0.0, 0.1, 2.0),
    (0.1, 0.0, -2.0),
    (0.3, 0.0, 1.0),
    (0.0, 0.0, -1.0),
    (0.4, 0.6, 0.3),
    (0.25, 0.25, 0.0),
    (0.0, 0.0, 0.0),
]


@pytest.mark.parametrize("case", CASES)
def test_nothing_moves_at_fixed_points(case: tuple[float, float, float]) -> None:
    for point in fixed_points(*case):
        assert drift(point.x, *case) == pytest.approx(0, abs=1e-15)
        assert point.slope == slope(point.x, *case)
        assert point.share == pytest.approx(case[0] + (1 - case[0] - case[1]) * point.x)
        assert (point.variance is None) == (point.stability != "stable")


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ((0.0, 0.0, -1.0), [(0.0, "stable"), (1.0, "unstable")]),
        ((0.1, 0.0, 0.5), [(1.0, "stable")]),
        ((0.0, 0.0, 0.0), []),
        ((0.25, 0.25, 0.0), [(0.5, "stable")]),
        ((0.0, 0.0, 1.0), [(0.0, "unstable"), (1.0, "stable")]),
    ],
)
def test_kinds_of_fixed_points(
    case: tuple[float, float, float], expected: list[tuple[float, str]]
) -> None:
    assert [(point.x, point.stability) for point in fixed_points(*case)] == expected


def test_truth_alone_is_stable_as_the_inequality_says() -> None:
    # q_T f_T > (q_R - q_T) f_0 at f_T = 1/4 turns at q_R / q_T = 4/3.
    for bias, stable in ((-0.28, True), (-0.29, False)):
        top = fixed_points(0.25, 0.0, bias)[-1]
        assert (top.x, top.stability) == (1.0, "stable" if stable else "unstable")
    assert fixed_points(0.25, 0.0, -log(4 / 3))[-1].stability == "marginal"


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("start", [0.0, 1e-9, 0.5, 1.0])
def test_the_path_follows_the_drift(case: tuple[float, float, float], start: float) -> None:
    step = 1e-4
    for time in (0.0, 0.7, 5.0, 60.0):
        here, later = path([time, time + step], *case, start)
        middle = drift(float(path(time + step / 2, *case, start)), *case)
        assert later - here == pytest.approx(step * middle, abs=1e-12)
    stable = [point.x for point in fixed_points(*case) if point.stability == "stable"]
    if stable and drift(start, *case):
        assert path(1e6, *case, start) == pytest.approx(stable[0], abs=1e-9)


def test_neutral_mean_is_exact() -> None:
    chain = Chain(64, 12, 6)
    law = law_after(chain, 64 * 3)
    mean = float(law @ np.arange(47)) / 46
    growth = (1 - 18 / (2 * 64**2)) ** (64 * 3)  # steps instead of continuous time
    assert mean == pytest.approx(2 / 3 + (0.5 - 2 / 3) * growth, rel=1e-12)
    assert mean == pytest.approx(float(path(3, 12 / 64, 6 / 64, 0.0)), abs=1e-3)


def test_spread_nears_the_exact_one_and_falls_as_one_over_root_n() -> None:
    shares, gaps = (0.25, 0.125), []
    for n in (64, 256):
        chain = Chain(n, n // 4, n // 8, 0.3)
        for rounds, law in ((4, law_after(chain, 4 * n)), (1e4, limit_law(chain))):
            k = np.arange(len(law)) / n
            exact = np.sqrt(law @ k**2 - (law @ k) ** 2)
            (found,) = spread([rounds], n, shares, 0.3)
            gaps.append(abs(found / exact - 1))
    assert max(gaps) < 0.02
    assert gaps[2] < 0.5 * gaps[0]
    assert gaps[3] < 0.5 * gaps[1]
    wide, narrow = (spread([0, 2.0, 8.0], n, shares, 0.3) for n in (100, 10_000))
    assert wide / narrow == pytest.approx(10, rel=1e-6)
    assert spread([0.0], 100, shares, 0.3) == pytest.approx(np.sqrt(0.625 / 4 / 100))


def test_spread_settles_at_the_fixed_point() -> None:
    (point,) = fixed_points(0.2925, 0.1575, 0.3)
    assert point.variance is not None
    settled = spread([500.0], 128, (0.2925, 0.1575), 0.3)[0] ** 2 * 128
    assert settled == pytest.approx(point.variance, rel=1e-6)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: drift(1.5, 0.1, 0.1, 0.0), "x"),
        (lambda: drift(0.5, 0.1, 0.1, nan), "bias"),
        (lambda: fixed_points(0.6, 0.6, 0.0), "rival"),
        (lambda: path([-1.0], 0.1, 0.1, 0.0), "rounds"),
        (lambda: path([nan], 0.1, 0.1, 0.0), "rounds"),
        (lambda: path([1.0], 0.1, 0.1, 0.0, start=-1), "x"),
        (lambda: spread([2.0, 1.0], 8, (0.1, 0.1), 0.0), "rounds"),
        (lambda: spread([1.0], 0, (0.1, 0.1), 0.0), "n"),
        (lambda: spread([0.0], 8, (0.1, 0.1), 0.0, start=2), "start"),
    ],
)
def test_bad_input_is_named(call: Any, named: str) -> None:
    with pytest.raises(SettingError) as caught:
        call()
    assert caught.value.where == named
