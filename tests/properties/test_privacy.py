"""Nobody reads what was not sent to them: on the graph, and by canary tokens in every text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socialcircuits.graph import ADVERSARIES, Graph, Observation, Reply, Settings, Step, View, Walk
from socialcircuits.graph.vocabulary import MONITOR, PRIVATE_TO_ALL, PRIVATE_TO_SELF
from socialcircuits.seeds import digest
from socialcircuits.trial import Setup, play, play_waiting
from tests.playthroughs.rendered import mind, text
from tests.support.clock import run
from tests.support.deliberations import deliberation, secret
from tests.support.minds import Puppet, Waiting
from tests.support.rooms import room
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


# --- deliberations: what adversaries know, plan and say among themselves -----------------------

SECRET = re.compile(r"[0-9a-f]{32}")

ROLES = ("observer", "observer", "blind", "deceiver", "coordinated", "coordinated")
CASTS = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.sampled_from(ROLES), min_size=n, max_size=n)
)
DEBATES = st.builds(
    Settings,
    rounds=st.integers(1, 3),
    reflections=st.sampled_from([None, 1]),
    chat=st.integers(1, 2),
    verify=st.sampled_from(["", "alone", "claim"]),
)


def token(step: int, attempt: int) -> str:
    return digest("token", step, attempt).hex()


def secretive(setup: Setup) -> Puppet:
    """A puppet that puts a token nobody can guess into all it says; one reply in ten is invalid."""

    def say(step: int, attempt: int, seen: Observation) -> Reply:
        bad = digest("bad", step, attempt)[0] < 26
        text = token(step, attempt)
        return Reply(text, None if bad else "Peru", text, valid=not bad, why="bad" if bad else "")

    return Puppet(setup, say)


def may_hear(roles: Sequence[str], asked: Step, said: Step) -> bool:
    """Whether what was said may be read in what is asked, in the paper's words."""
    own, partner = said.seat == asked.seat, roles[asked.seat] == "coordinated"
    if said.purpose == "message":
        late = asked.purpose == "message"
        return asked.variant not in {"first", "alone"} and said.round == asked.round - late
    if said.purpose == "chat":
        return partner and asked.purpose in {"chat", "plan", "reflection"}
    if said.purpose == "plan":
        return own and partner and asked.purpose in {"message", "reflection"}
    if said.purpose == "decision":
        return own and asked.purpose == "vote"
    return (
        said.purpose == "reflection" and own and asked.purpose in {"message", "reflection", "vote"}
    )


def check_secrets(setup: Setup, puppet: Puppet, shown: Callable[[Observation], str] = repr) -> int:
    """Check all that was seen against what each seat may know; return how much was read."""
    steps, roles, read = setup.graph.steps, [seat.role for seat in setup.graph.seats], 0
    said = {token(i, a): i for i in range(len(steps)) for a in range(setup.retries + 1)}
    for index, _, observation in puppet.seen:
        step = steps[index]
        seen, role = shown(observation), roles[step.seat]
        kinds = {"deceiver": ("truth", "lure"), "coordinated": ("truth", "lure", "fellows")}
        told = {secret(kind, step.seat) for kind in kinds.get(role, ())}
        found = set(SECRET.findall(seen))
        assert bool(told) == (secret("truth", step.seat) in found)
        for one in found - told:
            assert may_hear(roles, step, steps[said[one]]), (step, steps[said[one]])
            read += 1
        own = {str(step.seat)} if setup.evidence[step.seat] else set()
        assert set(EVIDENCE.findall(seen)) == own
        if role != "coordinated":
            assert not {"plan", "chat"} & {heard.section for heard in observation.heard}
        if role not in ADVERSARIES:
            assert not any(word in seen for word in ADVERSARIES)
    return read


def rendered(observation: Observation) -> str:
    """The prompt that a model would be sent."""
    return prompt(observation, "questions", "deliberation")


def prompt(observation: Observation, world: str, protocol: str) -> str:
    """The prompt that a model would be sent in a world under a protocol."""
    brief = observation.brief._replace(world=world, protocol=protocol)
    return text(mind("text").segments(observation._replace(brief=brief)))


@given(CASTS, DEBATES, st.booleans())
@settings(max_examples=500)
def test_no_secret_of_an_adversary_and_no_vote_is_seen(
    roles: list[str], given: Settings, waits: bool
) -> None:
    setup = deliberation(roles, given, retries=1)
    puppet = secretive(setup)
    if waits:
        run(play_waiting(played_by(setup, Waiting(puppet))))
    else:
        play(played_by(setup, puppet))
    assert {index for index, _, _ in puppet.seen} == set(range(len(setup.graph.steps)))
    assert check_secrets(setup, puppet) >= len(roles)
    assert check_secrets(setup, puppet, rendered) >= len(roles)


