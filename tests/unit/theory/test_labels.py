"""Stationary law of more than two labels: identities, an exact chain, and simulation."""

from __future__ import annotations

from itertools import product
from math import exp, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom, dirichlet_multinomial

from socialcircuits.errors import SettingError
from socialcircuits.theory.labels import log_probability, marginals
from socialcircuits.theory.population import placed
from socialcircuits.theory.simulation import Copying, simulate

numbers = st.lists(st.integers(0, 6), min_size=2, max_size=4).filter(any)


def compositions(total: int, labels: int) -> list[tuple[int, ...]]:
    return [n for n in product(range(total + 1), repeat=labels) if sum(n) == total]


@given(st.lists(st.integers(1, 40), min_size=2, max_size=4), st.integers(0, 12), st.data())
def test_neutral_is_dirichlet_multinomial(
    zealots: list[int], copiers: int, data: st.DataObject
) -> None:
    counts = data.draw(st.sampled_from(compositions(copiers, len(zealots))))
    expected = dirichlet_multinomial.logpmf(counts, zealots, np.array(copiers))
    assert log_probability(counts, zealots) == pytest.approx(expected, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize(("copiers", "zealots"), [(50, (3, 9, 1)), (900, (40, 55)), (600, (1, 1))])
def test_neutral_marginals_are_beta_binomial(copiers: int, zealots: tuple[int, ...]) -> None:
    n = np.arange(copiers + 1)
    for label, row in enumerate(marginals(copiers, zealots)):
        own = zealots[label]
        expected = betabinom.pmf(n, copiers, own, sum(zealots) - own)
        assert row == pytest.approx(expected, rel=1e-10, abs=1e-300)


@given(numbers, st.integers(0, 8), st.data())
def test_marginals_sum_the_joint_law(zealots: list[int], copiers: int, data: st.DataObject) -> None:
    probability = st.floats(1e-6, 1.0)
    size = len(zealots)
    acceptance = data.draw(st.lists(probability, min_size=size, max_size=size))
    law = {n: exp(log_probability(n, zealots, acceptance)) for n in compositions(copiers, size)}
    assert sum(law.values()) == pytest.approx(1, abs=1e-12)
    found = marginals(copiers, zealots, acceptance)
    assert found.shape == (size, copiers + 1)
    assert found.sum(axis=1) == pytest.approx(np.ones(size), abs=1e-12)
    for label in range(size):
        for n in range(copiers + 1):
            expected = sum(p for counts, p in law.items() if counts[label] == n)
            assert found[label, n] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("zealots", "acceptance"),
    [
        ((2, 1, 1), (0.5, 0.5, 0.5)),
        ((1, 0, 2), (0.9, 0.8, 0.3)),
        ((1, 1, 1, 2), (0.2, 1, 0.7, 0.5)),
    ],
)
def test_the_law_is_stationary(zealots: tuple[int, ...], acceptance: tuple[float, ...]) -> None:
    copiers, size = 5, len(zealots)
    agents = copiers + sum(zealots)
    places = compositions(copiers, size)
    index = {n: i for i, n in enumerate(places)}
    step = np.eye(len(places))
    for n in places:
        for old, new in product(range(size), repeat=2):
            rate = acceptance[new] * n[old] * (zealots[new] + n[new]) / agents**2
            if old != new and rate:
                moved = tuple(k - (i == old) + (i == new) for i, k in enumerate(n))
                step[index[n], index[moved]] += rate
                step[index[n], index[n]] -= rate
    law = np.array([exp(log_probability(n, zealots, acceptance)) for n in places])
    assert law @ step == pytest.approx(law, abs=1e-15)


@pytest.mark.parametrize("acceptance", [(0.5, 0.5, 0.5), (0.9, 0.6, 0.7)])
def test_simulated_groups_reach_the_law(acceptance: tuple[float, float, float]) -> None:
    # The slowest mode of N = 10 and four zealots decays by at least 1 - .5 * 4 / 100 a contact.
    runs, agents, zealots = 2000, 10, (2, 1, 1)
    expected = marginals(6, zealots, acceptance)
    found = np.zeros_like(expected)
    for run in range(runs):
        seed = f"run {run}".encode()
        end = simulate(seed, placed(seed, agents, zealots), [900], Copying(acceptance))
        for label, count in enumerate(end.counts[0]):
            found[label, count - zealots[label]] += 1
    spread = np.sqrt(runs * expected * (1 - expected))
    assert (np.abs(found - runs * expected) <= 4.5 * spread + 1e-9).all()


def test_two_labels_are_the_chain_of_equation_13() -> None:
    copiers, zealots, bias = 71, (37, 20), 0.3
    ratio = [
        exp(bias) * (copiers - n) * (zealots[0] + n) / ((n + 1) * (zealots[1] + copiers - n - 1))
        for n in range(copiers)
    ]
    law = np.cumprod([1.0, *ratio])
    q = 1 / (1 + exp(-bias))
    found = marginals(copiers, zealots, (q, 1 - q))
    assert found[0] == pytest.approx(law / law.sum(), rel=1e-10)
    assert found[1] == pytest.approx(found[0][::-1], rel=1e-10)


def test_labels_without_zealots_die_out() -> None:
    assert marginals(3, (0, 2)).tolist() == [[1, 0, 0, 0], [0, 0, 0, 1]]
    assert log_probability([1, 2], (0, 2)) == -inf
    assert log_probability([0, 3], (0, 2)) == pytest.approx(0, abs=1e-12)


def test_a_strong_bias_leaves_no_gap() -> None:
    found = marginals(60, (1, 1, 3), (1.0, exp(-40), exp(-40)))
    assert found.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-12)
    # One copier away from the favoured label: odds (z_2 + z_3) m / (z_1 + m - 1) e^-40.
    assert found[0, 59] == pytest.approx(4 * exp(-40), rel=1e-9)


@pytest.mark.parametrize(
    ("counts", "zealots", "acceptance", "what"),
    [
        ([1], (1, 1), None, "counts: 1 .* a label"),
        ([1, -1], (1, 1), None, "counts: -1"),
        ([1, 1], (1, -1), None, "zealots: -1"),
        ([1, 1], (0, 0), None, "zealots: .* at least one"),
        ([1, 1], (1, 1), (0.5, 0.0), "acceptance: .* above 0"),
        ([1, 1], (1, 1), (0.5, 0.5, 0.5), "acceptance: .* one number a label"),
        ([1, 1], (1, 1), (0.5, 1.5), "acceptance: .* at most 1"),
    ],
)
def test_bad_numbers_are_refused(
    counts: list[int], zealots: tuple[int, ...], acceptance: tuple[float, ...] | None, what: str
) -> None:
    with pytest.raises(SettingError, match=what):
        log_probability(counts, zealots, acceptance)
