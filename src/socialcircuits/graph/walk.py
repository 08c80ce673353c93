"""The walk that derives what a step reads (rule 5). The only place where a context is decided."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from socialcircuits.errors import GraphError
from socialcircuits.graph.graph import Graph
from socialcircuits.graph.vocabulary import Entry, Heard, Reply, Step, View

Delivered = Callable[[int], "Reply | None | Literal[False]"]
"""step index -> its delivered reply, None if it delivers nothing, False if not yet known."""


class Blocked(NamedTuple):
    """The walk met a step whose outcome is not yet known."""

    step: int


class _Inbox:
    """All steps that one reader may read through one view, in order, and what was last read.

    Outcomes never change once known, so what was read up to a place can be kept for the next step
    that reads up to the same place.
    """

    __slots__ = ("heard", "span", "steps", "view")

    def __init__(self, view: View) -> None:
        self.view = view
        self.steps: list[int] = []
        self.span = (-1, -1)
        self.heard = Heard(view.section, ())


class Walk:
    """For one graph: which earlier steps each step may read, and what it does read.

    Candidates are all earlier steps of the view's purposes that have the reader in `to` and whose
    edge is not cut. The walk goes from the newest back, keeps what was delivered until `last` or
    `max_bytes`, and turns the result round. Invalid and withheld outputs take no slot.

    Args:
        graph: the graph.
        names: the name by which each seat is known to others; none where messages are unsigned.
    """

    def __init__(self, graph: Graph, names: Sequence[str] = ()) -> None:
        self._graph = graph
        self._names = tuple(names) or ("",) * len(graph.seats)
        self._inboxes: dict[tuple[View, int], _Inbox] = {}
        self._of_step: dict[tuple[int, int], tuple[_Inbox, ...]] = {}
        views = {view for step in graph.steps for view in step.views}
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
                    if view.whose == "any" or (view.whose == "own") == (reader == step.seat):
                        self._inbox(view, reader).steps.append(index)

    def _inbox(self, view: View, reader: int) -> _Inbox:
        slot = (view, reader)
        if slot not in self._inboxes:
            self._inboxes[slot] = _Inbox(view)
        return self._inboxes[slot]

    def candidates(self, index: int, view: View) -> list[int]:
        """Return the earlier steps that a step may read through a view, in order."""
        step = self._graph.steps[index]
        inbox = self._inbox(view, step.seat)
        low, high = self._span(index, step, inbox)
        return inbox.steps[low:high]

    def read(self, index: int, delivered: Delivered) -> tuple[Heard, ...] | Blocked:
        """Return what a step reads, a section a view, or the unresolved step that blocks it."""
        step = self._graph.steps[index]
        # Steps of one kind hold one and the same tuple of views, which the graph keeps alive.
        slot = (id(step.views), step.seat)
        if slot not in self._of_step:
            self._of_step[slot] = tuple(self._inbox(view, step.seat) for view in step.views)
        sections = []
        for inbox in self._of_step[slot]:
            span = self._span(index, step, inbox)
            if span != inbox.span:
                heard = self._section(step, inbox, span, delivered)
                if isinstance(heard, Blocked):
                    return heard
                inbox.span, inbox.heard = span, heard
            sections.append(inbox.heard)
        return tuple(sections)

    def _span(self, index: int, step: Step, inbox: _Inbox) -> tuple[int, int]:
        """Return between which places of an inbox the candidates of a step stand."""
        sources, steps = inbox.steps, self._graph.steps
        high = bisect_left(sources, index)
        if inbox.view.round == "any":
            return self._oldest(step, inbox), high
        wanted = step.round - (inbox.view.round == "previous")
        low = bisect_left(sources, wanted, key=lambda i: steps[i].round)
        return low, min(high, bisect_left(sources, wanted + 1, key=lambda i: steps[i].round))

    def _oldest(self, step: Step, inbox: _Inbox) -> int:
        """Return the place of the oldest candidate: 0, or where the window of rounds begins."""
        if inbox.view.window is None:
            return 0
        rounds, block = inbox.view.window
        past = max(0, step.round - rounds)
        first = block * -(-past // block) + 1 if past else 0
        return bisect_left(inbox.steps, first, key=lambda i: self._graph.steps[i].round)

    def _section(
        self, step: Step, inbox: _Inbox, span: tuple[int, int], delivered: Delivered
    ) -> Heard | Blocked:
        steps, view, room = self._graph.steps, inbox.view, inbox.view.max_bytes
        entries: list[Entry] = []
        low, position = span
        while position > low and len(entries) != view.last:
            source = inbox.steps[position - 1]
            reply = delivered(source)
            if reply is False:
                return Blocked(source)
            if steps[source].round > step.round:
                raise GraphError(f"{view.section}: step {source} would be read before its time")
            if reply is not None:
                if room is not None:
                    room -= len(reply.text.encode("utf-8", "surrogatepass"))
                    if room < 0:
                        break
                speaker = steps[source].seat
                own, name = speaker == step.seat, self._names[speaker]
                if own and view.veiled:
                    own, name = False, ""
                entries.append(Entry(source, own, reply, name))
            position -= 1
        entries.reverse()
        # What lies before a window of rounds was left unread too; other rounds were not asked for.
        unread = position if view.round == "any" else position - low
        return Heard(view.section, tuple(entries), unread)
