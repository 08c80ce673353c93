"""Batches under way, as a run remembers them: later commands find what was paid for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from socialcircuits.errors import SettingError
from socialcircuits.records import RunStore

T = TypeVar("T")

UNDER_WAY = "batches"
"""Under this name a run remembers them."""


class Shelf:
    """The book of batches (`socialcircuits.calls.batch.Book`) of a run.

    Args:
        store: the run's file.
    """

    def __init__(self, store: RunStore) -> None:
        self._store = store

    def read(self) -> list[dict[str, Any]]:
        """Return the rows that were written last."""
        rows: list[dict[str, Any]] = self._store.recall(UNDER_WAY) or []
        return rows

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Commit rows in place of those before."""
        self._store.remember(UNDER_WAY, list(rows))

    def check(self, model: str) -> None:
        """Refuse to ask a model at once while batches of it are under way: they are paid for.

        Raises:
            SettingError: there are some.
        """
        held = [row["batch"] or row["file"] for row in self.read() if row["model"] == model]
        if held:
            expected = f"this option, since labels by {model} are under way in {', '.join(held)}"
            raise SettingError("--batch", None, expected)


def slices(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield items in their order, so many at a time.

    >>> list(slices("abcde", 2))
    ['ab', 'cd', 'e']
    """
    for start in range(0, len(items), size):
        yield items[start : start + size]


__all__ = ["Shelf", "slices"]
