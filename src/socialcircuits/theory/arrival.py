"""How early what one agent knows can reach the others: time-respecting paths through contacts.

Information waits at an agent until a contact takes it on; contacts happen in order of time, and
contacts of one time are simultaneous, so none of them relays another.

Source: Appendix F; Pan and Saramaki (2011).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory._checks import whole
from socialcircuits.theory._generator import LARGEST_BOUND
from socialcircuits.theory.contacts import Contacts
from socialcircuits.theory.networks import Agents

__all__ = ["NEVER", "Arrival", "Reach", "arrival", "arrivals", "reach"]

Times = NDArray[np.int64]

NEVER = np.iinfo(np.int64).max
"""The arrival time of what does not arrive: later than every time."""


@dataclass(frozen=True)
class Arrival:
    """When one agent's information first reaches each agent, and on which contact.

    The contacts `speakers[j] -> j` at `times[j]` are the earliest-arrival tree.

    Args:
        source: the agent from which it starts.
        times: shape (N,), the time of the contact; 0 for the source, `NEVER` where unreached.
        speakers: shape (N,), who said it; -1 for the source and where unreached.
        contacts: shape (N,), the contact's place in the schedule from 0; -1 likewise.

    >>> found = arrival(0, 3, [Contacts([0, 1], [1, 2])])
    >>> found.speakers.tolist(), found.contacts.tolist()
    ([-1, 0, 1], [-1, 0, 1])
    """

    source: int
    times: Times
    speakers: NDArray[np.int64]
    contacts: NDArray[np.int64]


@dataclass(frozen=True)
class Reach:
    """How early agents reach the others; one number a source.

    Args:
        mean_arrival: D, in the schedule's units of time, over the agents that are reached; nan
            where none is.
        closeness: E, the mean of N / time over the other agents; an unreached one adds zero. 0
            for a single agent.
        unreached: how many of the other agents are not reached, which D leaves out.

    >>> reach(arrivals(2, [Contacts([0], [1])])).unreached.tolist()
    [0, 1]
    """

    mean_arrival: NDArray[np.float64]
    closeness: NDArray[np.float64]
    unreached: NDArray[np.int64]


def arrival(source: int, agents: int, schedule: Iterable[Contacts]) -> Arrival:
    """Follow one agent's information through a schedule, chunk by chunk.

    Memory is 24 bytes an agent and one chunk. Reading ends when all are reached.

    Args:
        source: the agent that starts with it, from 0 to N - 1.
        agents: N, from 1 to 2^31 - 1.
        schedule: chunks in order of time; all contacts in one list are one chunk.

    Raises:
        SettingError: the source or a contact's agent is not among the N, or time runs backwards.

    Source: Appendix F, earliest arrival from initialization.

    >>> arrival(0, 4, [Contacts([0, 0, 1, 2], [1, 1, 2, 3])]).times.tolist()
    [0, 1, 3, 4]
    """
    whole("agents", agents, 1, LARGEST_BOUND)
    whole("source", source, 0, agents - 1)
    times, speakers, places = np.full(agents, NEVER), np.full(agents, -1), np.full(agents, -1)
    times[source] = 0
    left, done, now = agents - 1, 0, 1
    for chunk in schedule:
        now = _checked(chunk, agents, now)
        columns = chunk.speakers, chunk.listeners, chunk.times
        left -= _follow(columns, times, speakers, places, done)
        done += chunk.times.size
        if not left:
            break
    return Arrival(source, times, speakers, places)


def arrivals(agents: int, schedule: Iterable[Contacts]) -> Times:
    """Follow every agent's information through a schedule at once.

    Args:
        agents: N, from 1; the result takes 8 N^2 bytes.
        schedule: chunks in order of time; all contacts in one list are one chunk.

    Returns:
        tau, shape (N, N): the time at which what i knows first reaches j, 0 for i itself, `NEVER`
        where it does not.

    Raises:
        SettingError: a contact's agent is not among the N, or time runs backwards.

    Source: Appendix F, tau_ij(0).

    >>> arrivals(3, [Contacts([0, 1, 2], [1, 2, 0])])[0].tolist()
    [0, 1, 2]
    """
    whole("agents", agents, 1, LARGEST_BOUND)
    arrived = np.full((agents, agents), NEVER)
    np.fill_diagonal(arrived, 0)
    now = 1
    for chunk in schedule:
        now = _checked(chunk, agents, now)
        _follow_all(chunk.speakers, chunk.listeners, chunk.times, arrived)
    return arrived.T


def reach(tau: Times) -> Reach:
    """Summarise arrival times: mean arrival time and temporal closeness of each source.

    Args:
        tau: shape (sources, N) or (N,), from `arrivals` or `arrival`; 0 stands at the source only.

    Raises:
        SettingError: a row does not hold exactly one 0.

    Source: Appendix F, D_i and E_i.

    >>> found = reach(arrivals(3, [Contacts([0, 1, 2], [1, 2, 0])]))
    >>> found.mean_arrival.tolist(), found.closeness.tolist(), found.unreached.tolist()
    ([1.5, 2.5, 3.0], [2.25, 1.25, 0.5], [0, 0, 1])
    """
    table = np.atleast_2d(np.asarray(tau, np.int64))
    agents = table.shape[1]
    if ((table == 0).sum(axis=1) != 1).any() or (table < 0).any():
        raise SettingError("tau", "rows", "one 0 a row, for the source, and times from 1")
    arrives = (table > 0) & (table < NEVER)
    reached = arrives.sum(axis=1)
    total = np.where(arrives, table, 0).sum(axis=1)
    mean = np.divide(total, reached, out=np.full(reached.size, np.nan), where=reached > 0)
    inverse = np.divide(agents, table, out=np.zeros(table.shape), where=arrives)
    return Reach(mean, inverse.sum(axis=1) / max(agents - 1, 1), agents - 1 - reached)


def _checked(chunk: Contacts, agents: int, now: int) -> int:
    """The time of a chunk's last contact, after a look at all of them."""
    if not chunk.times.size:
        return now
    if chunk.times[0] < now or _backwards(chunk.times):
        raise SettingError("times", "a schedule", f"times from {now} that do not decrease")
    largest = int(max(chunk.speakers.max(), chunk.listeners.max()))
    if largest >= agents:
        raise SettingError("schedule", f"agent {largest}", f"agents from 0 to {agents - 1}")
    return int(chunk.times[-1])


@njit(cache=True)
def _backwards(times: Times) -> bool:
    back = False
    for i in range(1, times.size):
        back |= times[i] < times[i - 1]
    return back


@njit(cache=True)
def _follow(
    chunk: tuple[Agents, Agents, Times], times: Times, speakers: Times, places: Times, first: int
) -> int:
    """Write down what arrives; return how many agents it reaches for the first time."""
    by, to, at = chunk
    reached = 0
    for i in range(at.size):
        now, listener = at[i], to[i]
        # Both differences are negative where the speaker knew before and the listener does not
        # know yet; one test of both spares a branch that half of the contacts would mispredict.
        if (times[by[i]] - now) & (now - times[listener]) < 0:
            times[listener] = now
            speakers[listener] = by[i]
            places[listener] = first + i
            reached += 1
    return reached


@njit(cache=True)
def _follow_all(by: Agents, to: Agents, at: Times, arrived: Times) -> None:
    """As `_follow`, for all sources; one row an agent reached, one column a source."""
    for i in range(at.size):
        now, known, knows = at[i], arrived[by[i]], arrived[to[i]]
        for source in range(known.size):
            knows[source] = min(knows[source], now if known[source] < now else NEVER)
