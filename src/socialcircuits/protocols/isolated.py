"""Isolated guesses (Flag Game, section 4 and appendix F): every agent answers alone."""

from collections.abc import Iterator, Sequence

from socialcircuits.graph import Graph, Protocol, Readout, Seat, Settings, Step, build, observers
from socialcircuits.seeds import Stream


def _steps(agents: range, settings: Settings) -> Iterator[Step]:
    for agent in agents:
        if settings.probes is None:
            yield Step(agent, "guess", 0, form="odds", shared=True)
        else:
            for _ in range(settings.probes):
                yield Step(agent, "guess", 0, shared=True)


def graph(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
    """Return the graph of isolated guesses, `settings.probes` a seat; nothing is read, no group
    belief is read out, and the stream is not used.

    The first probe of a seat is its isolated guess in all other protocols.

    >>> trial = graph(observers(1), Settings(probes=10), Stream(b"seed", "schedule"))
    >>> len(trial.steps), trial.step_id(9)
    (10, 'guess/0/9')
    """
    steps = _steps(range(len(cast)), settings)
    return build(cast, steps, Readout("guess", (), first_round=0))


ISOLATED = Protocol("isolated", observers, graph, least=1, in_rounds=False, takes=("probes",))
