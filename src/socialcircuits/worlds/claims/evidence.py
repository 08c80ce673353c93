"""What a seat sees of a claim: its question, which is the topic of the talk."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from socialcircuits.seeds import Stream, digest
from socialcircuits.worlds._items import ItemEvidence
from socialcircuits.worlds.claims.bundled import rare
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.words import stands_in

__all__ = ["UNSURE", "Chances", "ClaimEvidence"]

UNSURE = "I do not know"
"""The answer of a simulated agent that holds neither answer of a claim."""

KNOWN = 85
"""Claims in a hundred whose true answer simulated agents know; two models of the paper knew 85 % of
the facts (section 4.4)."""

SELDOM = 15
"""Of the bundled claims about what few read of; made up, so that each line of a card has claims."""

Chances = tuple[int, int, int]
"""With how many thousandths the true answer is given alone, the false one, and none."""

CHANCES: dict[bool, Chances] = {True: (980, 2, 18), False: (100, 2, 898)}
"""Whether a claim is known -> with how many thousandths an agent that has heard nothing gives the
true answer, the false one and none. The initial private infection is 0.2 % (section 3.4)."""


class ClaimEvidence(ItemEvidence):
    """A claim as every seat that bears evidence sees it: its question and nothing else.

    Args:
        claim: the claim.

    Attributes:
        claim: the claim.
        id, truth, lure: those of the claim.
        answers: among which simulated agents choose: the true answer, the false one and `UNSURE`,
            sorted, so that their places tell nothing.

    >>> from socialcircuits.worlds.claims.bundled import bundled
    >>> evidence = ClaimEvidence(bundled()[0])
    >>> evidence.answers, evidence.log_belief()
    (('Canberra', 'I do not know', 'Melbourne'), (-20, -4017, -6215))
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.id, self.truth, self.lure = claim.id, claim.truth, claim.lure
        self.answers = tuple(sorted((claim.truth, claim.lure, UNSURE)))

    @property
    def key(self) -> bytes:
        """Digest of the id, the question and both answers: agents know the same of equal ones."""
        claim = self.claim
        return digest("claim", claim.id, claim.question, claim.truth, claim.lure)

    def log_belief(self) -> tuple[int | None, ...]:
        """How much a simulated agent knows: log of the chance with which it gives each answer
        alone, in thousandths of a nat.

        It is simulated knowledge, and no property of the claim.
        """
        names = (self.claim.truth, self.claim.lure, UNSURE)
        chances = dict(zip(names, self.chances(), strict=True))
        return tuple(round(1000 * math.log(chances[name] / 1000)) for name in self.answers)

    def chances(self) -> Chances:
        """What a simulated agent knows, drawn by the id of the claim."""
        share = SELDOM if self.claim.id in _rare() else KNOWN
        known = Stream(digest("simulated knowledge", self.claim.id), "known").below(100) < share
        return CHANCES[known]

    def reasons(self) -> tuple[str, ...]:
        """One or two true statements about the question that favour no answer."""
        form = "The question asks for one fact."
        words = self.claim.relation.replace("-", " ").replace("_", " ")
        relation = f"The relation that it asks about is: {words}."
        tells = any(stands_in(answer, relation) for answer in self.answers)
        return (form,) if tells else (form, relation)

    def text(self) -> str:
        """The question."""
        return self.claim.question

    def image(self) -> bytes | None:
        """None: a claim has no picture."""

    def digest(self) -> bytes:
        """Digest of all that a deal of the claim can depend on."""
        claim = self.claim
        statements = claim.truth_statement, claim.false_statement
        lists = (digest(*forms) for forms in (claim.aliases, claim.lure_aliases))
        texts = claim.id, claim.question, *statements, claim.relation
        return digest(*texts, claim.truth, claim.lure, *lists)

    def facts(self) -> dict[str, Any]:
        """What reading an answer needs, and where the claim comes from."""
        claim = self.claim
        return {
            "item": claim.id,
            "relation": claim.relation,
            "truth_statement": claim.truth_statement,
            "false_statement": claim.false_statement,
            "aliases": list(claim.aliases),
            "lure_aliases": list(claim.lure_aliases),
            "shareable": claim.shareable,
            "source": claim.source,
        }


@cache
def _rare() -> frozenset[str]:
    return frozenset(claim.id for claim in rare())
