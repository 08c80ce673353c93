"""Who hears whom: complete, ring, star and small-world networks of agents, or edges as given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import combinations

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream

__all__ = ["NETWORKS", "hearers"]

_Edges = Iterable[tuple[int, int]]

_EDGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_REWIRED = 10
"""One edge in so many of a small world is rewired."""


def hearers(network: str, agents: int, stream: Stream) -> tuple[tuple[int, ...], ...]:
    """Return who hears each agent, in ascending order; agents hear each other or not at all.

    ``complete``: everybody; ``ring``: both neighbours; ``star``: agent 0 and each other agent;
    ``small-world``: a ring of four neighbours, in which each edge keeps the agent from which it
    runs clockwise and with chance 1/10 moves its other end to an agent drawn from those that are
    not yet linked to the first; edges such as ``0-1 1-2``: just these. An agent without an edge is
    heard by nobody.

    Args:
        network: its name, or its edges parted by spaces, by seat number from 0.
        agents: N, at least 2.
        stream: draws what is drawn: a small world, nothing else.

    Raises:
        SettingError: no network has this name, an edge joins no two agents of the N, or there are
            too few agents for a small world.

    Source: Watts and Strogatz (1998), small world.

    >>> hearers("ring", 5, Stream(b"seed", "network"))[0]
    (1, 4)
    >>> hearers("0-1 1-2", 4, Stream(b"seed", "network"))
    ((1,), (0, 2), (1,), ())
    """
    edges = NETWORKS[network](agents, stream) if network in NETWORKS else _given(network, agents)
    linked: list[set[int]] = [set() for _ in range(agents)]
    for one, other in edges:
        linked[one].add(other)
        linked[other].add(one)
    return tuple(tuple(sorted(others)) for others in linked)


def _complete(agents: int, stream: Stream) -> _Edges:
    return combinations(range(agents), 2)


def _ring(agents: int, stream: Stream) -> _Edges:
    return [(agent, (agent + 1) % agents) for agent in range(agents)]


def _star(agents: int, stream: Stream) -> _Edges:
    return [(0, agent) for agent in range(1, agents)]


def _small_world(agents: int, stream: Stream) -> _Edges:
    if agents < 6:
        expected = f"another network for {agents} agents: a small world needs at least 6"
        raise SettingError("$.trial.network", "small-world", expected)
    edges = [(agent, (agent + step) % agents) for step in (1, 2) for agent in range(agents)]
    linked = {frozenset(edge) for edge in edges}
    for place, (agent, other) in enumerate(edges):
        if stream.below(_REWIRED):
            continue
        free = [one for one in range(agents) if one != agent and {agent, one} not in linked]
        if free:
            linked.remove(frozenset((agent, other)))
            edges[place] = (agent, stream.choice(free))
            linked.add(frozenset(edges[place]))
    return edges


def _given(network: str, agents: int) -> _Edges:
    edges = []
    for word in network.split() or [network]:
        found = _EDGE.fullmatch(word)
        one, other = map(int, found.groups()) if found else (0, 0)
        if one == other or max(one, other) >= agents:
            expected = (
                f"{', '.join(NETWORKS)}, or edges of the agents 0 to {agents - 1} ('0-1 1-2')"
            )
            raise SettingError("$.trial.network", word, expected, among=NETWORKS)
        edges.append((one, other))
    return edges


NETWORKS: dict[str, Callable[[int, Stream], _Edges]] = {
    "complete": _complete,
    "ring": _ring,
    "star": _star,
    "small-world": _small_world,
}
"""Networks by name: agents and stream -> pairs that hear each other, either order."""
