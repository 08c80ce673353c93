"""Outcomes: small groups by enumeration, large ones against every composition and state."""

from __future__ import annotations

from itertools import product
from math import nan
from typing import Any

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.measures.endpoints import classify
from socialcircuits.theory import _compositions, _limits
from socialcircuits.theory.chain import Chain, law_after, limit_law
from socialcircuits.theory.composition import composition_pmf
from socialcircuits.theory.outcomes import (
    CLASSES,
    Outcome,
    PhaseMap,
    class_of,
    outcome,
    phase_map,
    share_by_round,
)

NAMES = {
    "correct_consensus": "correct",
    "wrong_consensus": "wrong",
    "polarization": "polarized",
    "fragmentation": "fragmented",
}


def values(found: Outcome) -> list[float]:
    return [*(getattr(found, name) for name in CLASSES), found.truth_share]


def enumerated(
    n: int, shares: tuple[float, float], bias: float, rounds: int | None, self_pairs: bool
) -> list[float]:
    """The outcome from the public laws of every composition."""
    total = dict.fromkeys(CLASSES, 0.0)
    share = 0.0
    for truth, rival in product(range(n + 1), repeat=2):
        if truth + rival > n:
            continue
        weight = composition_pmf(n, (truth, rival), *shares)
        chain = Chain(n, truth, rival, bias, self_pairs)
        law = limit_law(chain) if rounds is None else law_after(chain, rounds * n)
        for held, chance in enumerate(law):
            total[class_of(n, truth + held)] += weight * float(chance)
            share += weight * float(chance) * (truth + held) / n
    return [*total.values(), share]


@pytest.mark.parametrize("n", range(1, 140))
def test_classes_are_those_of_the_measures(n: int) -> None:
    for k in range(n + 1):
        assert class_of(n, k) == NAMES[classify({"T": k, "R": n - k}, n, "T")]


@pytest.mark.parametrize("rounds", [None, 0, 3])
@pytest.mark.parametrize("self_pairs", [True, False])
@pytest.mark.parametrize(
    ("n", "shares", "bias"),
    [(1, (0.3, 0.2), 0.4), (2, (0.0, 0.5), -0.3), (9, (0.2, 0.3), 0.3), (12, (0.6, 0.4), -1.0)],
)
def test_small_groups(
    n: int, shares: tuple[float, float], bias: float, rounds: int | None, self_pairs: bool
) -> None:
    found = outcome(n, *shares, bias, rounds, self_pairs)
    expected = enumerated(n, shares, bias, rounds, self_pairs)
    assert values(found) == pytest.approx(expected, rel=1e-12, abs=1e-15)


LARGE = [
    ((0.2925, 0.1575), 0.3),
    ((0.2925, 0.1575), -0.3),
    ((0.01, 0.03), 1.0),
    ((0.05, 0.0008), -0.03),
    ((0.85, 0.1), -40.0),
    ((0.1, 0.85), -40.0),
    ((0.85, 0.1), 40.0),
    ((0.3, 0.7), 0.0),
    ((0.002, 0.0), 0.1),
]


@pytest.mark.parametrize(("shares", "bias"), LARGE)
def test_the_lattice_stands_for_every_composition(shares: tuple[float, float], bias: float) -> None:
    n = 300
    truth, rival = _compositions.every(n)
    weights = _compositions.probabilities(n, truth, rival, shares)
    expected = np.zeros(5)
    out, state, bounds = np.zeros(5), np.zeros(n + 1), _limits.edges(n)
    for first, second, weight in zip(truth.tolist(), rival.tolist(), weights, strict=True):
        if weight < 1e-15:
            continue
        law = limit_law(Chain(n, first, second, bias))
        state[:] = 0
        state[first : n - second + 1] = law
        _limits.tally(out, state, 0, n, bounds)
        expected += weight * out
    assert values(outcome(n, *shares, bias)) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("shares", "bias"), [*LARGE[:2], LARGE[4]])
def test_the_stepped_lattice_stands_for_every_composition(
    shares: tuple[float, float], bias: float
) -> None:
    few, many = outcome(128, *shares, bias, 2), outcome(129, *shares, bias, 2)
    assert few.truth_share == pytest.approx(many.truth_share, abs=1e-3)
    (truth, rival), weights = _compositions.lattice(128, shares, bias, True)
    assert len(weights) < 8385
    share = 0.0
    for first, second, weight in zip(truth.tolist(), rival.tolist(), weights, strict=True):
        if weight > 1e-10:
            law = law_after(Chain(128, first, second, bias), 256)
            share += weight * (first + law @ np.arange(len(law))) / 128
    assert few.truth_share == pytest.approx(share, abs=1e-7)


@pytest.mark.parametrize(
    ("n", "zealots", "bias"),
    [
        (5000, (1, 1), 0.0),
        (5000, (1, 3), 0.0),
        (5000, (4, 2), -0.001),
        (20_000, (60, 90), 0.002),
        (300_000, (1, 2), 1e-4),
        (300_000, (40_000, 30_000), 0.05),
    ],
)
def test_broad_laws_by_quadrature(n: int, zealots: tuple[int, int], bias: float) -> None:
    centre, deviation = _limits.balance(n, float(zealots[0]), float(zealots[1]), bias)
    assert deviation > _limits.BROAD
    bounds, weights = _limits.edges(n), np.zeros(n + 1)
    found, expected = np.zeros(5), np.zeros(5)
    _limits.tally_broad(found, n, zealots, bias, bounds)
    first, last = _limits.fill(weights, n, zealots, centre, _limits.tilt(bias), 1e-25)
    _limits.tally(expected, weights, first, last, bounds)
    assert found == pytest.approx(expected, abs=1e-10)


