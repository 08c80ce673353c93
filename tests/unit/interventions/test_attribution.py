"""Arrival in graphs of all protocols: by the kernel, step by step, and against what happens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.graph import Graph, Settings, Walk, build
from socialcircuits.interventions import apply, read
from socialcircuits.interventions.attribution import Score, arrivals, clock, scores
from socialcircuits.interventions.shapley import Shapley
from socialcircuits.protocols import find
from socialcircuits.seeds import Stream, digest
from socialcircuits.theory.arrival import NEVER
from socialcircuits.theory.arrival import arrivals as kernel
from socialcircuits.theory.contacts import Contacts
from socialcircuits.trial import Setup, play
from tests.support.scenes import scene
from tests.support.trials import PROTOCOLS, Gossip, outcomes, trial

SEEDS = st.integers(0, 10_000)


def graph(protocol: str, n: int, rounds: int, seed: int) -> Graph:
    form = find(protocol)
    stream = Stream(digest(seed), "schedule")
    return form.graph(form.seats(n), Settings(rounds=rounds, stop=None), stream)


def cut(whole: Graph, seed: int, per_mille: int) -> Graph:
    """The graph without a random part of its edges."""
    stream = Stream(digest(seed), "cuts")
    edges = [(i, reader) for i, step in enumerate(whole.steps) for reader in step.to]
    return whole.cutting([edge for edge in edges if stream.below(1000) < per_mille])


def said(whole: Graph) -> list[int]:
    return [index for index, time in enumerate(clock(whole)) if time]


@given(SEEDS, st.integers(2, 12), st.integers(1, 4))
def test_pairwise_is_the_earliest_arrival_of_its_messages(seed: int, n: int, rounds: int) -> None:
    whole = graph("pairwise", n, rounds, seed)
    messages = [step for step in whole.steps if step.purpose == "message"]
    contacts = Contacts([step.seat for step in messages], [step.to[0] for step in messages])
    assert (arrivals(whole).times == kernel(n, [contacts])).all()


def by_steps(whole: Graph, source: int) -> list[int]:
    """Times by following one source alone: which steps know it, and to whom they are said."""
    walk, times, knows = Walk(whole), clock(whole), set[int]()
    found = [NEVER] * len(whole.seats)
    found[source] = 0
    for index, step in enumerate(whole.steps):
        heard = [s for view in step.views for s in walk.candidates(index, view) if s in knows]
        for one in heard:
            if step.seat != source and times[one]:
                found[step.seat] = min(found[step.seat], times[one])
        if step.seat == source or heard:
            knows.add(index)
    return found


@given(SEEDS, st.sampled_from(PROTOCOLS), st.integers(2, 6), st.integers(1, 3), st.integers(0, 900))
def test_arrival_follows_steps_views_and_cuts(
    seed: int, protocol: str, n: int, rounds: int, per_mille: int
) -> None:
    whole = cut(graph(protocol, n, rounds, seed), seed, per_mille)
    found = arrivals(whole)
    assert found.times.tolist() == [by_steps(whole, i) for i in range(len(whole.seats))]
    reached = (found.times > 0) & (found.times < NEVER)
    assert ((found.steps >= 0) == reached).all()


def test_the_clock_counts_utterances_and_those_said_at_once_arrive_together() -> None:
    times = {protocol: clock(graph(protocol, 3, 2, 1)) for protocol in PROTOCOLS}
    assert [t for t in times["pairwise"] if t] == [1, 2, 3, 4, 5, 6]
    assert [t for t in times["broadcast"] if t] == [3, 3, 3, 6, 6, 6]
    assert [t for t in times["manager"] if t] == [3, 3, 3, 4, 7, 7, 7, 8]


def test_in_broadcast_and_manager_all_agents_are_alike() -> None:
    broadcast = arrivals(graph("broadcast", 5, 2, 1)).reach
    assert broadcast.mean_arrival.tolist() == [5.0] * 5
    assert broadcast.closeness.tolist() == [1.0] * 5
    manager = arrivals(graph("manager", 4, 2, 1))
    # Four reports, then the decision; the manager is the fifth seat.
    assert manager.times[0].tolist() == [0, 5, 5, 5, 4]
    assert manager.relayed() == [0, 0, 0, 0, 12]


@given(SEEDS, st.integers(2, 8))
def test_a_tree_leads_from_the_source_to_each_reached_seat_in_time(seed: int, n: int) -> None:
    whole = cut(graph("pairwise", n, 2, seed), seed, 200)
    found = arrivals(whole)
    through = [0] * n
    for source in range(n):
        edges = {row.agent: row for row in found.tree(source)}
        assert len(edges) == n - 1 - found.reach.unreached[source]
        for row in edges.values():
            at, time = row.speaker, row.time
            while at != source:
                through[at] += 1
                assert edges[at].time < time
                at, time = edges[at].speaker, edges[at].time
            step = whole.steps[said(whole)[row.time - 1]]
            assert (step.seat, row.round) == (row.speaker, step.round)
            assert row.agent in step.to
    assert found.relayed() == through


@given(SEEDS, st.integers(2, 7), st.permutations(range(7)))
def test_relabelled_agents_have_relabelled_scores(seed: int, n: int, order: list[int]) -> None:
    new = [seat for seat in order if seat < n]
    whole = graph("pairwise", n, 2, seed)
    steps = [
        step._replace(seat=new[step.seat], to=tuple(new[r] for r in step.to), nth=-1)
        for step in whole.steps
    ]
    before, after = arrivals(whole), arrivals(build(whole.seats, steps, whole.readout))
    assert (after.times[np.ix_(new, new)] == before.times).all()
    assert after.reach.closeness[new].tolist() == before.reach.closeness.tolist()
    assert [after.relayed()[seat] for seat in new] == before.relayed()


def patched(setup: Setup, agent: int) -> Setup:
    change = {"kind": "evidence", "agents": str(agent), "view": "Peru"}
    return apply(setup, read("it", [change]), scene())


def small(protocol: str, seed: int) -> Setup:
    return trial(protocol, 5, Settings(rounds=3, stop=None), mind=Gossip(), seed=seed)


def differing(first: Setup, second: Setup) -> list[int]:
    """The steps whose replies differ."""
    one, two = outcomes(play(first)), outcomes(play(second))
    names = map(first.graph.step_id, range(len(first.graph.steps)))
    return [index for index, name in enumerate(names) if one[name] != two[name]]


@given(SEEDS, st.sampled_from(PROTOCOLS), st.integers(0, 4), st.integers(0, 600))
def test_an_effect_reaches_no_agent_before_its_arrival_time(
    seed: int, protocol: str, agent: int, per_mille: int
) -> None:
    setup = small(protocol, seed)
    setup = replace(setup, graph=cut(setup.graph, seed, per_mille))
    whole, times = setup.graph, clock(setup.graph)
    tau = arrivals(whole).times[agent]
    for index in differing(setup, patched(setup, agent)):
        before = [time for time in times[:index] if time != times[index]]
        assert tau[whole.steps[index].seat] <= max(before, default=0)


def test_effects_do_occur() -> None:
    sizes = [len(differing(small("pairwise", seed), patched(small("pairwise", seed), 2)))
             for seed in range(20)]  # fmt: skip
    assert max(sizes) > 10


@given(SEEDS, st.sampled_from(PROTOCOLS), st.integers(0, 4))
def test_the_patch_of_an_agent_that_never_speaks_changes_nobody_else(
    seed: int, protocol: str, agent: int
) -> None:
    setup = small(protocol, seed)
    own = [(i, reader) for i in said(setup.graph) for reader in setup.graph.steps[i].to
           if setup.graph.steps[i].seat == agent != reader]  # fmt: skip
    setup = replace(setup, graph=setup.graph.cutting(own))
    found = arrivals(setup.graph)
    assert found.reach.closeness[agent] == 0
    assert found.reach.unreached[agent] == len(setup.graph.seats) - 1
    changed = differing(setup, patched(setup, agent))
    assert {setup.graph.steps[index].seat for index in changed} <= {agent}
    [row] = scores(found, {agent: (0.0, 1.0)}, {agent: 0.0}, {}, {})
    assert (row.mean_arrival, row.score, row.relayed) == (None, 0.0, None)


def test_a_row_of_scores() -> None:
    whole = graph("pairwise", 4, 2, 3)
    found = arrivals(whole)
    probed = {seat: (0.1 * seat, 0.9) for seat in range(4)}
    rows = scores(found, probed, dict.fromkeys(range(4), 0.5), {1: 0.125}, {1: Shapley(0.3, 0.1)})
    speakers = [step.seat for step in whole.steps if step.purpose == "message"]
    assert [row.out_degree for row in rows] == [speakers.count(seat) for seat in range(4)]
    for row in rows:
        assert row.gain == pytest.approx(0.9 - 0.1 * row.agent)
        assert row.score == pytest.approx(row.gain * found.reach.closeness[row.agent])
    assert rows[1].relayed == 0.375
    assert rows[1].shapley == Shapley(0.3, 0.1)
    assert isinstance(rows[0], Score)
    assert rows[0].direct is None


def test_given_steps_carry_nothing() -> None:
    form = find("planted")
    whole = form.graph(form.seats(2), Settings(), Stream(b"", ""))
    assert arrivals(whole).reach.unreached.tolist() == [2, 2, 2]
