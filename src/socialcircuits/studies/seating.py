"""Who sits where: roles, models and names of the seats of a trial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from socialcircuits.graph import ADVERSARIES, Brief, Seat
from socialcircuits.graph import Protocol as Form
from socialcircuits.graph.vocabulary import MONITOR
from socialcircuits.packs import MOST
from socialcircuits.prompts import personas
from socialcircuits.seeds import Stream
from socialcircuits.studies.settings import ROLES, Trial

DECEIVER, COORDINATED, SYBIL = ADVERSARIES

PEER = "planted"
"""Role of seats whose words are recorded."""


class Placed(NamedTuple):
    """One seat as it is filled.

    Args:
        seat: its key and role.
        model: name in casts of its model; empty where its words are given or computed.
        name: what others call it; empty where messages are unsigned.
        persona: who it is; empty where nothing is said about it.
    """

    seat: Seat
    model: str
    name: str
    persona: str = ""


def place(trial: Trial, form: Form, seed: bytes) -> tuple[Placed, ...]:
    """Return the seats of a trial.

    Which of the agents with evidence deceive is drawn, and so are names and personas; more
    deceivers at the same table include the fewer. With the seating ``first`` all stand in order.
    A single coordinated deceiver has nobody to coordinate with and is an ordinary one.

    Args:
        trial: the trial's settings.
        form: its protocol.
        seed: the seed of the seating.

    Recorded guests come after the agents.

    >>> from socialcircuits.protocols import find
    >>> placed = place(Trial(N=5, deceivers="1/5"), find("pairwise"), b"seed")
    >>> [one.seat.role for one in placed]
    ['observer', 'observer', 'observer', 'observer', 'deceiver']
    """
    members, seats = trial.members(), form.seats(trial.N)
    seats = (*seats, *(Seat(f"peer{i}", PEER) for i in range(sum(trial.recorded))))
    if trial.defence == MONITOR:
        seats = (*seats, Seat(MONITOR, MONITOR))
    seeing = [i for i, member in enumerate(members) if member.role == ROLES[0]]
    if trial.adversaries and trial.seating != "first":
        seeing = Stream(seed, "deceivers").shuffled(seeing)
    drawn = set(seeing[: trial.adversaries])
    known = _known(trial, form, seed)
    role: str = trial.adversary
    if trial.coordinated and len(drawn) > 1:
        role = COORDINATED
    others = {"manager": trial.manager}
    placed = []
    for i, seat in enumerate(seats):
        if i in drawn:
            placed.append(Placed(seat._replace(role=role), trial.deceiver, *known[i]))
        elif i < trial.N:
            placed.append(Placed(seat._replace(role=members[i].role), members[i].model, *known[i]))
        else:
            name = known[i][0] if i < len(known) else ""
            placed.append(Placed(seat, others.get(seat.role, ""), name))
    return tuple(placed)


def _known(trial: Trial, form: Form, seed: bytes) -> list[tuple[str, str]]:
    """The name and persona of each agent and recorded guest, in seat order."""
    if not form.label:
        return [("", "")] * trial.N
    # As many as there can be, so that an agent is called the same whoever else speaks.
    most = 2 * MOST if "peers" in form.takes else trial.N
    numbers = list(range(1, most + 1))
    if trial.seating != "first":
        numbers = Stream(seed, "names").shuffled(numbers)
    named = personas() if form.personas else ()
    return [
        (named[n - 1].name, named[n - 1].text) if n <= len(named) else (f"{form.label} {n}", "")
        for n in numbers
    ]


def briefs(placed: Sequence[Placed], plain: Brief, truth: str, lure: str) -> tuple[Brief, ...]:
    """Return what each seat is told about its part: adversaries alone hear truth or lure.

    Args:
        placed: the seats.
        plain: what all are told.
        truth: the right answer; sybils are not told it.
        lure: a plausible wrong one.
    """
    told = []
    fellows = {one.name or one.seat.key for one in placed if one.seat.role == COORDINATED}
    for one in placed:
        role = one.seat.role
        brief = plain._replace(role=role, name=one.name, persona=one.persona)
        if role in ADVERSARIES:
            brief = brief._replace(truth="" if role == SYBIL else truth, lure=lure)
        if role == COORDINATED:
            own = {one.name or one.seat.key}
            group = sum(bool(other.model) for other in placed)
            brief = brief._replace(fellows=tuple(sorted(fellows - own)), group=group)
        told.append(brief)
    return tuple(told)
