"""How much waiting the wavefront saves: N = 128 pairwise, ten rounds, each reply after 250 ms.

The bar: at most 1.25 x the longest chain of replies that need one another, at least 35 x faster
than one at a time, and the same record. "One at a time" is calculated from the same latency:
messages and probes x 250 ms.

    python benchmarks/latency.py
"""

# ruff: noqa: T201 - a benchmark prints what it found

from __future__ import annotations

import asyncio
import time

from machine import machine

from socialcircuits.agents.literal import Literal
from socialcircuits.graph import Observation, Reply, Walk
from socialcircuits.graph.walk import Blocked
from socialcircuits.records import Played
from socialcircuits.studies import Builder, plan, read
from socialcircuits.trial import Setup, play, play_waiting

AGENTS, ROUNDS, LATENCY = 128, 10, 0.25
MOST_OVER_CHAIN, LEAST_FASTER = 1.25, 35


class Constant(Literal):
    """The literal character with the same latency for every reply; waits where it is asked to."""

    def __init__(self, *, waits: bool) -> None:
        super().__init__()
        self.waits = waits

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Reply after the latency."""
        await asyncio.sleep(LATENCY)
        return self.answer(observation, draw)


def setup(*, waits: bool) -> Setup:
    """The benchmark's one trial."""
    sets = [f"N=[{AGENTS}]", f"rounds={ROUNDS}"]
    laid = plan(read("flag-game/population", sets=sets, seeds=1))
    built, _ = Builder(laid.study).build(laid.trials[0])
    fields = {**vars(built), "minds": (Constant(waits=waits),) * AGENTS}
    return Setup(**fields)


def longest_chain(played: Played) -> int:
    """The largest number of replies of which each one read the one before."""
    graph, walk = played.graph, Walk(played.graph)
    outcomes = {attempt.step: attempt.reply for attempt in played.attempts}
    depths: list[int] = []
    for index in range(len(graph.steps)):
        sections = walk.read(index, outcomes.__getitem__)
        assert not isinstance(sections, Blocked), "a played trial holds all that was read"
        depths.append(1 + max((depths[e.step] for s in sections for e in s.entries), default=0))
    return max(depths)


def main() -> None:
    """Run the benchmark."""
    alone = play(setup(waits=False))
    chain = longest_chain(alone)
    asked = sum(not alone.graph.steps[attempt.step].shared for attempt in alone.attempts)
    waiting = setup(waits=True)
    began = time.perf_counter()
    together = asyncio.run(play_waiting(waiting))
    wall = time.perf_counter() - began
    assert together.attempts == alone.attempts, "the records differ"
    print(machine())
    print(f"{asked} replies, {chain} in the longest chain, {together.voided} void, same record")
    print(f"{wall:.2f} s: {wall / (chain * LATENCY):.2f} x the chain (bar: {MOST_OVER_CHAIN})")
    print(f"{asked * LATENCY / wall:.1f} x faster than one at a time (bar: {LEAST_FASTER})")


if __name__ == "__main__":
    main()
