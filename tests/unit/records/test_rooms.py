"""Chatrooms as plain values: who holds and says what, who was exposed, who hears whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from socialcircuits.graph import Graph, Reply
from socialcircuits.records.courses import courses, judged
from socialcircuits.records.rooms import room
from socialcircuits.records.summary import Room
from tests.support.conversations import CLAIM, graph_of, labels, record

FLAGS = {**CLAIM, "world": "flags"}


GRAPH = graph_of(["sybil", "observer", "observer"], rounds=2, reasks="own")


def seen(graph: Graph, values: Mapping[str, str | None], **changes: Any) -> Room:
    found = room(record(graph, changes.pop("replies", {}), **changes), labels(graph, values))
    assert found is not None
    return found


INVALID = Reply("", valid=False, why="empty")


def test_private_answers_and_stances_of_each_benign_agent() -> None:
    found = seen(
        GRAPH,
        {
            "probe/1/0": "TRUE",
            "probe/1/1": "neither",
            "probe/1/2": "FALSE",
            "probe/2/0": "ambiguous",
            "probe/2/1": None,
            "message/1/0": "hedge",
            "message/1/1": "endorse",
            "message/2/0": "reject",
            "probe:own/1/0": "TRUE",
            "probe:own/1/1": "FALSE",
        },
        replies={"probe/2/2": INVALID, "message/2/1": INVALID},
    )
    one, two = found.members
    assert (one.seat, two.seat, found.attackers, found.rounds) == (1, 2, (0,), 2)
    assert one.private == {0: "TRUE", 1: "neither", 2: "FALSE"}
    assert two.private == {0: "ambiguous", 1: "unjudged", 2: "invalid"}
    assert [turn.stance for turn in one.turns] == ["hedge", "endorse"]
    assert [turn.stance for turn in two.turns] == ["reject", "invalid"]
    assert one.reasks == {"own": {1: "TRUE", 2: "FALSE"}}
    assert two.reasks == {"own": {1: "unjudged", 2: "unjudged"}}
    assert one.held(1) == "neither"
    assert one.held(9) == "unjudged"
    assert (found.messages, found.attacks) == (5, 2)


def order_of(graph: Graph, current: int) -> list[int]:
    return [s.seat for s in graph.steps if s.purpose == "message" and s.round == current]


def test_places_and_exposure() -> None:
    found = seen(GRAPH, {})
    for current in (1, 2):
        order = order_of(GRAPH, current)
        for member in found.members:
            turn = member.turns[current - 1]
            assert turn.place == order.index(member.seat)
            assert turn.last == (order[-1] == member.seat)
            assert turn.exposed == (current == 2 or order.index(0) < turn.place)
            assert turn.reached == turn.exposed


def test_an_invalid_message_of_an_adversary_exposes_nobody() -> None:
    first = seen(GRAPH, {}, replies={"message/0/0": INVALID})
    assert not any(member.turns[0].exposed for member in first.members)
    order = order_of(GRAPH, 2)
    for member in first.members:
        assert member.turns[1].exposed == (order.index(0) < order.index(member.seat))
    silent = {"message/0/0": INVALID, "message/0/1": INVALID}
    assert seen(GRAPH, {}, replies=silent).attacks == 0


def test_who_hears_whom_in_a_network_and_with_edges_cut() -> None:
    chain = graph_of(["sybil", "observer", "observer"], rounds=2, network="0-1 1-2")
    near, far = seen(chain, {}).members
    assert (near.hears, far.hears) == ((0, 2), (1,))
    assert near.turns[1].reached
    # It is exposed, as an adversary spoke in its conversation, but hears none.
    assert (far.turns[1].exposed, far.turns[1].reached) == (True, False)
    cut = chain.cutting(
        (i, 1) for i, s in enumerate(chain.steps) if s.purpose == "message" and s.seat == 0
    )
    assert seen(cut, {}).members[0].hears == (2,)
    assert not any(turn.reached for turn in seen(cut, {}).members[0].turns)


def test_roles_are_those_that_agents_were_told() -> None:
    # An adversary who was made honest attacks nobody, and nobody asked what it holds.
    found = seen(GRAPH, {}, seat0="observer")
    assert (found.attackers, found.attacks, len(found.members)) == ((), 0, 2)
    assert not any(turn.exposed for member in found.members for turn in member.turns)
    turned = seen(GRAPH, {}, seat1="sybil")
    assert (turned.attackers, [m.seat for m in turned.members]) == ((0, 1), [2])


def test_a_monitor_is_no_agent() -> None:
    watched = graph_of(["sybil", "observer", "observer"], rounds=2, defence="monitor")
    found = seen(watched, {})
    assert [member.seat for member in found.members] == [1, 2]
    assert found.members[0].hears == (0, 2)


def test_a_closed_list_needs_no_judge() -> None:
    said = {"probe/1/0": Reply("", "Lima"), "probe/1/1": Reply("", "Cusco")}
    found = seen(GRAPH, {"probe/1/2": "ambiguous"}, replies=said, facts=FLAGS)
    assert found.members[0].private == {0: "TRUE", 1: "FALSE", 2: "ambiguous"}
    assert found.members[1].private[0] == "neither"


def test_other_protocols_are_no_rooms() -> None:
    plain = record(GRAPH, {})
    briefs = tuple({**brief, "protocol": "pairwise"} for brief in plain.provided.briefs)
    assert room(replace(plain, provided=replace(plain.provided, briefs=briefs))) is None


@pytest.mark.parametrize(
    ("final", "grade"),
    [("TRUE", "right"), ("FALSE", "wrong"), ("neither", "wrong"), ("ambiguous", "wrong")],
)
def test_courses_are_right_where_the_answer_is_true(final: str, grade: str) -> None:
    values = {"probe/1/0": "TRUE", "probe/1/2": final, "probe:own/1/1": "TRUE"}
    one, two = courses(record(GRAPH, {}), labels(GRAPH, values))
    assert (one.first, one.public, one.final) == (
        "right",
        {1: "unjudged", 2: grade},
        grade,
    )
    assert (two.role, two.first, two.final) == ("observer", "unjudged", "unjudged")


def test_what_is_asked_again_is_no_readout() -> None:
    settled = {f"probe/{seat}/{nth}": "TRUE" for seat in (1, 2) for nth in range(3)}
    assert judged(record(GRAPH, {}), labels(GRAPH, settled)).unjudged == {}
    del settled["probe/2/2"]
    assert judged(record(GRAPH, {}), labels(GRAPH, settled)).unjudged == {"final": 1}
