"""Which agent can matter, from lineage alone: the part of attribution that needs no patch."""

from __future__ import annotations

from math import isnan
from typing import NamedTuple

from socialcircuits.graph import Graph
from socialcircuits.interventions.attribution import arrivals, clock

__all__ = ["Structure", "structure"]


class Structure(NamedTuple):
    """What the lineage of a trial says of one seat.

    Args:
        agent: key of the seat.
        mean_arrival: D, in utterances, over the seats that it reaches; None where it reaches none.
        closeness: E, per round.
        unreached: number of other seats that it does not reach.
        out_degree: number of utterances that it says to others.
        paths: earliest-arrival paths of others that lead through it.
    """

    agent: str
    mean_arrival: float | None
    closeness: float
    unreached: int
    out_degree: int
    paths: int


def structure(graph: Graph) -> list[Structure]:
    """Return what the lineage of a trial says of each seat, in seat order.

    Where readers are unknown nobody is claimed: `closeness` is at least, and `unreached` at most,
    what it says; the mean arrival over the seats that are reached has no such bound.

    Args:
        graph: of the trial.

    Source: Flag Game, Sec. 5.1 and Appendix F.

    >>> from socialcircuits.graph import Settings, observers
    >>> from socialcircuits.protocols import find
    >>> from socialcircuits.seeds import Stream
    >>> graph = find("broadcast").graph(observers(3), Settings(rounds=2), Stream(b"", ""))
    >>> structure(graph)[0]
    Structure(agent='0', mean_arrival=3.0, closeness=1.0, unreached=0, out_degree=2, paths=0)
    """
    found = arrivals(graph)
    passed, times = found.relayed(), clock(graph)
    said = [step.seat for step, time in zip(graph.steps, times, strict=True) if time]
    rows = []
    for seat, place in enumerate(graph.seats):
        mean = float(found.reach.mean_arrival[seat])
        rows.append(
            Structure(
                agent=place.key,
                mean_arrival=None if isnan(mean) else mean,
                closeness=float(found.reach.closeness[seat]),
                unreached=int(found.reach.unreached[seat]),
                out_degree=said.count(seat),
                paths=passed[seat],
            )
        )
    return rows
