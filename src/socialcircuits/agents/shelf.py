"""A bounded store of what was made last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Shelf(Generic[T]):
    """Keeps what was put last.

    Args:
        room: how many items it keeps, at least 1.

    >>> shelf = Shelf[str](1)
    >>> shelf.put(1, "one")
    >>> shelf.put(2, "two")
    >>> shelf.get(1), shelf.get(2)
    (None, 'two')
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._items: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """Return an item, or None where it is not kept."""
        return self._items.get(key)

    def put(self, key: Hashable, item: T) -> None:
        """Keep an item; the one that was put first may have to go."""
        self._items[key] = item
        if len(self._items) > self._room:
            self._items.popitem(last=False)


__all__ = ["Shelf"]
