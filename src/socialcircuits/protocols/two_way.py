"""Two-way probes (Flag Game, section 5.2): what each view says between the truth and one rival."""

from collections.abc import Iterator, Sequence

from socialcircuits.graph import Graph, Protocol, Readout, Seat, Settings, Step, build, observers
from socialcircuits.seeds import Stream

VARIANT = "two-way"
"""Variant of the steps at which only the truth and the rival are allowed."""


def _steps(agents: range, settings: Settings) -> Iterator[Step]:
    for agent in agents:
        yield Step(agent, "guess", 0, shared=True)
    for agent in agents:
        if settings.probes is None:
            yield Step(agent, "guess", 1, variant=VARIANT, form="odds", shared=True)
        else:
            for _ in range(settings.probes):
                yield Step(agent, "guess", 1, variant=VARIANT, shared=True)


def graph(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
    """Return the graph of the isolated guesses, by which the rival is chosen, and of
    `settings.probes` probes a seat between truth and rival. The stream is not used.

    >>> trial = graph(observers(4), Settings(probes=50), Stream(b"seed", "schedule"))
    >>> len(trial.steps), trial.step_id(4)
    (204, 'guess:two-way/0/0')
    """
    steps = _steps(range(len(cast)), settings)
    return build(cast, steps, Readout("guess", (), first_round=0))


TWO_WAY = Protocol("two-way", observers, graph, in_rounds=False, takes=("probes",))
