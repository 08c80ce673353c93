"""Sampling from integer weights: exact, and the same on every processor."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from socialcircuits.agents.weights import exponentials, log, sample
from socialcircuits.seeds import digest

LOGITS = st.lists(st.integers(-40_000, 5_000), min_size=1, max_size=8)
DRAWS = st.integers(0, (1 << 64) - 1)


def shares(logits: list[int], percent: int = 100) -> list[Fraction]:
    """The exact probability of each index."""
    top = max(logits)
    depths = [(top - logit) * 100 // percent for logit in logits]
    weights = [exponentials()[d] if d < len(exponentials()) else 0 for d in depths]
    return [Fraction(weight, sum(weights)) for weight in weights]


def test_the_table_is_the_exponential_function() -> None:
    table = exponentials()
    assert len(table) == 28_001
    assert all(type(weight) is int for weight in table)
    for k in range(0, 28_001, 7):
        exact = 2**40 * math.exp(-k / 1000)
        assert abs(table[k] - exact) <= 0.51 + exact * 1e-13
    assert table[-1] == 1


def test_the_table_falls_steadily() -> None:
    table = exponentials()
    assert all(a >= b > 0 for a, b in pairwise(table))


@pytest.mark.parametrize("n", [1, 2, 3, 10, 28, 1000])
def test_log_is_the_logarithm(n: int) -> None:
    assert log(n) == round(1000 * math.log(n))


@given(LOGITS, DRAWS, st.sampled_from([1, 15, 60, 100, 250, 1000]))
def test_a_draw_picks_the_index_under_which_it_falls(
    logits: list[int], number: int, percent: int
) -> None:
    place = Fraction(number, 1 << 64)
    chosen = sample(logits, number.to_bytes(8, "big"), percent)
    below = sum(shares(logits, percent)[:chosen], Fraction(0))
    share = shares(logits, percent)[chosen]
    tolerance = Fraction(1, 1 << 63)
    assert share > 0
    assert below <= place + tolerance
    assert place <= below + share + tolerance


@given(LOGITS, DRAWS, DRAWS)
def test_a_larger_draw_never_picks_an_earlier_index(
    logits: list[int], one: int, other: int
) -> None:
    low, high = sorted((one, other))
    assert sample(logits, low.to_bytes(8, "big")) <= sample(logits, high.to_bytes(8, "big"))


@given(LOGITS, DRAWS, st.integers(-10_000, 10_000), st.binary(max_size=8))
def test_only_differences_and_the_first_eight_bytes_matter(
    logits: list[int], number: int, shift: int, rest: bytes
) -> None:
    draw = number.to_bytes(8, "big")
    assert sample([logit + shift for logit in logits], draw + rest) == sample(logits, draw)


@pytest.mark.parametrize("percent", [50, 100, 200])
@pytest.mark.parametrize("logits", [[0, 0], [0, -693], [0, -1000, -2000, -500], [0] * 28])
def test_frequencies_fit_the_exact_probabilities(logits: list[int], percent: int) -> None:
    n = 20_000
    counts = Counter(sample(logits, digest("frequency", i), percent) for i in range(n))
    exact = [math.exp(logit * 100 / percent / 1000) for logit in logits]
    expected = [n * weight / sum(exact) for weight in exact]
    assert stats.chisquare([counts[i] for i in range(len(logits))], expected).pvalue > 1e-3


def test_what_is_far_below_the_best_is_never_picked() -> None:
    assert sample([0, -28_001], b"\xff" * 8) == 0
    assert sample([-28_001, 0], b"\0" * 8) == 1
    assert sample([0, -28_000], b"\xff" * 8) == 1


def test_a_low_temperature_takes_the_best() -> None:
    assert {sample([0, -300], digest("cold", i), 1) for i in range(500)} == {0}
