"""Where the difference of two trials began, and along which readings it came to a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from socialcircuits.graph import Heard, Observation, Reply, Step
from socialcircuits.graph.walk import Blocked
from socialcircuits.records import Attempt, TrialRecord
from socialcircuits.trial import Setup
from socialcircuits.trial.state import State

Cause = Literal[
    "evidence", "model", "told", "draw", "memory", "view", "prompt", "reply",
    "given", "delivery", "edge", "absent", "ended",
]  # fmt: skip
"""Why a step differs though nothing that it reads was said differently.

At the step itself: the seat sees something else, another mind sits in it, it is told something
else, its reply is drawn from another seed, its memory was rewritten, it may read more or less, its
prompt has other words, the same question got another reply, or what is given differs. Between a
step and its reader: something else or nothing was delivered, the edge is cut or added, the step is
there on one side only. `ended`: the other trial was over.
"""


@dataclass(frozen=True)
class Said:
    """What both sides have of one step.

    Args:
        step: its id.
        round: its round.
        first: the reply on the first side, or what was delivered of it; None if there is none.
        second: the same on the second side.
    """

    step: str
    round: int
    first: Reply | None
    second: Reply | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        sides = {"first": self.first, "second": self.second}
        told = {
            side: said and {"answer": said.answer, "valid": said.valid, "text": said.text}
            for side, said in sides.items()
        }
        return {"step": self.step, "round": self.round, **told}


@dataclass(frozen=True)
class Path:
    """A chain of readings along which a difference came to a step.

    Each hop was read by the next one on at least one side, and what was read of it differs. Such a
    chain could carry the difference; that it did is shown only by cutting it.

    Args:
        cause: why the first hop differs, or is read differently.
        hops: from the origin to the step; the step alone where the cause is at the step itself.
        ways: number of such chains to the step.
    """

    cause: Cause
    hops: tuple[Said, ...]
    ways: int

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "cause": self.cause,
            "hops": [hop.as_json() for hop in self.hops],
            "ways": self.ways,
        }


class Reread:
    """A recorded trial with what each of its steps read. All is found by the ids of steps.

    A record holds what was said. What was delivered, and what stood in memories, after an
    intervention is in the trial's setup alone: a setup is frozen, so its functions give it again.

    Args:
        record: the trial.
        setup: its setup; the graph is that of the record.
    """

    def __init__(self, record: TrialRecord, setup: Setup) -> None:
        self.record, self.setup = record, setup
        self.steps: dict[str, Step] = {}
        self.keys: dict[str, bytes] = {}
        self.replies: dict[str, Reply] = {}
        self.seen: dict[str, Observation] = {}
        self._names: list[str] = []
        tried: dict[int, list[Attempt]] = {}
        for attempt in record.attempts:
            tried.setdefault(attempt.step, []).append(attempt)
        # Memories are rewritten later: what was there before tells who is the cause.
        state = State(replace(setup, rewrites={}), lambda key: None)
        for index, step in enumerate(record.graph.steps):
            name = record.graph.step_id(index)
            self._names.append(name)
            if index in tried:
                observation = state.observe(index)
                assert not isinstance(observation, Blocked), "graph order resolves all that is read"
                state.settle(index, tried[index])
                self.steps[name], self.seen[name] = step, observation
                self.keys[name] = tried[index][0].key
                self.replies[name] = tried[index][-1].reply
        self._places = {name: index for index, name in enumerate(self._names)}

    def read(self, name: str) -> dict[str, Reply]:
        """Return what a step would read if no memory were rewritten: step -> what was delivered."""
        return self._entries(self.seen[name].heard)

    def remembered(self, name: str) -> dict[str, Reply]:
        """Return what a step did read; what nobody said is left out."""
        return self._entries(self.rewritten(name, self.seen[name].heard))

    def rewritten(self, name: str, heard: tuple[Heard, ...]) -> tuple[Heard, ...]:
        """Return what a step reads where this was heard."""
        step = self.steps[name]
        for rewrite in self.setup.rewrites.get(step.seat, ()):
            heard = tuple(rewrite(step, section) for section in heard)
        return heard

    def delivered(self, name: str) -> Reply | None:
        """Return what those that may read a step find there; None if nothing."""
        said = self.setup.edits.get(name, self.replies[name])
        return said if said is not None and said.valid else None

    def reaches(self, name: str, seat: int) -> bool:
        """Whether a seat may read a step."""
        cut = (self._places[name], seat) in self.record.graph.cuts
        return seat in self.steps[name].to and not cut

    def _entries(self, heard: tuple[Heard, ...]) -> dict[str, Reply]:
        entries = [entry for section in heard for entry in section.entries if entry.step >= 0]
        return {self._names[entry.step]: entry.reply for entry in entries}


class _Link(NamedTuple):
    """One reading through which a step differs: what was read, and why it differs; no cause where
    what was read had been said differently."""

    said: Said
    cause: Cause | None


class Trace:
    """Two trials, step by step.

    Args:
        first: one.
        second: the other; both have the same seats and schedule.

    Attributes:
        order: ids of the steps of both, in graph order.
        differing: those with another key or reply, or on one side only, in that order.
    """

    def __init__(self, first: Reread, second: Reread) -> None:
        self.first, self.second = first, second
        self.order = _merged(list(first.steps), list(second.steps))
        self._place = {name: number for number, name in enumerate(self.order)}
        self.differing = [
            name for name in self.order if self.asked_otherwise(name) or self.said_otherwise(name)
        ]
        self._links: dict[str, list[_Link]] = {}
        self._causes: dict[str, Cause | None] = {}
        self._ways: dict[str, int] = {}
        for name in self.differing:
            links = self._links[name] = list(self._carried(name)) if self.on_both(name) else []
            cause = self._causes[name] = self._cause(name, links)
            through = (1 if link.cause else self._ways[link.said.step] for link in links)
            self._ways[name] = (cause is not None) + sum(through)

    def on_both(self, name: str) -> bool:
        """Whether both sides have a step."""
        return name in self.first.steps and name in self.second.steps

    def asked_otherwise(self, name: str) -> bool:
        """Whether a step's key differs; so it does where one side has none."""
        return self.first.keys.get(name) != self.second.keys.get(name)

    def said_otherwise(self, name: str) -> bool:
        """Whether the reply to a step differs; so it does where one side has none."""
        return self.first.replies.get(name) != self.second.replies.get(name)

    def said(self, name: str) -> Said:
        """Return the replies to a step."""
        step = self.first.steps.get(name) or self.second.steps[name]
        return Said(name, step.round, self.first.replies.get(name), self.second.replies.get(name))

    def path(self, name: str) -> Path:
        """Return how a difference came to a step, one that differs.

        From the step back to the earliest that it read and that differs, and so on, up to a cause.
        """
        hops, ways = [self.said(name)], self._ways[name]
        while (cause := self._causes[name]) is None:
            link = self._links[name][0]
            hops.append(link.said)
            cause, name = link.cause, link.said.step
            if cause is not None:
                break
        return Path(cause, tuple(reversed(hops)), ways)

    def _carried(self, name: str) -> Iterator[_Link]:
        """Yield the readings through which a step differs, earliest first.

        An entry that only gave way to another, or filled the place of one, is none of them.
        """
        one, two = self.first.read(name), self.second.read(name)
        mine, yours = self.first.remembered(name), self.second.remembered(name)
        for source in sorted({*one, *two}, key=self._place.__getitem__):
            a, b = one.get(source), two.get(source)
            if _text(a) != _text(b) and _text(mine.get(source)) != _text(yours.get(source)):
                seat = self.first.steps[name].seat
                cause = self._between(source, seat)
                lacking = a is None or b is None
                if cause is not None or not (lacking and self._delivers_to_both(source)):
                    yield _Link(Said(source, self.said(source).round, a, b), cause)

    def _between(self, source: str, reader: int) -> Cause | None:
        """Why a reader finds something else at a step, unless because other words were said."""
        if not self.on_both(source):
            return "absent"
        if self.first.reaches(source, reader) != self.second.reaches(source, reader):
            return "edge"
        # The id itself stands for no edit: None is one.
        edits = (side.setup.edits.get(source, source) for side in (self.first, self.second))
        return "delivery" if next(edits) != next(edits) else None

    def _delivers_to_both(self, source: str) -> bool:
        sides = (self.first, self.second)
        return all(side.delivered(source) is not None for side in sides)

    def _cause(self, name: str, links: Sequence[_Link]) -> Cause | None:
        """Why a step itself differs, whatever it reads; None where it only read differently."""
        if not self.on_both(name):
            other = self.second if name in self.first.steps else self.first
            ended = self.said(name).round > other.record.cut
            return "ended" if ended else "absent"
        if not self.asked_otherwise(name) and self.first.steps[name].kind != "computed":
            return "given" if self.first.steps[name].kind == "given" else "reply"
        for cause, holds in _OWN.items():
            if holds(self, name):
                return cause
        return None if links else "prompt"


