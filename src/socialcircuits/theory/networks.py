"""Who can hear whom: complete, ring, lattice, small-world and scale-free contact networks.

Source: Sec. 5.2 (complete); Watts and Strogatz (1998); Barabasi and Albert (1999).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory._checks import whole
from socialcircuits.theory._generator import (
    LARGEST_BOUND,
    Words,
    below,
    generator,
    load,
    save,
    step,
    threshold,
)

__all__ = [
    "AnyNetwork",
    "Complete",
    "Network",
    "from_pairs",
    "lattice",
    "ring",
    "scale_free",
    "small_world",
]

Agents = NDArray[np.uint32]
Layout = tuple[int, bool, Agents, Agents]
"""Agents, whether self pairs, and compressed rows, which a complete network leaves empty."""

_ONE = np.uint64(1)


@dataclass(frozen=True)
class Complete:
    """Everyone hears everyone. It takes no memory, whatever the number of agents.

    Args:
        agents: N, from 1 to 2^31 - 1; at least 2 without self pairs.
        self_pairs: whether an agent may be drawn as its own listener, which changes nothing but
            takes a step: true in the theory, false in the game. With them everything takes
            N / (N - 1) times as long.

    Raises:
        SettingError: N is out of range.

    Source: Sec. 5.2, microscopic dynamics.

    >>> Complete(128).agents
    128
    """

    agents: int
    self_pairs: bool = True

    def __post_init__(self) -> None:
        whole("agents", self.agents, 1 if self.self_pairs else 2, LARGEST_BOUND)

    @property
    def layout(self) -> Layout:
        """What the compiled functions need."""
        return self.agents, self.self_pairs, np.empty(0, np.uint32), np.empty(0, np.uint32)


@dataclass(frozen=True)
class Network:
    """A network as compressed rows: agent i hears `neighbours[offsets[i] : offsets[i + 1]]`.

    Args:
        offsets: shape (N + 1,), from 0 to at most 2^31 - 1, rising: nobody is without a neighbour.
        neighbours: shape (offsets[-1],), agents from 0 to N - 1; one that stands twice in a row
            is heard twice as often.

    Raises:
        SettingError: the arrays do not fit, or an agent has no neighbour.

    >>> Network(np.array([0, 1, 2]), np.array([1, 0])).degrees
    array([1, 1])
    """

    offsets: Agents
    neighbours: Agents

    def __post_init__(self) -> None:
        offsets = np.asarray(self.offsets)
        if offsets.ndim != 1 or offsets.size < 2 or offsets[0] != 0:
            raise SettingError("offsets", self.offsets, "N + 1 integers that start at 0")
        object.__setattr__(self, "offsets", indices("offsets", offsets))
        object.__setattr__(self, "neighbours", indices("neighbours", self.neighbours))
        if offsets[-1] != self.neighbours.size:
            raise SettingError("offsets", int(offsets[-1]), "to end at the number of neighbours")
        if self.neighbours.size and self.neighbours.max() >= self.agents:
            raise SettingError("neighbours", int(self.neighbours.max()), "agents from 0 to N - 1")
        if self.degrees.min() < 1:
            alone = int(self.degrees.argmin())
            raise SettingError("offsets", f"agent {alone}", "every agent to have a neighbour")

    @property
    def agents(self) -> int:
        """N, the number of agents."""
        return self.offsets.size - 1

    @property
    def degrees(self) -> NDArray[np.int64]:
        """How many neighbours each agent hears; shape (N,)."""
        return self.offsets[1:].astype(np.int64) - self.offsets[:-1]

    @property
    def layout(self) -> Layout:
        """What the compiled functions need."""
        return self.agents, False, self.offsets, self.neighbours


AnyNetwork = Complete | Network


def from_pairs(agents: int, pairs: ArrayLike) -> Network:
    """Build an undirected network from its links.

    Args:
        agents: N, from 2 to 2^31 - 1.
        pairs: shape (links, 2), two different agents each; a link given twice counts twice.

    Raises:
        SettingError: a pair is no pair of agents, or an agent is in none.

    >>> from_pairs(3, [(0, 1), (1, 2)]).degrees
    array([1, 2, 1])
    """
    whole("agents", agents, 2, LARGEST_BOUND)
    table = np.asarray(pairs)
    if table.ndim != 2 or table.shape[1] != 2 or not table.size:
        raise SettingError("pairs", f"shape {table.shape}", "shape (links, 2), at least one link")
    first, second = indices("pairs", table[:, 0]), indices("pairs", table[:, 1])
    if table.max() >= agents:
        raise SettingError("pairs", int(table.max()), f"agents from 0 to {agents - 1}")
    if (first == second).any():
        raise SettingError("pairs", int(first[first == second][0]), "two different agents a pair")
    return _network(agents, first, second)


def ring(agents: int, each_side: int = 1) -> Network:
    """Put the agents on a ring where each hears its nearest ones.

    Args:
        agents: N, more than twice `each_side`.
        each_side: neighbours on each side, at least 1; all degrees are twice this.

    Raises:
        SettingError: a number is out of range.

    >>> ring(5).neighbours.reshape(5, 2)[0].tolist()
    [1, 4]
    """
    targets = _ring(agents, each_side)
    owners = np.repeat(np.arange(agents, dtype=np.uint32), each_side)
    return _network(agents, owners, targets.ravel())


def lattice(rows: int, columns: int) -> Network:
    """Put the agents on a square lattice without edges (a torus); all degrees are 4.

    Args:
        rows: at least 3; agent `row * columns + column` stands in that row.
        columns: at least 3.

    Raises:
        SettingError: a number is out of range.

    >>> sorted(lattice(3, 4).neighbours[:4].tolist())
    [1, 3, 4, 8]
    """
    whole("rows", rows, 3, LARGEST_BOUND)
    whole("columns", columns, 3, LARGEST_BOUND)
    whole("agents", rows * columns, 9, LARGEST_BOUND)
    place = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)
    nexts = np.concatenate([np.roll(place, -1, 0).ravel(), np.roll(place, -1, 1).ravel()])
    return _network(rows * columns, np.tile(place.ravel(), 2), nexts)


def small_world(seed: bytes, agents: int, each_side: int, rewired: float) -> Network:
    """Rewire a ring at random: short paths beside dense neighbourhoods.

    Each link keeps the agent from which it runs clockwise; its other end moves with probability
    `rewired` to an agent drawn uniformly among those not yet linked to the first.

    Args:
        seed: any bytes.
        agents: N, more than twice `each_side`.
        each_side: neighbours on each side before rewiring, at least 1; the links number N times
            this, and no degree falls below it.
        rewired: from 0 (a ring) to 1.

    Raises:
        SettingError: a number is out of range.

    Source: Watts and Strogatz (1998).

    >>> small_world(b"seed", 10, 2, 0.5).degrees.sum()
    np.int64(40)
    """
    targets = _ring(agents, each_side)
    _rewire(generator(seed, "small world"), targets, threshold("rewired", rewired))
    owners = np.repeat(np.arange(agents, dtype=np.uint32), each_side)
    return _network(agents, owners, targets.ravel())


def scale_free(seed: bytes, agents: int, links: int) -> Network:
    """Grow a network by preferential attachment: a few agents are heard by very many.

    It starts with `links` + 1 agents who all hear each other. Every further agent links to `links`
    different ones, drawn with probabilities proportional to their degrees.

    Args:
        seed: any bytes.
        agents: N, more than `links`.
        links: links of a new agent, at least 1, the smallest degree.

    Raises:
        SettingError: a number is out of range.

    Source: Barabasi and Albert (1999).

    >>> scale_free(b"seed", 1000, 2).degrees.min()
    np.int64(2)
    """
    whole("links", links, 1, LARGEST_BOUND)
    whole("agents", agents, links + 1, LARGEST_BOUND)
    core = np.array(np.triu_indices(links + 1, 1), np.uint32)
    newcomers = np.repeat(np.arange(links + 1, agents, dtype=np.uint32), links)
    owners = np.concatenate([core[0], newcomers])
    targets = np.concatenate([core[1], np.empty(newcomers.size, np.uint32)])
    _attach(generator(seed, "scale free"), owners, targets, core.shape[1], links)
    return _network(agents, owners, targets)


def indices(where: str, given: ArrayLike) -> Agents:
    """Return agents as an array of the one type that compiled functions take.

    >>> indices("speakers", [4, 1]).dtype
    dtype('uint32')
    """
    found = np.asarray(given)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        raise SettingError(where, f"{found.ndim} axes of {found.dtype}", "one axis of agents")
    if found.dtype != np.uint32 and found.size and (found.min() < 0 or found.max() > LARGEST_BOUND):
        outside = found.min() if found.min() < 0 else found.max()
        raise SettingError(where, int(outside), "agents from 0 to 2^31 - 2")
    return np.ascontiguousarray(found, np.uint32)


def _ring(agents: int, each_side: int) -> Agents:
    """The other ends of the links that run clockwise from each agent; shape (N, each_side)."""
    whole("each_side", each_side, 1, LARGEST_BOUND)
    whole("agents", agents, 2 * each_side + 1, LARGEST_BOUND)
    steps = np.arange(1, each_side + 1)
    return ((np.arange(agents)[:, None] + steps) % agents).astype(np.uint32)


def _network(agents: int, first: Agents, second: Agents) -> Network:
    """Rows of the links between two columns of agents."""
    whole("links", first.size, 1, LARGEST_BOUND // 2)
    return Network(*_rows(agents, first, second))


@njit(cache=True)
def _rows(agents: int, first: Agents, second: Agents) -> tuple[Agents, Agents]:
    """Compressed rows of undirected links, by counting sort."""
    offsets = np.zeros(agents + 1, np.int64)
    for i in range(first.size):
        offsets[first[i] + 1] += 1
        offsets[second[i] + 1] += 1
    offsets = np.cumsum(offsets)
    ends = offsets[:-1].copy()
    neighbours = np.empty(2 * first.size, np.uint32)
    for i in range(first.size):
        a, b = first[i], second[i]
        neighbours[ends[a]] = b
        neighbours[ends[b]] = a
        ends[a] += 1
        ends[b] += 1
    return offsets.astype(np.uint32), neighbours


@njit(cache=True)
def _linked(targets: Agents, a: int, b: int) -> bool:
    return bool((targets[a] == b).any() or (targets[b] == a).any())


@njit(cache=True)
def _rewire(state: Words, targets: Agents, limit: np.uint64) -> None:
    agents, each_side = targets.shape
    degrees = np.full(agents, 2 * each_side)
    s = load(state)
    for j in range(each_side):
        for agent in range(agents):
            word, s = step(s)
            if (word >> _ONE) >= limit or degrees[agent] == agents - 1:
                continue
            chosen, s = below(s, np.uint64(agents))
            while chosen == agent or _linked(targets, agent, int(chosen)):
                chosen, s = below(s, np.uint64(agents))
            degrees[targets[agent, j]] -= 1
            degrees[chosen] += 1
            targets[agent, j] = chosen
    save(state, s)


@njit(cache=True)
def _attach(state: Words, owners: Agents, targets: Agents, core: int, links: int) -> None:
    s = load(state)
    for start in range(core, owners.size, links):
        for i in range(start, start + links):
            fresh = False
            while not fresh:
                # An agent ends as many links as its degree says, so a random end is preferential.
                end, s = below(s, np.uint64(2 * start))
                chosen = owners[end >> _ONE] if end & _ONE else targets[end >> _ONE]
                fresh = True
                for earlier in range(start, i):
                    fresh = fresh and targets[earlier] != chosen
            targets[i] = chosen
    save(state, s)
