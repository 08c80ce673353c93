"""Agents that do as the theory says, with all that they heard and answered."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from socialcircuits.theory._generator import fill, generator, threshold
from socialcircuits.theory.chain import acceptance
from socialcircuits.theory.contacts import schedule
from socialcircuits.theory.histories import (
    GAVE_RIVAL,
    GAVE_TRUTH,
    HEARD_RIVAL,
    HEARD_TRUTH,
    Histories,
    joined,
)
from socialcircuits.theory.networks import Complete
from socialcircuits.theory.population import AMBIGUOUS, sampled

HEARD, GAVE = (HEARD_TRUTH, HEARD_RIVAL), (GAVE_TRUTH, GAVE_RIVAL)


def copying(
    seed: bytes,
    agents: int,
    rounds: int,
    shares: tuple[float, float],
    bias: float,
    slip: float = 0.0,
) -> Histories:
    """One trial of the game's contacts: distinct pairs, everybody probed before and after each
    round. An answer states the other label with probability `slip`."""
    population = sampled(seed, agents, shares)
    held, free = population.beliefs.tolist(), (population.evidence == AMBIGUOUS).tolist()
    contacts = agents * rounds
    limits = [int(threshold("q", q)) for q in acceptance(bias)]
    fill(generator(seed, "taken"), words := np.empty(contacts, np.uint64))
    answers = contacts + agents * (rounds + 1)
    fill(generator(seed, "slips"), others := np.empty(answers, np.uint64))
    slips = iter(((others >> np.uint64(1)) < threshold("slip", slip)).tolist())
    taken = (words >> np.uint64(1)).tolist()
    events: list[list[int]] = [[] for _ in range(agents)]

    def gives(agent: int) -> int:
        answer = int(held[agent] ^ next(slips))
        events[agent].append(GAVE[answer])
        return answer

    [pairs] = schedule(seed, Complete(agents, self_pairs=False), contacts, chunk=contacts)
    for agent in range(agents):
        gives(agent)
    for turn, (speaker, listener) in enumerate(
        zip(pairs.speakers.tolist(), pairs.listeners.tolist(), strict=True), 1
    ):
        said = gives(speaker)
        events[listener].append(HEARD[said])
        if free[listener] and taken[turn - 1] < limits[said]:
            held[listener] = said
        if turn % agents == 0:
            for agent in range(agents):
                gives(agent)
    offsets = np.cumsum([0, *map(len, events)])
    return Histories(np.concatenate([np.array(own, np.int8) for own in events]), offsets)


def trials(seed: bytes, sizes: Sequence[int], *given: float) -> Histories:
    """Ten-round trials of these sizes as one: a_T, a_R, h_0 and, if any, the slip."""
    truth, rival, bias, *slip = given
    return joined(
        copying(seed + bytes([place]), size, 10, (truth, rival), bias, *slip)
        for place, size in enumerate(sizes)
    )
