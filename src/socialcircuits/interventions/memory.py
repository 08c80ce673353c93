"""What stands in a memory is changed for the agent that remembers it, and for nobody else."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from socialcircuits.errors import SettingError
from socialcircuits.graph import Entry, Heard, Reply, Step
from socialcircuits.interventions._base import (
    WHERE,
    AtAgents,
    Rounds,
    Scene,
    fitting,
    within,
    words,
)
from socialcircuits.trial import Setup

PLANTED = -1
"""The step that an entry comes from that nobody ever said."""


class _Remembered(AtAgents):
    """A change of what agents read of earlier steps.

    Args:
        section: which section they read, for example ``memory`` or ``reports``.
        rounds: the rounds of the steps that read it; all if not given.
    """

    section: str = "memory"
    rounds: Rounds | None = None

    @abstractmethod
    def entries(self, heard: tuple[Entry, ...], said: Reply | None) -> tuple[Entry, ...]:
        """Return what is read instead; `said` is what the change itself says, if anything."""

    def said(self, scene: Scene) -> Reply | None:
        """Return what the change says, if anything."""
        return None

    def apply(self, setup: Setup, scene: Scene) -> Setup:
        """Return the trial in which these agents remember something else."""
        said = self.said(scene)
        fitting(setup, self.rounds)
        read = {view.section for step in setup.graph.steps for view in step.views}
        if self.section not in read:
            names = ", ".join(sorted(read)) or "none"
            expected = f"a section that is read in this trial: {names}"
            raise SettingError(f"{WHERE}.section", self.section, expected, among=read)

        def remember(step: Step, heard: Heard) -> Heard:
            if heard.section != self.section or not within(self.rounds, step.round):
                return heard
            return replace(heard, entries=self.entries(heard.entries, said))

        rewrites = dict(setup.rewrites)
        for seat in self.seats(setup):
            rewrites[seat] = (*rewrites.get(seat, ()), remember)
        return replace(setup, rewrites=rewrites)


class Forget(_Remembered):
    """Entries are missing; nothing older moves up in their place.

    Args:
        places: which, 0 the oldest that is read, -1 the newest; a place that is empty stays so.
    """

    kind: Literal["forget"] = "forget"
    places: list[int] = Field(min_length=1)

    def entries(self, heard: tuple[Entry, ...], said: Reply | None) -> tuple[Entry, ...]:
        """Return the others."""
        gone = {place % len(heard) for place in self.places if _held(place, heard)}
        return tuple(entry for place, entry in enumerate(heard) if place not in gone)


class Misremember(_Remembered):
    """Entries say something else.

    Args:
        places: which, 0 the oldest that is read, -1 the newest; a place that is empty stays so.
        answer: one of the allowed answers, or ``truth`` or ``lure``.
        reason: one sentence; empty for none.
    """

    kind: Literal["misremember"] = "misremember"
    places: list[int] = Field(min_length=1)
    answer: str
    reason: str = ""

    def said(self, scene: Scene) -> Reply:
        """Return what they say."""
        return words(self.answer, self.reason, scene)

    def entries(self, heard: tuple[Entry, ...], said: Reply | None) -> tuple[Entry, ...]:
        """Return all, some of which say it."""
        assert said is not None
        other = {place % len(heard) for place in self.places if _held(place, heard)}
        return tuple(
            entry._replace(reply=said) if place in other else entry
            for place, entry in enumerate(heard)
        )


class Implant(_Remembered):
    """One entry more, that nobody said.

    Args:
        place: before which entry it stands; -1: after the newest.
        answer: one of the allowed answers, or ``truth`` or ``lure``.
        reason: one sentence; empty for none.
        own: whether it reads as the agent's own.
    """

    kind: Literal["implant"] = "implant"
    place: Annotated[int, Field(ge=-1)] = -1
    answer: str
    reason: str = ""
    own: bool = False

    def said(self, scene: Scene) -> Reply:
        """Return what it says."""
        return words(self.answer, self.reason, scene)

    def entries(self, heard: tuple[Entry, ...], said: Reply | None) -> tuple[Entry, ...]:
        """Return all and the new one."""
        assert said is not None
        at = len(heard) if self.place < 0 else min(self.place, len(heard))
        return (*heard[:at], Entry(PLANTED, self.own, said), *heard[at:])


class Reorder(_Remembered):
    """The same entries in another order.

    Args:
        order: ``reversed``, or which of the entries stands first, second and so on; entries that it
            does not name follow in their own order.
    """

    kind: Literal["reorder"] = "reorder"
    order: Literal["reversed"] | list[int]

    def entries(self, heard: tuple[Entry, ...], said: Reply | None) -> tuple[Entry, ...]:
        """Return them in that order."""
        if self.order == "reversed":
            return heard[::-1]
        first = [place for place in dict.fromkeys(self.order) if 0 <= place < len(heard)]
        rest = [place for place in range(len(heard)) if place not in first]
        return tuple(heard[place] for place in (*first, *rest))


def _held(place: int, heard: tuple[Entry, ...]) -> bool:
    return -len(heard) <= place < len(heard)
