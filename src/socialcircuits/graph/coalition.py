"""Coordinated deceivers: who they are, and how they plan (adversarial influence, section 2.2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from socialcircuits.graph.vocabulary import Seat, Step, View

PLAN = View("plan", purposes=("plan",), whose="own")
CHAT = View("chat", purposes=("chat",))

Coalition = tuple[int, ...]
"""The seats of those who coordinate, in order; none where there is but one."""


def coalition(cast: Sequence[Seat]) -> Coalition:
    """Return the coordinated seats; a single one has nobody to coordinate with.

    >>> coalition([Seat("0"), Seat("1", "coordinated"), Seat("2", "coordinated")])
    (1, 2)
    >>> coalition([Seat("0"), Seat("1", "coordinated")])
    ()
    """
    seats = tuple(seat for seat, part in enumerate(cast) if part.role == "coordinated")
    return seats if len(seats) > 1 else ()


def opening(seats: Coalition, turns: int) -> Iterator[Step]:
    """Yield what they do before anything is public: a chat, then a plan for each of them."""
    yield from _chat(seats, 0, turns, "before", (CHAT,))
    for seat in seats:
        yield Step(seat, "plan", 0, to=(seat,), views=(CHAT,), form="spoken")


def during(seats: Coalition, current: int, turns: int, public: View) -> Iterator[Step]:
    """Yield their chat after what was public in a round."""
    yield from _chat(seats, current, turns, "during", (CHAT, public))


def _chat(
    seats: Coalition, current: int, turns: int, variant: str, views: tuple[View, ...]
) -> Iterator[Step]:
    for _ in range(turns):
        for seat in seats:
            yield Step(seat, "chat", current, -1, seats, views, variant, form="spoken")
