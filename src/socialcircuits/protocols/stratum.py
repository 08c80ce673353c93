"""Four first answers of one agent, each alone: how hard an item is for its model (adversarial
deliberation, section 2.3)."""

from collections.abc import Sequence

from socialcircuits.graph import Graph, Protocol, Readout, Seat, Settings, Step, build, observers
from socialcircuits.seeds import Stream

TIMES = 4
"""How often the item is answered (section 2.3)."""


def graph(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
    """Return the graph of four answers under the instructions of the deliberation's round 0. They
    are read by nobody, and neither settings nor stream are used.

    >>> trial = graph(observers(1), Settings(), Stream(b"seed", "schedule"))
    >>> trial.step_id(3)
    'message:first/0/3'
    """
    steps = [Step(0, "message", 0, variant="first", form="spoken") for _ in range(TIMES)]
    return build(cast, steps, Readout("message", (), first_round=0))


STRATUM = Protocol(
    "stratum",
    observers,
    graph,
    least=1,
    most=1,
    speaks="deliberation",
    in_rounds=False,
    label="Colleague",
)
