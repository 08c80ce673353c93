"""Identities of the theory over wide ranges: groups of 1 to 10^6, biases of -40 to 40, zeros."""

from __future__ import annotations

from math import exp, lgamma, log

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from socialcircuits.theory.accuracy import neutral_moments, neutral_truth_share
from socialcircuits.theory.chain import (
    Chain,
    fixation,
    law_after,
    limit_law,
    neutral_eigenvalue,
    rates,
)
from socialcircuits.theory.composition import composition, composition_pmf
from socialcircuits.theory.mean_field import drift, fixed_points, path, slope
from socialcircuits.theory.outcomes import CLASSES, Outcome, outcome, phase_map

Floats = NDArray[np.float64]
Shares = tuple[float, float]

BIASES = st.one_of(
    st.sampled_from([0.0, 0.3, -0.3, 40.0, -40.0, 1e-12, -1e-12]), st.floats(-40, 40)
)
SIZES = st.one_of(st.integers(1, 12), st.integers(1, 300), st.integers(1, 1_000_000))


@st.composite
def shares(draw: st.DrawFn) -> Shares:
    """(a_T, a_R), tiny, zero and adding up to one among them."""
    small = st.floats(-9, 0).map(lambda power: 10**power)
    truth = draw(st.one_of(st.sampled_from([0.0, 1.0]), small, st.floats(0, 1)))
    rival = draw(st.one_of(st.sampled_from([0.0, 1 - truth]), small, st.floats(0, 1)))
    return truth, min(rival, 1 - truth)


@st.composite
def chains(draw: st.DrawFn, most: int, biases: st.SearchStrategy[float] = BIASES) -> Chain:
    n = draw(st.integers(1, most))
    truth = draw(st.one_of(st.sampled_from([0, min(n, 1), n]), st.integers(0, n)))
    rival = draw(st.one_of(st.sampled_from([0, n - truth]), st.integers(0, n - truth)))
    return Chain(n, truth, rival, draw(biases), draw(st.booleans()))


def values(found: Outcome) -> list[float]:
    return [*(getattr(found, name) for name in CLASSES), found.truth_share]


@given(SIZES, shares())
def test_compositions_add_up(n: int, given_shares: Shares) -> None:
    found = composition(n, *given_shares)
    parts = [found.neither, found.truth_only, found.rival_only, found.both]
    assert all(0 <= part <= 1 for part in parts)
    assert sum(parts) == pytest.approx(1, abs=1e-12)


@given(st.integers(1, 40), shares())
@settings(max_examples=30)
def test_the_multinomial_law_adds_up(n: int, given_shares: Shares) -> None:
    law = [
        composition_pmf(n, (truth, rival), *given_shares)
        for truth in range(n + 1)
        for rival in range(n + 1 - truth)
    ]
    assert min(law) >= 0
    assert sum(law) == pytest.approx(1, abs=1e-12)


@given(SIZES, shares(), BIASES)
@example(1, (0.0, 0.0), 0.0)
@example(1_000_000, (0.45, 0.45), -40.0)
@example(1_000_000, (2.3e-5, 2.3e-5), 0.0)
@example(257, (0.0, 1.0), 40.0)
@settings(max_examples=150)
def test_outcomes_add_up(n: int, given_shares: Shares, bias: float) -> None:
    found = values(outcome(n, *given_shares, bias))
    assert all(0 <= value <= 1 for value in found)
    assert sum(found[:4]) == pytest.approx(1, abs=1e-12)


@given(SIZES, shares(), BIASES)
@settings(max_examples=60)
def test_truth_and_rival_are_symmetric(n: int, given_shares: Shares, bias: float) -> None:
    one = outcome(n, *given_shares, bias)
    other = outcome(n, *given_shares[::-1], -bias)
    mirrored = [other.wrong, other.correct, other.polarized, other.fragmented]
    assert values(one) == pytest.approx([*mirrored, 1 - other.truth_share], abs=1e-9)


