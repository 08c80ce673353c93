"""Who can read whom: an edge of the schedule is cut or added."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from socialcircuits.graph import build
from socialcircuits.interventions._base import (
    AtAgents,
    Keys,
    Rounds,
    Scene,
    chosen,
    fitting,
    within,
)
from socialcircuits.trial import Setup


class _Edge(AtAgents):
    """Between speakers (`agents`) and readers.

    Args:
        to: the readers, named like `agents`.
        rounds: first and last round; all if not given.
    """

    to: str | Keys = "all"
    rounds: Rounds | None = None

    def steps(self, setup: Setup) -> list[int]:
        """Return the numbers of the steps that these speakers say to others."""
        seats = set(self.seats(setup))
        fitting(setup, self.rounds)
        return [
            index
            for index, step in enumerate(setup.graph.steps)
            if step.seat in seats and step.to and within(self.rounds, step.round)
        ]


class Cut(_Edge):
    """Nothing is delivered along the edge; an older entry may stand in its place."""

    kind: Literal["cut"] = "cut"

    def apply(self, setup: Setup, scene: Scene) -> Setup:
        """Return the trial without the edge."""
        readers, steps = chosen(setup, self.to, readers=True), setup.graph.steps
        edges = [
            (i, r)
            for i in self.steps(setup)
            for r in readers
            if r in steps[i].to and r != steps[i].seat
        ]
        return replace(setup, graph=setup.graph.cutting(edges))


class Overhear(_Edge):
    """The readers read it too, as if it had been said to them.

    Args:
        to: the readers, named like `agents`.
    """

    kind: Literal["overhear"] = "overhear"
    to: str | Keys

    def apply(self, setup: Setup, scene: Scene) -> Setup:
        """Return the trial with the edge.

        Raises:
            GraphError: what is said is private.
        """
        graph, readers = setup.graph, chosen(setup, self.to, readers=True)
        steps, joined = list(graph.steps), set[tuple[int, int]]()
        for index in self.steps(setup):
            step = steps[index]
            more = [r for r in readers if r != step.seat and r not in step.to]
            steps[index] = step._replace(to=(*step.to, *more))
            joined |= {(index, reader) for reader in readers}
        whole = build(graph.seats, steps, graph.readout, graph.stop)
        return replace(setup, graph=replace(whole, cuts=graph.cuts - joined))
