"""How fast the theory is: agent kernel, arrival times, outcomes, each beside a plain version.

The bars: 1e8 agent updates a second; 1e8 contacts a second for one source; all sources at N = 1,000
under 20 ms; 1e8 contacts among 1e6 agents within 2 GiB; the phase map of 7 sizes up to N = 128 and
41 shares under 10 ms and 200 x faster than plain NumPy; one outcome at N = 1e6 under 50 ms.

NDlib and Mesa are no dependencies: install them (with six and scikit-learn) into an environment of
their own, beside numba and scipy, and run this with its Python; without them their rows are left
out, and the table says so.

    python benchmarks/theory.py
"""

# ruff: noqa: T201, S311 - a benchmark prints what it found; plain versions use the plain generator

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from math import comb, exp

import numpy as np
from machine import machine

from socialcircuits.theory.arrival import arrival, arrivals
from socialcircuits.theory.chain import acceptance
from socialcircuits.theory.contacts import Contacts, schedule
from socialcircuits.theory.networks import (
    AnyNetwork,
    Complete,
    lattice,
    ring,
    scale_free,
    small_world,
)
from socialcircuits.theory.outcomes import outcome, phase_map
from socialcircuits.theory.population import Population, placed
from socialcircuits.theory.simulation import Copying, simulate

SEED = b"benchmark"
FEW = 100
BIAS = 0.3
SIZES = (2, 4, 8, 16, 32, 64, 128)
SHARES = tuple(i / 40 for i in range(41))
TOTAL = 0.45


def best(work: Callable[[], object], times: int = 3) -> float:
    """Least seconds of processor time of a few runs, after one that compiles and warms.

    All that is measured runs on one core; its own time says more on a machine that others use.
    """
    work()
    found = []
    for _ in range(times):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


def say(what: str, value: str, note: str = "") -> None:
    """Print one row."""
    print(f"  {what:<52} {value:>16}  {note}")


