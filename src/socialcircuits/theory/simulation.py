"""Agent by agent: the process of the finite chain, at any size and on any network.

Each update is one contact. The listener, if it is ambiguous, takes over a heard label with that
label's acceptance probability; an agent with deciding evidence (a zealot) never changes. Who meets
whom, whether a heard label is taken over and what is recalled come from three independent streams
of one seed. So a schedule does not depend on the population, and two populations that differ in
one agent meet the same contacts with the same draws.

Nothing here is a finding about any model: these agents follow the rule that they are given.

Source: Sec. 5.2, Eq. 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory._checks import whole
from socialcircuits.theory._generator import Words, below, fill, generator, load, save, threshold
from socialcircuits.theory.contacts import draw, sources
from socialcircuits.theory.networks import Agents, AnyNetwork, Complete, Layout
from socialcircuits.theory.population import (
    AMBIGUOUS,
    MOST_LABELS,
    TRUTH,
    Labels,
    Population,
    as_labels,
)

__all__ = ["Copying", "Simulated", "simulate"]

Beliefs = NDArray[np.uint8]
Counts = NDArray[np.int64]
Rule = tuple[Words, Beliefs, NDArray[np.uint8]]
"""Thresholds, labels recalled (N, H), and where each agent writes the next; empty for H = 1."""

MOST_MEMORY = 127
_BLOCK = 4096
_ZEALOT = np.uint8(128)
_LABEL = np.uint8(127)
_SIGN = np.uint64(63)
_ONE = np.uint64(1)


@dataclass(frozen=True)
class Copying:
    """The rule by which ambiguous agents take over what they hear.

    Args:
        acceptance: for each label the probability that it is taken over when heard, from 0 to 1;
            for two labels (q_T, q_R), see `chain.acceptance`. With a common factor on all of them
            fewer messages are considered: the same things happen more slowly.
        memory: H, from 1 to 127. An agent keeps the last H labels that it heard, whether it took
            them over or not, and after each contact considers one of them, drawn uniformly. The
            theory has no memory: it is H = 1, the label just heard.

    Raises:
        SettingError: a number is out of range.

    Source: Sec. 5.2, social updating; the reading of memory is ours.

    >>> Copying().acceptance
    (0.5, 0.5)
    """

    acceptance: tuple[float, ...] = (0.5, 0.5)
    memory: int = 1

    def __post_init__(self) -> None:
        if not 1 <= len(self.acceptance) <= MOST_LABELS:
            expected = f"one probability for each of 1 to {MOST_LABELS} labels"
            raise SettingError("acceptance", self.acceptance, expected)
        whole("memory", self.memory, 1, MOST_MEMORY)
        _ = self.thresholds

    @property
    def thresholds(self) -> Words:
        """The probabilities as integers, see `threshold`."""
        return np.array([threshold("acceptance", q) for q in self.acceptance], np.uint64)


@dataclass(frozen=True)
class Simulated:
    """What one simulation gave.

    Args:
        times: shape (T,), contacts before each record.
        counts: shape (T, labels), agents that hold each label, zealots included.
        beliefs: shape (N,), the label that each agent holds at the last time.

    >>> simulate(b"seed", Population([0, -1], [0, 1]), [0, 50], Copying()).counts.tolist()
    [[1, 1], [2, 0]]
    """

    times: NDArray[np.int64]
    counts: Counts
    beliefs: Labels

    @property
    def truth_share(self) -> NDArray[np.float64]:
        """Share of all agents that hold the truth, label 0, at each time; shape (T,)."""
        return self.counts[:, TRUTH] / self.beliefs.size


def simulate(
    seed: bytes,
    population: Population,
    times: Sequence[int] | NDArray[np.int64],
    rule: Copying,
    network: AnyNetwork | None = None,
    changes: Iterable[tuple[int, ArrayLike]] = (),
) -> Simulated:
    """Run the population through the contacts that the seed draws.

    Args:
        seed: any bytes; the schedule is `contacts.schedule(seed, network, times[-1])`.
        population: N agents, up to 2^31 - 1.
        times: shape (T,), at least one, not decreasing from 0: after how many contacts to count.
            A count reads all N agents.
        rule: how ambiguous agents take over what they hear.
        network: who can hear whom; None is the complete network with self pairs, the theory's.
        changes: evidence that comes or goes: (after how many contacts, evidence of shape (N,)), in
            order of time. An agent that becomes a zealot takes the label at once; one that ceases
            to be one keeps it as a belief. A count at the same time is taken before.

    Raises:
        SettingError: sizes, times or labels do not fit.

    Source: Sec. 5.2, Eq. 5, when the network is complete and the memory is 1.

    >>> from socialcircuits.theory.population import placed
    >>> run = simulate(b"seed", placed(b"seed", 1000, (300, 100)), [0, 20_000], Copying())
    >>> run.truth_share.tolist()
    [0.599, 0.735]
    """
    agents = population.evidence.size
    network = Complete(agents) if network is None else network
    if network.agents != agents:
        raise SettingError("network", f"{network.agents} agents", f"the population's {agents}")
    stops, turns = _times("times", times), list(changes)
    turning = _times("changes", [time for time, _ in turns])
    if not stops.size or (turning.size and turning[-1] > stops[-1]):
        raise SettingError("times", stops.tolist()[-1:], "a last time, no earlier than any change")
    labels = len(rule.acceptance)
    held = _held(population.evidence, population.beliefs, labels)
    own = [generator(seed, name) for name in ("acceptance", "memory")]
    streams = np.concatenate([sources(seed), own])
    recalled = agents if rule.memory > 1 else 0
    memory = np.zeros((recalled, rule.memory), np.uint8), np.zeros(recalled, np.uint8)
    counts, first, done = np.zeros((stops.size, labels), np.int64), 0, 0
    for time, evidence in zip(
        [*turning.tolist(), int(stops[-1])], [*(given for _, given in turns), None], strict=True
    ):
        last = int(np.searchsorted(stops, time, side="right"))
        ends = np.array([done, *stops[first:last], time], np.int64)
        legs = ends[1:] - ends[:-1]
        _run(held, streams, network.layout, (rule.thresholds, *memory), legs, counts[first:last])
        first, done = last, time
        if evidence is not None:
            held = _turned(held, evidence, labels)
    return Simulated(stops, counts, (held & _LABEL).astype(np.int8))


def _times(where: str, given: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    found = np.asarray(given)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        raise SettingError(where, f"{found.ndim} axes of {found.dtype}", "numbers of contacts")
    if found.size and (found[0] < 0 or (found[1:] < found[:-1]).any()):
        raise SettingError(where, found.tolist()[:5], "numbers from 0 that do not decrease")
    return found.astype(np.int64)


def _held(evidence: Labels, beliefs: Labels, labels: int) -> Beliefs:
    """Labels as the kernels keep them: one byte an agent, the upper bit set for a zealot."""
    if beliefs.max() >= labels:
        raise SettingError("beliefs", int(beliefs.max()), f"labels below {labels}, as in the rule")
    return beliefs.astype(np.uint8) | np.where(evidence >= 0, _ZEALOT, np.uint8(0))


def _turned(held: Beliefs, given: ArrayLike, labels: int) -> Beliefs:
    evidence = as_labels("changes", given, AMBIGUOUS)
    if evidence.shape != held.shape:
        raise SettingError("changes", evidence.shape, f"evidence of all {held.size} agents")
    beliefs = np.where(evidence >= 0, evidence, (held & _LABEL).astype(np.int8))
    return _held(evidence, beliefs, labels)


@njit(cache=True)
def _run(
    held: Beliefs,
    streams: Words,
    layout: Layout,
    rule: Rule,
    legs: NDArray[np.int64],
    counts: Counts,
) -> None:
    """Make so many contacts a leg and count after each leg for which there is a row."""
    thresholds, _, places = rule
    speakers, listeners = np.empty(_BLOCK, np.uint32), np.empty(_BLOCK, np.uint32)
    words = np.empty(_BLOCK, np.uint64)
    for row in range(legs.size):
        left = legs[row]
        while left > 0:
            size = min(left, _BLOCK)
            draw(streams[:2], layout, speakers[:size], listeners[:size])
            fill(streams[2], words[:size])
            if places.size == 0:
                _copy(held, thresholds, speakers[:size], listeners[:size], words[:size])
            else:
                _recall(held, rule, speakers[:size], listeners[:size], words[:size], streams[3])
            left -= size
        if row < counts.shape[0]:
            for label in range(counts.shape[1]):
                counts[row, label] = _held_by(held, np.uint8(label))


@njit(cache=True)
def _held_by(held: Beliefs, label: np.uint8) -> int:
    count = 0
    for i in range(held.size):
        count += (held[i] & _LABEL) == label
    return count


@njit(cache=True)
def _considered(own: np.uint8, label: np.uint8, word: np.uint64, thresholds: Words) -> np.uint8:
    """What an agent holds after it considered a label."""
    # A branch on a random word costs more than all the rest: the top bit of the difference says
    # whether the word is below the threshold, and a mask made of it chooses between the two.
    adopts = np.uint8(((word >> _ONE) - thresholds[label]) >> _SIGN)
    free = np.uint8(1) - (own >> np.uint8(7))
    return own ^ ((own ^ label) & (np.uint8(0) - (adopts & free)))


@njit(cache=True)
def _copy(
    held: Beliefs, thresholds: Words, speakers: Agents, listeners: Agents, words: Words
) -> None:
    for i in range(speakers.size):
        listener, heard = listeners[i], held[speakers[i]] & _LABEL
        held[listener] = _considered(held[listener], heard, words[i], thresholds)


@njit(cache=True)
def _recall(
    held: Beliefs, rule: Rule, speakers: Agents, listeners: Agents, words: Words, state: Words
) -> None:
    """As `_copy`, but of a label drawn among the last H that were heard.

    An agent's next place counts 0 to H - 1 while its memory fills, then H to 2 H - 1 for ever.
    """
    thresholds, recalled, places = rule
    memory = recalled.shape[1]
    s = load(state)
    for i in range(speakers.size):
        listener, place = listeners[i], np.int64(places[listeners[i]])
        recalled[listener, place % memory] = held[speakers[i]] & _LABEL
        place += 1
        places[listener] = place if place < 2 * memory else memory
        chosen, s = below(s, np.uint64(min(place, memory)))
        label = recalled[listener, np.int64(chosen)]
        held[listener] = _considered(held[listener], label, words[i], thresholds)
    save(state, s)
