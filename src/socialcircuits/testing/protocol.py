"""The kit for protocols: a graph that is legal, repeatable, and the same however it is run."""

from __future__ import annotations

import asyncio
from itertools import product

from socialcircuits.errors import GraphError
from socialcircuits.graph import Brief, Graph, Observation, Protocol, Reply, Settings, build
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.records import Attempt, Played
from socialcircuits.seeds import Stream, digest
from socialcircuits.testing.rule import demand
from socialcircuits.trial import Setup, play, play_waiting

SIZES = (2, 3, 5)
ROUNDS = (1, 4)
STOPS = (None, 2)
ANSWERS = ("Mali", "Peru", "Chad")
GIVEN = Reply("Chad", "Chad")


def check_protocol(protocol: Protocol) -> None:
    """Check that a protocol keeps the rules of the data model, for several N, rounds and stops.

    N seats bear evidence; isolated guesses are steps that all conditions share; the graph can be
    built, is the same for equal streams and keeps private what is private; steps are numbered in
    order; and asking one at a time or all at once gives one and the same record, in which no reply
    is void. A protocol of rounds makes one isolated guess a seat, has a step in every round that is
    set, and reads every round out; any other has the same graph whatever rounds and stop are set.

    Args:
        protocol: the protocol.

    Raises:
        AssertionError: the first rule that is broken, in one sentence.

    >>> from socialcircuits.protocols import find
    >>> check_protocol(find("pairwise"))
    """
    demand(bool(protocol.name), "a protocol must have a name")
    check = _check_rounds if protocol.in_rounds else _check_alone
    for n, rounds, stop in product(SIZES, ROUNDS, STOPS):
        settings = Settings(rounds=rounds, stop=stop)
        where = f"with N = {n} and {rounds} rounds"
        graph = _graph(protocol, n, settings, where)
        demand(
            graph == _graph(protocol, n, settings, where),
            f"equal streams {where} must give equal graphs",
        )
        _check_built(graph, where)
        _check_bearers(protocol, graph, n, where)
        check(protocol, graph, settings, where)
        _check_played(graph, where)


def _check_rounds(protocol: Protocol, graph: Graph, settings: Settings, where: str) -> None:
    demand(graph.stop == settings.stop, f"the graph {where} must have the stop rule that is set")
    demand(
        graph.rounds == settings.rounds,
        f"the graph {where} must have steps up to round {settings.rounds}, not {graph.rounds}",
    )
    bearers = [i for i, seat in enumerate(graph.seats) if seat.role in protocol.bears]
    once = sorted(step.seat for step in graph.steps if step.purpose == "guess") == bearers
    demand(once, f"each seat that bears evidence, and no other, must guess once {where}")
    _check_readout(graph, where)


def _check_alone(protocol: Protocol, graph: Graph, settings: Settings, where: str) -> None:
    n = sum(seat.role in protocol.bears for seat in graph.seats)
    plain = _graph(protocol, n, Settings(), where)
    demand(graph == plain, f"the graph {where} must not depend on rounds and stop rule")


def _graph(protocol: Protocol, n: int, settings: Settings, where: str) -> Graph:
    stream = Stream(digest("check_protocol", n, settings.rounds), "schedule")
    try:
        return protocol.graph(protocol.seats(n), settings, stream)
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


def _check_bearers(protocol: Protocol, graph: Graph, n: int, where: str) -> None:
    bearers = sum(seat.role in protocol.bears for seat in graph.seats)
    demand(bearers == n, f"{n} seats must bear evidence {where}, not {bearers}")
    guesses = [step for step in graph.steps if step.purpose == "guess"]
    isolated = all(step.shared and step.kind == "model" for step in guesses)
    demand(isolated, f"guesses {where} must be shared steps, asked without any memory")


def _check_readout(graph: Graph, where: str) -> None:
    purpose, seats, first = graph.readout
    demand(bool(seats), f"the readout {where} must have a seat")
    demand(first <= 1, f"the readout {where} must begin in round 0 or 1, not {first}")
    for current in range(first, graph.rounds + 1):
        here = [s.seat for s in graph.steps if (s.purpose, s.round) == (purpose, current)]
        whole = sorted(here) == sorted(seats)
        demand(whole, f"each seat of the readout must be read out once in round {current} {where}")


def _check_played(graph: Graph, where: str) -> None:
    setup = _setup(graph, _Voter())
    alone = play(setup)
    answered = {attempt.step for attempt in alone.attempts}
    due = {i for i, step in enumerate(graph.steps) if step.round <= alone.cut}
    demand(answered == due, f"every step up to the last round must be answered {where}")
    together = asyncio.run(play_waiting(_setup(graph, _Voter(waits=True))))
    same = _record(together) == _record(alone)
    demand(same, f"asking all at once {where} must give the record of asking one at a time")
    demand(together.voided == 0, f"no reply may be void {where}, but {together.voided} are")


def _record(played: Played) -> tuple[int, tuple[Attempt, ...]]:
    return played.cut, played.attempts


def _setup(graph: Graph, mind: _Voter) -> Setup:
    seats = len(graph.seats)
    return Setup(
        shared_seed=digest("check_protocol", "shared"),
        trial_seed=digest("check_protocol", "trial"),
        graph=graph,
        minds=(mind,) * seats,
        evidence=(None,) * seats,
        answers=(ANSWERS,) * seats,
        briefs=tuple(Brief(seat.role) for seat in graph.seats),
        given={graph.step_id(i): GIVEN for i, s in enumerate(graph.steps) if s.kind == "given"},
    )


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
        heard = [e.reply.answer for part in observation.heard for e in part.entries]
        if draw[0] < 16:
            return Reply("?", valid=False, why="scripted")
        answer = heard[-1] if heard and draw[0] < 224 else ANSWERS[draw[1] % len(ANSWERS)]
        return Reply(str(answer), answer)

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        for _ in range(draw[2] % 8):
            await asyncio.sleep(0)
        return self.answer(observation, draw)
