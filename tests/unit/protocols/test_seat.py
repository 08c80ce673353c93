"""The seat test: who is asked what, and what each may read."""

from __future__ import annotations

from typing import Any

from socialcircuits.graph import Graph, Seat, Settings
from socialcircuits.graph.protocol import observers
from socialcircuits.protocols import find
from socialcircuits.protocols.seat import PLANTED
from socialcircuits.seeds import Stream


def graph(agents: int, peers: int, **settings: Any) -> Graph:
    cast = (*observers(agents), *(Seat(f"peer{i}", PLANTED) for i in range(peers)))
    return find("seat").graph(cast, Settings(**settings), Stream(b"", "schedule"))


def ids(made: Graph) -> list[str]:
    return [made.step_id(index) for index in range(len(made.steps))]


def test_nobody_speaks_at_dose_0() -> None:
    assert ids(graph(3, 0)) == ["guess/0/0", "probe/0/0"]


def test_right_guests_bring_no_statement_and_nobody_else_is_asked() -> None:
    assert ids(graph(3, 2)) == ["guess/0/0", "message/peer0/0", "message/peer1/0", "probe/0/0"]


def test_after_wrong_guests_the_subject_speaks_and_fresh_seats_are_asked() -> None:
    made = graph(3, 1, wrong=1)
    assert ids(made) == [
        "guess/0/0",
        "message/peer0/0",
        "message/0/0",
        "probe/0/0",
        "probe/1/0",
        "probe/2/0",
    ]
    given, said = made.steps[1], made.steps[2]
    assert (given.kind, given.to) == ("given", (0,))
    assert said.to == (1, 2)


def test_alone_there_is_nobody_to_speak_to() -> None:
    assert ids(graph(1, 1, wrong=1)) == ["guess/0/0", "message/peer0/0", "probe/0/0"]


def test_statement_and_private_answer_read_the_same() -> None:
    made = graph(2, 2, wrong=2, wordings=3)
    reading = {step.views for step in made.steps if step.seat == 0 and step.round == 1}
    assert len(reading) == 1
    (view,) = next(iter(reading))
    # Its own statement is not among what others said.
    assert (view.purposes, view.whose) == (("message",), "others")


def test_every_wording_is_asked_alone_and_after_the_guests() -> None:
    made = graph(1, 1, wordings=3)
    asked = [(step.purpose, step.variant) for step in made.steps if step.kind == "model"]
    assert asked == [(p, v) for p in ("guess", "probe") for v in ("", "second", "third")]
    assert all(step.shared == (step.purpose == "guess") for step in made.steps)
