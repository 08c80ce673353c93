"""Who hears whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.errors import SettingError
from socialcircuits.graph.hearing import NETWORKS, hearers
from socialcircuits.seeds import Stream

SEEDS = st.binary(min_size=4, max_size=4)


def network(name: str, agents: int, seed: bytes = b"seed") -> tuple[tuple[int, ...], ...]:
    return hearers(name, agents, Stream(seed, "network"))


def linked(found: tuple[tuple[int, ...], ...]) -> set[frozenset[int]]:
    """The edges of a network."""
    return {frozenset((one, other)) for one, others in enumerate(found) for other in others}


@pytest.mark.parametrize(
    ("name", "agents", "expected"),
    [
        ("complete", 2, [[1], [0]]),
        ("complete", 4, [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]),
        ("ring", 2, [[1], [0]]),
        ("ring", 3, [[1, 2], [0, 2], [0, 1]]),
        ("ring", 5, [[1, 4], [0, 2], [1, 3], [2, 4], [0, 3]]),
        ("star", 2, [[1], [0]]),
        ("star", 4, [[1, 2, 3], [0], [0], [0]]),
        ("0-1 1-2", 4, [[1], [0, 2], [1], []]),
        ("2-0 0-2 2-0", 3, [[2], [], [0]]),
        (" 0-1  2-3 ", 4, [[1], [0], [3], [2]]),
    ],
)
def test_who_hears_each_agent(name: str, agents: int, expected: list[list[int]]) -> None:
    assert network(name, agents) == tuple(map(tuple, expected))


@given(st.sampled_from(sorted(NETWORKS)), st.integers(6, 20), SEEDS)
def test_hearing_is_mutual_sorted_and_of_others(name: str, agents: int, seed: bytes) -> None:
    found = network(name, agents, seed)
    assert len(found) == agents
    for agent, others in enumerate(found):
        assert list(others) == sorted(set(others) - {agent})
        assert all(agent in found[other] for other in others)


@given(st.integers(6, 20), SEEDS)
def test_a_small_world_keeps_its_edges_and_half_of_every_degree(agents: int, seed: bytes) -> None:
    found = network("small-world", agents, seed)
    assert len(linked(found)) == 2 * agents
    assert min(map(len, found)) >= 2
    assert found == network("small-world", agents, seed)


def test_one_edge_in_ten_of_a_small_world_is_rewired() -> None:
    agents, worlds = 20, 200
    lattice = {frozenset((i, (i + step) % agents)) for i in range(agents) for step in (1, 2)}
    moved = [
        len(linked(network("small-world", agents, bytes([i]))) - lattice) for i in range(worlds)
    ]
    # 4 edges of 40 on average; some come back to a place of the lattice that is free by then.
    assert 0.09 < sum(moved) / (worlds * 2 * agents) < 0.105
    assert len(set(moved)) > 5


def test_only_a_small_world_is_drawn() -> None:
    for name in ("complete", "ring", "star", "0-1"):
        stream = Stream(b"seed", "network")
        hearers(name, 8, stream)
        assert stream.below(1000) == Stream(b"seed", "network").below(1000)
    assert network("small-world", 12, b"a") != network("small-world", 12, b"b")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rings", "'rings' is not allowed.*did you mean 'ring'"),
        ("", "'' is not allowed"),
        ("0-1 1-4", "'1-4' is not allowed.*agents 0 to 3"),
        ("1-1", "'1-1' is not allowed"),
        ("0-1,1-2", "'0-1,1-2' is not allowed"),
        ("0-\u0661", "is not allowed"),
        ("-1-0", "'-1-0' is not allowed"),
        ("small-world", "another network for 4 agents: a small world needs at least 6"),
    ],
)
def test_what_is_no_network_is_refused(name: str, words: str) -> None:
    with pytest.raises(SettingError, match=words) as refused:
        network(name, 4)
    assert refused.value.where == "$.trial.network"
