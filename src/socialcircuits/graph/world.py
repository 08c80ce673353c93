"""What a world is: what is true, who privately sees what, and which answers there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from socialcircuits.graph.vocabulary import Evidence


@dataclass(frozen=True)
class Deal:
    """One drawn situation: the truth, the allowed answers and the evidence of each seat.

    Args:
        truth: the right answer.
        answers: the allowed answers, in the world's order.
        lure: a plausible wrong answer, the one best supported by the dealt evidence.
        evidence: one entry a seat that bears evidence, in seat order.
        facts: what measures need later (JSON values only), such as the compatible sets.
    """

    truth: str
    answers: tuple[str, ...]
    lure: str
    evidence: tuple[Evidence, ...]
    facts: Mapping[str, Any]


class World(Protocol):
    """What is true and who privately sees what."""

    @property
    def kind(self) -> str:
        """Name of the world in the catalogue."""
        ...

    @property
    def answers(self) -> tuple[str, ...]:
        """The allowed answers, in the world's order; empty where every item has its own."""
        ...

    @property
    def items(self) -> tuple[str, ...]:
        """What a trial can be about, such as the ids of questions: each replicate takes another
        one. Empty where a trial is about nothing but its truth, which every replicate draws."""
        ...

    @property
    def fingerprint(self) -> str:
        """Digest (hex) of all data from which deals are drawn: a run whose world's data have
        changed since it began cannot go on."""
        ...

    @property
    def aliases(self) -> Mapping[str, str]:
        """Other names of answers -> the answer."""
        ...

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        """Draw the truth and the evidence of `bearers` seats.

        `about` is the item; in a world without items it is the truth itself, or None to draw it.

        Seat i gets the same evidence whatever `bearers` is (evidence nests)."""
        ...

    def views(self, about: str) -> tuple[Evidence, ...]:
        """All evidence that a seat can be dealt under a truth or for an item; what is dealt more
        often stands there more often."""
        ...

    def named(self, truth: str, name: str) -> Evidence:
        """One piece of evidence, as the world names it, under a truth.

        Raises:
            SettingError: the world has no evidence of this name.
        """
        ...

    def assemble(self, truth: str, evidence: Sequence[Evidence], lure: str = "") -> Deal:
        """The situation in which these seats see this evidence, taken from `views`; the lure is
        the world's own choice unless it is given."""
        ...

    def picture(self, answer: str) -> Any:
        """What an answer looks like, as an RGB array of shape (height, width, 3) with values 0 to
        255; None where the world has no pictures."""
        ...
