"""Boundaries and false positives against published constants, exact integrals and simulation."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import special, stats

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream
from socialcircuits.statistics.power import detectable
from socialcircuits.statistics.sequential import (
    boundaries,
    enlargement,
    equal_looks,
    expected_part,
    inflation,
    z_score,
)

NORMAL = float(stats.norm.ppf(0.975))


@pytest.mark.parametrize(
    ("number", "published"),
    [
        (1, [1.960]),
        (2, [2.797, 1.977]),
        (3, [3.471, 2.454, 2.004]),
        (4, [4.049, 2.863, 2.337, 2.024]),
        (5, [4.562, 3.226, 2.634, 2.281, 2.040]),
    ],
)
def test_boundaries_as_published(number: int, published: list[float]) -> None:
    assert boundaries(equal_looks(number)) == pytest.approx(published, abs=7e-4)


@pytest.mark.parametrize(
    ("looks", "published"),
    [(1, 0.05), (2, 0.083), (3, 0.107), (4, 0.126), (5, 0.142), (10, 0.193), (20, 0.248)],
)
def test_peeking_as_published(looks: int, published: float) -> None:
    assert inflation(equal_looks(looks)) == pytest.approx(published, abs=5.1e-4)


def test_two_looks_against_the_bivariate_normal() -> None:
    for fractions in ((0.5, 1.0), (0.1, 1.0), (0.97, 1.0)):
        first, last = boundaries(fractions)
        correlation = sqrt(fractions[0])
        pair = stats.multivariate_normal(
            np.zeros(2), np.array([[1, correlation], [correlation, 1]])
        )
        inside = pair.cdf(np.array([first, last]), lower_limit=np.array([-first, -last]))
        assert 1 - float(inside) == pytest.approx(0.05, abs=1e-5)
        assert first / last == pytest.approx(1 / correlation)


def test_looks_close_together_are_nearly_one() -> None:
    assert inflation([1.0, 1.0 + 1e-6]) == pytest.approx(0.05, abs=1e-9)
    assert 0.051 < inflation([1.0, 1.001]) < 0.053
    # Only how the looks stand to each other matters, not the unit of the data.
    assert inflation([30, 60, 120]) == pytest.approx(inflation([0.25, 0.5, 1.0]), abs=1e-12)


def motions(sets: int, looks: int, drift: float) -> np.ndarray:
    stream = Stream(b"sequential", "motions")
    words = np.array([stream.below(1 << 32) for _ in range(sets * looks)], float)
    steps = special.ndtri((words.reshape(sets, looks) + 0.5) / (1 << 32)) / sqrt(looks)
    moved = np.cumsum(steps + drift / looks, axis=1)
    found: np.ndarray = moved / np.sqrt(np.array(equal_looks(looks)))
    return found


def test_power_and_use_of_simulated_studies() -> None:
    fractions = equal_looks(4)
    largest = enlargement(fractions)
    beyond = abs(motions(20_000, 4, detectable(1.0) * sqrt(largest))) >= boundaries(fractions)
    # The standard error of the power is .003, that of the part used below .002.
    assert beyond.any(axis=1).mean() == pytest.approx(0.8, abs=0.012)
    ended = np.where(beyond.any(axis=1), beyond.argmax(axis=1) + 1, 4) / 4
    assert ended.mean() == pytest.approx(expected_part(fractions), abs=0.008)


def test_false_positives_of_simulated_studies() -> None:
    paths = abs(motions(20_000, 4, 0.0))
    assert (paths >= boundaries(equal_looks(4))).any(axis=1).mean() == pytest.approx(
        0.05, abs=0.007
    )
    assert (paths >= NORMAL).any(axis=1).mean() == pytest.approx(
        inflation(equal_looks(4)), abs=0.01
    )


def test_what_looks_cost_and_save() -> None:
    assert enlargement([1.0]) == pytest.approx(1, abs=1e-6)
    assert expected_part([1.0]) == 1
    # Jennison and Turnbull (2000): 1.024 and 1.028 for four and five looks at power .8.
    assert enlargement(equal_looks(4)) == pytest.approx(1.024, abs=6e-4)
    assert enlargement(equal_looks(5)) == pytest.approx(1.028, abs=6e-4)
    assert 0.7 < expected_part(equal_looks(4), 0.9) < expected_part(equal_looks(4)) < 0.85


def test_z_of_a_p_value() -> None:
    assert z_score(0.05, 3.0) == pytest.approx(NORMAL)
    assert z_score(0.001, -0.2) == pytest.approx(float(stats.norm.ppf(0.0005)))
    assert z_score(1.0, 0.4) == 0
    assert z_score(0.2, 0.0) == 0


def test_what_are_no_looks_is_refused() -> None:
    for fractions in ([], [0.5], [0.5, 0.5, 1.0], [0.0, 1.0], [0.6, 0.4, 1.0], [float("nan"), 1.0]):
        with pytest.raises(SettingError, match="the last one 1"):
            boundaries(fractions)
    with pytest.raises(SettingError, match="increasing fractions"):
        inflation([2, 1])
    with pytest.raises(SettingError, match="1 look or more"):
        equal_looks(0)
    with pytest.raises(SettingError, match="above 0 and at most 1"):
        z_score(0.0, 1.0)
    with pytest.raises(SettingError, match="power"):
        enlargement([1.0], 0.04)