def test_the_secrets_are_read_by_those_who_may() -> None:
    roles = ["observer", "coordinated", "observer", "coordinated", "observer"]
    setup = deliberation(roles, Settings(rounds=2, chat=1, verify="claim"), retries=1)
    puppet = secretive(setup)
    play(played_by(setup, puppet))
    assert check_secrets(setup, puppet, rendered) == check_secrets(setup, puppet) > 200


def leaked(graph: Graph, purpose: str) -> Graph:
    """A graph in which all that is said of a purpose goes to all, in what they read in any case."""
    everyone = tuple(range(len(graph.seats)))
    steps = []
    for step in graph.steps:
        to = everyone if step.purpose == purpose else step.to
        views = step.views
        if step.purpose == "vote":
            views = (*views, View("board", (purpose,)))
        steps.append(step._replace(to=to, views=views))
    return replace(graph, steps=tuple(steps))


@pytest.mark.parametrize("purpose", ["reflection", "plan", "chat", "vote", "decision"])
def test_a_leaked_secret_would_be_seen(purpose: str) -> None:
    roles = ["coordinated", "observer", "coordinated", "blind", "observer"]
    setup = deliberation(roles, Settings(rounds=2, verify="alone"))
    leaking = replace(setup, graph=leaked(setup.graph, purpose))
    puppet = secretive(leaking)
    play(played_by(leaking, puppet))
    with pytest.raises(AssertionError, match=f"purpose='{purpose}'"):
        check_secrets(leaking, puppet)


def test_a_secret_told_to_the_wrong_seat_would_be_seen() -> None:
    setup = deliberation(["observer", "coordinated", "coordinated"], Settings(rounds=1))
    briefs = (setup.briefs[0]._replace(truth=setup.briefs[1].truth), *setup.briefs[1:])
    telling = replace(setup, briefs=briefs)
    puppet = secretive(telling)
    play(played_by(telling, puppet))
    with pytest.raises(KeyError):
        check_secrets(telling, puppet)


@given(CASTS, DEBATES)
def test_the_graph_of_a_deliberation_offers_no_step_a_secret(
    roles: list[str], given: Settings
) -> None:
    graph = deliberation(roles, given).graph
    for index, source in readers(graph):
        assert source < index
        assert may_hear(roles, graph.steps[index], graph.steps[source])
    for step in graph.steps:
        if step.purpose in PRIVATE_TO_ALL:
            assert step.to == ()
        if step.purpose in PRIVATE_TO_SELF | {"decision"}:
            assert step.to == (step.seat,)
        if step.purpose == "chat":
            assert {roles[reader] for reader in step.to} == {"coordinated"}


# --- chatrooms: what benign agents hold, and what sybils are told ------------------------------

GUESTS = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.sampled_from(["observer", "observer", "sybil"]), min_size=n, max_size=n)
)
ROOMS = st.builds(
    lambda span, **others: Settings(window=span[0], block=span[1], **others),
    span=st.sampled_from([(0, 1), (2, 1), (2, 2)]),
    rounds=st.integers(1, 5),
    network=st.sampled_from(["complete", "ring", "star", "0-1"]),
    reasks=st.sampled_from(["", "own", "anonymous own"]),
    defence=st.sampled_from(["", "check", "monitor"]),
)
NEIGHBOURS: dict[str, Callable[[int, int, int], bool]] = {
    "complete": lambda one, other, n: True,
    "ring": lambda one, other, n: (one - other) % n in {1, n - 1},
    "star": lambda one, other, n: 0 in {one, other},
    "0-1": lambda one, other, n: {one, other} == {0, 1},
}


def holding(setup: Setup) -> Puppet:
    """A puppet that holds and says another token nobody can guess each time it is asked; one reply
    in ten is invalid."""

    def say(step: int, attempt: int, seen: Observation) -> Reply:
        bad = digest("bad", step, attempt)[0] < 26
        text = token(step, attempt)
        return Reply(text, None if bad else text, text, valid=not bad, why="bad" if bad else "")

    return Puppet(setup, say)


def may_recall(setup: Setup, network: str, asked: Step, said: Step) -> bool:
    """Whether what was said may be read in what is asked, in the paper's words: the talk as far as
    one hears it, and one's own answer alone."""
    talking = asked.purpose in {"message", "probe"}
    own, n = said.seat == asked.seat, sum(seat.role != MONITOR for seat in setup.graph.seats)
    if said.purpose == "message":
        return talking and (own or NEIGHBOURS[network](said.seat, asked.seat, n))
    return said.purpose == "decision" and own and talking


