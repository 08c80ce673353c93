"""Who can read whom: an edge of the schedule is cut or added."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pydantic import Field

from socialcircuits.graph import build
from socialcircuits.interventions._base import AtAgents, Rounds, Scene, chosen, within
from socialcircuits.trial import Setup


class _Edge(AtAgents):
    """Between speakers (`agents`) and readers.

    Args:
        to: the readers, named like `agents`.
        rounds: first and last round; all if not given.
    """

    to: str | list[str] = "all"
    rounds: Rounds | None = None

    def steps(self, setup: Setup) -> list[int]:
        """Return the numbers of the steps that these speakers say to others."""
        seats = set(self.seats(setup))
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
        readers = chosen(setup, self.to)
        edges = [(i, r) for i in self.steps(setup) for r in readers if r in setup.graph.steps[i].to]
        return replace(setup, graph=setup.graph.cutting(edges))


class Overhear(_Edge):
    """The readers read it too, as if it had been said to them.

    Args:
        to: the readers, named like `agents`.
    """

    kind: Literal["overhear"] = "overhear"
    to: str | list[str] = Field(min_length=1)

    def apply(self, setup: Setup, scene: Scene) -> Setup:
        """Return the trial with the edge.

        Raises:
            GraphError: what is said is private.
        """
        graph, readers = setup.graph, chosen(setup, self.to)
        steps = list(graph.steps)
        for index in self.steps(setup):
            step = steps[index]
            more = [r for r in readers if r != step.seat and r not in step.to]
            steps[index] = step._replace(to=(*step.to, *more))
        whole = build(graph.seats, steps, graph.readout, graph.stop)
        return replace(setup, graph=replace(whole, cuts=graph.cuts))
