"""The walk that derives what a step reads (rule 5). The only place where a context is decided."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Literal, NamedTuple

from socialcircuits.errors import GraphError
from socialcircuits.graph.graph import Graph
from socialcircuits.graph.vocabulary import Entry, Heard, Reply, Step, View

Delivered = Callable[[int], "Reply | None | Literal[False]"]
"""step index -> its delivered reply, None if it delivers nothing, False if not yet known."""


class Blocked(NamedTuple):
    """The walk met a step whose outcome is not yet known."""

    step: int


class Walk:
    """For one graph: which earlier steps each step may read, and what it does read.

    Candidates are all earlier steps of the view's purposes that have the reader in `to` and whose
    edge is not cut. The walk goes from the newest back, keeps what was delivered until `last` or
    `max_bytes`, and turns the result round. Invalid and withheld outputs take no slot.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        views = {view for step in graph.steps for view in step.views}
        self._inbox: dict[tuple[View, int], list[int]] = {}
        by_purpose: dict[str, list[View]] = {}
        for view in views:
            for purpose in view.purposes:
                by_purpose.setdefault(purpose, []).append(view)
        cuts = graph.cuts
        for index, step in enumerate(graph.steps):
            for reader in step.to:
                if cuts and (index, reader) in cuts:
                    continue
                for view in by_purpose.get(step.purpose, ()):
                    if view.whose != "any" and (view.whose == "own") != (reader == step.seat):
                        continue
                    self._inbox.setdefault((view, reader), []).append(index)

    def candidates(self, index: int, view: View) -> list[int]:
        """Return the earlier steps that a step may read through a view, in order."""
        inbox, low, high = self._span(index, view)
        return inbox[low:high]

    def _span(self, index: int, view: View) -> tuple[list[int], int, int]:
        steps = self._graph.steps
        step = steps[index]
        inbox = self._inbox.get((view, step.seat), [])
        high = bisect_left(inbox, index)
        if view.round == "any":
            return inbox, 0, high
        wanted = step.round - (view.round == "previous")
        low = bisect_left(inbox, wanted, key=lambda i: steps[i].round)
        high = min(high, bisect_left(inbox, wanted + 1, key=lambda i: steps[i].round))
        return inbox, low, high

    def read(self, index: int, delivered: Delivered) -> tuple[Heard, ...] | Blocked:
        """Return what a step reads, a section a view, or the unresolved step that blocks it."""
        step = self._graph.steps[index]
        sections = []
        for view in step.views:
            section = self._section(index, step, view, delivered)
            if isinstance(section, Blocked):
                return section
            sections.append(section)
        return tuple(sections)

    def _section(self, index: int, step: Step, view: View, delivered: Delivered) -> Heard | Blocked:
        steps, room = self._graph.steps, view.max_bytes
        entries: list[Entry] = []
        inbox, low, position = self._span(index, view)
        while position > low and len(entries) != view.last:
            source = inbox[position - 1]
            reply = delivered(source)
            if reply is False:
                return Blocked(source)
            if steps[source].round > step.round:
                raise GraphError(f"step {index} would read forward in time")
            if reply is not None:
                if room is not None:
                    room -= len(reply.text.encode("utf-8", "surrogatepass"))
                    if room < 0:
                        break
                entries.append(Entry(source, steps[source].seat == step.seat, reply))
            position -= 1
        entries.reverse()
        return Heard(view.section, tuple(entries), position - low)
