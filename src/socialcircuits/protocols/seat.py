"""The seat test: one agent in a room whose other guests are recorded (an addition of ours)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from socialcircuits.graph import Graph, Protocol, Readout, Seat, Settings, Step, View, build
from socialcircuits.graph.protocol import observers
from socialcircuits.seeds import Stream

PLANTED = "planted"
"""Role of the seats whose messages are recorded."""

WORDINGS = ("", "second", "third")
"""Variants of the private question; the first is the one that counts."""

HISTORY = (View("history", purposes=("message",), whose="others"),)


def _steps(agents: Sequence[int], peers: Sequence[int], settings: Settings) -> Iterator[Step]:
    subject, *fresh = agents
    wordings = WORDINGS[: settings.wordings]
    for variant in wordings:
        yield Step(subject, "guess", 0, variant=variant, shared=True)
    for peer in peers:
        yield Step(peer, "message", 1, to=(subject,), kind="given")
    heard = tuple(fresh) if settings.wrong else ()
    if heard:
        yield Step(subject, "message", 1, to=heard, views=HISTORY, form="spoken")
    for variant in wordings:
        yield Step(subject, "probe", 1, views=HISTORY, variant=variant, form="spoken")
    for seat in heard:
        yield Step(seat, "probe", 2, views=HISTORY, form="spoken")


def graph(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
    """Return the graph of one seat test. The stream is not used.

    The subject, who has the first seat, answers alone, in a step that all conditions of a replicate
    share; the recorded guests then say one message each, to the subject alone; and the subject is
    asked in private. Where any of them speaks for the wrong answer, it also says something, to the
    fresh seats alone; each of these is asked in private after it. Statement and private answer are
    two steps that read the same. With more than one wording the subject's private answers are asked
    for in each of them.

    Args:
        cast: the subject, the fresh seats, and, last, the recorded guests (role ``planted``).
        settings: `wrong` and `wordings` count.
        stream: not used.

    >>> cast = (*observers(3), Seat("peer0", PLANTED), Seat("peer1", PLANTED))
    >>> trial = graph(cast, Settings(wrong=2, wordings=3), Stream(b"seed", "schedule"))
    >>> [trial.step_id(index) for index in range(3, 7)]
    ['message/peer0/0', 'message/peer1/0', 'message/0/0', 'probe/0/0']
    >>> len(trial.steps), trial.step_id(8)
    (11, 'probe:third/0/0')
    """
    agents = [seat for seat, part in enumerate(cast) if part.role != PLANTED]
    peers = [seat for seat, part in enumerate(cast) if part.role == PLANTED]
    return build(cast, _steps(agents, peers, settings), Readout("probe", (0,), first_round=1))


SEAT = Protocol(
    "seat",
    observers,
    graph,
    least=1,
    most=8,
    speaks="chatroom",
    in_rounds=False,
    takes=("peers", "said", "wordings"),
    label="Guest",
)
