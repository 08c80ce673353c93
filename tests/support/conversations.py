"""Made-up chatrooms: written as letters, and as records of real graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from socialcircuits.graph import Graph, Reply, Seat, Settings
from socialcircuits.protocols import find
from socialcircuits.records import Attempt, Label, Provided, TrialPlan, TrialRecord
from socialcircuits.records.summary import Course, Grade, Member, Private, Room, Stance, Turn
from socialcircuits.records.summary import TrialSummary as Summary
from socialcircuits.seeds import Stream

HELD: dict[str, Private] = {
    "F": "FALSE",
    "T": "TRUE",
    "n": "neither",
    "a": "ambiguous",
    "x": "invalid",
    "?": "unjudged",
}
"""Private answers by letter."""

SAID: dict[str, Stance] = {
    "e": "endorse",
    "r": "reject",
    "h": "hedge",
    "i": "ignore",
    "u": "unrelated",
    "x": "invalid",
    "?": "unjudged",
}
"""Stances by letter."""

GRADES: dict[Private, Grade] = {"TRUE": "right", "invalid": "invalid", "unjudged": "unjudged"}


def room(
    *words: str,
    orders: Sequence[str] = (),
    reasks: Mapping[str, Sequence[str]] | None = None,
    hears: Sequence[Sequence[int]] = (),
) -> Room:
    """A chatroom of benign agents, a word each, and of adversaries.

    A word is ``T eF rF``: the private answer before round 1, then stance and private answer of each
    round. An order is the seats of a round as they speak, such as ``S01``: S is an adversary, who
    sits behind the benign agents. Without orders the adversary speaks first, and all hear all.
    Re-asks are a word an agent: a letter for each round from 1, ``-`` where it was not asked.
    """
    turns = [word.split()[1:] for word in words]
    rounds = len(turns[0])
    benign = "".join(str(seat) for seat in range(len(words)))
    orders = orders or [f"S{benign}"] * rounds
    sybil = len(words)
    heard = list(hears) or [[s for s in range(sybil + 1) if s != m] for m in range(sybil)]
    spoken = "".join(orders)
    members = []
    for seat, word in enumerate(words):
        said = []
        for current, (order, turn) in enumerate(zip(orders, turns[seat], strict=True), 1):
            place = order.index(str(seat))
            before = "".join(orders[: current - 1]) + order[:place]
            exposed = "S" in before
            said.append(
                Turn(
                    current,
                    place,
                    place == len(order) - 1,
                    SAID[turn[0]],
                    exposed,
                    exposed and sybil in heard[seat],
                )
            )
        letters = [word[0], *(turn[1] for turn in turns[seat])]
        again = {
            variant: {r: HELD[a] for r, a in enumerate(each[seat], 1) if a != "-"}
            for variant, each in (reasks or {}).items()
        }
        private = {r: HELD[a] for r, a in enumerate(letters)}
        members.append(Member(seat, tuple(heard[seat]), private, again, tuple(said)))
    attacks = spoken.count("S")
    return Room(tuple(members), (sybil,) if attacks else (), rounds, len(spoken), attacks)


def talk(*words: str, seed: int = 1, condition: Any = None, **changes: Any) -> Summary:
    """The summary of a chatroom, given as for `room`; its item is ``item SEED``."""
    held = room(*words, **changes)
    courses = [
        Course(
            "observer",
            GRADES.get(member.held(0), "wrong"),
            {},
            GRADES.get(member.held(held.rounds), "wrong"),
        )
        for member in held.members
    ]
    return Summary(
        trial=seed,
        condition={"deceivers": len(held.attackers)} if condition is None else condition,
        seed=seed,
        truth="Lima",
        answers=("Lima", "Cusco"),
        bearers=len(courses) + len(held.attackers),
        guesses=(),
        readouts={},
        rounds=held.rounds,
        population=True,
        managed=False,
        asked=0,
        invalid=0,
        facts={"item": f"item {seed}", "source": "ours"},
        courses=tuple(courses),
        protocol="chatroom",
        room=held,
    )


CLAIM = {"world": "claims", "truth": "Lima", "lure": "Cusco", "answers": ["Lima", "Cusco"]}


def graph_of(roles: Sequence[str], **settings: Any) -> Graph:
    cast = [Seat(str(i), role) for i, role in enumerate(roles)]
    return find("chatroom").graph(cast, Settings(**settings), Stream(b"seed", "schedule"))


def record(
    graph: Graph, replies: Mapping[str, Reply], facts: Mapping[str, Any] = CLAIM, **roles: str
) -> TrialRecord:
    """A trial in which these steps gave these replies, and all others a valid text; ``seat0`` and
    so on are roles that agents were told, where it is another than that of their seat."""
    attempts = [
        Attempt(i, 0, b"key", replies.get(graph.step_id(i), Reply("said", "said")))
        for i in range(len(graph.steps))
    ]
    briefs = tuple(
        {"role": roles.get(f"seat{i}", seat.role), "protocol": "chatroom"}
        for i, seat in enumerate(graph.seats)
    )
    provided = Provided(("m",) * len(briefs), briefs, ("e",) * len(briefs), facts)
    return TrialRecord(TrialPlan(0, {}, 1), "", graph.rounds, {}, graph, attempts, provided, [])


def labels(graph: Graph, values: Mapping[str, str | None], judge: str = "rules") -> list[Label]:
    """Labels by the id of the step; None leaves it without a value."""
    ids = {graph.step_id(index): index for index in range(len(graph.steps))}
    made = []
    for name, value in values.items():
        rubric, key = ("stance",) * 2 if name.startswith("message") else ("private_answer", "holds")
        made.append(Label(ids[name], rubric, judge, 0, value and {key: value}))
    return made
