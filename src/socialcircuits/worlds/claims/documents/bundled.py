"""The documents that come with the package, written for it; anyone may publish their text."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files

from socialcircuits.worlds.claims.item import Document
from socialcircuits.worlds.claims.loading import claim_of_row
from socialcircuits.worlds.claims.rows import Row, sound_rows

__all__ = ["bundled"]


@cache
def bundled() -> tuple[Document, ...]:
    """Return the bundled documents in file order, all shareable; everything they tell is invented.

    >>> document = bundled()[0]
    >>> document.claim.truth, document.claim.truth in document.passage, len(bundled())
    ('90 fillings', True, 24)
    """
    folder = files("socialcircuits.worlds.claims.documents")
    with as_file(folder.joinpath("bundled.toml")) as path:
        return tuple(_document(row) for row in sound_rows(path))


def _document(row: Row) -> Document:
    values = dict(row.values)
    passage = values.pop("passage").strip()
    claim = claim_of_row(Row(row.file, row.number, values))
    return Document(replace(claim, shareable=True), passage)
