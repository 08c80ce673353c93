"""Mean truth share: closed forms against laws, and its course."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.theory.accuracy import (
    neutral_moments,
    neutral_truth_share,
    trajectory,
    truth_share,
)
from socialcircuits.theory.chain import Chain, limit_law


@pytest.mark.parametrize(
    ("n", "truth", "rival"),
    [
        (1, 0.2, 0.3),
        (8, 0.0, 0.0),
        (8, 0.0, 0.4),
        (40, 0.3, 0.7),
        (300, 0.2, 0.1),
        (10**6, 2e-5, 1e-6),
    ],
)
def test_equation_12(n: int, truth: float, rival: float) -> None:
    expected = neutral_truth_share(n, truth, rival)
    assert truth_share(n, truth, rival, 0.0) == pytest.approx(expected, abs=1e-9)


def test_equation_12_keeps_its_digits() -> None:
    assert neutral_truth_share(3, 1e-14, 0.0) == pytest.approx(0.5 + 1.5e-14, rel=1e-15)
    shares = [neutral_truth_share(n, 0.02, 0.01) for n in range(1, 200)]
    assert shares == sorted(shares)


@pytest.mark.parametrize(("truth", "rival"), [(2, 1), (3, 0), (0, 3), (7, 7)])
def test_equation_14(truth: int, rival: int) -> None:
    law = limit_law(Chain(20, truth, rival))
    x = np.arange(len(law)) / (len(law) - 1)
    mean, variance = neutral_moments(20, (truth, rival))
    assert mean == pytest.approx(law @ x, rel=1e-13)
    assert variance == pytest.approx(law @ x**2 - (law @ x) ** 2, abs=1e-14)


def test_a_course_without_self_pairs_is_the_same_course_sooner() -> None:
    slow = trajectory(2, 0.2, 0.2, 0.3, 8)
    fast = trajectory(2, 0.2, 0.2, 0.3, 4, self_pairs=False)
    assert fast.mean_field == pytest.approx(slow.mean_field[::2], rel=1e-12)
    assert fast.spread == pytest.approx(slow.spread[::2], rel=1e-6)
    assert fast.rounds.tolist() == [0, 1, 2, 3, 4]
    assert fast.exact[0] == slow.exact[0]
    # Twice as fast: four rounds are eight, up to the size of a step.
    assert fast.exact[4] == pytest.approx(slow.exact[8], abs=1e-4)
    assert fast.exact[4] != pytest.approx(slow.exact[4], abs=5e-4)


def test_the_mean_field_is_the_limit_of_large_groups() -> None:
    gaps = []
    for n in (32, 128):
        course = trajectory(n, 0.25, 0.125, 0.5, 6)
        gaps.append(np.abs(course.exact - course.mean_field).max())
    assert gaps[1] < 0.4 * gaps[0] < 0.02


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: neutral_truth_share(0, 0.1, 0.1), "n"),
        (lambda: neutral_moments(8, (0, 0)), "zealots"),
        (lambda: neutral_moments(8, (4, 4)), "zealots[1]"),
        (lambda: neutral_moments(8, (8, 0)), "zealots[0]"),
        (lambda: trajectory(8, 0.1, 0.1, 0.0, -1), "rounds"),
    ],
)
def test_bad_input_is_named(call: Any, named: str) -> None:
    with pytest.raises(SettingError) as caught:
        call()
    assert caught.value.where == named
