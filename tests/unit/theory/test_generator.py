"""The compiled generator: published words, unbiased bounds, thresholds."""

from __future__ import annotations

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.theory._generator import fill, generator, integers, shuffle, threshold


def test_the_words_are_those_of_xoshiro256_plus_plus() -> None:
    # The generator's published vector for the state 1, 2, 3, 4.
    state, words = np.array([1, 2, 3, 4], np.uint64), np.empty(5, np.uint64)
    fill(state, words)
    assert [int(word) for word in words] == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
    ]


def test_streams_go_on_and_differ_by_seed_and_name() -> None:
    state, first, second = generator(b"a", "x"), np.empty(2, np.uint64), np.empty(3, np.uint64)
    fill(state, first)
    fill(state, second)
    fill(generator(b"a", "x"), whole := np.empty(5, np.uint64))
    assert np.concatenate([first, second]).tolist() == whole.tolist()
    states = {tuple(generator(seed, name).tolist()) for seed in (b"a", b"b") for name in "xy"}
    assert len(states) == 4


def test_a_bound_takes_the_upper_half_and_refuses_what_favours() -> None:
    # With a bound of 3 * 2^29 a quarter of all words would favour some results.
    bound = 3 * 2**29
    words = np.empty(4000, np.uint64)
    fill(generator(b"seed", "bound"), words)
    products = [(int(word) >> 32) * bound for word in words]
    kept = [p >> 32 for p in products if p & 0xFFFFFFFF >= 2**32 % bound]
    assert len(kept) < 3500
    integers(generator(b"seed", "bound"), bound, drawn := np.empty(1000, np.int64))
    assert drawn.tolist() == kept[:1000]


def test_integers_are_uniform() -> None:
    integers(generator(b"seed", "dice"), 3, out := np.empty(30_000, np.int8))
    counts = np.bincount(out)
    assert counts.size == 3
    assert np.abs(counts - 10_000).max() < 5 * np.sqrt(30_000 * 2 / 9)


def test_all_orders_are_equally_likely() -> None:
    state, counts = generator(b"seed", "orders"), dict.fromkeys(range(6), 0)
    for _ in range(6000):
        items = np.arange(3, dtype=np.int8)
        shuffle(state, items)
        counts[2 * int(items[0]) + int(items[1] > items[2])] += 1
    assert max(abs(count - 1000) for count in counts.values()) < 5 * np.sqrt(6000 * 5 / 36)


@pytest.mark.parametrize("probability", [0.0, 1e-17, 0.1, 0.5, 0.57444251681, 1 - 2**-20, 1.0])
def test_a_threshold_is_its_probability_to_32_bits(probability: float) -> None:
    found = int(threshold("p", probability)) / 2**63
    assert found == pytest.approx(probability, rel=2**-33, abs=2**-64)


def test_a_threshold_does_not_depend_on_the_last_digit() -> None:
    assert threshold("p", 0.3) == threshold("p", np.nextafter(0.3, 1))


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan")])
def test_no_probability_has_no_threshold(probability: float) -> None:
    with pytest.raises(SettingError, match=r"p: .* expected a probability from 0 to 1"):
        threshold("p", probability)
