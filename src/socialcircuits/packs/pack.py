"""What a pack is: words for an answer, in favour of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

MOST = 8
"""Most guests that speak for one answer: a pack has so many arguments for each."""


class Words(NamedTuple):
    """What is said for one answer.

    Args:
        argued: messages that argue for it, each in another way; `MOST` of them.
        bare: a message that names it and no more; who repeats it says the same.
    """

    argued: tuple[str, ...]
    bare: str


class Pack(Protocol):
    """The words of recorded guests."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def version(self) -> int:
        """Its version, from 1."""
        ...

    @property
    def provenance(self) -> Mapping[str, Any]:
        """By whom and how it was made (JSON values)."""
        ...

    @property
    def digest(self) -> str:
        """Digest (hex) of all words: two packs are the same where it is."""
        ...

    def words(self, item: str, answer: str) -> Words:
        """Return what is said for an answer to an item.

        Raises:
            UsageError: the pack has no words for it.
        """
        ...
