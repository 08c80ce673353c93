"""The document world: claims with a passage that settles them, which only some may have seen."""

from __future__ import annotations

from dataclasses import fields

from socialcircuits.worlds.claims.documents.bundled import bundled
from socialcircuits.worlds.claims.documents.evidence import DocumentEvidence
from socialcircuits.worlds.claims.documents.generated import generated
from socialcircuits.worlds.claims.documents.settings import DocumentSettings
from socialcircuits.worlds.claims.documents.world import DocumentWorld, from_settings
from socialcircuits.worlds.claims.item import Document
from socialcircuits.worlds.claims.world import grade, same

SETTINGS = tuple(field.name for field in fields(DocumentSettings))
"""Names of the settings of the document world."""

__all__ = [
    "SETTINGS",
    "Document",
    "DocumentEvidence",
    "DocumentSettings",
    "DocumentWorld",
    "bundled",
    "from_settings",
    "generated",
    "grade",
    "same",
]
