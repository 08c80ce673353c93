"""A planted memory (Flag Game, section 5.1): one agent, what it remembers is given."""

from collections.abc import Iterator, Sequence

from socialcircuits.graph import Graph, Protocol, Readout, Seat, Settings, Step, View, build
from socialcircuits.graph.protocol import observers
from socialcircuits.seeds import Stream


def _steps(settings: Settings, peer: int) -> Iterator[Step]:
    memory = (View("memory", purposes=("message",), last=settings.memory),)
    agents = tuple(range(peer))
    for _ in range(settings.memory):
        yield Step(peer, "message", 0, to=agents, kind="given")
    for agent in agents:
        yield Step(agent, "probe", 1, views=memory)


def seats(n: int) -> tuple[Seat, ...]:
    """Return n observers and, last, the seat from which the planted messages come.

    >>> seats(1)[-1]
    Seat(key='peer', role='planted')
    """
    return (*observers(n), Seat("peer", "planted"))


def graph(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
    """Return the graph of `settings.memory` given messages and one private probe of each agent,
    with the words of the pairwise protocol. The stream is not used.

    >>> trial = graph(seats(1), Settings(), Stream(b"seed", "schedule"))
    >>> len(trial.steps), trial.steps[0].kind
    (9, 'given')
    """
    peer = len(cast) - 1
    readout = Readout("probe", tuple(range(peer)), first_round=1)
    return build(cast, _steps(settings, peer), readout)


PLANTED = Protocol(
    "planted", seats, graph, least=1, most=1, speaks="pairwise", in_rounds=False, takes=("lures",)
)