@given(SIZES, shares())
@settings(max_examples=60)
def test_neutral_truth_share_is_equation_12(n: int, given_shares: Shares) -> None:
    found = outcome(n, *given_shares, 0.0).truth_share
    assert found == pytest.approx(neutral_truth_share(n, *given_shares), abs=1e-9)


@given(st.integers(1, 60), shares(), BIASES, st.integers(0, 5), st.booleans())
@settings(max_examples=40)
def test_stepped_outcomes_add_up(
    n: int, given_shares: Shares, bias: float, rounds: int, self_pairs: bool
) -> None:
    found = values(outcome(n, *given_shares, bias, rounds, self_pairs))
    assert all(0 <= value <= 1 for value in found)
    assert sum(found[:4]) == pytest.approx(1, abs=1e-12)


@given(SIZES, shares(), st.sampled_from([1e-10, -1e-10]))
@settings(max_examples=60)
def test_outcomes_are_continuous_at_no_bias(n: int, given_shares: Shares, bias: float) -> None:
    near, at = outcome(n, *given_shares, bias), outcome(n, *given_shares, 0.0)
    assert values(near) == pytest.approx(values(at), abs=1e-9 + n * abs(bias))


@given(st.lists(st.integers(1, 60), min_size=1, max_size=2), st.floats(0, 1), BIASES)
@settings(max_examples=20)
def test_phase_maps_add_up(sizes: list[int], total: float, bias: float) -> None:
    found = phase_map(sizes, [0.0, 0.2, 1.0], total, bias)
    stacked = np.stack([found.correct, found.wrong, found.polarized, found.fragmented])
    assert ((stacked >= 0) & (stacked <= 1)).all()
    assert stacked.sum(axis=0) == pytest.approx(np.ones((len(sizes), 3)), abs=1e-12)


@given(chains(60), st.integers(0, 400))
@settings(max_examples=80)
def test_laws_add_up(chain: Chain, steps: int) -> None:
    for law in (law_after(chain, steps), limit_law(chain)):
        assert law.shape == (chain.ambiguous + 1,)
        assert ((law >= 0) & (law <= 1)).all()
        assert law.sum() == pytest.approx(1, abs=1e-12)


@given(chains(1_000_000))
@settings(max_examples=25)
def test_limit_laws_of_large_groups_add_up(chain: Chain) -> None:
    law = limit_law(chain)
    assert ((law >= 0) & (law <= 1)).all()
    assert law.sum() == pytest.approx(1, abs=1e-12)


@given(chains(200))
def test_detailed_balance(chain: Chain) -> None:
    law = limit_law(chain)
    up, down = rates(chain)
    forth, back = law[:-1] * up[:-1], law[1:] * down[1:]
    large = forth > 1e-250
    assert forth[large] == pytest.approx(back[large], rel=1e-11)
    assert back[~large] == pytest.approx(0, abs=1e-240)


@given(chains(120))
@settings(max_examples=60)
def test_the_limit_law_stays(chain: Chain) -> None:
    law = limit_law(chain)
    assert law_after(chain, 50, law / law.sum()) == pytest.approx(law, abs=1e-13)


def beta_binomial(size: int, truth: int, rival: int) -> Floats:
    def log_rising(start: int, count: int) -> float:
        return lgamma(start + count) - lgamma(start) - lgamma(count + 1)

    whole = log_rising(truth + rival, size)
    return np.array(
        [exp(log_rising(truth, k) + log_rising(rival, size - k) - whole) for k in range(size + 1)]
    )


@given(st.integers(0, 200), st.integers(1, 60), st.integers(1, 60))
def test_neutral_limit_is_beta_binomial(size: int, truth: int, rival: int) -> None:
    n = size + truth + rival
    law = limit_law(Chain(n, truth, rival))
    assert law == pytest.approx(beta_binomial(size, truth, rival), rel=1e-10, abs=1e-200)
    if size:
        mean, variance = neutral_moments(n, (truth, rival))
        x = np.arange(size + 1) / size
        assert law @ x == pytest.approx(mean, rel=1e-12)
        assert law @ (x - mean) ** 2 == pytest.approx(variance, rel=1e-10)


