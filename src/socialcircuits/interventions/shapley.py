"""Shapley values of agents that are patched together: exact where they are few, else sampled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import factorial, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream

__all__ = ["Coalition", "Order", "Shapley", "coalitions", "orders", "shapley"]

Coalition = frozenset[int]
"""The agents that are patched together, by their places among all that can be."""

Order = tuple[int, ...]
"""An order in which agents are patched one after the other."""

LEAST = 4
"""Fewest sampled orders: two pairs, so that there is an error."""


class Shapley(NamedTuple):
    """A Shapley value and its standard error: 0 where it is exact."""

    value: float
    error: float


def orders(agents: int, permutations: int, seed: bytes) -> list[Order]:
    """Draw the orders in which agents are patched one after the other: antithetic pairs, each order
    followed by its reverse.

    Args:
        agents: n, at least 1.
        permutations: how many orders, an even number from 4.
        seed: any bytes.

    Returns:
        The orders; none where all 2^n coalitions are no more than the sampled orders would meet,
        at most: Shapley values are then exact.

    Raises:
        SettingError: the number of orders is odd or below 4.

    Source: Castro, Gomez and Tejada (2009) for sampling; Mitchell et al. (2022) for antithetic
    pairs.

    >>> orders(8, 4, b"seed")[:2]
    [(7, 1, 6, 5, 0, 2, 3, 4), (4, 3, 2, 0, 5, 6, 1, 7)]
    >>> orders(3, 4, b"seed")
    []
    """
    if permutations < LEAST or permutations % 2:
        raise SettingError("shapley", permutations, f"an even number from {LEAST}")
    if 2**agents <= permutations * (agents - 1) + 2:
        return []
    stream, drawn = Stream(seed, "orders of agents"), list[Order]()
    for _ in range(permutations // 2):
        order = tuple(stream.shuffled(range(agents)))
        drawn += [order, order[::-1]]
    return drawn


def coalitions(agents: int, drawn: Sequence[Order]) -> list[Coalition]:
    """Return the coalitions that must be measured, the empty one left out; all, if no order was
    drawn.

    >>> [sorted(coalition) for coalition in coalitions(2, [])]
    [[0], [1], [0, 1]]
    """
    if not drawn:
        sizes = range(1, agents + 1)
        return [frozenset(c) for size in sizes for c in combinations(range(agents), size)]
    found = {frozenset(order[:size]) for order in drawn for size in range(1, agents + 1)}
    return sorted(found, key=lambda coalition: (len(coalition), sorted(coalition)))


def shapley(
    agents: int, drawn: Sequence[Order], values: Mapping[Coalition, float]
) -> list[Shapley]:
    """Return the Shapley value of each agent: what its patch adds to those before it, averaged over
    orders.

    Sampled values have the standard error of the mean over antithetic pairs. All values add up to
    what patching all agents gains.

    Args:
        agents: n.
        drawn: from `orders`; none: exact, over all coalitions.
        values: coalition -> accuracy of the group, the empty one included.

    Source: Shapley (1953).

    >>> values = {frozenset(c): v for c, v in [((), 0.0), ((0,), 0.5), ((1,), 0.0), ((0, 1), 1.0)]}
    >>> shapley(2, [], values)
    [Shapley(value=0.75, error=0.0), Shapley(value=0.25, error=0.0)]
    """
    if not drawn:
        return [Shapley(_expected(agent, agents, values), 0.0) for agent in range(agents)]
    found = []
    for agent in range(agents):
        added = [_added(agent, order, values) for order in drawn]
        pairs = [fmean(added[place : place + 2]) for place in range(0, len(added), 2)]
        found.append(Shapley(fmean(pairs), stdev(pairs) / sqrt(len(pairs))))
    return found


def _added(agent: int, order: Order, values: Mapping[Coalition, float]) -> float:
    before = frozenset(order[: order.index(agent)])
    return values[before | {agent}] - values[before]


def _expected(agent: int, agents: int, values: Mapping[Coalition, float]) -> float:
    others = [other for other in range(agents) if other != agent]
    total = 0.0
    for size in range(agents):
        ways = factorial(size) * factorial(agents - size - 1)
        for members in combinations(others, size):
            total += ways * (values[frozenset((*members, agent))] - values[frozenset(members)])
    return total / factorial(agents)
