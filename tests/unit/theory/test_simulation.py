"""The kernel against a plain replay of its draws, and its laws against exact matrices.

Two oracles give exact laws. `chain` is the dense matrix of Eq. 5 on the number of ambiguous agents
that hold the truth. `states` is the chain on all labellings of a small group, for any network, any
number of labels and evidence that changes. Sampled shares must lie within 4.5 standard errors.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import product
from math import comb, exp

import numpy as np
import pytest
from numpy.typing import NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory._generator import fill, generator, integers
from socialcircuits.theory.chain import acceptance
from socialcircuits.theory.contacts import schedule
from socialcircuits.theory.networks import (
    AnyNetwork,
    Complete,
    from_pairs,
    ring,
    scale_free,
    small_world,
)
from socialcircuits.theory.population import Population, placed, sampled
from socialcircuits.theory.simulation import Copying, simulate

Floats = NDArray[np.float64]
Change = tuple[int, Sequence[int]]

RUNS = 3000


def chain(agents: int, zealots: tuple[int, int], bias: float, pairs: int) -> Floats:
    """One step of Eq. 5 as a matrix; `pairs` is N^2 with self pairs, N (N - 1) without."""
    true, rival = zealots
    copiers, q = agents - true - rival, 1 / (1 + exp(-bias))
    step = np.zeros((copiers + 1, copiers + 1))
    for n in range(copiers + 1):
        up = q * (copiers - n) * (true + n) / pairs
        down = (1 - q) * n * (rival + copiers - n) / pairs
        if n < copiers:
            step[n, n + 1] = up
        if n:
            step[n, n - 1] = down
        step[n, n] = 1 - up - down
    return step


def speaking(network: AnyNetwork) -> Floats:
    """Probability of each (speaker, listener)."""
    n = network.agents
    law = np.ones((n, n))
    if isinstance(network, Complete):
        if not network.self_pairs:
            np.fill_diagonal(law, 0)
        law /= law.sum()
        return law
    law[:] = 0
    for listener in range(n):
        row = network.neighbours[network.offsets[listener] : network.offsets[listener + 1]]
        np.add.at(law[:, listener], row, 1 / (n * row.size))
    return law


def states(
    network: AnyNetwork, population: Population, rule: Copying, until: int, changes: list[Change]
) -> dict[tuple[int, ...], float]:
    """Exact law of all beliefs after so many contacts."""
    law = {tuple(population.beliefs.tolist()): 1.0}
    evidence, turns = population.evidence.tolist(), dict(changes)
    contacts = [(s, i, p) for (s, i), p in np.ndenumerate(speaking(network)) if p]
    for time in range(until):
        if time in turns:
            evidence = list(turns[time])
            turned: dict[tuple[int, ...], float] = defaultdict(float)
            for state, p in law.items():
                turned[tuple(b if e < 0 else e for b, e in zip(state, evidence, strict=True))] += p
            law = turned
        after: dict[tuple[int, ...], float] = defaultdict(float)
        for state, p in law.items():
            for speaker, listener, share in contacts:
                adopts = rule.acceptance[state[speaker]] if evidence[listener] < 0 else 0.0
                heard = (*state[:listener], state[speaker], *state[listener + 1 :])
                after[heard] += p * share * adopts
                after[state] += p * share * (1 - adopts)
        law = after
    return law


def agrees(found: Counter[tuple[int, ...]], law: dict[tuple[int, ...], float]) -> None:
    runs = sum(found.values())
    assert set(found) <= {state for state, p in law.items() if p > 0}
    for state, p in law.items():
        assert abs(found[state] - runs * p) <= 4.5 * np.sqrt(runs * p * (1 - p)) + 1e-9, state


def seed_of(run: int) -> bytes:
    return f"run {run}".encode()


@pytest.mark.parametrize(
    ("agents", "zealots", "bias", "until", "self_pairs"),
    [
        (8, (2, 1), 0.3, 40, True),
        (8, (2, 1), 0.3, 40, False),
        (8, (0, 0), 0.3, 60, True),
        (8, (0, 1), -0.7, 30, True),
        (5, (1, 1), 2.0, 12, False),
    ],
)
def test_truth_counts_have_the_law_of_the_chain(
    agents: int, zealots: tuple[int, int], bias: float, until: int, self_pairs: bool
) -> None:
    copiers = agents - sum(zealots)
    law = np.array([comb(copiers, n) for n in range(copiers + 1)]) / 2**copiers
    step = chain(agents, zealots, bias, agents * agents if self_pairs else agents * (agents - 1))
    rule, network = Copying(acceptance(bias)), Complete(agents, self_pairs)
    laws = [law @ np.linalg.matrix_power(step, time) for time in (0, 3, until)]
    found = np.zeros((3, copiers + 1))
    for run in range(RUNS):
        population = placed(seed_of(run), agents, zealots)
        counts = simulate(seed_of(run), population, [0, 3, until], rule, network).counts
        found[np.arange(3), counts[:, 0] - zealots[0]] += 1
    expected = RUNS * np.array(laws)
    spread = np.sqrt(expected * (1 - np.array(laws)))
    assert (np.abs(found - expected) <= 4.5 * spread + 1e-9).all()


def test_class_shares_at_drawn_compositions() -> None:
    # Composition, fair start and chain together: N = 8, a_T = .2925, a_R = .1575, h_0 = .3, t = 8,
    # from the exact chain; the classes are cut at 17/20 and 1/4 in integers.
    expected = {"correct": 0.1563750467, "wrong": 0.0268728498, "polarized": 0.8167521035}
    runs, found = 4000, Counter[str]()
    share = 0.0
    for run in range(runs):
        population = sampled(seed_of(run), 8, (0.2925, 0.1575))
        end = simulate(seed_of(run), population, [8], Copying(acceptance(0.3)))
        k = int(end.counts[0, 0])
        share += float(end.truth_share[0]) / runs
        found["correct" if 20 * k >= 136 else "wrong" if 20 * (8 - k) >= 136 else "polarized"] += 1
    for name, p in expected.items():
        assert abs(found[name] - runs * p) < 4.5 * np.sqrt(runs * p * (1 - p))
    assert share == pytest.approx(0.5978536875, abs=4.5 * 0.25 / np.sqrt(runs))


STAR = from_pairs(4, [(0, 1), (0, 2), (0, 3)])


@pytest.mark.parametrize(
    ("network", "evidence", "beliefs", "rule", "changes"),
    [
        (Complete(4), [0, 1, -1, -1], [0, 1, 0, 1], Copying(acceptance(0.3)), []),
        (ring(5), [0, -1, -1, 1, -1], [0, 1, 1, 1, 0], Copying(acceptance(-0.4)), []),
        (STAR, [-1, 0, -1, -1], [1, 0, 1, 1], Copying(acceptance(0.0)), []),
        (STAR, [-1, 0, -1, 2], [1, 0, 1, 2], Copying((0.9, 0.2, 0.5)), []),
        (Complete(3), [-1, -1, -1], [0, 1, 2], Copying((1.0, 0.6, 0.0)), []),
        (
            ring(4),
            [0, -1, -1, -1],
            [0, 1, 1, 0],
            Copying(acceptance(0.3)),
            [(3, [0, 1, -1, -1]), (7, [-1, 1, -1, 0])],
        ),
        (Complete(4, self_pairs=False), [-1] * 4, [1] * 4, Copying(), [(0, [0, -1, -1, -1])]),
    ],
    ids=["complete", "ring", "star", "labels", "no zealot", "changing ring", "change at 0"],
)
def test_beliefs_have_their_exact_law(
    network: AnyNetwork,
    evidence: list[int],
    beliefs: list[int],
    rule: Copying,
    changes: list[Change],
) -> None:
    population, until, found = Population(evidence, beliefs), 10, Counter[tuple[int, ...]]()
    for run in range(RUNS):
        end = simulate(seed_of(run), population, [until], rule, network, changes)
        found[tuple(end.beliefs.tolist())] += 1
    agrees(found, states(network, population, rule, until, changes))


def test_changing_zealot_counts_follow_the_stepped_chain() -> None:
    # Six copiers among eight; after 20 contacts two of them (chosen beforehand) become rival
    # zealots, so that n of six loses a hypergeometric part; after 40 both zealots of truth go.
    before = [0, 0, -1, -1, -1, -1, -1, -1]
    during, after = [0, 0, 1, 1, -1, -1, -1, -1], [-1, -1, 1, 1, -1, -1, -1, -1]
    first = np.zeros(7)
    first[3] = 1.0
    first = first @ np.linalg.matrix_power(chain(8, (2, 0), 0.3, 64), 20)
    second = np.zeros(5)
    for n, p in enumerate(first):
        for lost in range(3):
            if 0 <= n - lost <= 4:
                second[n - lost] += p * comb(n, lost) * comb(6 - n, 2 - lost) / comb(6, 2)
    second = second @ np.linalg.matrix_power(chain(8, (2, 2), 0.3, 64), 20)
    third = np.concatenate([[0, 0], second])
    third = third @ np.linalg.matrix_power(chain(8, (0, 2), 0.3, 64), 20)
    found = np.zeros(7)
    for run in range(RUNS):
        # Exchangeable first beliefs: three of six hold the truth, at drawn places.
        order = np.argsort(_words(seed_of(run), 6))
        beliefs = [0, 0, *np.array([0, 0, 0, 1, 1, 1])[order].tolist()]
        changes = [(20, during), (40, after)]
        population = Population(before, beliefs)
        end = simulate(seed_of(run), population, [60], Copying(acceptance(0.3)), None, changes)
        found[end.counts[0, 0]] += 1
    spread = np.sqrt(RUNS * third * (1 - third))
    assert (np.abs(found - RUNS * third) <= 4.5 * spread + 1e-9).all()


def _words(seed: bytes, count: int) -> NDArray[np.uint64]:
    fill(generator(seed, "test"), words := np.empty(count, np.uint64))
    return words


def test_memory_has_its_exact_law() -> None:
    # One zealot of each label and two copiers that recall their last two labels.
    rule, until = Copying(acceptance(0.4), memory=2), 9
    start = ((1, ()), (0, ()))
    law: dict[tuple[tuple[int, tuple[int, ...]], ...], float] = {start: 1.0}
    for _ in range(until):
        after: dict[tuple[tuple[int, tuple[int, ...]], ...], float] = defaultdict(float)
        for state, p in law.items():
            held = [0, 1, *(belief for belief, _ in state)]
            after[state] += p / 2
            for speaker, copier in product(range(4), range(2)):
                memory = (*state[copier][1], held[speaker])[-2:]
                for label in memory:
                    share = p / 16 / len(memory)
                    for belief, q in (
                        (label, rule.acceptance[label]),
                        (state[copier][0], 1 - rule.acceptance[label]),
                    ):
                        pair = list(state)
                        pair[copier] = (belief, memory)
                        after[tuple(pair)] += share * q
        law = after
    beliefs: dict[tuple[int, ...], float] = defaultdict(float)
    for state, p in law.items():
        beliefs[(0, 1, *(belief for belief, _ in state))] += p
    population, found = Population([0, 1, -1, -1], [0, 1, 1, 0]), Counter[tuple[int, ...]]()
    for run in range(RUNS):
        found[tuple(simulate(seed_of(run), population, [until], rule).beliefs.tolist())] += 1
    agrees(found, beliefs)


@pytest.mark.parametrize("memory", [1, 3])
@pytest.mark.parametrize(
    "network",
    [None, Complete(50, self_pairs=False), small_world(b"w", 50, 2, 0.3), scale_free(b"s", 50, 2)],
    ids=["complete", "distinct", "small world", "scale free"],
)
def test_a_plain_replay_of_the_schedule_gives_the_same(
    network: AnyNetwork | None, memory: int
) -> None:
    # More contacts than one block, so that the streams must go on from block to block.
    until, rule = 9000, Copying((0.7, 0.4, 0.9), memory)
    population = placed(b"seed", 50, (4, 3, 2))
    change = placed(b"later", 50, (1, 2, 9)).evidence
    run = simulate(b"seed", population, [0, 5000, until], rule, network, [(4500, change)])
    [whole] = schedule(b"seed", network or Complete(50), until, chunk=until)
    fill(generator(b"seed", "acceptance"), words := np.empty(until, np.uint64))
    recalls = generator(b"seed", "memory")
    held, evidence = population.beliefs.tolist(), population.evidence.tolist()
    heard: list[list[int]] = [[] for _ in held]
    for i in range(until):
        if i == 4500:
            evidence = change.tolist()
            held = [h if e < 0 else e for h, e in zip(held, evidence, strict=True)]
        if i == 5000:
            assert np.bincount(held, minlength=3).tolist() == run.counts[1].tolist()
        speaker, listener = int(whole.speakers[i]), int(whole.listeners[i])
        heard[listener] = [*heard[listener], held[speaker]][-memory:]
        label = heard[listener][-1]
        if memory > 1:
            integers(recalls, len(heard[listener]), place := np.empty(1, np.int8))
            # The kernel writes round a ring; the plain memory is in order of hearing.
            kept, total = len(heard[listener]), _heard_by(whole.listeners[: i + 1], listener)
            oldest = total % memory if total > memory else 0
            label = heard[listener][(int(place[0]) - oldest) % kept]
        if evidence[listener] < 0 and (int(words[i]) >> 1) < int(rule.thresholds[label]):
            held[listener] = label
    assert held == run.beliefs.tolist()
    assert run.counts[0].tolist() == np.bincount(population.beliefs, minlength=3).tolist()
    assert run.counts[2].tolist() == np.bincount(held, minlength=3).tolist()


def _heard_by(listeners: NDArray[np.uint32], listener: int) -> int:
    return int(np.count_nonzero(listeners == listener))


def test_populations_that_differ_in_one_agent_meet_the_same_contacts() -> None:
    population = placed(b"seed", 200, (10, 10))
    agent = int(np.flatnonzero(population.evidence < 0)[0])
    evidence, beliefs = population.evidence.copy(), population.beliefs.copy()
    evidence[agent] = beliefs[agent] = 0
    patched = Population(evidence, beliefs)
    times = list(range(0, 4001, 200))
    one = simulate(b"seed", population, times, Copying(acceptance(0.3)))
    two = simulate(b"seed", patched, times, Copying(acceptance(0.3)))
    # A zealot of the truth never costs the truth a holder where the draws are the same.
    assert (two.counts[:, 0] >= one.counts[:, 0]).all()
    assert (two.counts[:, 0] > one.counts[:, 0]).any()


def test_the_same_on_every_machine() -> None:
    population = sampled(b"seed", 1000, (0.2, 0.1, 0.1))
    network = small_world(b"seed", 1000, 3, 0.2)
    run = simulate(b"seed", population, [20_000], Copying((0.5, 0.4, 0.3), 4), network)
    assert sha256(run.beliefs.tobytes()).hexdigest()[:16] == "49d2e2a3770f228d"


def test_nobody_moves_without_acceptance() -> None:
    population = placed(b"seed", 30, (2, 2))
    run = simulate(b"seed", population, [3000], Copying((0.0, 0.0)))
    assert run.beliefs.tolist() == population.beliefs.tolist()


def test_bad_settings_are_refused() -> None:
    population, rule = placed(b"", 4, (1, 1)), Copying()
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: Copying(()), "acceptance: "),
        (lambda: Copying((0.5, 1.5)), r"acceptance: 1\.5"),
        (lambda: Copying(memory=0), "memory: 0"),
        (lambda: Copying(memory=128), "memory: 128"),
        (lambda: simulate(b"", population, [], rule), "times: .* a last time"),
        (lambda: simulate(b"", population, [2, 1], rule), "times: .* do not decrease"),
        (lambda: simulate(b"", population, [-1], rule), "times: .* from 0"),
        (lambda: simulate(b"", population, np.array([0.5]), rule), "times: .* numbers of"),
        (lambda: simulate(b"", population, [1], Copying((0.5,))), "beliefs: 1 .* below 1"),
        (lambda: simulate(b"", population, [1], rule, Complete(5)), "network: '5 agents'"),
        (lambda: simulate(b"", population, [1], rule, None, [(2, [0] * 4)]), "any change"),
        (lambda: simulate(b"", population, [1], rule, None, [(1, [0] * 3)]), "changes: .* all 4"),
        (lambda: simulate(b"", population, [1], rule, None, [(1, [2] * 4)]), "below 2"),
    ]
    for build, what in cases:
        with pytest.raises(SettingError, match=what):
            build()
