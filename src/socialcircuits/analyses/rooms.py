"""Chatrooms by condition, and rates over them: items are the clusters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from socialcircuits.analyses.counting import question
from socialcircuits.measures import cell
from socialcircuits.records.summary import Room, TrialSummary
from socialcircuits.statistics import Estimate, ratio

__all__ = ["Condition", "Talk", "by_condition", "columns", "rate"]

Count = Callable[[Room], tuple[int, int]]
"""Of one chatroom: how many things are counted, and among how many."""


class Talk(NamedTuple):
    """One chatroom: its item, and what happened in it."""

    item: str
    room: Room


@dataclass(frozen=True)
class Condition:
    """The chatrooms of one condition.

    Args:
        settings: the swept settings.
        talks: the chatrooms, one an item.
    """

    settings: Mapping[str, Any]
    talks: Sequence[Talk]


def by_condition(summaries: Iterable[TrialSummary]) -> list[Condition]:
    """Return the chatrooms by condition, in order of first appearance; others are passed over."""
    groups: dict[str, tuple[Mapping[str, Any], list[Talk]]] = {}
    for summary in summaries:
        if summary.room is not None:
            group = groups.setdefault(cell(summary.condition), (summary.condition, []))
            group[1].append(Talk(question(summary), summary.room))
    return [Condition(*group) for group in groups.values()]


def rate(talks: Iterable[Talk], count: Count) -> tuple[Estimate, int, int]:
    """Return a rate pooled over chatrooms with items as clusters, and both its parts.

    >>> from socialcircuits.records.summary import Member
    >>> one = Member(0, (1,), {0: "TRUE", 1: "FALSE"}, {}, ())
    >>> talk = Talk("item 1", Room((one,), (1,), rounds=1, messages=2, attacks=1))
    >>> found, counted, of = rate([talk], lambda room: (room.attacks, room.messages))
    >>> found.value, counted, of
    (0.5, 1, 2)
    """
    hits, sizes = Counter[str](), Counter[str]()
    for talk in talks:
        part, whole = count(talk.room)
        hits[talk.item] += part
        sizes[talk.item] += whole
    found = ratio([hits[item] for item in sizes], list(sizes.values()))
    return found, hits.total(), sizes.total()


def columns(talks: Iterable[Talk], count: Count) -> dict[str, Any]:
    """Return a rate as the columns value, low, high, n (items), counted, of and method; value, low
    and high are None where n is 0."""
    found, counted, of = rate(talks, count)
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "counted": counted,
        "of": of,
        "method": found.method,
    }
