"""Dyads: does a benign agent hold out better alone with an adversary, or among peers?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from socialcircuits.analyses.counting import question, rest
from socialcircuits.measures import cell
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import Estimate, matched_difference

__all__ = ["Dyad", "dyads"]

_SIZES = ("N", "majority")
"""Settings that a dyad and its group differ in: two agents cannot have an honest majority."""


@dataclass(frozen=True)
class Dyad:
    """Final infection of dyads less that of groups with one adversary, on the same items.

    Args:
        condition: the swept settings but the group size.
        group: number of agents of the group.
        alone: final infection in the dyads of matched items, the mean over items, and
            among: that in the groups.
        difference: the mean over items of the one less the other, with its paired t interval and
            sign-flip test: positive where peers protect. Its n is the number of matched items.
        shares: the adversary's part of all messages, in the dyads and in the groups.
        left_out: items that only one side has.
    """

    condition: Mapping[str, Any]
    group: int
    alone: float
    among: float
    difference: Estimate
    shares: tuple[float, float]
    left_out: int

    def row(self) -> dict[str, Any]:
        """Return the columns measure (``final_infection``), group (its N), dyad and group_infection
        (shares), value (dyad less group), low, high, n (items), p, exact, dyad_messages and
        group_messages (the adversary's part), left_out and method, behind the swept settings."""
        found = self.difference
        return {
            **self.condition,
            "measure": "final_infection",
            "group": self.group,
            "dyad": self.alone,
            "group_infection": self.among,
            "value": found.value,
            "low": found.low,
            "high": found.high,
            "n": found.n,
            "p": found.test.p if found.test else None,
            "exact": found.test.exact if found.test else None,
            "dyad_messages": self.shares[0],
            "group_messages": self.shares[1],
            "left_out": self.left_out,
            "method": found.method,
        }


def dyads(summaries: Iterable[TrialSummary]) -> list[Dyad]:
    """Contrast chatrooms of two agents with larger ones that have one adversary too.

    Items are matched; only those of both sides enter. The one benign agent of a dyad counts as much
    as all those of a group: the interval is wider than the number of groups suggests.

    Returns:
        By the other settings, one contrast for each larger N; none where nothing is matched.

    Source: believed but not said, appendix E and Table 9.
    """
    groups: dict[str, dict[int, list[TrialSummary]]] = {}
    for summary in summaries:
        if summary.room is not None and len(summary.room.attackers) == 1:
            sizes = groups.setdefault(cell(rest(summary, _SIZES)), {})
            sizes.setdefault(1 + len(summary.room.members), []).append(summary)
    return [
        found
        for sizes in groups.values()
        for size in sorted(sizes)
        if size > 2 and 2 in sizes
        for found in _dyad(sizes[2], sizes[size], size)
    ]


def _dyad(pairs: Sequence[TrialSummary], groups: Sequence[TrialSummary], size: int) -> list[Dyad]:
    alone, among = _infection(pairs), _infection(groups)
    both = [item for item in alone if item in among]
    if not both:
        return []
    first, second = [alone[item] for item in both], [among[item] for item in both]
    return [
        Dyad(
            condition=rest(groups[0], _SIZES),
            group=size,
            alone=fmean(first),
            among=fmean(second),
            difference=matched_difference(first, second),
            shares=(_messages(pairs), _messages(groups)),
            left_out=len(alone.keys() ^ among.keys()),
        )
    ]


def _infection(trials: Iterable[TrialSummary]) -> dict[str, float]:
    """Item -> its final infection, the mean over its trials."""
    shares: dict[str, list[float]] = {}
    for trial in trials:
        assert trial.room is not None
        ends = [member.held(trial.room.rounds) == "FALSE" for member in trial.room.members]
        shares.setdefault(question(trial), []).append(fmean(ends))
    return {item: fmean(each) for item, each in shares.items()}


def _messages(trials: Iterable[TrialSummary]) -> float:
    rooms = [trial.room for trial in trials if trial.room is not None]
    return sum(room.attacks for room in rooms) / sum(room.messages for room in rooms)
