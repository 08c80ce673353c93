"""What sits in a seat, what it is told about its part, and whether it is there at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field, model_validator

from socialcircuits.errors import SettingError
from socialcircuits.graph import Graph, Step
from socialcircuits.interventions._base import WHERE, AtAgents, Scene, chosen
from socialcircuits.prompts import WORDINGS
from socialcircuits.trial import Setup

HONEST: Mapping[str, object] = {"truth": "", "lure": "", "fellows": (), "group": 0}
"""What an honest agent is told of what adversaries know."""

SECRET = {"plan", "chat"}
"""Purposes of steps that only coordinated adversaries take."""


class Replace(AtAgents):
    """Another model sits there; another temperature is another model (``NAME?temperature=0``).

    Args:
        model: its name in casts.
    """

    kind: Literal["model"] = "model"
    model: str

    def models(self) -> tuple[str, ...]:
        """Return its name."""
        return (self.model,)

    def apply(self, setup: Setup, scene: Scene) -> Setup:
        """Return the trial with it in these seats.

        Raises:
            SettingError: no model has this name.
        """
        if self.model not in scene.minds:
            expected = "a declared model: " + ", ".join(scene.minds)
            raise SettingError(f"{WHERE}.model", self.model, expected, among=scene.minds)
        mind, seats = scene.minds[self.model], set(self.seats(setup))
        minds = tuple(mind if i in seats else held for i, held in enumerate(setup.minds))
        return replace(setup, minds=minds)


class Brief(AtAgents):
    """Agents are told something else about their part; what is not given stays.

    Args:
        m: message bandwidth, 1 or 3.
        alpha: prompted uptake from 0 to 1, or ``off``.
        role: the role that they are told, observer or blind; what they see stays. A deceiver so
            becomes honest: it is no longer told the truth, and neither chats nor plans.
        wording: departures from the printed prompts, by name.
    """

    kind: Literal["brief"] = "brief"
    m: Literal[1, 3] | None = None
    alpha: Annotated[float, Field(ge=0, le=1, strict=True)] | Literal["off"] | None = None
    role: Literal["observer", "blind"] | None = None
    wording: list[str] | None = None

    @model_validator(mode="after")
    def _says(self) -> Brief:
        said = (self.m, self.alpha, self.role, self.wording)
        if all(value is None for value in said):
            raise SettingError(f"{WHERE}.brief", "nothing", "m, alpha, role or wording")
        for name in self.wording or ():
            if name not in WORDINGS:
                expected = "some of " + ", ".join(WORDINGS)
                raise SettingError(f"{WHERE}.wording", name, expected, among=WORDINGS)
        return self

    def apply(self, setup: Setup, scene: Scene) -> Setup:
        """Return the trial in which they are told so."""
        changes: dict[str, object] = {}
        if self.m is not None:
            changes["bandwidth"] = self.m
        if self.alpha is not None:
            changes["uptake"] = None if self.alpha == "off" else round(1000 * float(self.alpha))
        if self.role is not None:
            changes.update(HONEST, role=self.role)
        if self.wording is not None:
            changes["wording"] = tuple(sorted(self.wording))
        seats = set(self.seats(setup))
        briefs = tuple(
            brief._replace(**changes) if i in seats else brief  # type: ignore[arg-type]
            for i, brief in enumerate(setup.briefs)
        )
        graph = setup.graph if self.role is None else _outside(setup.graph, seats)
        return replace(setup, briefs=briefs, graph=graph)


class Remove(AtAgents):
    """Agents are not there: they say nothing, hear nothing and are not asked.

    Everybody else keeps the schedule; what would have been said to them is said to nobody.
    """

    kind: Literal["remove"] = "remove"

    def apply(self, setup: Setup, scene: Scene) -> Setup:
        """Return the trial without these agents.

        Raises:
            SettingError: nobody is left.
        """
        gone, agents = set(self.seats(setup)), set(chosen(setup, "all"))
        if gone >= agents or gone - agents:
            expected = "agents, of whom at least one is left; a manager stays"
            raise SettingError(f"{WHERE}.agents", self.agents, expected)
        graph = _without(setup.graph, gone)
        ids = {graph.step_id(i) for i in range(len(graph.steps))}
        return replace(
            setup,
            graph=graph,
            evidence=tuple(None if i in gone else e for i, e in enumerate(setup.evidence)),
            edits={name: said for name, said in setup.edits.items() if name in ids},
            given={name: said for name, said in setup.given.items() if name in ids},
        )


def _without(graph: Graph, gone: set[int]) -> Graph:
    readout = graph.readout
    seats = tuple(seat for seat in readout.seats if seat not in gone)
    graph = _keeping(graph, lambda step: step.seat not in gone, lambda step: gone)
    return replace(graph, readout=readout._replace(seats=seats))


def _outside(graph: Graph, seats: set[int]) -> Graph:
    """The same graph in which these seats neither chat nor plan, and read nothing of it."""

    def kept(step: Step) -> bool:
        return step.seat not in seats or step.purpose not in SECRET

    graph = _keeping(graph, kept, lambda step: seats if step.purpose in SECRET else set())
    steps = tuple(
        step._replace(views=tuple(v for v in step.views if not SECRET.issuperset(v.purposes)))
        if step.seat in seats
        else step
        for step in graph.steps
    )
    return replace(graph, steps=steps)


def _keeping(graph: Graph, kept: Callable[[Step], bool], deaf: Callable[[Step], set[int]]) -> Graph:
    """The graph of the steps that are kept, each without the readers that are deaf to it."""
    indices = [i for i, step in enumerate(graph.steps) if kept(step)]
    new = {old: number for number, old in enumerate(indices)}
    steps = tuple(
        step._replace(to=tuple(r for r in step.to if r not in deaf(step)))
        for step in (graph.steps[i] for i in indices)
    )
    cuts = frozenset((new[i], reader) for i, reader in graph.cuts if i in new)
    return replace(graph, steps=steps, cuts=cuts)
