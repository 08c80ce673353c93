"""Which evidence a group holds: exact where tiny, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from math import comb, inf, nan

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.theory._binomial import binomial_law
from socialcircuits.theory.composition import (
    Composition,
    composition,
    composition_pmf,
    coverage,
)


def exactly(n: int, truth: Fraction, rival: Fraction) -> list[Fraction]:
    none = (1 - truth - rival) ** n
    return [
        none,
        (1 - rival) ** n - none,
        (1 - truth) ** n - none,
        1 - (1 - truth) ** n - (1 - rival) ** n + none,
    ]


def values(found: Composition) -> list[float]:
    return [found.neither, found.truth_only, found.rival_only, found.both]


@pytest.mark.parametrize("n", [1, 2, 7, 128, 1000])
@pytest.mark.parametrize(
    ("truth", "rival"),
    [
        (2**-2, 2**-3),
        (2**-20, 2**-4),
        (2**-30, 2**-31),
        (2**-9, 2**-10),
        (2**-1, 2**-1),
        (0, 2**-5),
    ],
)
def test_against_fractions(n: int, truth: float, rival: float) -> None:
    found = values(composition(n, truth, rival))
    expected = [float(value) for value in exactly(n, Fraction(truth), Fraction(rival))]
    assert found == pytest.approx(expected, rel=1e-12, abs=0)


def test_nobody_and_everybody() -> None:
    assert values(composition(5, 0, 0)) == [1, 0, 0, 0]
    assert values(composition(5, 1, 0)) == [0, 1, 0, 0]
    assert values(composition(1, 0.3, 0.7)) == pytest.approx([0, 0.3, 0.7, 0])


def test_the_two_pmfs_agree() -> None:
    n, truth, rival = 6, 0.3, 0.2
    none = sum(composition_pmf(n, (k, 0), truth, rival) for k in range(1, n + 1))
    assert none == pytest.approx(composition(n, truth, rival).truth_only, rel=1e-13)


@pytest.mark.parametrize("zealots", [(0, 0), (1, 3), (250, 125), (300, 90), (900, 100)])
def test_the_pmf_against_fractions(zealots: tuple[int, int]) -> None:
    n, (first, second) = 1000, zealots
    ways = comb(n, first) * comb(n - first, second)
    chance = ways * Fraction(1, 4) ** first * Fraction(1, 8) ** second
    expected = float(chance * Fraction(5, 8) ** (n - first - second))
    assert composition_pmf(n, zealots, 0.25, 0.125) == pytest.approx(expected, rel=1e-12, abs=0)


def test_a_law_of_a_million_adds_up() -> None:
    law = binomial_law(1_000_000, 0.2925)
    assert law.sum() == pytest.approx(1, abs=1e-12)
    assert law @ np.arange(1_000_001) == pytest.approx(292_500, rel=1e-12)


def test_coverage() -> None:
    assert coverage(0, 1).truth == inf
    assert coverage(0, 1).rival == 1


@pytest.mark.parametrize(
    ("n", "truth", "rival", "named"),
    [
        (0, 0.1, 0.1, "n"),
        (2.0, 0.1, 0.1, "n"),
        ("8", 0.1, 0.1, "n"),
        (8, -0.1, 0.1, "truth"),
        (8, nan, 0.1, "truth"),
        (8, 0.1, inf, "rival"),
        (8, 0.6, 0.5, "rival"),
        (8, "a", 0.5, "truth"),
    ],
)
def test_bad_input_is_named(n: int, truth: float, rival: float, named: str) -> None:
    with pytest.raises(SettingError) as caught:
        composition(n, truth, rival)
    assert caught.value.where == named


def test_too_many_zealots() -> None:
    with pytest.raises(
        SettingError, match=r"zealots\[1\]: 5 is not allowed; expected.* from 0 to 4"
    ):
        composition_pmf(8, (4, 5), 0.1, 0.1)
