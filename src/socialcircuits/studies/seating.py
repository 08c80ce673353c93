"""Who sits where: roles, models and names of the seats of a trial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from socialcircuits.graph import Brief, Seat
from socialcircuits.graph import Protocol as Form
from socialcircuits.seeds import Stream
from socialcircuits.studies.settings import ROLES, Trial

DECEIVER, COORDINATED = "deceiver", "coordinated"


class Placed(NamedTuple):
    """One seat as it is filled.

    Args:
        seat: its key and role.
        model: name in casts of its model; empty where its words are given.
        name: what others call it; empty where messages are unsigned.
    """

    seat: Seat
    model: str
    name: str


def place(trial: Trial, form: Form, seed: bytes) -> tuple[Placed, ...]:
    """Return the seats of a trial.

    Which of the agents with evidence deceive is drawn, and so are the numbers in the names; more
    deceivers at the same table include the fewer. A single coordinated deceiver has nobody to
    coordinate with and is an ordinary one.

    Args:
        trial: the trial's settings.
        form: its protocol.
        seed: the seed of the seating.

    >>> from socialcircuits.protocols import find
    >>> placed = place(Trial(N=5, deceivers="1/5"), find("pairwise"), b"seed")
    >>> [one.seat.role for one in placed]
    ['observer', 'observer', 'deceiver', 'observer', 'observer']
    """
    members, seats = trial.members(), form.seats(trial.N)
    seeing = [i for i, member in enumerate(members) if member.role == ROLES[0]]
    drawn = set[int]()
    if trial.adversaries:
        drawn.update(Stream(seed, "deceivers").shuffled(seeing)[: trial.adversaries])
    numbers = Stream(seed, "names").shuffled(range(1, len(seats) + 1)) if form.label else []
    role = COORDINATED if trial.coordinated and len(drawn) > 1 else DECEIVER
    others = {"manager": trial.manager, "planted": ""}
    placed = []
    for i, seat in enumerate(seats):
        name = f"{form.label} {numbers[i]}" if form.label else ""
        if i in drawn:
            placed.append(Placed(seat._replace(role=role), trial.deceiver, name))
        elif i < trial.N:
            placed.append(Placed(seat._replace(role=members[i].role), members[i].model, name))
        else:
            placed.append(Placed(seat, others[seat.role], name))
    return tuple(placed)


def briefs(placed: Sequence[Placed], plain: Brief, truth: str, lure: str) -> tuple[Brief, ...]:
    """Return what each seat is told about its part: adversaries alone hear the truth.

    Args:
        placed: the seats.
        plain: what all are told.
        truth: the right answer.
        lure: a plausible wrong one.
    """
    told = []
    fellows = {one.name or one.seat.key for one in placed if one.seat.role == COORDINATED}
    for one in placed:
        brief = plain._replace(role=one.seat.role, name=one.name)
        if one.seat.role in {DECEIVER, COORDINATED}:
            brief = brief._replace(truth=truth, lure=lure)
        if one.seat.role == COORDINATED:
            own = {one.name or one.seat.key}
            group = sum(other.seat.role not in {"manager", "planted"} for other in placed)
            brief = brief._replace(fellows=tuple(sorted(fellows - own)), group=group)
        told.append(brief)
    return tuple(told)
