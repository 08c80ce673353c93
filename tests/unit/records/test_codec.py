from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socialcircuits.errors import RunFileError
from socialcircuits.graph import Graph, Reply, Settings
from socialcircuits.records import NO_KEY, Attempt, codec
from socialcircuits.records.codec import (
    decode_attempts,
    decode_graph,
    decode_reply,
    deflate,
    encode_attempts,
    encode_graph,
    encode_reply,
    inflate,
)
from tests.support.records import small_trials
from tests.support.trials import PROTOCOLS, trial

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=8)
ODD = ["", "\0", "\ud800", "a\udfffb", "\u2028", '"\\', "\r\n", "<script>", "\U0001f1eb\U0001f1f7"]
TEXT = st.one_of(ANY_TEXT, st.sampled_from(ODD))
REPLIES = st.builds(Reply, TEXT, st.one_of(st.none(), TEXT), TEXT, st.booleans(), TEXT)
ATTEMPTS = st.lists(
    st.builds(
        Attempt,
        step=st.integers(0, 100_000),
        attempt=st.integers(0, 9),
        key=st.one_of(st.just(NO_KEY), st.binary(min_size=16, max_size=16)),
        reply=REPLIES,
        prompt=st.lists(st.binary(min_size=16, max_size=16), max_size=4).map(tuple),
    ),
    max_size=8,
)


@given(REPLIES)
def test_replies_come_back(reply: Reply) -> None:
    assert decode_reply(encode_reply(reply)) == reply


@given(ATTEMPTS)
def test_attempts_come_back(attempts: list[Attempt]) -> None:
    assert decode_attempts(encode_attempts(attempts)) == attempts


def test_a_megabyte_comes_back() -> None:
    text = "é\0<" * 350_000
    attempts = [Attempt(7, 0, bytes(16), Reply(text, None, valid=False, why="too long"))]
    assert decode_attempts(encode_attempts(attempts)) == attempts


def test_the_attempts_of_trials_come_back_and_are_small() -> None:
    for _, _, played in small_trials():
        assert tuple(decode_attempts(encode_attempts(played.attempts))) == played.attempts


def test_a_reply_that_recurs_is_stored_once() -> None:
    reply = Reply("x" * 5000, "Peru")
    once = len(encode_attempts([Attempt(0, 0, NO_KEY, reply)]))
    often = len(encode_attempts([Attempt(i, 0, NO_KEY, reply) for i in range(100)]))
    assert often < once + 100


@given(
    st.sampled_from(PROTOCOLS),
    st.integers(2, 6),
    st.builds(
        Settings,
        rounds=st.integers(1, 4),
        memory=st.integers(1, 9),
        stop=st.one_of(st.none(), st.integers(1, 5)),
    ),
    st.sets(st.tuples(st.integers(0, 20), st.integers(0, 5)), max_size=3),
)
def test_graphs_come_back(
    protocol: str, n: int, rules: Settings, cuts: set[tuple[int, int]]
) -> None:
    graph: Graph = trial(protocol, n, rules).graph.cutting(cuts)
    data = encode_graph(graph)
    assert decode_graph(data) == graph
    assert encode_graph(decode_graph(data)) == data


BLOCK = encode_attempts(small_trials()[0][2].attempts)
PACKED = 4 + int.from_bytes(BLOCK[:4], "little")
"""Where the keys begin. They are plain bytes: only a trial's digest tells that one has changed."""


@given(st.integers(0, PACKED - 1), st.integers(1, 255))
@settings(max_examples=200)
def test_a_changed_byte_is_one_clear_error_or_changes_nothing(place: int, change: int) -> None:
    damaged = bytearray(BLOCK)
    damaged[place] ^= change
    found = None
    with contextlib.suppress(RunFileError):
        found = decode_attempts(bytes(damaged))
    # A few bits of a compressed stream mean nothing; what is read is still what was written.
    assert found in (None, decode_attempts(BLOCK))


@given(st.integers(0, len(BLOCK) - 1))
def test_a_block_that_was_cut_is_one_clear_error(place: int) -> None:
    with pytest.raises(RunFileError, match="a block of the run file is"):
        decode_attempts(BLOCK[:place])


def test_a_block_with_something_behind_it_is_one_clear_error() -> None:
    with pytest.raises(RunFileError, match="its digests do not fit its attempts"):
        decode_attempts(BLOCK + b"x")


@given(ANY_TEXT.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_what_is_deflated_comes_back(data: bytes) -> None:
    assert inflate(deflate(data)) == data


@pytest.mark.parametrize("data", [b"", b"junk", deflate(b"whole")[:-1], deflate(b"whole")[:3]])
def test_what_is_no_block_is_refused(data: bytes) -> None:
    with pytest.raises(RunFileError, match="a block of the run file is"):
        inflate(data)


def test_a_block_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "LARGEST", 100_000)
    bomb = deflate(bytes(10_000_000))
    assert len(bomb) < 20_000
    with pytest.raises(RunFileError, match="too large"):
        inflate(bomb)
    assert len(inflate(deflate(bytes(99_999)))) == 99_999


def test_equal_graphs_give_equal_bytes_and_other_graphs_others() -> None:
    graph, same, other = (trial("pairwise", 3, seed=seed).graph for seed in (1, 1, 2))
    assert encode_graph(graph) == encode_graph(same) != encode_graph(other)
