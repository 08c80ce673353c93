"""Broadcast (Flag Game, section 3.2): all report, all read all reports of the round, all decide."""

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


def _steps(agents: range, settings: Settings) -> Iterator[Step]:
    memory = View("memory", purposes=("decision",), whose="own", last=settings.memory)
    reports = View("reports", purposes=("report",), round="same")
    everyone = tuple(agents)
    for agent in agents:
        yield Step(agent, "guess", 0, shared=True)
    for current in range(1, settings.rounds + 1):
        for agent in agents:
            yield Step(agent, "report", current, to=everyone, views=(memory,), form="spoken")
        for agent in agents:
            views = (memory, reports)
            yield Step(agent, "decision", current, to=(agent,), views=views, form="spoken")


def graph(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
    """Return the graph of one broadcast trial. The stream is not used: nothing is drawn.

    An agent remembers its own decisions only; a decision also reads one's own report.

    >>> from socialcircuits.graph import observers
    >>> trial = graph(observers(4), Settings(rounds=2), Stream(b"seed", "schedule"))
    >>> len(trial.steps)
    20
    """
    agents = range(len(cast))
    readout = Readout("decision", tuple(agents), first_round=1)
    return build(cast, _steps(agents, settings), readout, settings.stop)


BROADCAST = Protocol("broadcast", observers, graph)
