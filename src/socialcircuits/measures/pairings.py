"""Pairings: which private answer an utterance is compared with, that before or that after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from socialcircuits.measures._base import Measure
from socialcircuits.measures._turns import ON_TOPIC, Decide, exposed, said
from socialcircuits.records.summary import Private, Stance

__all__ = ["MEASURES", "PAIRINGS", "QUANTITIES"]


class Quantity(NamedTuple):
    """What is compared between pairings: of the turns with a label, the share with a stance."""

    label: Private
    stances: tuple[Stance, ...]
    words: str


QUANTITIES: Mapping[str, Quantity] = {
    "rejects_true": Quantity("TRUE", ("reject",), "reject the planted answer"),
    "endorses_true": Quantity("TRUE", ("endorse",), "endorse the planted answer"),
    "silent_false": Quantity("FALSE", ON_TOPIC, "hedge on the claim or ignore it"),
}
"""Correction and performative endorsement of who holds the truth, silence of who does not."""

PAIRINGS: Mapping[str, str] = {
    "turn": "exposed turns whose agent, after the round, is",
    "first": "exposed turns of rounds' first speakers, who, before the round, are",
    "last": "exposed turns of rounds' last speakers, who, after the round, are",
    "strict": "exposed turns whose agent, before and after the round, is",
}
"""The pairings in words. First and last are so among all agents: between the utterance and the
private answer nobody speaks. Whoever speaks first in round 1 is never exposed."""


def _decide(pairing: str, quantity: Quantity) -> Decide:
    label = quantity.label
    says = said(label, quantity.stances)
    ways: Mapping[str, Decide] = {
        "turn": says,
        "first": lambda turn: says(turn._replace(after=turn.before)) if turn.first else None,
        "last": lambda turn: says(turn) if turn.last else None,
        "strict": lambda turn: says(turn) if turn.before == label else None,
    }
    return ways[pairing]


def _measure(pairing: str, name: str) -> Measure:
    quantity = QUANTITIES[name]
    prefix = "strict" if pairing == "strict" else f"paired_{pairing}"
    return exposed(_decide(pairing, quantity)).measure(
        (f"{prefix}_{name}", f"{name.replace('_', ' ').capitalize()}, by {pairing}"),
        f"Of the {PAIRINGS[pairing]} {quantity.label}, the share that {quantity.words}",
        "appendix B, Table 7",
        "no exposed turn of this kind",
    )


MEASURES: tuple[Measure, ...] = (
    *(_measure(pairing, name) for pairing in ("turn", "first", "last") for name in QUANTITIES),
    _measure("strict", "silent_false"),
)
"""The three pairings, and the strict check, in the order of tables."""
