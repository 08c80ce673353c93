"""Small chatrooms without a world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from socialcircuits.graph import ADVERSARIES, Brief, Graph, Mind, Reply, Settings
from socialcircuits.graph.vocabulary import MONITOR
from socialcircuits.protocols import find
from socialcircuits.seeds import Stream
from socialcircuits.trial import Setup
from tests.support.deliberations import cast_of, secret
from tests.support.trials import trial

CHATROOM = find("chatroom")
WARNING = Reply('{"reason": "Careful."}', None, "Careful.")


def graph_of(roles: Sequence[str], settings: Settings, seed: bytes = b"seed") -> Graph:
    """The graph of a chatroom of agents of these roles."""
    return CHATROOM.graph(cast_of(roles), settings, Stream(seed, "schedule"))


def room(
    roles: Sequence[str], settings: Settings, *, mind: Mind | None = None, retries: int = 0
) -> Setup:
    """A chatroom in which each agent is told a persona, and each sybil a claim, of its own. A
    monitor, where the settings ask for one, sees no evidence and always warns."""
    graph = graph_of(roles, settings)
    setup = trial("chatroom", len(roles), mind=mind, retries=retries)
    more = len(graph.seats) - len(roles)
    briefs = [
        Brief(
            role,
            name=f"{CHATROOM.label} {number + 1}",
            persona=secret("persona", number),
            lure=secret("lure", number) if role in ADVERSARIES else "",
        )
        for number, role in enumerate(roles)
    ]
    return replace(
        setup,
        graph=graph,
        minds=setup.minds + setup.minds[:1] * more,
        evidence=setup.evidence + (None,) * more,
        answers=setup.answers + setup.answers[:1] * more,
        briefs=(*briefs, *(Brief(MONITOR) for _ in range(more))),
        computed={MONITOR: lambda observation: WARNING} if more else {},
    )
