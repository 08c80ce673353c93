"""Deliberation (adversarial influence, section 2.2): all answer alone, discuss in public rounds,
reflect in private and vote in secret; coordinated deceivers also chat among themselves (2.2.1)."""

from collections.abc import Iterator, Sequence

from socialcircuits.graph import (
    ADVERSARIES,
    Graph,
    Protocol,
    Readout,
    Seat,
    Settings,
    Step,
    View,
    build,
    observers,
)
from socialcircuits.graph.coalition import CHAT, PLAN, Coalition, coalition, during, opening
from socialcircuits.seeds import Stream

BEFORE = View("board", purposes=("message",), round="previous")
NOW = View("board", purposes=("message",), round="same")
VERIFICATION = View("verification", purposes=("decision",), whose="own")


def _opening(group: range, together: Coalition, turns: int) -> Iterator[Step]:
    yield from opening(together, turns)
    for seat in group:
        views = (PLAN,) if seat in together else ()
        yield Step(seat, "message", 0, -1, tuple(group), views, "first", form="spoken")


def _vote(cast: Sequence[Seat], own: View, settings: Settings) -> Iterator[Step]:
    honest = [seat for seat, part in enumerate(cast) if part.role not in ADVERSARIES]
    checked = honest if settings.verify else []
    last, way = settings.rounds, settings.verify
    views: tuple[View, ...] = (NOW,) if way == "claim" else ()
    for seat in checked:
        yield Step(seat, "decision", last, -1, (seat,), views, way, form="spoken")
    for seat in range(len(cast)):
        views = (own, NOW, VERIFICATION) if seat in checked else (own, NOW)
        yield Step(seat, "vote", last, views=views, form="spoken")


def _steps(cast: Sequence[Seat], settings: Settings) -> Iterator[Step]:
    group = range(len(cast))
    together = coalition(cast)
    own = View("reflections", purposes=("reflection",), whose="own", last=settings.reflections)
    yield from _opening(group, together, settings.chat)
    for current in range(settings.rounds + 1):
        if current:
            for seat in group:
                yield Step(seat, "message", current, -1, tuple(group), (own, BEFORE), form="spoken")
            yield from during(together, current, settings.chat, NOW)
        for seat in group:
            views = (own, NOW, PLAN, CHAT) if seat in together else (own, NOW)
            yield Step(seat, "reflection", current, to=(seat,), views=views, form="spoken")
    yield from _vote(cast, own, settings)


def graph(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
    """Return the graph of one deliberation of `settings.rounds` public rounds. The stream is not
    used: nothing is drawn.

    The replies of a round are all written from the replies of the round before, those of round 0
    from none. Everybody reflects after every round and votes once; the stop rule has no part in it.
    Two or more seats of the role ``coordinated`` chat before round 0 and after the replies of each
    round, `settings.chat` turns each in seat order, and plan once; a single one does neither. With
    `settings.verify`, seats that are no adversaries decide once more before the vote.

    >>> cast = [Seat("0"), Seat("1"), Seat("2"), Seat("3", "deceiver"), Seat("4", "deceiver")]
    >>> trial = graph(cast, Settings(rounds=2), Stream(b"seed", "schedule"))
    >>> len(trial.steps), trial.step_id(0), trial.step_id(34)
    (35, 'message:first/0/0', 'vote/4/0')
    >>> cast[3:] = [Seat("3", "coordinated"), Seat("4", "coordinated")]
    >>> len(graph(cast, Settings(rounds=2, chat=1), Stream(b"seed", "schedule")).steps)
    43
    """
    readout = Readout("vote", tuple(range(len(cast))), first_round=settings.rounds)
    return build(cast, _steps(cast, settings), readout)


DELIBERATION = Protocol(
    "deliberation",
    observers,
    graph,
    takes=("coordinated", "reflections", "chat", "verify"),
    label="Colleague",
)
