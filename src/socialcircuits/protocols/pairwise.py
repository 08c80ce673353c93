"""Pairwise gossip (Flag Game, section 3.2): one speaker, one listener, private probes a round."""

from collections.abc import Iterator, Sequence

from socialcircuits.graph import (
    Graph,
    Protocol,
    Readout,
    Seat,
    Settings,
    Step,
    View,
    build,
    observers,
)
from socialcircuits.seeds import Stream


def _steps(agents: range, settings: Settings, stream: Stream) -> Iterator[Step]:
    memory = (View("memory", purposes=("message",), last=settings.memory),)
    for agent in agents:
        yield Step(agent, "guess", 0, shared=True)
    for agent in agents:
        yield Step(agent, "probe", 0, views=memory)
    for current in range(1, settings.rounds + 1):
        for _ in agents:
            speaker, listener = stream.distinct_pair(agents)
            yield Step(speaker, "message", current, to=(listener,), views=memory, form="spoken")
        for agent in agents:
            yield Step(agent, "probe", current, views=memory)


def graph(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
    """Return the graph of one pairwise trial: N interactions a round, every agent probed before
    the first round and after each.

    >>> from socialcircuits.graph import observers
    >>> trial = graph(observers(4), Settings(rounds=2), Stream(b"seed", "schedule"))
    >>> len(trial.steps)
    24
    """
    agents = range(len(cast))
    readout = Readout("probe", tuple(agents), first_round=0)
    return build(cast, _steps(agents, settings, stream), readout, settings.stop)


PAIRWISE = Protocol("pairwise", observers, graph)