def _model(trace: Trace, name: str) -> bool:
    seat = trace.first.steps[name].seat
    return trace.first.setup.minds[seat].id != trace.second.setup.minds[seat].id


def _told(trace: Trace, name: str) -> bool:
    return trace.first.seen[name].frame != trace.second.seen[name].frame


def _evidence(trace: Trace, name: str) -> bool:
    shown = (side.seen[name].evidence for side in (trace.first, trace.second))
    one, two = (evidence and evidence.key for evidence in shown)
    return one != two


def _draw(trace: Trace, name: str) -> bool:
    drawn = trace.first.setup.trial_seed != trace.second.setup.trial_seed
    return drawn and not trace.first.steps[name].shared


def _memory(trace: Trace, name: str) -> bool:
    for heard in (trace.first.seen[name].heard, trace.second.seen[name].heard):
        one, two = (side.rewritten(name, heard) for side in (trace.first, trace.second))
        if [part.encoded for part in one] != [part.encoded for part in two]:
            return True
    return False


def _view(trace: Trace, name: str) -> bool:
    views = trace.first.steps[name].views != trace.second.steps[name].views
    return views and trace.first.read(name).keys() != trace.second.read(name).keys()


_OWN: Mapping[Cause, Callable[[Trace, str], bool]] = {
    "model": _model,
    "evidence": _evidence,
    "told": _told,
    "draw": _draw,
    "memory": _memory,
    "view": _view,
}
"""Causes at a step itself, in the order in which they are looked for."""


def _text(reply: Reply | None) -> str | None:
    return None if reply is None else reply.text


def _merged(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return the names of both, each in its order; a name of the second alone stands after the
    common one that it follows there."""
    places = {name: (number, 0) for number, name in enumerate(first)}
    at = -1
    for number, name in enumerate(second, start=1):
        if name in places:
            at = places[name][0]
        else:
            places[name] = (at, number)
    return sorted(places, key=places.__getitem__)
