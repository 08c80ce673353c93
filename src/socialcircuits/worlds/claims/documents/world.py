"""The document world: a seat sees a passage and a question that the passage settles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.worlds._items import WHERE, ItemWorld, check_known, read_settings
from socialcircuits.worlds.claims.documents.bundled import bundled
from socialcircuits.worlds.claims.documents.evidence import DocumentEvidence
from socialcircuits.worlds.claims.documents.generated import generated
from socialcircuits.worlds.claims.documents.settings import DocumentSettings
from socialcircuits.worlds.claims.item import Document
from socialcircuits.worlds.claims.own import read_own, refuse

__all__ = ["DocumentWorld", "from_settings"]


class DocumentWorld(ItemWorld[DocumentEvidence]):
    """Documents of a file, generated ones, or the bundled ones; a trial is about one of them.

    A document is a claim with a passage that supports its true answer and contradicts the false
    one, which is the lure of every trial. Answers are read and graded as those of claims.

    Args:
        settings: the checked settings.

    Attributes:
        settings: the settings.
        documents: the documents taken, in file order.

    Raises:
        UsageError: the file cannot be used, or has no passage.

    >>> world = DocumentWorld(DocumentSettings(only=("tram-last",)))
    >>> deal = world.deal(b"seed", 2, "tram-last")
    >>> deal.truth, deal.lure, deal.facts["question"][:30]
    ('22:48', '23:26', 'When does the last tram of lin')
    """

    kind, item, seen = "documents", "document", "the passage"

    def __init__(self, settings: DocumentSettings) -> None:
        self.settings = settings
        documents = _loaded(settings)
        check_known("only", settings.only, [document.claim.id for document in documents])
        self.documents = tuple(
            document
            for document in documents
            if not settings.only or document.claim.id in settings.only
        )
        super().__init__(map(DocumentEvidence, self.documents))


def from_settings(settings: Mapping[str, Any]) -> DocumentWorld:
    """Return the document world with the settings of a study file.

    Raises:
        UsageError: a setting is unknown or not allowed, or the file cannot be used.

    >>> len(from_settings({"generated": 5, "seed": 7}).items)
    5
    """
    return DocumentWorld(read_settings(DocumentSettings, "document", settings))


def _loaded(settings: DocumentSettings) -> tuple[Document, ...]:
    if settings.generated:
        return generated(settings.generated, settings.seed)
    if not settings.file:
        return bundled()
    try:
        own = read_own(settings.file)
        refuse(own, settings.file, skip_bad=settings.skip_bad)
    except SettingError as error:
        raise SettingError(f"{WHERE}.file", settings.file, error.expected) from error
    if not own.documents:
        expected = "a table with at least one passage; it has none"
        raise SettingError(f"{WHERE}.file", settings.file, expected)
    return tuple(_shared(document, settings.shareable) for document in own.documents)


def _shared(document: Document, shareable: bool) -> Document:
    return replace(document, claim=replace(document.claim, shareable=shareable))
