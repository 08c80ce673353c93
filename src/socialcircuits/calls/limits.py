"""How many calls a run may make, at what cost, and what it has spent."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from socialcircuits.errors import SettingError


@dataclass(frozen=True)
class Limits:
    """What the calls of one run must keep to.

    Args:
        calls: at most this many replies, faulty ones included; None for no limit. A retry after a
            transport fault is no reply and is not counted.
        cost: at most this many billionths of a US dollar; None for no limit.
        in_flight: at most this many requests at a time, from 1.
        patience: seconds for which one call is sent again after its first transport fault, from 0.
        first_wait: seconds before the first retry where the server names no time, above 0; it
            doubles with each retry, up to 30 seconds.

    Raises:
        SettingError: a value out of its range.

    >>> Limits(calls=100).in_flight
    64
    """

    calls: int | None = None
    cost: int | None = None
    in_flight: int = 64
    patience: float = 600.0
    first_wait: float = 0.5

    def __post_init__(self) -> None:
        for name, value in (("--max-calls", self.calls), ("--max-cost", self.cost)):
            if value is not None and value < 0:
                raise SettingError(name, value, "0 or more")
        if self.in_flight < 1:
            raise SettingError("in_flight", self.in_flight, "1 or more")
        if not 0 <= self.patience < math.inf:
            raise SettingError("patience", self.patience, "seconds, 0 or more")
        if not 0 < self.first_wait < math.inf:
            raise SettingError("first_wait", self.first_wait, "seconds, above 0")


class Spent(NamedTuple):
    """What all replies together took.

    Args:
        calls: number of replies.
        cost: in billionths of a US dollar; a model without a known price adds what its server says
            that it bills, and else nothing.
        prompt: prompt tokens, as far as servers counted them, and
        completion: completion tokens, likewise.
        cached: how many of the prompt tokens came from servers' caches.
    """

    calls: int = 0
    cost: int = 0
    prompt: int = 0
    completion: int = 0
    cached: int = 0
