"""The kit for protocols: a graph that is legal, repeatable, and the same however it is run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import product
from typing import Any

from socialcircuits.errors import GraphError
from socialcircuits.graph import (
    ADVERSARIES,
    Brief,
    Graph,
    Observation,
    Protocol,
    Reply,
    Seat,
    Settings,
    Walk,
    build,
)
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.records import Attempt, Played
from socialcircuits.seeds import Stream, digest
from socialcircuits.testing.rule import demand
from socialcircuits.trial import Setup, play, play_waiting

SIZES = (2, 3, 5)
ROUNDS = (1, 4)
STOPS = (None, 2)
ROLES = ("observer", *ADVERSARIES)
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "verify": ({"verify": "alone"}, {"verify": "claim"}),
    "window": ({"window": 2, "block": 1},),
    "network": ({"network": "ring"}, {"network": "star"}),
    "reasks": ({"reasks": "own anonymous"},),
    "defence": ({"defence": "check"}, {"defence": "monitor"}),
}
"""What is tried of the settings that not every protocol takes, one after the other."""
ANSWERS = ("Mali", "Peru", "Chad")
GIVEN = Reply("Chad", "Chad")
AMONG_THEMSELVES = {"plan", "chat"}


def check_protocol(protocol: Protocol) -> None:
    """Check that a protocol keeps the rules of the data model, for several N, rounds and stops,
    with honest seats alone and with adversaries of each role among them.

    N seats bear evidence; isolated guesses are steps that all conditions share; the graph can be
    built, is the same for equal streams and keeps private what is private: only coordinated seats
    chat and are shown a chat. Steps are numbered in order; and asking one at a time or all at once
    gives one and the same record, in which no reply is void. In a protocol of rounds each seat that
    bears evidence makes one isolated guess, or speaks once in round 0 before it has heard anybody,
    or, if it is honest, is probed then; there is a step in every round that is set; every round is
    read out, or a vote is cast after the last one; and isolated guesses, and nothing else, go with
    the stop rule. Any other protocol has the same graph whatever rounds and stop are set. Settings
    that the protocol takes, such as `defence`, are tried one by one.

    Args:
        protocol: the protocol.

    Raises:
        AssertionError: the first rule that is broken, in one sentence.

    >>> from socialcircuits.protocols import find
    >>> check_protocol(find("pairwise"))
    """
    demand(bool(protocol.name), "a protocol must have a name")
    check = _check_rounds if protocol.in_rounds else _check_alone
    for cast, settings, where in _cases(protocol):
        graph = _graph(protocol, cast, settings, where)
        demand(
            graph == _graph(protocol, cast, settings, where),
            f"equal streams {where} must give equal graphs",
        )
        _check_built(graph, where)
        _check_chats(graph, where)
        _check_guesses(graph, where)
        check(protocol, graph, settings, where)
        _check_played(protocol, graph, where)


def _cases(protocol: Protocol) -> Iterator[tuple[tuple[Seat, ...], Settings, str]]:
    """All casts and settings, each with the words that name it."""
    options = [{}, *(option for name in protocol.takes for option in OPTIONS.get(name, ()))]
    for n, role in product(SIZES, ROLES):
        cast = _cast(protocol, n, role)
        among = "" if role == ROLES[0] else f" and {n // 2} {role}"
        for rounds, stop, option in product(ROUNDS, STOPS, options):
            set_to = "".join(f", {name} = {value}" for name, value in option.items())
            where = f"with N = {n}{among} and {rounds} rounds{set_to}"
            yield cast, Settings(rounds=rounds, stop=stop, **option), where


def _cast(protocol: Protocol, n: int, role: str) -> tuple[Seat, ...]:
    """The seats for N, the first half of those that bear evidence in a role."""
    seats = list(protocol.seats(n))
    bearers = [i for i, seat in enumerate(seats) if seat.role in protocol.bears]
    demand(len(bearers) == n, f"{n} seats must bear evidence with N = {n}, not {len(bearers)}")
    for i in bearers[: n // 2]:
        seats[i] = seats[i]._replace(role=role)
    return tuple(seats)


def _check_rounds(protocol: Protocol, graph: Graph, settings: Settings, where: str) -> None:
    demand(
        graph.rounds == settings.rounds,
        f"the graph {where} must have steps up to round {settings.rounds}, not {graph.rounds}",
    )
    if any(step.purpose == "guess" for step in graph.steps):
        same = graph.stop == settings.stop
        demand(same, f"the graph {where} must have the stop rule that is set")
    else:
        demand(graph.stop is None, f"the graph {where} must have no stop rule without guesses")
    _check_first(protocol, graph, where)
    voted = graph.readout.purpose == "vote"
    _check_readout(graph, (settings.rounds,) if voted else (0, 1), where)


def _check_first(protocol: Protocol, graph: Graph, where: str) -> None:
    bearers = [i for i, seat in enumerate(graph.seats) if seat.role in protocol.bears]
    honest = [i for i in bearers if graph.seats[i].role not in ADVERSARIES]
    guesses = sorted(step.seat for step in graph.steps if step.purpose == "guess")
    spoken = [seat for seat in _unmoved(graph, "message") if seat in bearers]
    once = guesses == bearers if guesses else spoken == bearers
    demand(
        once or (not guesses and _unmoved(graph, "probe") == honest),
        f"each seat that bears evidence must guess once {where}, and no other seat, or speak once "
        "in round 0 before it has heard anybody, or be probed then if it is honest",
    )


def _unmoved(graph: Graph, purpose: str) -> list[int]:
    """The seats that are asked for something in round 0 before they have heard anybody, once for
    each time; adversaries may have talked among themselves."""
    walk = Walk(graph)
    return sorted(
        step.seat
        for index, step in enumerate(graph.steps)
        if (step.purpose, step.round) == (purpose, 0)
        and all(
            graph.steps[source].purpose in AMONG_THEMSELVES
            for view in step.views
            for source in walk.candidates(index, view)
        )
    )


def _check_alone(protocol: Protocol, graph: Graph, settings: Settings, where: str) -> None:
    plain = _graph(protocol, graph.seats, Settings(), where)
    demand(graph == plain, f"the graph {where} must not depend on rounds and stop rule")


def _graph(protocol: Protocol, cast: tuple[Seat, ...], settings: Settings, where: str) -> Graph:
    stream = Stream(digest("check_protocol", len(cast), settings.rounds), "schedule")
    try:
        return protocol.graph(cast, settings, stream)
    except GraphError as error:
        raise AssertionError(f"the graph {where} must keep the data model: {error}") from error


def _check_built(graph: Graph, where: str) -> None:
    """Build the graph anew from its own steps: privacy, order and numbers are checked there."""
    unnumbered = [step._replace(nth=-1) for step in graph.steps]
    try:
        rebuilt = build(graph.seats, unnumbered, graph.readout, graph.stop)
    except GraphError as error:
        raise AssertionError(f"the graph {where} must keep the data model: {error}") from error
    numbered = rebuilt.steps == graph.steps
    demand(
        numbered,
        f"the steps {where} must be numbered from 0 in the graph's order, series by series",
    )


def _check_chats(graph: Graph, where: str) -> None:
    """Nothing in what a seat is shown may tell it that others chat."""
    for step in graph.steps:
        role = graph.seats[step.seat].role
        met = {step.purpose, *(purpose for view in step.views for purpose in view.purposes)}
        allowed = role == "coordinated" or "chat" not in met
        demand(allowed, f"no {role} may chat or be shown a chat {where}, but seat {step.seat} is")


def _check_guesses(graph: Graph, where: str) -> None:
    guesses = [step for step in graph.steps if step.purpose == "guess"]
    isolated = all(step.shared and step.kind == "model" for step in guesses)
    demand(isolated, f"guesses {where} must be shared steps, asked without any memory")


def _check_readout(graph: Graph, begins: tuple[int, ...], where: str) -> None:
    purpose, seats, first = graph.readout
    demand(bool(seats), f"the readout {where} must have a seat")
    rounds = " or ".join(map(str, begins))
    demand(first in begins, f"the readout {where} must begin in round {rounds}, not {first}")
    # A variant asks in other words, beside the readout.
    asked = [step for step in graph.steps if (step.purpose, step.variant) == (purpose, "")]
    for current in range(first, graph.rounds + 1):
        here = [s.seat for s in asked if s.round == current]
        whole = sorted(here) == sorted(seats)
        demand(whole, f"each seat of the readout must be read out once in round {current} {where}")


def _check_played(protocol: Protocol, graph: Graph, where: str) -> None:
    alone = play(_setup(protocol, graph, _Voter()))
    answered = {attempt.step for attempt in alone.attempts}
    due = {i for i, step in enumerate(graph.steps) if step.round <= alone.cut}
    demand(answered == due, f"every step up to the last round must be answered {where}")
    together = asyncio.run(play_waiting(_setup(protocol, graph, _Voter(waits=True))))
    same = _record(together) == _record(alone)
    demand(same, f"asking all at once {where} must give the record of asking one at a time")
    demand(together.voided == 0, f"no reply may be void {where}, but {together.voided} are")


def _record(played: Played) -> tuple[int, tuple[Attempt, ...]]:
    return played.cut, played.attempts


def _setup(protocol: Protocol, graph: Graph, mind: _Voter) -> Setup:
    seats = len(graph.seats)
    names = [f"{protocol.label} {i + 1}" if protocol.label else "" for i in range(seats)]
    return Setup(
        shared_seed=digest("check_protocol", "shared"),
        trial_seed=digest("check_protocol", "trial"),
        graph=graph,
        minds=(mind,) * seats,
        evidence=(None,) * seats,
        answers=(ANSWERS,) * seats,
        briefs=tuple(
            Brief(seat.role, name=name) for seat, name in zip(graph.seats, names, strict=True)
        ),
        given={graph.step_id(i): GIVEN for i, s in enumerate(graph.steps) if s.kind == "given"},
        computed=dict.fromkeys((s.purpose for s in graph.steps if s.kind == "computed"), _count),
    )


def _count(observation: Observation) -> Reply:
    """What a computed step says here: how much it read."""
    return Reply(str(sum(len(heard.entries) for heard in observation.heard)))


class _Voter:
    """Mostly says what it heard last, sometimes anything, now and then nothing readable; where it
    waits, replies overtake each other."""

    id = "check_protocol"

    def __init__(self, *, waits: bool = False) -> None:
        self.waits = waits

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """It reads no prompt."""
        return ()

    def digest(self, observation: Observation) -> bytes:
        return observation.digest()

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        heard = [e.reply.answer or e.reply.text for p in observation.heard for e in p.entries]
        if draw[0] < 16:
            return Reply("?", valid=False, why="scripted")
        answer = heard[-1] if heard and draw[0] < 224 else ANSWERS[draw[1] % len(ANSWERS)]
        return Reply(str(answer), answer)

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        for _ in range(draw[2] % 8):
            await asyncio.sleep(0)
        return self.answer(observation, draw)
