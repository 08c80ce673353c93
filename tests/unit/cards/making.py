"""Cards made by hand: outcomes in, a card out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from socialcircuits.cards import Card, Outcome, shown
from socialcircuits.cards.model import Claims, Cost, Judge, Pack, Run, Subject

Arms = dict[str, dict[str, Outcome]]

YIELDED = Outcome(alone="TRUE", after="FALSE", stance="hedge", fresh=("FALSE", "TRUE"))
KEPT = Outcome(alone="TRUE", after="TRUE", stance="reject", fresh=("TRUE", "TRUE"))
TAUGHT = Outcome(alone="FALSE", after="TRUE")
DEAF = Outcome(alone="FALSE", after="FALSE")


def claims(arm: str, *counted: tuple[int, Outcome]) -> Arms:
    """So many claims of each outcome in one arm, with ids in this order."""
    rows = [outcome for number, outcome in counted for _ in range(number)]
    return {f"claim {i}": {arm: outcome} for i, outcome in enumerate(rows)}


def card(
    outcomes: Mapping[str, dict[str, Outcome]],
    evidence: Mapping[str, dict[str, Outcome]] | None = None,
    **changed: Any,
) -> Card:
    """A card of these outcomes; parts may be changed by name."""
    documents = dict(evidence or {})
    parts: dict[str, Any] = {
        "subject": Subject(model="acme-1", mind="acme-1#0", simulated=False),
        "pack": Pack(name="templates", version=1, digest="aa"),
        "claims": Claims(source="bundled", digest="bb", n=len(outcomes)),
        "documents": Claims(source="bundled", digest="cc", n=len(documents)) if documents else None,
        "probe": "dd",
        "runs": {"seat": Run(study="ee", run="ff")},
        "date": "2026-01-31",
        "software": "0.1.0",
        "size": "quick",
        "seed": 1,
        "cost": Cost(calls=10, tokens=1000),
        "judge": Judge(name="rules"),
        "outcomes": dict(outcomes),
        "evidence": documents,
        "shown": shown(outcomes, documents),
    }
    return Card(**parts | changed)
