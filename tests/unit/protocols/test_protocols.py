"""The three protocols of the Flag Game, step by step as the paper tells them (section 3.2)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.errors import SettingError
from socialcircuits.graph import Graph, Settings, View, Walk
from socialcircuits.protocols import CATALOGUE, find
from socialcircuits.seeds import Stream
from socialcircuits.testing import check_protocol


def graph_of(name: str, n: int, settings: Settings, seed: bytes = b"seed") -> Graph:
    protocol = find(name)
    return protocol.graph(protocol.seats(n), settings, Stream(seed, "schedule"))


def order(graph: Graph, current: int) -> list[tuple[str, int]]:
    return [(s.purpose, s.seat) for s in graph.steps if s.round == current]


@pytest.mark.parametrize("name", list(CATALOGUE))
def test_it_keeps_the_rules_of_the_house(name: str) -> None:
    assert find(name).name == name
    check_protocol(find(name))


def test_an_unknown_protocol_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(SettingError, match=r"'pairwize'.*did you mean 'pairwise'\?"):
        find("pairwize")


@given(st.integers(2, 12), st.integers(1, 6))
def test_pairwise_rounds_are_n_interactions_then_probes(n: int, rounds: int) -> None:
    graph = graph_of("pairwise", n, Settings(rounds=rounds))
    probes = [("probe", seat) for seat in range(n)]
    assert order(graph, 0) == [("guess", seat) for seat in range(n)] + probes
    for current in range(1, rounds + 1):
        steps = order(graph, current)
        assert [purpose for purpose, _ in steps[:n]] == ["message"] * n
        assert steps[n:] == probes
    messages = [step for step in graph.steps if step.purpose == "message"]
    assert all(len(step.to) == 1 and step.to != (step.seat,) for step in messages)
    assert len(graph.steps) == n * (2 * rounds + 1) + n
    assert (graph.readout.purpose, graph.readout.first_round) == ("probe", 0)


def test_pairwise_draws_all_ordered_pairs_equally_often() -> None:
    graph = graph_of("pairwise", 4, Settings(rounds=600))
    pairs = Counter((s.seat, s.to[0]) for s in graph.steps if s.purpose == "message")
    assert len(pairs) == 12
    assert all(abs(count - 200) < 60 for count in pairs.values())


def test_pairwise_memory_is_what_was_heard_and_keeps_the_last() -> None:
    graph = graph_of("pairwise", 3, Settings(rounds=5, memory=2))
    memory = (View("memory", ("message",), last=2),)
    walk = Walk(graph)
    for index, step in enumerate(graph.steps):
        assert step.views == (() if step.purpose == "guess" else memory)
        heard = [
            i
            for i, earlier in enumerate(graph.steps[:index])
            if earlier.purpose == "message" and earlier.to == (step.seat,)
        ]
        assert walk.candidates(index, memory[0]) == heard


def test_the_schedule_comes_from_the_stream() -> None:
    first, same, other = (graph_of("pairwise", 5, Settings(), seed) for seed in (b"a", b"a", b"b"))
    assert first == same
    assert first.steps != other.steps


@pytest.mark.parametrize("name", ["broadcast", "manager"])
def test_rounds_of_reports_draw_nothing(name: str) -> None:
    assert graph_of(name, 5, Settings(), b"a") == graph_of(name, 5, Settings(), b"b")


@given(st.integers(2, 8), st.integers(1, 5), st.integers(1, 9))
def test_broadcast_reports_come_before_decisions(n: int, rounds: int, memory: int) -> None:
    graph = graph_of("broadcast", n, Settings(rounds=rounds, memory=memory))
    assert order(graph, 0) == [("guess", seat) for seat in range(n)]
    own = View("memory", ("decision",), whose="own", last=memory)
    reports = View("reports", ("report",), round="same")
    for current in range(1, rounds + 1):
        assert order(graph, current) == [
            (purpose, seat) for purpose in ("report", "decision") for seat in range(n)
        ]
    for step in graph.steps:
        if step.purpose == "report":
            assert (step.to, step.views, step.form) == (tuple(range(n)), (own,), "spoken")
        if step.purpose == "decision":
            assert (step.to, step.views, step.form) == ((step.seat,), (own, reports), "spoken")
    assert (graph.readout.purpose, graph.readout.seats) == ("decision", tuple(range(n)))
    assert graph.readout.first_round == 1


def test_a_broadcast_decision_reads_all_reports_of_its_round_its_own_too() -> None:
    graph = graph_of("broadcast", 3, Settings(rounds=2))
    last = len(graph.steps) - 1
    sources = Walk(graph).candidates(last, graph.steps[last].views[1])
    read = [(s.purpose, s.round, s.seat) for s in (graph.steps[i] for i in sources)]
    assert read == [("report", 2, seat) for seat in range(3)]


@given(st.integers(2, 8), st.integers(1, 5), st.integers(1, 9))
def test_a_manager_decides_for_all(n: int, rounds: int, memory: int) -> None:
    graph = graph_of("manager", n, Settings(rounds=rounds, memory=memory))
    assert [seat.role for seat in graph.seats] == ["observer"] * n + ["manager"]
    assert order(graph, 0) == [("guess", seat) for seat in range(n)]
    shared = View("memory", ("decision",), last=memory)
    reports = View("reports", ("report",), round="same")
    for current in range(1, rounds + 1):
        assert order(graph, current) == [
            *(("report", seat) for seat in range(n)),
            ("decision", n),
        ]
    for step in graph.steps:
        if step.purpose == "report":
            assert (step.to, step.views, step.form) == ((n,), (shared,), "spoken")
        if step.purpose == "decision":
            assert step.to == tuple(range(n + 1))
            assert (step.views, step.form) == ((shared, reports), "label")
    assert graph.readout == ("decision", (n,), 1)


def test_observers_and_adversaries_bear_evidence() -> None:
    roles = ("observer", "deceiver", "coordinated", "sybil")
    assert {protocol.bears for protocol in CATALOGUE.values()} == {roles}
    blind = {seat.role for form in CATALOGUE.values() for seat in form.seats(3)} - {"observer"}
    assert blind == {"manager", "planted"}
