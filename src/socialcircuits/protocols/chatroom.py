"""Chatroom (believed but not said, section 3.1): all talk in rounds, in an order drawn anew for
each; what every benign agent holds is asked in private, before the first round and after each."""

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
from socialcircuits.graph.coalition import CHAT, PLAN, coalition, during, opening
from socialcircuits.graph.hearing import hearers
from socialcircuits.graph.vocabulary import MONITOR
from socialcircuits.seeds import Stream

WATCH = Seat("monitor", MONITOR)
PROBES = (View("probes", purposes=("probe",)),)
GUARDS = {
    "check": View("check", purposes=("decision",), whose="own", last=1),
    "monitor": View("warnings", purposes=("monitor",), round="previous"),
}
"""Defence -> what benign agents read besides the talk; the other defences are words alone."""

BETWEEN_CHECKS = 4
"""Rounds from one check to the next."""

PARTS = 4
"""Probes are asked again at the end of each of so many parts of the rounds."""


class _Room:
    """The seats of a room, and what is asked of them.

    Args:
        cast: agents and, last, perhaps a monitor.
        settings: window, block, chat, reasks and defence count here.
    """

    def __init__(self, cast: Sequence[Seat], settings: Settings) -> None:
        seats = list(enumerate(cast))
        self.agents = [seat for seat, part in seats if part.role != MONITOR]
        self.benign = tuple(i for i in self.agents if cast[i].role not in ADVERSARIES)
        self._together, self._turns = coalition(cast), settings.chat
        self._monitor = tuple(seat for seat, part in seats if part.role == MONITOR)
        window = (settings.window, settings.block) if settings.window else None
        talk = View("history", purposes=("message",), window=window)
        guard = (GUARDS[settings.defence],) if settings.defence in GUARDS else ()
        self._talk, self._benign_read = talk, (talk, *guard)
        views = {"own": self._benign_read, "anonymous": (talk._replace(veiled=True), *guard)}
        self._again = [(variant, views[variant]) for variant in settings.reasks.split()]
        self._late = {-(-part * settings.rounds // PARTS) for part in range(1, PARTS + 1)}

    def message(self, agent: int, current: int, hearing: tuple[int, ...]) -> Step:
        """What an agent says to those that hear it and, for its memory, to itself."""
        views = self._benign_read if agent in self.benign else (self._talk,)
        if agent in self._together:
            views = (self._talk, PLAN, CHAT)
        to = tuple(sorted((*hearing, agent)))
        return Step(agent, "message", current, to=to, views=views, form="spoken")

    def plans(self) -> Iterator[Step]:
        """What coordinated adversaries do before anybody has spoken."""
        yield from opening(self._together, self._turns)

    def chats(self, current: int) -> Iterator[Step]:
        """What coordinated adversaries say among themselves after a round."""
        yield from during(self._together, current, self._turns, self._talk)

    def checks(self, current: int) -> Iterator[Step]:
        """What every benign agent answers for itself, without the talk."""
        if current % BETWEEN_CHECKS == 1:
            for agent in self.benign:
                yield Step(agent, "decision", current, to=(agent,), variant="check", form="spoken")

    def probes(self, current: int) -> Iterator[Step]:
        """What every benign agent is asked in private after a round."""
        for agent in self.benign:
            to, views = self._monitor, self._benign_read
            yield Step(agent, "probe", current, to=to, views=views, form="spoken")
        for variant, views in self._again if current in self._late else ():
            for agent in self.benign:
                yield Step(agent, "probe", current, -1, (), views, variant, form="spoken")

    def warnings(self, current: int) -> Iterator[Step]:
        """What the monitor makes of all probes so far, for the benign agents."""
        for seat in self._monitor:
            yield Step(seat, "monitor", current, -1, self.benign, PROBES, kind="computed")


def _steps(room: _Room, settings: Settings, stream: Stream) -> Iterator[Step]:
    # Drawn first, so that networks share the orders of speaking.
    orders = [stream.shuffled(room.agents) for _ in range(settings.rounds)]
    hearing = hearers(settings.network, len(room.agents), stream)
    yield from room.probes(0)
    yield from room.plans()
    for current, order in enumerate(orders, 1):
        if settings.defence == "check":
            yield from room.checks(current)
        for agent in order:
            yield room.message(agent, current, hearing[agent])
        yield from room.probes(current)
        yield from room.warnings(current)
        if current < settings.rounds:
            yield from room.chats(current)


def graph(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
    """Return the graph of one chatroom of `settings.rounds` rounds. There is no stop rule.

    In each round every agent speaks once, in an order that the stream draws anew and that depends
    on nothing but the number of agents; all who hear it (`hearers`), and itself, read it later, in
    the window that is set. Seats that are no adversaries are benign: each is asked privately before
    round 1 and after every round, and with `settings.reasks` once more after a quarter, half, three
    quarters and all of the rounds (rounded up), for its ``own`` view or with its own messages
    unsigned (``anonymous``). What they answer enters no memory.

    With the defence ``check`` benign agents answer alone in rounds 1, 5, 9 and so on, and read
    their last such answer from then on. With the defence ``monitor`` a seat that is no agent, last
    in the cast and added where it is missing, reads the probes after each round; benign agents
    read the warning of the round before. Other defences change words alone.

    Two or more seats of the role ``coordinated`` chat and plan before round 1, and chat after every
    round but the last, `settings.chat` turns each (an addition of ours, as in the deliberation).

    Args:
        cast: the agents, benign or adversaries, at least 2.
        settings: rounds, window, block, network, chat, reasks and defence count.
        stream: draws the orders, then the network.

    Raises:
        SettingError: the network is unknown or does not fit the number of agents.
        GraphError: more rounds are dropped at once than the window keeps.

    Source: section 3.1 (rounds), 3.2 (probes), A.2 (re-asks), B (order), D (orders shared).

    >>> cast = [Seat("0", "sybil"), *observers(10)[1:]]
    >>> trial = graph(cast, Settings(rounds=16), Stream(b"seed", "schedule"))
    >>> len(trial.steps), trial.step_id(0)
    (313, 'probe/1/0')
    >>> reasked = Settings(rounds=16, reasks="own anonymous")
    >>> len(graph(cast, reasked, Stream(b"seed", "schedule")).steps)
    385
    """
    if settings.defence == "monitor" and cast[-1].role != MONITOR:
        cast = (*cast, WATCH)
    room = _Room(cast, settings)
    readout = Readout("probe", room.benign, first_round=0)
    return build(cast, _steps(room, settings, stream), readout)


CHATROOM = Protocol(
    "chatroom",
    observers,
    graph,
    takes=("coordinated", "chat", "window", "block", "network", "reasks", "defence"),
    label="Guest",
    personas=True,
)