def population(agents: int) -> Population:
    """A fifth of truth zealots, a tenth of rival ones: the process never stops."""
    return placed(SEED, agents, (agents // 5, agents // 10))


def plain_updates(agents: int, updates: int) -> None:
    """The agent process in plain Python."""
    group, chance = population(agents), acceptance(BIAS)
    held, evidence = group.beliefs.tolist(), group.evidence.tolist()
    draw = random.Random(1).random
    for _ in range(updates):
        heard, listener = held[int(draw() * agents)], int(draw() * agents)
        if evidence[listener] < 0 and draw() < chance[heard]:
            held[listener] = heard


def mesa_updates(agents: int, updates: int) -> Callable[[], None]:
    """The agent process as a Mesa model."""
    import mesa

    chance, group = acceptance(BIAS), population(agents)

    class Member(mesa.Agent):
        def __init__(self, model: mesa.Model, belief: int, *, decided: bool) -> None:
            super().__init__(model)
            self.belief, self.decided = belief, decided

        def step(self) -> None:
            heard = self.model.random.choice(self.model.members).belief
            if not self.decided and self.model.random.random() < chance[heard]:
                self.belief = heard

    class Group(mesa.Model):
        def __init__(self) -> None:
            super().__init__()
            pairs = zip(group.beliefs.tolist(), group.evidence.tolist(), strict=True)
            self.members = [Member(self, belief, decided=e >= 0) for belief, e in pairs]

    def run() -> None:
        model = Group()
        for _ in range(updates):
            model.random.choice(model.members).step()

    return run


def ndlib_updates(agents: int, updates: int) -> Callable[[], None]:
    """NDlib's voter model (neutral, no zealots) on the complete network."""
    import networkx as nx
    from ndlib.models import ModelConfig, opinions

    model = opinions.VoterModel(nx.complete_graph(agents))
    settings = ModelConfig.Configuration()
    settings.add_model_parameter("fraction_infected", 0.5)
    model.set_initial_status(settings)

    def run() -> None:
        for _ in range(updates):
            model.iteration(node_status=False)

    return run


def agents_rows() -> None:
    """Updates a second, ours and others'."""
    print(f"agent updates a second (bar: 1e8 on the complete network; others at N = {FEW})")
    rule, ours = Copying(acceptance(BIAS)), 0.0
    for agents in (FEW, 1_000, 100_000, 1_000_000, 10_000_000):
        group = population(agents)
        rate = 3e7 / best(lambda group=group: simulate(SEED, group, [30_000_000], rule))
        ours = ours or rate
        say(f"kernel, complete, N = {agents:,}", f"{rate:.2e}")
    remembers = Copying(acceptance(BIAS), memory=8)
    rate = 1e7 / best(lambda: simulate(SEED, population(1_000), [10_000_000], remembers))
    say("kernel, complete, memory 8, N = 1,000", f"{rate:.2e}")
    for name, build in NETWORKS.items():
        for agents in (1_000, 1_000_000):
            network, group = build(agents), population(agents)
            rate = 1e7 / best(lambda n=network, g=group: simulate(SEED, g, [10_000_000], rule, n))
            say(f"kernel, {name}, N = {agents:,}", f"{rate:.2e}")
    others: dict[str, tuple[int, Callable[[int, int], Callable[[], None]]]] = {
        "plain Python": (300_000, lambda n, m: lambda: plain_updates(n, m)),
        "mesa": (100_000, mesa_updates),
        "ndlib": (3_000, ndlib_updates),
    }
    for name, (updates, build) in others.items():
        if name in {"mesa", "ndlib"} and find_spec(name) is None:
            say(name, "NOT INSTALLED", "row left out")
            continue
        rate = updates / best(build(FEW, updates), 2)
        say(name, f"{rate:.2e}", f"kernel: {ours / rate:,.0f} x")


NETWORKS: dict[str, Callable[[int], AnyNetwork]] = {
    "ring": ring,
    "lattice": lambda n: lattice(20, n // 20),
    "small world": lambda n: small_world(SEED, n, 2, 0.1),
    "scale free": lambda n: scale_free(SEED, n, 2),
}


def plain_arrival(chunk: Contacts, agents: int) -> None:
    """One source in plain Python."""
    times = {0: 0}
    columns = chunk.speakers.tolist(), chunk.listeners.tolist(), chunk.times.tolist()
    for speaker, listener, now in zip(*columns, strict=True):
        if listener not in times and times.get(speaker, now) < now:
            times[listener] = now
    assert len(times) <= agents


def plain_arrivals(chunk: Contacts, agents: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """All sources in plain NumPy: a column of all sources at a time."""
    never = np.iinfo(np.int64).max
    tau = np.full((agents, agents), never)
    np.fill_diagonal(tau, 0)
    for speaker, listener, now in zip(chunk.speakers, chunk.listeners, chunk.times, strict=True):
        tau[(tau[:, speaker] < now) & (tau[:, listener] > now), listener] = now
    return tau


def memory_row() -> None:
    """In a process of its own: 1e8 contacts among 1e6 agents, drawn and followed in chunks."""
    agents = 1_000_000
    began = time.process_time()
    found = arrival(0, agents, schedule(SEED, Complete(agents - 1), 10**8))
    seconds = time.process_time() - began
    assert np.count_nonzero(found.contacts < 0) == 2, "the source, and one who hears nobody"
    print(f"{seconds:.2f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f}")


def arrival_rows(streamed: str) -> None:
    """Contacts a second, milliseconds and memory of earliest arrival."""
    print("earliest arrival (bars: 1e8 contacts a second, 20 ms, 2 GiB)")
    for agents in (1_000, 100_000, 1_000_000):
        contacts = max(4_000_000, 20 * agents)
        # The last agent hears nobody, so that reading cannot end before the schedule.
        chunks = list(schedule(SEED, Complete(agents - 1), contacts))
        rate = contacts / best(lambda c=chunks, n=agents: arrival(0, n, c))
        plain = chunks[0].times.size / best(lambda c=chunks, n=agents: plain_arrival(c[0], n))
        note = f"{rate / plain:,.0f} x plain Python"
        say(f"one source, N = {agents:,}, {contacts:.0e} contacts", f"{rate:.2e}", note)
    [rounds] = schedule(SEED, Complete(1_000, self_pairs=False), 10_000, chunk=10_000)
    seconds = best(lambda: arrivals(1_000, [rounds]), 5)
    assert (plain_arrivals(rounds, 1_000) == arrivals(1_000, [rounds])).all()
    plain = best(lambda: plain_arrivals(rounds, 1_000), 1)
    note = f"{plain / seconds:,.0f} x plain NumPy, same times"
    say("all sources, N = 1,000, ten rounds", f"{1e3 * seconds:.1f} ms", note)
    took, peak = streamed.split()
    say("N = 1e6, 1e8 contacts, drawn and followed", f"{peak} GiB", f"{took} s in all")


def plain_map() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The phase map in clear NumPy: Eq. 11, 13 and the multinomial, cell by cell."""
    cells = [[plain_cell(n, TOTAL * (1 - share), TOTAL * share) for share in SHARES] for n in SIZES]
    return np.array(cells)


def plain_cell(
    n: int, truth: float, rival: float
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Four class probabilities of one group size and one share."""
    total = np.zeros(4)
    for true in range(n + 1):
        for opposed in range(n + 1 - true):
            copiers = n - true - opposed
            ways = float(comb(n, true) * comb(n - true, opposed))
            weight = ways * truth**true * rival**opposed * (1 - truth - rival) ** copiers
            if weight:
                total += weight * plain_classes(n, true, opposed)
    return total


def plain_classes(
    n: int, true: int, opposed: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Four class probabilities of one composition in the limit."""
    copiers = n - true - opposed
    states = np.arange(copiers + 1)
    law = np.zeros(copiers + 1)
    if true and opposed:
        k = states[:-1]
        up, down = (copiers - k) * (true + k), (k + 1) * (opposed + copiers - k - 1)
        logs = np.concatenate([[0.0], np.cumsum(BIAS + np.log(up / down))])
        law = np.exp(logs - logs.max())
        law /= law.sum()
    elif true or opposed:
        law[-1 if true else 0] = 1
    else:
        start = np.array([comb(n, int(k)) / 2**n for k in states])
        law[-1] = (start * (1 - np.exp(-BIAS * states)) / (1 - exp(-BIAS * n))).sum()
        law[0] = 1 - law[-1]
    held = true + states
    right, wrong = 20 * held >= 17 * n, 20 * (n - held) >= 17 * n
    split = (4 * np.minimum(held, n - held) >= n) & ~right & ~wrong
    kinds = (right, wrong, split, ~(right | wrong | split))
    return np.array([law[kind].sum() for kind in kinds])


def outcome_rows() -> None:
    """The phase map and single outcomes."""
    print("outcomes (bars: 10 ms and 200 x plain NumPy; 50 ms)")
    seconds = best(lambda: phase_map(SIZES, SHARES, TOTAL, BIAS), 5)
    began = time.process_time()
    plain = plain_map()
    took = time.process_time() - began
    found = phase_map(SIZES, SHARES, TOTAL, BIAS)
    ours = np.stack([found.correct, found.wrong, found.polarized, found.fragmented], axis=-1)
    note = f"{took / seconds:,.0f} x plain NumPy, within {np.abs(ours - plain).max():.0e}"
    say("phase map, 7 sizes up to 128 x 41 shares", f"{1e3 * seconds:.1f} ms", note)
    for n in (128, 1_000, 10_000, 100_000, 1_000_000):
        slowest = 0.0
        for bias in (-BIAS, 0.0, BIAS):
            for truth, rival in ((0.2925, 0.1575), (2 / n, 0.1), (5 / n, 5 / n)):
                work = lambda n=n, t=truth, r=rival, b=bias: outcome(n, t, r, b)  # noqa: E731
                slowest = max(slowest, best(work))
        say(f"one outcome, N = {n:,}, slowest of nine", f"{1e3 * slowest:.1f} ms")


def main() -> None:
    """Run the benchmark."""
    if sys.argv[1:] == ["memory"]:
        memory_row()
        return
    # First, because a process starts from its parent's peak of memory.
    command = [sys.executable, __file__, "memory"]
    out = subprocess.run(command, capture_output=True, check=True, text=True).stdout  # noqa: S603
    load = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    print(f"{machine()}; load {load}; seconds are of processor time on one core")
    agents_rows()
    arrival_rows(out)
    outcome_rows()


if __name__ == "__main__":
    main()
