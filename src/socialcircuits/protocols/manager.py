"""Manager (Flag Game, section 3.2): observers report to a manager that sees no evidence."""

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
    memory = View("memory", purposes=("decision",), last=settings.memory)
    reports = View("reports", purposes=("report",), round="same")
    manager = len(agents)
    everyone = (*agents, manager)
    for agent in agents:
        yield Step(agent, "guess", 0, shared=True)
    for current in range(1, settings.rounds + 1):
        for agent in agents:
            yield Step(agent, "report", current, to=(manager,), views=(memory,), form="spoken")
        yield Step(manager, "decision", current, to=everyone, views=(memory, reports))


def seats(n: int) -> tuple[Seat, ...]:
    """Return n observers and, last, the manager.

    >>> seats(2)[-1]
    Seat(key='manager', role='manager')
    """
    return (*observers(n), Seat("manager", "manager"))


def graph(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
    """Return the graph of one manager trial. The stream is not used: nothing is drawn.

    The manager's decisions are an answer alone, whatever the bandwidth; they form the memory of
    observers and manager alike. Observers do not see each other's reports.

    >>> trial = graph(seats(4), Settings(rounds=2), Stream(b"seed", "schedule"))
    >>> len(trial.steps)
    14
    """
    agents = range(len(cast) - 1)
    readout = Readout("decision", (len(agents),), first_round=1)
    return build(cast, _steps(agents, settings), readout, settings.stop)


MANAGER = Protocol("manager", seats, graph)
