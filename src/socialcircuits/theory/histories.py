"""What agents heard and answered, in order of time: the data of a fit.

Each answer, a probe or an own message, and each heard label is one event. Labels are the truth,
the rival, or neither.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from socialcircuits.errors import SettingError

__all__ = [
    "GAVE_OTHER",
    "GAVE_RIVAL",
    "GAVE_TRUTH",
    "HEARD_OTHER",
    "HEARD_RIVAL",
    "HEARD_TRUTH",
    "Histories",
    "joined",
]

HEARD_TRUTH, HEARD_RIVAL, HEARD_OTHER, GAVE_TRUTH, GAVE_RIVAL, GAVE_OTHER = range(6)
"""The events. GAVE_OTHER is an answer that names a third label or is invalid; HEARD_OTHER is a
message that names a third label."""


@dataclass(frozen=True)
class Histories:
    """The events of each agent, one agent after another.

    Args:
        events: shape (events,), the codes above, in order of time within an agent.
        offsets: shape (agents + 1,), where each agent's events begin, and the end of the last.

    Raises:
        SettingError: a code is unknown, or the offsets do not cut the events into pieces.

    >>> one = Histories([GAVE_RIVAL, HEARD_TRUTH, GAVE_TRUTH], [0, 3])
    >>> one.agents, one.count(HEARD_TRUTH)
    (1, 1)
    """

    events: NDArray[np.int8]
    offsets: NDArray[np.int64]

    def __init__(self, events: ArrayLike, offsets: ArrayLike) -> None:
        codes, cuts = np.asarray(events), np.asarray(offsets)
        if codes.ndim != 1 or (codes.size and (codes.dtype.kind not in "iu" or
                               codes.min() < 0 or codes.max() > GAVE_OTHER)):  # fmt: skip
            raise SettingError("events", f"{codes.shape} {codes.dtype}", "codes from 0 to 5")
        whole = cuts.ndim == 1 and cuts.size > 0 and cuts.dtype.kind in "iu"
        if not whole or cuts[0] != 0 or cuts[-1] != codes.size or (cuts[1:] < cuts[:-1]).any():
            raise SettingError(
                "offsets", cuts.tolist()[:5], f"numbers from 0 to {codes.size} that do not decrease"
            )
        object.__setattr__(self, "events", np.ascontiguousarray(codes, np.int8))
        object.__setattr__(self, "offsets", np.ascontiguousarray(cuts, np.int64))

    @property
    def agents(self) -> int:
        """Number of agents."""
        return self.offsets.size - 1

    def count(self, *codes: int) -> int:
        """Number of events of these kinds, over all agents."""
        return int(np.isin(self.events, codes).sum())


def joined(parts: Iterable[Histories]) -> Histories:
    """Return the agents of several trials as those of one.

    >>> joined([Histories([GAVE_TRUTH], [0, 1])] * 2).offsets.tolist()
    [0, 1, 2]
    """
    pieces = list(parts)
    sizes = [np.diff(piece.offsets) for piece in pieces]
    events = [piece.events for piece in pieces]
    return Histories(
        np.concatenate([np.empty(0, np.int8), *events]),
        np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes])),
    )
