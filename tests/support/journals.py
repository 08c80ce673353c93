"""A journal in memory."""

from __future__ import annotations

from collections.abc import Sequence

from socialcircuits.graph import Reply
from socialcircuits.records import Asking, Attempt


class Notebook:
    """Keeps what was committed: attempts in order, replies by key, and what was to be asked."""

    def __init__(self) -> None:
        self.answered: list[Attempt] = []
        self.replies: dict[bytes, Reply] = {}
        self.asking: list[Asking] = []
        self.forgotten: list[bytes] = []

    def commit(self, answered: Sequence[Attempt], asking: Sequence[Asking]) -> None:
        self.answered += answered
        self.replies |= {attempt.key: attempt.reply for attempt in answered}
        self.asking += asking

    def forget(self, keys: Sequence[bytes]) -> None:
        self.forgotten += keys
