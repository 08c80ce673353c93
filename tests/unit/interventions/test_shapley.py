"""Shapley values: exact by every order, sampled within their error, and they add up."""

from __future__ import annotations

from itertools import combinations, permutations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.errors import SettingError
from socialcircuits.interventions.shapley import Coalition, coalitions, orders, shapley
from socialcircuits.seeds import Stream, digest


def game(agents: int, seed: int) -> dict[Coalition, float]:
    """A random value, in eighths, of each coalition."""
    stream = Stream(digest(seed), "game")
    sizes = range(agents + 1)
    members = [frozenset(c) for size in sizes for c in combinations(range(agents), size)]
    return {coalition: stream.below(9) / 8 for coalition in members}


@given(st.integers(1, 5), st.integers(0, 1000))
def test_exact_values_are_means_over_all_orders(agents: int, seed: int) -> None:
    values = game(agents, seed)
    for agent, found in enumerate(shapley(agents, [], values)):
        added = []
        for order in permutations(range(agents)):
            before = frozenset(order[: order.index(agent)])
            added.append(values[before | {agent}] - values[before])
        assert found.value == pytest.approx(fmean(added))
        assert found.error == 0


@given(st.integers(0, 1000))
def test_values_add_up_and_lie_within_their_errors(seed: int) -> None:
    values, everybody = game(6, seed), frozenset(range(6))
    drawn = orders(6, 8, digest(seed))
    sampled, exact = shapley(6, drawn, values), shapley(6, [], values)
    for found in (sampled, exact):
        total = sum(one.value for one in found)
        assert total == pytest.approx(values[everybody] - values[frozenset()])
    # Four pairs a value: the t distribution of 3 degrees leaves some far out, but not the median.
    away = sorted(abs(s.value - e.value) / s.error for s, e in zip(sampled, exact, strict=True)
                  if s.error)  # fmt: skip
    assert not away or away[len(away) // 2] < 5


def test_an_agent_that_adds_nothing_gets_nothing_and_equals_get_the_same() -> None:
    values = {c: float(len(c - {2})) ** 2 for c in game(3, 1)}
    assert [one.value for one in shapley(3, [], values)] == [2.0, 2.0, 0.0]


def test_orders_come_in_antithetic_pairs() -> None:
    drawn = orders(8, 6, b"seed")
    assert len(drawn) == 6
    assert all(drawn[i + 1] == drawn[i][::-1] for i in (0, 2, 4))
    assert all(sorted(order) == list(range(8)) for order in drawn)
    assert orders(8, 6, b"other") != drawn


def test_few_agents_are_exact() -> None:
    assert orders(3, 4, b"seed") == []
    assert len(coalitions(3, [])) == 7
    # 2^8 = 256 coalitions are no more than 38 orders of 7 new ones each can meet.
    assert orders(8, 36, b"seed")
    assert not orders(8, 38, b"seed")


def test_sampled_coalitions_are_those_that_the_orders_meet() -> None:
    found = coalitions(8, orders(8, 4, b"seed"))
    assert len(found) == len(set(found)) <= 4 * 7 + 1
    assert frozenset(range(8)) in found


@pytest.mark.parametrize("permutations", [-2, 2, 5])
def test_an_odd_or_small_number_of_orders_is_refused(permutations: int) -> None:
    with pytest.raises(SettingError, match="an even number from 4"):
        orders(8, permutations, b"seed")
