"""The named streams: fixed for ever, and unbiased."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from socialcircuits.seeds import DIGEST_SIZE, Stream, digest, draw, pack

PARTS = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=()), max_size=4),
        st.binary(max_size=4),
        st.integers(),
    ),
    max_size=4,
)
RARE = 1e-4


def fits(counts: Sequence[int], expected: Sequence[float] | None = None) -> bool:
    """Whether counts fit their expectation (uniform where none is given)."""
    return bool(stats.chisquare(counts, expected).pvalue > RARE)


@given(PARTS, PARTS)
def test_different_parts_give_different_bytes(
    first: list[str | bytes | int], second: list[str | bytes | int]
) -> None:
    kinds = [[(type(part), part) for part in parts] for parts in (first, second)]
    assert (pack(*first) == pack(*second)) == (kinds[0] == kinds[1])


def test_digests_never_change() -> None:
    assert digest().hex() == "cae66941d9efbd404e4d88758ea67670"
    assert digest("a", b"b", -3, "\ud800").hex() == "80bd05252f035ef31214c7180fe69064"


def test_streams_never_change() -> None:
    stream = Stream(b"seed", "golden")
    assert [stream.below(1000) for _ in range(6)] == [71, 275, 805, 994, 29, 772]
    assert stream.shuffled("abcdef") == list("dabcef")
    assert stream.distinct_pair("abcdef") == ("f", "b")


def test_a_draw_depends_on_each_of_its_parts() -> None:
    seed, series = digest("seed"), pack("0", "probe", "")
    base = draw(seed, series, 0, 0)
    others = [
        draw(digest("other"), series, 0, 0),
        draw(seed, pack("1", "probe", ""), 0, 0),
        draw(seed, series, 1, 0),
        draw(seed, series, 0, 1),
        draw(seed, series, 0, 0, 1),
    ]
    assert len(base) == DIGEST_SIZE
    assert len({base, *others}) == 6


def test_draws_of_a_long_series_are_all_different() -> None:
    seed, series = digest("seed"), pack("0", "probe", "")
    assert len({draw(seed, series, nth, 0) for nth in range(10_000)}) == 10_000


@given(st.binary(max_size=8), st.text(max_size=5), st.integers(1, 1 << 62))
def test_below_is_below(seed: bytes, name: str, n: int) -> None:
    stream = Stream(seed, name)
    assert all(0 <= stream.below(n) < n for _ in range(5))


@pytest.mark.parametrize("n", [0, -1])
def test_below_nothing_is_an_error(n: int) -> None:
    with pytest.raises(ValueError, match="n must be at least 1"):
        Stream(b"", "").below(n)


@pytest.mark.parametrize("n", [2, 3, 7, 28, 247])
def test_below_is_uniform(n: int) -> None:
    stream = Stream(b"seed", f"uniform {n}")
    counts = Counter(stream.below(n) for _ in range(100 * n))
    assert fits([counts[i] for i in range(n)])


def test_below_has_no_bias_where_words_do_not_divide_evenly() -> None:
    # Scaling a word without rejection would give the multiples of three twice as often.
    n = 3 << 62
    stream = Stream(b"seed", "bias")
    thirds = Counter(stream.below(n) % 3 for _ in range(6000))
    assert fits([thirds[i] for i in range(3)])


def test_streams_of_other_seeds_or_names_are_independent() -> None:
    streams = [Stream(seed, name) for seed in (b"a", b"b") for name in ("x", "y")]
    drawn = [[stream.below(1 << 32) for _ in range(100)] for stream in streams]
    assert len({number for numbers in drawn for number in numbers}) == 400
    assert Stream(b"a", "x").below(1 << 32) == drawn[0][0]


@given(st.lists(st.integers(), max_size=20), st.binary(max_size=4))
def test_shuffling_is_a_permutation(items: list[int], seed: bytes) -> None:
    before = list(items)
    assert sorted(Stream(seed, "shuffle").shuffled(items)) == sorted(items)
    assert items == before


def test_all_permutations_are_equally_likely() -> None:
    stream = Stream(b"seed", "permutations")
    counts = Counter("".join(stream.shuffled("abcd")) for _ in range(4800))
    assert len(counts) == 24
    assert fits(list(counts.values()))


def test_all_ordered_pairs_are_equally_likely_and_distinct() -> None:
    stream = Stream(b"seed", "pairs")
    counts = Counter(stream.distinct_pair(range(5)) for _ in range(4000))
    assert len(counts) == 20
    assert all(speaker != listener for speaker, listener in counts)
    assert fits(list(counts.values()))


def test_a_choice_is_uniform() -> None:
    stream = Stream(b"seed", "choice")
    counts = Counter(stream.choice("abc") for _ in range(3000))
    assert fits([counts[letter] for letter in "abc"])
