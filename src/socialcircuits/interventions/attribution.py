"""Social circuit attribution: which agent matters, from the graph of a trial and a few numbers.

Information goes from a step to a later one only where the later one may read it: in order of steps
and along views, cuts respected. How long a memory is, and what a model makes of what it reads, is
not looked at: arrival is an opportunity, not an effect.

Source: Flag Game, Sec. 5.1 and Appendix F.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from socialcircuits.graph import Graph, Walk
from socialcircuits.interventions.shapley import Shapley
from socialcircuits.theory.arrival import NEVER, Reach, reach

__all__ = ["Arrivals", "Arrived", "Score", "arrivals", "clock", "scores"]


class Arrived(NamedTuple):
    """How what a source knows first reaches an agent: an edge of its earliest-arrival tree.

    Args:
        source: number of the seat from which it starts.
        agent: number of the seat that is reached.
        time: when, on the clock of `clock`.
        speaker: number of the seat that says it.
        step: id of the step in which it is said.
        round: the round of this step.
    """

    source: int
    agent: int
    time: int
    speaker: int
    step: str
    round: int


@dataclass(frozen=True)
class Arrivals:
    """When what each seat knows at the start can first reach each other seat.

    Args:
        graph: the graph.
        times: tau, shape (seats, seats), source by reader: 0 for the source itself, `NEVER` where
            it is not reached.
        steps: shape (seats, seats), index of the step in which it is first said to the reader; -1
            for the source itself and where it is not reached.
    """

    graph: Graph
    times: NDArray[np.int64]
    steps: NDArray[np.int64]

    @cached_property
    def reach(self) -> Reach:
        """D, E and the number of unreached seats, one a source, with N the number of seats.

        A seat that is not reached adds zero to E and is left out of D. Equal arrival times in
        another order give equal numbers to the last digit.
        """
        return reach(np.sort(self.times, axis=1))

    def tree(self, source: int) -> list[Arrived]:
        """Return the earliest-arrival tree of a source, in order of time; unreached seats have no
        row."""
        seats = [j for j in range(len(self.graph.seats)) if self.steps[source, j] >= 0]
        rows = []
        for seat in sorted(seats, key=lambda j: (self.times[source, j], self.steps[source, j], j)):
            index, time = int(self.steps[source, seat]), int(self.times[source, seat])
            step = self.graph.steps[index]
            name = self.graph.step_id(index)
            rows.append(Arrived(source, seat, time, step.seat, name, step.round))
        return rows

    def relayed(self) -> list[int]:
        """Count for each seat the earliest-arrival paths of others that lead through it: ordered
        pairs of two other seats whose tree path has it between them, 0 to (N - 1)(N - 2)."""
        counts = [0] * len(self.graph.seats)
        for source in range(len(counts)):
            behind = [0] * len(counts)
            for row in reversed(self.tree(source)):
                behind[row.speaker] += behind[row.agent] + 1
                counts[row.agent] += behind[row.agent]
        return counts


def clock(graph: Graph) -> list[int]:
    """Return the time at which each step has been said to others; 0 for steps that nobody else
    reads.

    One unit is one utterance. Utterances of one purpose and round that do not read each other are
    said at once and arrive together, with the last of them. So the time of a pairwise message is
    its index from 1; the reports of a broadcast round r arrive at N r; reports to a manager in
    round 1 at N, its decision at N + 1.

    Source: Flag Game, Appendix F, for the global message index.

    >>> from socialcircuits.graph import Settings, observers
    >>> from socialcircuits.protocols import find
    >>> from socialcircuits.seeds import Stream
    >>> graph = find("broadcast").graph(observers(3), Settings(rounds=2), Stream(b"", ""))
    >>> clock(graph)
    [0, 0, 0, 3, 3, 3, 0, 0, 0, 6, 6, 6, 0, 0, 0]
    """
    times, said = [0] * len(graph.steps), 0
    together: list[int] = []
    for index, step in enumerate(graph.steps):
        if not any(reader != step.seat for reader in step.to):
            continue
        said += 1
        if together:
            first = graph.steps[together[0]]
            of_one_kind = (first.purpose, first.round) == (step.purpose, step.round)
            if not of_one_kind or _reads(graph, index):
                together = []
        together.append(index)
        for one in together:
            times[one] = said
    return times


def _reads(graph: Graph, index: int) -> bool:
    """Whether a step may read others of its own purpose and round."""
    step = graph.steps[index]
    return any(
        step.purpose in view.purposes and view.whose != "own" and view.round != "previous"
        for view in step.views
    )


def arrivals(graph: Graph) -> Arrivals:
    """Follow what each seat knows at the start through a graph.

    A step carries what its seat knows and all that its sources carry; its sources are the
    candidates of its views. A seat is reached when that is said to it, provided that it reads it
    in some later step. Given steps carry nothing.

    Args:
        graph: any graph; cut edges carry nothing.

    Source: Flag Game, Appendix F, tau_ij(0): chronological order, waiting allowed, and relaying
    within a round in the order of messages.

    >>> from socialcircuits.graph import Settings, observers
    >>> from socialcircuits.protocols import find
    >>> from socialcircuits.seeds import Stream
    >>> graph = find("pairwise").graph(observers(4), Settings(rounds=1), Stream(b"seed", ""))
    >>> [(s.seat, *s.to) for s in graph.steps if s.purpose == "message"]
    [(1, 2), (0, 3), (0, 3), (1, 3)]
    >>> found = arrivals(graph)
    >>> found.times[1].tolist() == [NEVER, 0, 1, 4], found.reach.unreached.tolist()
    (True, [2, 1, 3, 3])
    """
    walk, seats, times = Walk(graph), len(graph.seats), clock(graph)
    sources = [
        [source for view in step.views for source in walk.candidates(index, view)]
        for index, step in enumerate(graph.steps)
    ]
    read = {(s, graph.steps[i].seat) for i, found in enumerate(sources) for s in found}
    known = [1 << seat for seat in range(seats)]
    carried = [0] * len(graph.steps)
    arrived = np.full((seats, seats), NEVER)
    np.fill_diagonal(arrived, 0)
    steps = np.full((seats, seats), -1)
    for index, step in enumerate(graph.steps):
        if not step.to or step.kind == "given":
            continue
        held = 1 << step.seat
        for source in sources[index]:
            held |= carried[source]
        carried[index] = held
        for reader in step.to:
            new = held & ~known[reader]
            if new and times[index] and (index, reader) in read:
                found = _members(new, seats)
                arrived[found, reader], steps[found, reader] = times[index], index
                known[reader] |= held
    return Arrivals(graph, arrived, steps)


def _members(bits: int, seats: int) -> NDArray[np.intp]:
    """The places of the bits that are set."""
    octets = np.frombuffer(bits.to_bytes(-(-seats // 8), "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(octets, bitorder="little"))


class Score(NamedTuple):
    """What is predicted and measured of one agent.

    Args:
        agent: number of its seat.
        original: share of isolated probes of its own evidence that are right, 0 to 1.
        informative: the same for the informative evidence.
        mean_arrival: D, in utterances, over the seats that it reaches; None where it reaches none.
        closeness: E, per round: N over the arrival time, averaged over all other seats.
        unreached: number of other seats that it does not reach.
        out_degree: number of utterances that it says to others.
        paths: see `Arrivals.relayed`.
        effect: dA, the measured change of the group's accuracy when it alone is patched.
        direct: the part of dA that remains when all others say what they said in the original;
            None where it was not measured.
        shapley: its part of what patching all agents gains; None where it was not measured.
    """

    agent: int
    original: float
    informative: float
    mean_arrival: float | None
    closeness: float
    unreached: int
    out_degree: int
    paths: int
    effect: float
    direct: float | None = None
    shapley: Shapley | None = None

    @property
    def gain(self) -> float:
        """dp: what the informative evidence gains over its own, -1 to 1."""
        return self.informative - self.original

    @property
    def score(self) -> float:
        """S = dp E, the social circuit attribution score.

        Source: Flag Game, Appendix F.

        >>> Score(4, 0.0, 1.0, 12.9, 1.81, 0, 10, 5, 0.75).score
        1.81
        """
        return self.gain * self.closeness

    @property
    def relayed(self) -> float | None:
        """What of dA needs others to say something else: dA less its direct part."""
        return None if self.direct is None else self.effect - self.direct


def scores(
    found: Arrivals,
    probed: Mapping[int, tuple[float, float]],
    effects: Mapping[int, float],
    direct: Mapping[int, float],
    shares: Mapping[int, Shapley],
) -> list[Score]:
    """Put together what is predicted and measured of each agent.

    Args:
        found: the arrival times of the original trial.
        probed: agent -> shares of isolated probes that are right: of its own evidence, and of the
            informative one.
        effects: agent -> dA.
        direct: agent -> the direct part of dA; empty where it was not measured.
        shares: agent -> its Shapley value; empty where it was not measured.
    """
    said = [time > 0 for time in clock(found.graph)]
    speakers = [step.seat for step, aloud in zip(found.graph.steps, said, strict=True) if aloud]
    passed = found.relayed()
    rows = []
    for agent, (original, informative) in probed.items():
        mean = float(found.reach.mean_arrival[agent])
        rows.append(
            Score(
                agent=agent,
                original=original,
                informative=informative,
                mean_arrival=None if isnan(mean) else mean,
                closeness=float(found.reach.closeness[agent]),
                unreached=int(found.reach.unreached[agent]),
                out_degree=speakers.count(agent),
                paths=passed[agent],
                effect=effects[agent],
                direct=direct.get(agent),
                shapley=shares.get(agent),
            )
        )
    return rows
