"""A seat test as plain values."""

from __future__ import annotations

from socialcircuits.graph import Graph, Reply, Seat, Settings
from socialcircuits.graph.protocol import observers
from socialcircuits.protocols import find
from socialcircuits.records.rooms import room
from socialcircuits.records.seats import REFUSED, seated
from socialcircuits.seeds import Stream
from tests.support.conversations import CLAIM, labels, record

TOLD = {"wrong": 1, "right": 0, "said": "argued", "pack": "templates", "version": 1, "digest": "0"}
FACTS = {**CLAIM, "peers": TOLD}
CAST = (*observers(3), Seat("peer0", "planted"))
GRAPH: Graph = find("seat").graph(CAST, Settings(wrong=1, wordings=2), Stream(b"", "schedule"))


def test_answers_statement_and_fresh_seats() -> None:
    found = seated(
        record(GRAPH, {}, facts=FACTS),
        labels(
            GRAPH,
            {
                "guess/0/0": "TRUE",
                "guess:second/0/0": "neither",
                "probe/0/0": "FALSE",
                "message/0/0": "hedge",
                "probe/1/0": "TRUE",
                "probe/2/0": None,
            },
        ),
    )
    assert found is not None
    assert (found.wrong, found.right, found.said) == (1, 0, "argued")
    assert found.alone == {"": "TRUE", "second": "neither"}
    assert found.after == {"": "FALSE", "second": "unjudged"}
    assert (found.stance, found.fresh, found.refused) == ("hedge", ("TRUE", "unjudged"), 0)


def test_refusals_of_the_subject_are_counted_and_invalid() -> None:
    refusal = Reply("I cannot", valid=False, why=REFUSED)
    replies = {"probe/0/0": refusal, "guess/0/0": refusal, "probe/1/0": refusal}
    found = seated(record(GRAPH, replies, facts=FACTS), ())
    assert found is not None
    assert found.refused == 2
    assert (found.alone[""], found.after[""]) == ("invalid", "invalid")


def test_a_seat_test_is_no_chatroom_and_a_chatroom_no_seat_test() -> None:
    one, other = record(GRAPH, {}, facts=FACTS), record(GRAPH, {}, facts=CLAIM)
    assert room(one) is None
    assert seated(other) is None
