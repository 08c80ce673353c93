"""Earliest arrival: the reference rows, every path by brute force, trees, chunks and ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory.arrival import NEVER, arrival, arrivals, reach
from socialcircuits.theory.contacts import Contacts, schedule
from socialcircuits.theory.networks import Complete

Rows = list[list[int | None]]

EIGHT = [
    *[(4, 1), (1, 0), (0, 2), (2, 3), (3, 4), (5, 6), (6, 7), (7, 5), (4, 5), (5, 0), (2, 6)],
    *[(6, 1), (3, 7), (7, 3), (1, 5), (0, 6), (5, 2), (6, 4), (7, 0), (4, 7), (2, 7), (3, 1)],
    *[(1, 6), (0, 3), (6, 3), (5, 4)],
]
EIGHT_TAU: Rows = [
    [0, 12, 3, 4, 5, 9, 11, 13],
    [2, 0, 3, 4, 5, 9, 11, 13],
    [10, 12, 0, 4, 5, 9, 11, 13],
    [10, 22, 17, 0, 5, 9, 16, 13],
    [2, 1, 3, 4, 0, 9, 11, 13],
    [10, 12, 17, 14, 18, 0, 6, 7],
    [10, 12, 17, 14, 18, 8, 0, 7],
    [10, 22, 17, 14, 18, 8, 16, 0],
]
EIGHT_D = [
    8.142857142857142,
    6.714285714285714,
    9.142857142857142,
    13.142857142857142,
    6.142857142857143,
    12.0,
    12.285714285714286,
    15.0,
]
EIGHT_E = [
    1.3092685092685092,
    1.7854589854589855,
    1.0426018426018426,
    0.7483568718862836,
    2.6997446997447,
    0.7756169134320395,
    0.7279978658129919,
    0.592871087829071,
]
FOUR = [(0, 1), (0, 1), (1, 2), (2, 3), (3, 0)]
FOUR_TAU: Rows = [[0, 1, 3, 4], [5, 0, 3, 4], [5, None, 0, 4], [5, None, None, 0]]


def contacts(pairs: list[tuple[int, int]], times: list[int] | None = None) -> Contacts:
    return Contacts([a for a, _ in pairs], [b for _, b in pairs], times)


def listed(tau: NDArray[np.int64]) -> Rows:
    return [[None if time == NEVER else int(time) for time in row] for row in tau]


def by_hand(agents: int, pairs: list[tuple[int, int]], times: list[int]) -> Rows:
    """Each source by itself: who knows before a time tells those who listen at that time."""
    rows: Rows = []
    for source in range(agents):
        row: list[int | None] = [None] * agents
        row[source] = 0
        for time in sorted(set(times)):
            knew = {agent for agent in range(agents) if row[agent] is not None}
            for (speaker, listener), at in zip(pairs, times, strict=True):
                if at == time and speaker in knew and row[listener] is None:
                    row[listener] = time
        rows.append(row)
    return rows


def test_the_reference_of_eight_agents() -> None:
    tau = arrivals(8, [contacts(EIGHT)])
    assert listed(tau) == EIGHT_TAU
    found = reach(tau)
    assert found.mean_arrival == pytest.approx(EIGHT_D, rel=1e-12)
    assert found.closeness == pytest.approx(EIGHT_E, rel=1e-12)
    assert not found.unreached.any()


def test_the_reference_with_unreached_agents() -> None:
    tau = arrivals(4, [contacts(FOUR)])
    assert listed(tau) == FOUR_TAU
    found = reach(tau)
    assert found.mean_arrival == pytest.approx([8 / 3, 4, 4.5, 5], rel=1e-12)
    assert found.closeness == pytest.approx([19 / 9, 1 + 2 / 45, 0.6, 4 / 15], rel=1e-12)
    assert found.unreached.tolist() == [0, 0, 1, 2]


@st.composite
def timed(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]], list[int]]:
    """Agents, contacts and times with ties; self pairs too."""
    agents = draw(st.integers(1, 6))
    one = st.integers(0, agents - 1)
    pairs = draw(st.lists(st.tuples(one, one), max_size=20))
    times = draw(st.lists(st.integers(1, 9), min_size=len(pairs), max_size=len(pairs)))
    return agents, pairs, sorted(times)


@given(timed(), st.integers(1, 5))
def test_every_source_against_brute_force(
    case: tuple[int, list[tuple[int, int]], list[int]], chunk: int
) -> None:
    agents, pairs, times = case
    expected = by_hand(agents, pairs, times)
    starts = range(0, len(pairs), chunk)
    chunks = [contacts(pairs[i : i + chunk], times[i : i + chunk]) for i in starts]
    assert listed(arrivals(agents, chunks)) == expected
    for source in range(agents):
        found = arrival(source, agents, chunks)
        assert listed(found.times[None])[0] == expected[source]
        for agent in range(agents):
            place, speaker = int(found.contacts[agent]), int(found.speakers[agent])
            if agent == source or found.times[agent] == NEVER:
                assert (place, speaker) == (-1, -1)
            else:
                assert pairs[place] == (speaker, agent)
                assert times[place] == found.times[agent] > found.times[speaker]


def test_a_broadcast_is_one_time_and_is_not_relayed_within_it() -> None:
    both = contacts([(0, 1), (1, 2), (0, 3)], [1, 1, 1])
    assert listed(arrivals(4, [both]))[0] == [0, 1, None, 1]
    assert listed(arrivals(4, [contacts([(0, 1), (1, 2), (0, 3)])]))[0] == [0, 1, 2, 3]


def test_a_tree_leads_back_to_its_source() -> None:
    agents = 500
    [whole] = schedule(b"seed", Complete(agents), 8000, chunk=8000)
    found = arrival(7, agents, [whole])
    for agent in range(agents):
        steps = 0
        while agent != found.source:
            assert found.times[found.speakers[agent]] < found.times[agent] < NEVER
            agent, steps = int(found.speakers[agent]), steps + 1
        assert steps < 60
    assert arrivals(agents, [whole])[7].tolist() == found.times.tolist()


def test_reading_ends_when_all_are_reached() -> None:
    chunks = iter([contacts([(0, 1)]), contacts([(1, 0)], [2])])
    assert arrival(0, 2, chunks).times.tolist() == [0, 1]
    assert next(chunks).times.tolist() == [2]


def test_an_agent_alone() -> None:
    found = reach(arrivals(1, []))
    assert np.isnan(found.mean_arrival).tolist() == [True]
    assert (found.closeness.tolist(), found.unreached.tolist()) == ([0.0], [0])


def test_nobody_is_reached() -> None:
    found = reach(arrival(0, 3, []).times)
    assert np.isnan(found.mean_arrival).tolist() == [True]
    assert (found.closeness.tolist(), found.unreached.tolist()) == ([0.0], [2])


@pytest.mark.parametrize(
    ("chunks", "what"),
    [
        ([contacts([(0, 3)])], "schedule: 'agent 3' .* from 0 to 2"),
        ([contacts([(5, 0)])], "schedule: 'agent 5'"),
        ([contacts([(0, 1)], [0])], "times: .* from 1"),
        ([contacts([(0, 1), (1, 2)], [4, 3])], "times: .* not decrease"),
        ([contacts([(0, 1)], [4]), contacts([(1, 0)], [3])], "times from 4"),
    ],
)
def test_what_is_no_schedule(chunks: list[Contacts], what: str) -> None:
    with pytest.raises(SettingError, match=what):
        arrivals(3, chunks)
    with pytest.raises(SettingError, match=what):
        arrival(0, 3, chunks)


def test_what_else_is_refused() -> None:
    with pytest.raises(SettingError, match="source: 3"):
        arrival(3, 3, [])
    with pytest.raises(SettingError, match="agents: 0"):
        arrivals(0, [])
    with pytest.raises(SettingError, match="one 0 a row"):
        reach(np.array([1, 2]))
