"""What an intervention is: named data that turns one frozen trial into another."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from socialcircuits.errors import SettingError
from socialcircuits.graph import ADVERSARIES, Mind, Reply, World
from socialcircuits.trial import Setup

WHERE = "$.interventions"


def _ordered(rounds: tuple[int, int]) -> tuple[int, int]:
    if rounds[0] > rounds[1]:
        raise SettingError(f"{WHERE}.rounds", list(rounds), "the first round, then the last")
    return rounds


Round = Annotated[int, Field(ge=0, strict=True)]
Rounds = Annotated[tuple[Round, Round], AfterValidator(_ordered)]
"""The first and the last round in which a change holds."""

Keys = Annotated[list[str], Field(min_length=1)]
"""Keys of seats."""


@dataclass(frozen=True)
class Scene:
    """What a change may need besides the trial.

    Args:
        world: the world of the trial.
        truth: its right answer.
        lure: its wrong answer that stands for social pressure.
        minds: the minds that can be seated, by their names in casts.
    """

    world: World
    truth: str
    lure: str
    minds: Mapping[str, Mind]


class Change(ABC, BaseModel):
    """One change of a trial. Seeds and schedule are inherited: the protocol is not called again.

    Args:
        kind: which change, by its name in the catalogue.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str

    @abstractmethod
    def apply(self, setup: Setup, scene: Scene) -> Setup:
        """Return the changed trial.

        Raises:
            SettingError: it names an agent, step or answer that the trial does not have.
        """

    def models(self) -> tuple[str, ...]:
        """Return the names in casts of models that it seats."""
        return ()


class AtAgents(Change):
    """A change at some agents.

    Args:
        agents: keys of seats; or ``all`` (that are no manager); or ``first 1/8``: the first seats,
            rounded down, at least one, the same seats first at every N; or ``deceivers``; or ``one
            deceiver``, the first of them in seat order.
    """

    agents: str | Keys = "all"

    def seats(self, setup: Setup) -> tuple[int, ...]:
        """Return the numbers of the seats.

        Raises:
            SettingError: no seat has such a key, or the share is none.
        """
        return chosen(setup, self.agents)


def chosen(setup: Setup, agents: str | Sequence[str], *, readers: bool = False) -> tuple[int, ...]:
    """Return the numbers of the seats that a setting names; see `AtAgents`.

    Args:
        setup: the trial.
        agents: what the setting says.
        readers: whether ``all`` means a manager too.
    """
    seats = setup.graph.seats
    if readers and agents == "all":
        return tuple(range(len(seats)))
    group = [i for i, seat in enumerate(seats) if seat.role not in ("manager", "planted")]
    if agents == "all":
        return tuple(group)
    if isinstance(agents, str) and agents.startswith("first "):
        return tuple(group[: max(1, int(len(group) * _share(agents)))])
    if agents in ("deceivers", "one deceiver"):
        return _deceiving(setup)[: None if agents == "deceivers" else 1]
    numbers = {seat.key: i for i, seat in enumerate(seats)}
    keys = [agents] if isinstance(agents, str) else agents
    for key in keys:
        if key not in numbers:
            expected = "all, first A/B, deceivers, one deceiver, or keys of seats: "
            expected += ", ".join(numbers)
            raise SettingError(f"{WHERE}.agents", key, expected, among=numbers)
    return tuple(numbers[key] for key in keys)


def _deceiving(setup: Setup) -> tuple[int, ...]:
    found = tuple(i for i, brief in enumerate(setup.briefs) if brief.role in ADVERSARIES)
    if not found:
        raise SettingError(f"{WHERE}.agents", "deceivers", "agents that are there: nobody deceives")
    return found


def _share(agents: str) -> Fraction:
    try:
        share = Fraction(agents.removeprefix("first "))
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share <= 1:
        raise SettingError(f"{WHERE}.agents", agents, "first A/B, a share above 0 and at most 1")
    return share


def fitting(setup: Setup, rounds: tuple[int, int] | None) -> None:
    """Refuse rounds that begin after the trial ends.

    Raises:
        SettingError: they do.
    """
    if rounds is not None and rounds[0] > setup.graph.rounds:
        expected = f"rounds from 0 to {setup.graph.rounds}"
        raise SettingError(f"{WHERE}.rounds", list(rounds), expected)


def within(rounds: tuple[int, int] | None, current: int) -> bool:
    """Whether a round lies in the rounds of a change; None stands for all."""
    return rounds is None or rounds[0] <= current <= rounds[1]


def words(answer: str, reason: str, scene: Scene) -> Reply:
    """Return a reply made of an answer and, if not empty, a reason.

    Args:
        answer: an allowed answer; or ``truth`` or ``lure``, which stand for those of the trial.
        reason: one sentence, in which ``{answer}`` stands for the answer; empty for none.
        scene: the trial's.

    Raises:
        SettingError: the answer is not allowed.
    """
    answers = scene.world.answers
    if answer not in answers:
        named = {"truth": scene.truth, "lure": scene.lure}
        if answer not in named:
            expected = "truth, lure, or an allowed answer of this trial"
            raise SettingError(f"{WHERE}.answer", answer, expected, among=answers)
        answer = named[answer]
    reason = reason.replace("{answer}", answer)
    said = {"answer": answer, "reason": reason} if reason else {"answer": answer}
    return Reply(json.dumps(said, ensure_ascii=False), answer, reason)