def check_room(
    setup: Setup, network: str, puppet: Puppet, shown: Callable[[Observation], str] = repr
) -> int:
    """Check all that was seen against what each agent may know; return how much was read."""
    steps, read = setup.graph.steps, 0
    said = {token(i, a): i for i in range(len(steps)) for a in range(setup.retries + 1)}
    for index, _, observation in puppet.seen:
        step, seen = steps[index], shown(observation)
        sybil = setup.graph.seats[step.seat].role == "sybil"
        told = {secret("persona", step.seat)} | ({secret("lure", step.seat)} if sybil else set())
        found = set(SECRET.findall(seen))
        assert told <= found
        for one in found - told:
            assert may_recall(setup, network, step, steps[said[one]]), (step, steps[said[one]])
            read += 1
        assert set(EVIDENCE.findall(seen)) == {str(step.seat)}
        assert sybil or "sybil" not in seen
        for heard in observation.heard:
            assert heard.section in ({"history"} if sybil else {"history", "check", "warnings"})
            for entry in heard.entries:
                mine = steps[entry.step].seat == step.seat
                hidden = mine and step.variant == "anonymous" and heard.section == "history"
                assert entry.own == (mine and not hidden)
                assert not (hidden and entry.name)
    return read


def chatted(observation: Observation) -> str:
    """The prompt that a model would be sent."""
    return prompt(observation, "claims", "chatroom")


@given(GUESTS, ROOMS, st.booleans())
@settings(max_examples=500)
def test_no_private_answer_and_no_brief_of_another_is_seen(
    roles: list[str], given: Settings, waits: bool
) -> None:
    setup = room(roles, given, retries=1)
    puppet = holding(setup)
    if waits:
        played = run(play_waiting(played_by(setup, Waiting(puppet))))
    else:
        played = play(played_by(setup, puppet))
    steps = setup.graph.steps
    asked = {index for index, step in enumerate(steps) if step.kind == "model"}
    assert {index for index, _, _ in puppet.seen} == asked
    read = check_room(setup, given.network, puppet)
    assert check_room(setup, given.network, puppet, chatted) == read
    for attempt in played.attempts:
        if steps[attempt.step].purpose == "monitor":
            assert not SECRET.search(repr(attempt.reply))


def test_what_a_guest_may_know_is_read() -> None:
    roles = ["sybil", "observer", "observer", "observer"]
    setup = room(roles, Settings(4, reasks="own anonymous", defence="check"), retries=1)
    puppet = holding(setup)
    play(played_by(setup, puppet))
    read = check_room(setup, "complete", puppet)
    assert check_room(setup, "complete", puppet, chatted) == read > 300


def test_warnings_are_read_by_benign_agents_alone() -> None:
    setup = room(["sybil", "observer", "observer"], Settings(3, defence="monitor"), retries=1)
    puppet = holding(setup)
    played = play(played_by(setup, puppet))
    steps = setup.graph.steps
    warned = {
        (steps[index].seat, steps[index].round)
        for index, _, observation in puppet.seen
        for heard in observation.heard
        if heard.section == "warnings" and heard.entries
    }
    given = [a.reply for a in played.attempts if steps[a.step].purpose == "monitor"]
    assert [reply.valid for reply in given] == [True] * 3
    assert warned == {(seat, current) for seat in (1, 2) for current in (2, 3)}


@pytest.mark.parametrize("purpose", ["probe", "decision"])
def test_a_leaked_private_answer_would_be_seen(purpose: str) -> None:
    setup = room(["sybil", "observer", "observer"], Settings(2, defence="check"))
    leak = View("history", (purpose,))
    everyone = (0, 1, 2)
    steps = tuple(
        step._replace(
            to=everyone if step.purpose == purpose else step.to,
            views=(*step.views, leak) if step.purpose == "message" else step.views,
        )
        for step in setup.graph.steps
    )
    leaking = replace(setup, graph=replace(setup.graph, steps=steps))
    puppet = holding(leaking)
    play(played_by(leaking, puppet))
    with pytest.raises(AssertionError, match=f"purpose='{purpose}'"):
        check_room(leaking, "complete", puppet)


@pytest.mark.parametrize("field", ["persona", "lure"])
def test_a_brief_told_to_the_wrong_guest_would_be_seen(field: str) -> None:
    setup = room(["observer", "sybil"], Settings(rounds=1))
    other = {field: secret(field, 1)}
    briefs = (setup.briefs[0]._replace(fellows=tuple(other.values())), setup.briefs[1])
    telling = replace(setup, briefs=briefs)
    puppet = holding(telling)
    play(played_by(telling, puppet))
    with pytest.raises(KeyError, match=other[field]):
        check_room(telling, "complete", puppet)
