"""What is said is replaced or withheld before anybody reads it; the speaker does not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from socialcircuits.errors import SettingError
from socialcircuits.graph.vocabulary import PRIVATE_TO_ALL
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


class _Said(AtAgents):
    """What agents say to others.

    Args:
        rounds: first and last round; all if not given.
        step: the one step, by its id, such as ``message/4/0``; then `agents` and `rounds` are not
            looked at.
    """

    rounds: Rounds | None = None
    step: str = ""

    def steps(self, setup: Setup) -> Iterator[str]:
        """Yield the ids of the steps.

        Raises:
            SettingError: no such step, or nobody reads it.
        """
        graph, seats = setup.graph, set() if self.step else set(self.seats(setup))
        found = False
        fitting(setup, self.rounds)
        for index, step in enumerate(graph.steps):
            name = graph.step_id(index)
            here = name == self.step if self.step else step.seat in seats
            heard = {*step.to} - {step.seat} and step.purpose not in PRIVATE_TO_ALL
            if here and heard and (self.step or within(self.rounds, step.round)):
                found = True
                yield name
        if self.step and not found:
            raise SettingError(f"{WHERE}.step", self.step, "a step of this trial that is read")


class Message(_Said):
    """Others read another answer and reason than was said.

    Args:
        answer: one of the allowed answers, or ``truth`` or ``lure``.
        reason: one sentence, in which ``{answer}`` stands for the answer; empty for none.
    """

    kind: Literal["message"] = "message"
    answer: str
    reason: str = ""

    def apply(self, setup: Setup, scene: Scene) -> Setup:
        """Return the trial in which others read it."""
        said = words(self.answer, self.reason, scene)
        return replace(setup, edits={**setup.edits, **dict.fromkeys(self.steps(setup), said)})


class Silence(_Said):
    """What is said reaches nobody and takes no place in any memory."""

    kind: Literal["silence"] = "silence"

    def apply(self, setup: Setup, scene: Scene) -> Setup:
        """Return the trial in which nobody reads it."""
        return replace(setup, edits={**setup.edits, **dict.fromkeys(self.steps(setup))})