def test_the_slice_of_the_paper() -> None:
    end = outcome(128, 0.2925, 0.1575, 0.3)
    assert values(end) == pytest.approx([0.0180, 0, 0.6919, 0.2901, 0.7182], abs=5e-5)
    ten = outcome(128, 0.2925, 0.1575, 0.3, rounds=10)
    assert ten.correct == pytest.approx(0.0114, abs=5e-5)
    assert ten.polarized == pytest.approx(0.747, abs=5e-4)


@pytest.mark.parametrize("rounds", [None, 2])
def test_a_phase_map_is_its_outcomes(rounds: int | None) -> None:
    sizes, shares = [1, 7, 40, 300], [0.0, 0.1, 0.45, 0.95, 1.0]
    sizes = sizes[: 3 if rounds else 4]
    found = phase_map(sizes, shares, 0.45, -0.2, rounds)
    stacked = [*(getattr(found, name) for name in CLASSES), found.truth_share]
    for (row, n), (column, share) in product(enumerate(sizes), enumerate(shares)):
        one = outcome(n, 0.45 * (1 - share), 0.45 * share, -0.2, rounds)
        cell = [float(table[row, column]) for table in stacked]
        assert cell == pytest.approx(values(one), rel=1e-9, abs=1e-13)
        for classes in (3, 4):
            index = found.most_likely(classes)[row, column]
            assert CLASSES[index] == one.most_likely(classes)


def test_three_classes_leave_fragmentation_out() -> None:
    found = Outcome(0.2, 0.1, 0.15, 0.55, 0.6)
    assert found.most_likely() == "fragmented"
    assert found.most_likely(3) == "correct"


def test_rounding_does_not_choose_the_class() -> None:
    more = 0.25 + 1e-15
    assert Outcome(0.25, more, 0.25, 0.25, 0.5).most_likely() == "correct"
    assert Outcome(0.25, 0.25 + 1e-9, 0.25, 0.25, 0.5).most_likely() == "wrong"
    one = [np.array([[p]]) for p in (0.2, 0.3, 0.3 + 1e-15, 0.2, 0.5)]
    assert PhaseMap(np.array([8]), np.array([0.5]), *one).most_likely().tolist() == [[1]]


def test_everybody_and_nobody_decided() -> None:
    assert values(outcome(10, 1, 0, -3.0)) == pytest.approx([1, 0, 0, 0, 1])
    assert values(outcome(10, 0, 1, 3.0)) == pytest.approx([0, 1, 0, 0, 0])
    assert values(outcome(10**6, 0, 0, 0.0)) == pytest.approx([0.5, 0.5, 0, 0, 0.5])
    assert phase_map([10], [0.5], 0.0, 0.0).correct[0, 0] == pytest.approx(0.5)


def test_rounds_lead_from_the_start_to_the_limit() -> None:
    shares = share_by_round(16, 0.2, 0.1, 0.3, 4000)
    assert shares[0] == pytest.approx(0.2 + 0.7 / 2, rel=1e-12)
    assert shares[25] == pytest.approx(outcome(16, 0.2, 0.1, 0.3, 25).truth_share, rel=1e-12)
    assert shares[-1] == pytest.approx(outcome(16, 0.2, 0.1, 0.3).truth_share, abs=1e-7)
    # Groups with rival zealots only hold on to the truth for a while: the course is not monotone.
    assert shares[50] > shares[10] + 0.02
    assert shares[50] > shares[-1] + 0.005


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: outcome(0, 0.1, 0.1, 0.0), "n"),
        (lambda: outcome(1_000_001, 0.1, 0.1, 0.0), "n"),
        (lambda: outcome(2_049, 0.1, 0.1, 0.0, rounds=1), "n"),
        (lambda: outcome(8, -0.1, 0.1, 0.0), "truth"),
        (lambda: outcome(8, 0.1, 0.95, 0.0), "rival"),
        (lambda: outcome(8, 0.1, 0.1, nan), "bias"),
        (lambda: outcome(8, 0.1, 0.1, 0.0, rounds=-1), "rounds"),
        (lambda: outcome(8, 0.1, 0.1, 0.0, rounds=10**6 + 1), "rounds"),
        (lambda: share_by_round(8, 0.1, 0.1, 0.0, 10**30), "rounds"),
        (lambda: outcome(8, 0.1, 0.1, 0.0, rounds=1.5), "rounds"),  # type: ignore[arg-type]
        (lambda: outcome(8, 0.1, 0.1, 0.0).most_likely(5), "classes"),
        (lambda: phase_map([8], [0.1, 1.1], 0.4, 0.0), "shares[1]"),
        (lambda: phase_map([8], [0.1], 1.4, 0.0), "total"),
        (lambda: phase_map([8.5], [0.1], 0.4, 0.0), "n"),  # type: ignore[list-item]
        (lambda: class_of(8, 9), "holders"),
    ],
)
def test_bad_input_is_named(call: Any, named: str) -> None:
    with pytest.raises(SettingError) as caught:
        call()
    assert caught.value.where == named
