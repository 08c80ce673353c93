"""Re-asks: whether a private answer stands when it is asked for in other words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from socialcircuits.measures._base import Measure, Outcome
from socialcircuits.measures._turns import Share, no_private, pair
from socialcircuits.records.summary import Held, Room

__all__ = ["MEASURES", "VARIANTS"]

VARIANTS: Mapping[str, str] = {
    "own": "asked for their own view",
    "anonymous": "asked with their own messages unsigned",
}
"""The other instructions, in words."""


def _things(variant: str, *, last: bool) -> Callable[[Room], Mapping[Held, int]]:
    """What was held by the standard probe and by the other, in all rounds or the last one."""
    return lambda room: Counter(
        pair(member.held(current), answer)
        for member in room.members
        for current, answer in member.reasks.get(variant, {}).items()
        if not last or current == room.rounds
    )


def _missing(variant: str) -> Callable[[Room], str | None]:
    def missing(room: Room) -> str | None:
        asked = any(variant in member.reasks for member in room.members)
        return no_private(room) if asked else f"nobody was {VARIANTS[variant]}"

    return missing


def _false(things: Held) -> Outcome:
    return things.after == "FALSE"


def _retained(things: Held) -> Outcome:
    return _false(things) if things.before == "FALSE" else None


def _measures(variant: str, how: str) -> tuple[Measure, Measure]:
    missing = _missing(variant)
    return (
        Share(_things(variant, last=False), _retained, missing, f"private {variant}").measure(
            (f"reask_{variant}_retained", f"Kept when asked again ({variant})"),
            f"Of the private answers that are FALSE, by agents who were then {how}, the share that "
            "is FALSE again",
            "section 4.3 and Table 5",
            "no FALSE answer was asked for again",
        ),
        Share(_things(variant, last=True), _false, missing, f"{variant}-last").measure(
            (f"final_infection_{variant}", f"Final private infection ({variant})"),
            f"Share of the benign agents that are FALSE after the last round when {how}",
            "section 4.3 and Table 5",
            "nobody was asked again after the last round",
        ),
    )


MEASURES: tuple[Measure, ...] = tuple(
    measure for variant, how in VARIANTS.items() for measure in _measures(variant, how)
)
"""What is kept, and what is left at the end, by instruction."""
