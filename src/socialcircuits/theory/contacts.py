"""Who hears whom, and when: contacts, and schedules of them.

A contact is one speaker saying one thing to one listener. On a complete network speaker and
listener are drawn independently, as in the theory, or distinct, as in the game. On any other
network the listener is drawn uniformly and then the speaker uniformly among its neighbours: the
voter model, in which an agent copies a randomly chosen one of those whom it can hear. Where all
have the same number of neighbours it does not matter which of the two is drawn first.

Source: Sec. 5.2 and Appendix F.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory._checks import whole
from socialcircuits.theory._generator import (
    HALF,
    LOW,
    Words,
    below,
    generator,
    load,
    save,
    step,
)
from socialcircuits.theory.networks import Agents, AnyNetwork, Layout, indices

__all__ = ["Contacts", "draw", "schedule", "sources"]

CHUNK = 1 << 16
_ONE = np.uint64(1)


@dataclass(frozen=True)
class Contacts:
    """A stretch of a schedule, in order of time.

    Args:
        speakers: shape (M,), agents.
        listeners: shape (M,), agents.
        times: shape (M,), from 1, not decreasing. Contacts of one time are simultaneous: a
            broadcast is one time with several listeners, and nobody relays within it. None numbers
            the contacts 1, 2, ..., M: the global message index of pairwise gossip.

    Raises:
        SettingError: the arrays differ in shape or do not hold whole numbers in range.

    Source: Appendix F.

    >>> Contacts([4, 1], [1, 0]).times
    array([1, 2])
    """

    speakers: Agents
    listeners: Agents
    times: NDArray[np.int64]

    def __init__(
        self, speakers: ArrayLike, listeners: ArrayLike, times: ArrayLike | None = None
    ) -> None:
        speakers, listeners = indices("speakers", speakers), indices("listeners", listeners)
        given = np.arange(1, speakers.size + 1) if times is None else np.asarray(times)
        if not speakers.shape == listeners.shape == given.shape:
            shapes = f"{speakers.shape}, {listeners.shape}, {given.shape}"
            raise SettingError("contacts", shapes, "as many listeners and times as speakers")
        if given.size and given.dtype.kind not in "iu":
            raise SettingError("times", str(given.dtype), "whole numbers")
        object.__setattr__(self, "speakers", speakers)
        object.__setattr__(self, "listeners", listeners)
        object.__setattr__(self, "times", np.ascontiguousarray(given, np.int64))


def schedule(
    seed: bytes, network: AnyNetwork, contacts: int, chunk: int = CHUNK
) -> Iterator[Contacts]:
    """Draw a schedule, chunk by chunk: exactly the contacts of a simulation from the same seed.

    A schedule depends on nothing but the seed and the network, so it need not be kept: a patched
    or biased population meets it again. One chunk as long as the schedule gives it whole.

    Args:
        seed: any bytes.
        network: who can hear whom.
        contacts: length M of the schedule, from 0.
        chunk: contacts held in memory at once (16 bytes each), at least 1.

    Yields:
        The contacts, numbered from 1 through all chunks.

    Raises:
        SettingError: a length is out of range.

    Source: Sec. 5.2, microscopic dynamics.

    >>> from socialcircuits.theory.networks import Complete
    >>> [whole] = schedule(b"seed", Complete(4), 3, chunk=3)
    >>> whole.speakers.tolist(), whole.listeners.tolist()
    ([2, 0, 0], [1, 3, 0])
    """
    whole("contacts", contacts)
    whole("chunk", chunk, 1)
    states, layout = sources(seed), network.layout
    for first in range(0, contacts, chunk):
        size = min(chunk, contacts - first)
        speakers, listeners = np.empty(size, np.uint32), np.empty(size, np.uint32)
        draw(states, layout, speakers, listeners)
        yield Contacts(speakers, listeners, np.arange(first + 1, first + size + 1))


def sources(seed: bytes) -> Words:
    """Return the states from which a schedule is drawn; shape (2, 4), changed in place.

    >>> sources(b"seed").shape
    (2, 4)
    """
    return np.array([generator(seed, name) for name in ("schedule", "neighbours")])


@njit(cache=True)
def _draw_complete(
    state: Words, agents: int, self_pairs: bool, speakers: Agents, listeners: Agents
) -> None:
    first, second = np.uint64(agents), np.uint64(agents if self_pairs else agents - 1)
    refused_first, refused_second = (_ONE << HALF) % first, (_ONE << HALF) % second
    s = load(state)
    for i in range(speakers.size):
        while True:
            word, s = step(s)
            a, b = (word >> HALF) * first, (word & LOW) * second
            if (a & LOW) >= refused_first and (b & LOW) >= refused_second:
                break
        speaker, listener = a >> HALF, b >> HALF
        if not self_pairs and listener >= speaker:
            listener += _ONE
        speakers[i] = speaker
        listeners[i] = listener
    save(state, s)


@njit(cache=True)
def draw(states: Words, layout: Layout, speakers: Agents, listeners: Agents) -> None:
    """Fill two arrays with the next contacts on a network; `states` as from `sources`."""
    agents, self_pairs, offsets, neighbours = layout
    if offsets.size == 0:
        _draw_complete(states[0], agents, self_pairs, speakers, listeners)
        return
    # Three short loops let the memory's answers overlap; one long loop takes three times as long
    # where the network is larger than the caches. Each choice has a stream, so that where a block
    # ends does not matter.
    s = load(states[0])
    for i in range(listeners.size):
        listener, s = below(s, np.uint64(agents))
        listeners[i] = listener
    save(states[0], s)
    s = load(states[1])
    for i in range(speakers.size):
        start = np.uint64(offsets[listeners[i]])
        chosen, s = below(s, np.uint64(offsets[listeners[i] + 1]) - start)
        speakers[i] = start + chosen
    save(states[1], s)
    for i in range(speakers.size):
        speakers[i] = neighbours[speakers[i]]
