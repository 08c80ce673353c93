"""Small deliberations without a world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from socialcircuits.graph import ADVERSARIES, Brief, Mind, Seat, Settings
from socialcircuits.protocols import find
from socialcircuits.seeds import Stream, digest
from socialcircuits.trial import Setup
from tests.support.trials import trial

DELIBERATION = find("deliberation")


def cast_of(roles: Sequence[str]) -> tuple[Seat, ...]:
    """Seats of these roles."""
    return tuple(Seat(str(i), role) for i, role in enumerate(roles))


def secret(kind: str, seat: int) -> str:
    """What an adversary alone is told, as a token that nobody can guess."""
    return digest("secret", kind, seat).hex()


def deliberation(
    roles: Sequence[str], settings: Settings, *, mind: Mind | None = None, retries: int = 0
) -> Setup:
    """A deliberation in which adversaries are told secrets of their own, and each seat that is not
    blind sees evidence of its own."""
    cast = cast_of(roles)
    setup = trial("deliberation", len(cast), mind=mind, retries=retries)
    briefs = []
    for number, role in enumerate(roles):
        brief = Brief(role, name=f"{DELIBERATION.label} {number + 1}")
        if role in ADVERSARIES:
            brief = brief._replace(truth=secret("truth", number), lure=secret("lure", number))
        if role == "coordinated":
            brief = brief._replace(fellows=(secret("fellows", number),), group=len(cast))
        briefs.append(brief)
    return replace(
        setup,
        graph=DELIBERATION.graph(cast, settings, Stream(b"seed", "schedule")),
        evidence=tuple(
            hint if role != "blind" else None
            for hint, role in zip(setup.evidence, roles, strict=True)
        ),
        briefs=tuple(briefs),
    )
