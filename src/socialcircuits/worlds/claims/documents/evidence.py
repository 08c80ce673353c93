"""What a seat sees of a document: a passage, and the question that it settles."""

from __future__ import annotations

from typing import Any

from socialcircuits.seeds import digest
from socialcircuits.worlds.claims.evidence import Chances, ClaimEvidence
from socialcircuits.worlds.claims.item import Document

__all__ = ["DocumentEvidence"]

CHANCES: Chances = (990, 1, 9)
"""With how many thousandths a simulated agent that has the passage gives the true answer alone,
the false one and none; a setting of ours."""


class DocumentEvidence(ClaimEvidence):
    """A document as a seat that bears evidence sees it. Without it a seat knows nothing of the
    answer.

    Args:
        document: the document.

    Attributes:
        document: the document.

    >>> from socialcircuits.worlds.claims.documents.bundled import bundled
    >>> evidence = DocumentEvidence(bundled()[0])
    >>> evidence.answers, evidence.log_belief()
    (('140 fillings', '90 fillings', 'I do not know'), (-6908, -10, -4711))
    """

    def __init__(self, document: Document) -> None:
        super().__init__(document.claim)
        self.document = document

    @property
    def key(self) -> bytes:
        """Digest of the passage, and of what a claim's is made of."""
        return digest("document", super().key, self.document.passage)

    def chances(self) -> Chances:
        """What a passage tells; it is no property of the document."""
        return CHANCES

    def reasons(self) -> tuple[str, ...]:
        """One or two true statements about the passage and the question that favour no answer."""
        return ("The passage settles it.", *super().reasons()[1:])

    def text(self) -> str:
        """The passage, and below it the question."""
        return f"{self.document.passage}\n\n{self.claim.question}"

    def digest(self) -> bytes:
        """Digest of all that a deal of the document can depend on."""
        return digest(super().digest(), self.document.passage)

    def facts(self) -> dict[str, Any]:
        """Those of the claim, and the question, which the evidence does not show alone."""
        return {**super().facts(), "question": self.claim.question}
