"""Contact networks: degrees, links, and what the random ones are drawn from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.theory.networks import (
    AnyNetwork,
    Complete,
    Network,
    from_pairs,
    lattice,
    ring,
    scale_free,
    small_world,
)


def heard(network: Network) -> list[list[int]]:
    """Whom each agent hears, in order."""
    bounds = network.offsets
    return [
        sorted(network.neighbours[bounds[i] : bounds[i + 1]].tolist())
        for i in range(network.agents)
    ]


def links(network: Network) -> set[tuple[int, int]]:
    """Undirected links; fails on loops, double links and one-way links."""
    rows = heard(network)
    for agent, row in enumerate(rows):
        assert agent not in row
        assert len(set(row)) == len(row)
        assert all(agent in rows[other] for other in row)
    return {(i, j) for i, row in enumerate(rows) for j in row if i < j}


def test_a_ring_of_five() -> None:
    assert heard(ring(5)) == [[1, 4], [0, 2], [1, 3], [2, 4], [0, 3]]
    assert len(links(ring(5, 2))) == 10


@pytest.mark.parametrize(("agents", "each_side"), [(3, 1), (100, 1), (101, 3)])
def test_a_ring_is_regular(agents: int, each_side: int) -> None:
    network = ring(agents, each_side)
    assert set(network.degrees.tolist()) == {2 * each_side}
    assert all(
        (j - i) % agents <= each_side or (i - j) % agents <= each_side for i, j in links(network)
    )


def test_a_lattice_has_four_neighbours_each() -> None:
    network = lattice(4, 5)
    assert set(network.degrees.tolist()) == {4}
    assert len(links(network)) == 40
    assert heard(network)[0] == [1, 4, 5, 15]
    assert heard(network)[7] == [2, 6, 8, 12]


def test_links_become_rows() -> None:
    network = from_pairs(4, [(2, 0), (0, 1), (3, 0), (3, 0)])
    assert heard(network) == [[1, 2, 3, 3], [0], [0], [0, 0]]
    assert network.degrees.tolist() == [4, 1, 1, 2]


def test_without_rewiring_a_small_world_is_a_ring() -> None:
    assert heard(small_world(b"seed", 30, 3, 0.0)) == heard(ring(30, 3))


def test_a_tenth_of_the_links_is_rewired() -> None:
    agents, each_side, rewired = 5000, 2, 0.1
    network = small_world(b"seed", agents, each_side, rewired)
    found, total = links(network), agents * each_side
    assert len(found) == total
    moved = len(found - links(ring(agents, each_side)))
    # About one moved link in 10,000 falls on a place of the ring that another has left.
    assert abs(moved - total * rewired) < 4.5 * np.sqrt(total * rewired * (1 - rewired))
    assert network.degrees.min() >= each_side


def test_full_rewiring_keeps_one_end_of_each_link() -> None:
    network = small_world(b"seed", 300, 3, 1.0)
    assert len(links(network)) == 900
    assert network.degrees.min() >= 3
    assert network.degrees.max() > 9
    assert len(links(small_world(b"seed", 7, 3, 1.0))) == 21


@pytest.mark.parametrize("number", [1, 3])
def test_a_scale_free_network_has_hubs(number: int) -> None:
    network = scale_free(b"seed", 4000, number)
    core = number + 1
    assert len(links(network)) == core * number // 2 + (4000 - core) * number
    assert network.degrees.min() == number
    # Degrees of a random network with as many links would hardly pass 20.
    assert network.degrees.max() > 80
    assert np.mean(network.degrees == number) == pytest.approx(2 / (number + 2), abs=0.04)


def test_attachment_is_preferential() -> None:
    # 0 - 1 at first; 2 makes one of them a middle with two of four link ends; 3 chooses an end.
    runs, stars = 2000, 0
    for run in range(runs):
        stars += int(scale_free(f"{run}".encode(), 4, 1).degrees.max() == 3)
    assert abs(stars - runs / 2) < 4.5 * np.sqrt(runs / 4)


@pytest.mark.parametrize(
    "build", [lambda s: small_world(s, 100, 2, 0.3), lambda s: scale_free(s, 100, 2)]
)
def test_a_seed_is_a_network(build: Callable[[bytes], Network]) -> None:
    assert heard(build(b"a")) == heard(build(b"a"))
    assert heard(build(b"a")) != heard(build(b"b"))


@pytest.mark.parametrize(
    ("build", "what"),
    [
        (lambda: Complete(0), "agents: 0"),
        (lambda: Complete(1, self_pairs=False), "agents: 1"),
        (lambda: Complete(2**31), "agents: 2147483648"),
        (lambda: ring(4, 2), "agents: 4 .* from 5"),
        (lambda: ring(4, 0), "each_side: 0"),
        (lambda: lattice(2, 5), "rows: 2"),
        (lambda: small_world(b"", 9, 2, 1.5), "rewired: 1.5"),
        (lambda: scale_free(b"", 2, 2), "agents: 2 .* from 3"),
        (lambda: from_pairs(3, [(0, 1)]), "agent 2.* every agent to have a neighbour"),
        (lambda: from_pairs(3, [(0, 3), (1, 2)]), "pairs: 3"),
        (lambda: from_pairs(3, [(0, 1), (2, 2)]), "pairs: 2 .* two different agents"),
        (lambda: from_pairs(3, [0, 1]), "pairs: .* shape"),
        (lambda: from_pairs(3, np.empty((0, 2), int)), "pairs: .* at least one link"),
        (lambda: Network(np.array([0, 1, 1]), np.array([1])), "agent 1"),
        (lambda: Network(np.array([0, 2, 1]), np.array([1])), "agent 1"),
        (lambda: Network(np.array([0, 1, 2]), np.array([1])), "offsets: 2 .* end"),
        (lambda: Network(np.array([0, 1, 2]), np.array([1, 2])), "neighbours: 2"),
        (lambda: Network(np.array([1, 2]), np.array([0])), "offsets: .* start at 0"),
    ],
)
def test_what_is_no_network(build: Callable[[], AnyNetwork], what: str) -> None:
    with pytest.raises(SettingError, match=what):
        build()
