"""Nobody reads what was not sent to them: on the graph, and by canary tokens in every text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socialcircuits.graph import Graph, Observation, Reply, Settings, Walk
from socialcircuits.graph.vocabulary import PRIVATE_TO_ALL, PRIVATE_TO_SELF
from socialcircuits.seeds import digest
from socialcircuits.trial import Setup, play, play_waiting
from tests.support.clock import run
from tests.support.minds import Puppet, Waiting
from tests.support.trials import PROTOCOLS, Hint, played_by, trial

TOKEN = re.compile(r"<(\d+)>")
EVIDENCE = re.compile(r"evidence-of-(\d+)-only")

SIZES = st.tuples(st.sampled_from(PROTOCOLS), st.integers(2, 7), st.integers(1, 5))


def may_read(setup: Setup, reader: int, source: int) -> bool:
    """Whether a protocol lets a seat read a step, in the paper's words and not the graph's."""
    graph, step = setup.graph, setup.graph.steps[source]
    manager = graph.seats[reader].role == "manager"
    if step.purpose == "message":
        return step.to == (reader,) and step.seat != reader
    if step.purpose == "report":
        return graph.seats[-1].role != "manager" or manager
    if step.purpose == "decision":
        return graph.seats[-1].role == "manager" or step.seat == reader
    return False


def canary(setup: Setup) -> Puppet:
    """A puppet whose every reply bears a token of its own; one reply in ten is invalid."""

    def say(step: int, attempt: int, seen: Observation) -> Reply:
        bad = digest("bad", step, attempt)[0] < 26
        return Reply(f"<{step}>", None if bad else "Peru", f"<{step}>", valid=not bad)

    return Puppet(setup, say)


def check_no_leak(setup: Setup, puppet: Puppet) -> int:
    """Check all that was seen; return how many entries were read."""
    steps, read = setup.graph.steps, 0
    for index, _, observation in puppet.seen:
        reader = steps[index].seat
        tokens = [int(token) for token in TOKEN.findall(repr(observation))]
        for source in tokens:
            assert source < index
            assert reader in steps[source].to
            assert may_read(setup, reader, source)
        entries = [entry for heard in observation.heard for entry in heard.entries]
        assert all(entry.own == (steps[entry.step].seat == reader) for entry in entries)
        assert {entry.step for entry in entries} == set(tokens)
        own = setup.evidence[reader]
        assert set(EVIDENCE.findall(repr(observation))) == ({str(reader)} if own else set())
        read += len(entries)
    return read


@given(SIZES, st.integers(1, 9), st.booleans())
@settings(max_examples=60)
def test_no_token_reaches_a_seat_it_was_not_sent_to(
    size: tuple[str, int, int], memory: int, waits: bool
) -> None:
    protocol, n, rounds = size
    setup = trial(protocol, n, Settings(rounds, memory, stop=None), retries=1)
    puppet = canary(setup)
    if waits:
        run(play_waiting(played_by(setup, Waiting(puppet))))
    else:
        play(played_by(setup, puppet))
    check_no_leak(setup, puppet)


@pytest.mark.parametrize(("protocol", "least"), [("pairwise", 150), ("broadcast", 500),
                                                 ("manager", 100)])  # fmt: skip
def test_the_canaries_are_read_at_all(protocol: str, least: int) -> None:
    setup = trial(protocol, 8, Settings(rounds=6, stop=None), retries=0)
    puppet = canary(setup)
    played = play(played_by(setup, puppet))
    assert check_no_leak(setup, puppet) > least
    assert played.invalid > 0


def test_a_leak_would_be_seen() -> None:
    setup = trial("manager", 3, Settings(rounds=2, stop=None), retries=0)
    puppet = canary(setup)
    play(played_by(setup, puppet))
    index, attempt, observation = puppet.seen[-1]
    stranger = setup.evidence[0]
    puppet.seen[-1] = (index, attempt, observation._replace(evidence=stranger))
    with pytest.raises(AssertionError):
        check_no_leak(setup, puppet)


def test_invalid_replies_are_read_by_nobody() -> None:
    setup = trial("broadcast", 4, Settings(rounds=3, stop=None), retries=1)
    puppet = canary(setup)
    played = play(played_by(setup, puppet))
    standing = {attempt.step: attempt.reply for attempt in played.attempts}
    read = {e.step for _, _, seen in puppet.seen for heard in seen.heard for e in heard.entries}
    assert {step for step, reply in standing.items() if not reply.valid}
    assert all(standing[step].valid for step in read)


def test_evidence_of_one_seat_is_not_the_evidence_of_another() -> None:
    setup = trial("pairwise", 5)
    tokens = [seen.token for seen in setup.evidence if isinstance(seen, Hint)]
    assert len(set(tokens)) == 5


def readers(graph: Graph) -> list[tuple[int, int]]:
    """All (step, source) such that a step may read a source."""
    walk = Walk(graph)
    return [
        (index, source)
        for index, step in enumerate(graph.steps)
        for view in step.views
        for source in walk.candidates(index, view)
    ]


@given(SIZES)
def test_the_graph_offers_no_step_what_was_not_sent_to_its_seat(
    size: tuple[str, int, int],
) -> None:
    protocol, n, rounds = size
    setup = trial(protocol, n, Settings(rounds))
    graph = setup.graph
    for index, source in readers(graph):
        reader, step = graph.steps[index].seat, graph.steps[source]
        assert source < index
        assert step.round <= graph.steps[index].round
        assert reader in step.to
        assert may_read(setup, reader, source)


@given(SIZES)
def test_every_output_keeps_to_the_privacy_of_its_purpose(size: tuple[str, int, int]) -> None:
    protocol, n, rounds = size
    graph = trial(protocol, n, Settings(rounds)).graph
    for step in graph.steps:
        if step.purpose in PRIVATE_TO_ALL:
            assert step.to == ()
        if step.purpose in PRIVATE_TO_SELF:
            assert set(step.to) <= {step.seat}
        assert step.shared == (step.purpose == "guess")