@given(chains(16, st.just(0.0)))
@settings(max_examples=60)
def test_relaxation_eigenvalues(chain: Chain) -> None:
    up, down = rates(chain)
    steps = np.diag(1 - up - down) + np.diag(up[:-1], 1) + np.diag(down[1:], -1)
    found = [neutral_eigenvalue(chain, k) for k in range(chain.ambiguous + 1)]
    zealots, pace = chain.truth + chain.rival, 1.0
    if not chain.self_pairs and chain.n > 1:
        pace = chain.n / (chain.n - 1)
    expected = [
        1 - pace * k * (k - 1 + zealots) / (2 * chain.n**2) for k in range(chain.ambiguous + 1)
    ]
    assert found == pytest.approx(expected, rel=1e-14)
    for value in found:
        # The smallest singular value is 0 at an eigenvalue, whatever the eigenvectors are like.
        gap = np.linalg.svd(steps - value * np.eye(len(steps)), compute_uv=False)[-1]
        assert gap < 1e-13


@given(SIZES, BIASES)
@example(1, 0.0)
def test_fixation_is_a_probability(n: int, bias: float) -> None:
    found = fixation(n, bias)
    assert 0 <= found <= 1
    assert found + fixation(n, -bias) == pytest.approx(1, abs=1e-12)
    assert found >= 0.5 or bias < 0


@given(st.integers(1, 1000), st.floats(-1e-9, 1e-9))
@settings(max_examples=60)
def test_fixation_is_continuous_at_no_bias(n: int, bias: float) -> None:
    start = n // 3
    assert fixation(n, bias, start) == pytest.approx(start / n, abs=1e-14 + n * abs(bias))
    assert fixation(n, bias) == pytest.approx(0.5, abs=1e-14 + n * abs(bias))


@given(shares(), BIASES, st.floats(0, 1), st.floats(0, 1e4))
@example((0.0, 0.0), 0.3, 1e-84, 336.0)
def test_the_mean_field_stays_and_settles(
    given_shares: Shares, bias: float, start: float, rounds: float
) -> None:
    x = float(path(rounds, *given_shares, bias, start))
    assert 0 <= x <= 1
    assert drift(0.0, *given_shares, bias) >= 0 >= drift(1.0, *given_shares, bias)
    for point in fixed_points(*given_shares, bias):
        assert 0 <= point.x <= 1
        assert drift(point.x, *given_shares, bias) == pytest.approx(0, abs=1e-15)
        # Near an unstable point, which has the opposite slope, it takes longer to get away.
        away = min(start, 1 - start)
        if away and rounds * -point.slope > 50 - log(away) and drift(start, *given_shares, bias):
            assert x == pytest.approx(point.x, abs=1e-9)


@given(shares(), st.sampled_from([1e-12, -1e-12]))
def test_fixed_points_are_continuous_at_no_bias(given_shares: Shares, bias: float) -> None:
    truth, rival = given_shares
    if truth + rival < 1e-3:
        return
    neutral = truth / (truth + rival)
    assert min(abs(point.x - neutral) for point in fixed_points(truth, rival, bias)) < 1e-8
    assert slope(neutral, truth, rival, 0.0) == pytest.approx(-(truth + rival) / 2)


@given(st.integers(1, 1_000_000), st.floats(-9, -1))
def test_coverage_of_one_kind(n: int, power: float) -> None:
    rival = 10**power
    found = composition(n, 0.0, rival)
    assert found.both == 0
    assert log(max(found.neither, 1e-300)) == pytest.approx(
        max(n * np.log1p(-rival), log(1e-300)), rel=1e-9
    )
