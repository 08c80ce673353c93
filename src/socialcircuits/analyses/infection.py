"""Infection in chatrooms: round by round, beside what is said, and by model, wording and timing.

Rows for tables and figures begin with the swept settings. The unit of evidence is the item.
Neither, ambiguous, invalid and unjudged answers count as not FALSE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from socialcircuits.analyses.rooms import Condition, Talk, by_condition, columns
from socialcircuits.measures import CATALOGUE, Measure, cell, estimate
from socialcircuits.measures.infection_time import HALF, MOST, infected, reached
from socialcircuits.measures.pairings import PAIRINGS, QUANTITIES
from socialcircuits.measures.reasks import VARIANTS
from socialcircuits.records.summary import Private, Room, Stance, TrialSummary
from socialcircuits.statistics import Estimate, matched_difference

__all__ = ["Reask", "curves", "joint", "knowledge", "reasks", "speed", "timing"]

Row = dict[str, Any]

_MEASURES: Mapping[str, Measure] = {measure.name: measure for measure in CATALOGUE}
_KNOWLEDGE = ("known_at_first", "abandoned", "abandoned_to_false", "final_infection")


def curves(summaries: Iterable[TrialSummary]) -> list[Row]:
    """Return private infection and public endorsement round by round.

    Infection is the share of benign agents that are FALSE after a round (round 0: before round 1);
    endorsement is that of the round's benign utterances which endorse, exposed or not.

    Returns:
        Rows with the columns measure (``infection``, ``endorsement``), round, value, low, high, n
        (items), counted, of, unjudged (how many of them no judge has settled) and method.

    Source: believed but not said, section 4.6 and Fig. 6.
    """
    return [
        _point(condition, measure, current)
        for condition in by_condition(summaries)
        for measure in _COUNTED
        for current in range(
            measure == "endorsement", 1 + max(talk.room.rounds for talk in condition.talks)
        )
    ]


def _held(room: Room, current: int) -> Counter[str]:
    return Counter(member.held(current) for member in room.members)


def _said(room: Room, current: int) -> Counter[str]:
    return Counter(t.stance for member in room.members for t in member.turns if t.round == current)


_COUNTED: Mapping[str, tuple[str, Callable[[Room, int], Counter[str]]]] = {
    "infection": ("FALSE", _held),
    "endorsement": ("endorse", _said),
}


def _point(condition: Condition, measure: str, current: int) -> Row:
    label, labels = _COUNTED[measure]

    def count(room: Room) -> tuple[int, int]:
        found = labels(room, current)
        return found[label], found.total()

    return {
        **condition.settings,
        "measure": measure,
        "round": current,
        **columns(condition.talks, count),
        "unjudged": sum(labels(talk.room, current)["unjudged"] for talk in condition.talks),
    }


def speed(summaries: Iterable[TrialSummary]) -> list[Row]:
    """Return when half, and 80 %, of the final infection of a condition is there.

    The counts of all trials are added up, then read; the measures half_round and most_round are
    those of single trials. Infection may have been higher in between.

    Returns:
        Rows with the columns final (share), agents (benign, of all trials), half_round and
        most_round (rounds from 0, before round 1; None where nobody is infected at the end),
        round_1 and round_4 (parts of the final infection that are there after these rounds; None
        likewise or without such a round), trials and n (items).

    Source: believed but not said, section 4.6.
    """
    rows = []
    for condition in by_condition(summaries):
        last = min(talk.room.rounds for talk in condition.talks)
        counts = [infected(talk.room)[: last + 1] for talk in condition.talks]
        total = [sum(each) for each in zip(*counts, strict=True)]
        agents = sum(len(talk.room.members) for talk in condition.talks)
        there = {
            f"round_{r}": total[r] / total[-1] if total[-1] and r <= last else None for r in (1, 4)
        }
        rows.append(
            {
                **condition.settings,
                "final": total[-1] / agents,
                "agents": agents,
                "half_round": reached(total, HALF),
                "most_round": reached(total, MOST),
                **there,
                "trials": len(condition.talks),
                "n": len({talk.item for talk in condition.talks}),
            }
        )
    return rows


def joint(summaries: Iterable[TrialSummary]) -> list[Row]:
    """Return the joint table of exposed turns: stance by private answer after the round.

    Returns:
        Rows with the columns label, stance (both with invalid and unjudged), value (share of the
        label's turns that have the stance), low, high, n (items), counted (turns with both), of
        (turns with the label) and method; labels that no turn has are left out.

    Source: believed but not said, section 4.2 and Table 3.
    """
    return [
        {**condition.settings, "label": label, "stance": stance, **found}
        for condition in by_condition(summaries)
        for label in get_args(Private)
        for stance in get_args(Stance)
        if (found := columns(condition.talks, _both(label, stance)))["of"]
    ]


def _both(label: str, stance: str) -> Callable[[Room], tuple[int, int]]:
    def count(room: Room) -> tuple[int, int]:
        turns = [(t, n) for t, n in room.turns.items() if t.exposed and t.after == label]
        return sum(n for t, n in turns if t.stance == stance), sum(n for _, n in turns)

    return count


def knowledge(summaries: Sequence[TrialSummary]) -> list[Row]:
    """Return what agents knew before the talk beside what they gave up, a row a condition.

    Known is known by one probe: some of it was guessed, and would have been lost without a talk.

    Returns:
        Rows with the columns known_at_first, abandoned, abandoned_to_false and final_infection,
        each of them also with _low, _high, _n (items), _counted and _of.

    Source: believed but not said, section 4.4 and Fig. 4.
    """
    rows: dict[str, Row] = {}
    for row in estimate(summaries, {}, [_MEASURES[name] for name in _KNOWLEDGE]):
        entry = rows.setdefault(cell(row.condition), dict(row.condition))
        entry |= _prefixed(row.measure, _narrow(row.estimate))
    return list(rows.values())


def timing(summaries: Sequence[TrialSummary]) -> list[Row]:
    """Return correction, performative endorsement and silence under each pairing of utterance and
    private answer, and whether infected turns reject by when their agent was infected.

    Returns:
        Rows with the columns pairing (``turn``, ``first``, ``last``, ``strict``, ``switched``,
        ``settled``), quantity (``rejects_true``, ``endorses_true``, ``silent_false``,
        ``rejects_false``), value, low, high, n (items), counted, of and method.

    Source: believed but not said, appendix B and Table 7.
    """
    places = {
        f"paired_{pairing}_{name}": (pairing, name) for pairing in PAIRINGS for name in QUANTITIES
    }
    places["strict_silent_false"] = ("strict", "silent_false")
    places |= {f"reject_false_{w}": (w, "rejects_false") for w in ("switched", "settled")}
    measures = [measure for measure in CATALOGUE if measure.name in places]
    return [
        {
            **row.condition,
            "pairing": places[row.measure][0],
            "quantity": places[row.measure][1],
            **_narrow(row.estimate),
        }
        for row in estimate(summaries, {}, measures)
    ]


def _narrow(found: Estimate) -> Row:
    pooled = found.levels.get("pooled", {})
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "counted": pooled.get("counted", 0),
        "of": pooled.get("of", 0),
        "method": found.method,
    }


@dataclass(frozen=True)
class Reask:
    """What becomes of private answers under another instruction.

    Args:
        condition: the swept settings.
        wording: the instruction, ``own`` or ``anonymous``.
        retained: share of FALSE answers that are FALSE again, and
        final: final infection with this instruction: the columns of a rate.
        standard: final infection with the standard one, in the same talks; None where no answer
            of the last round was asked for again.
        difference: final less standard, the mean over items, with its sign-flip test.
    """

    condition: Mapping[str, Any]
    wording: str
    retained: Row
    final: Row
    standard: float | None
    difference: Estimate

    def row(self) -> Row:
        """Return the columns wording; retained and final, both also with _low, _high, _n, _counted
        and _of; standard, difference, low, high, n (items), p (by flipping signs), exact and
        method, behind the swept settings."""
        found = self.difference
        return {
            **self.condition,
            "wording": self.wording,
            **_prefixed("retained", self.retained),
            **_prefixed("final", self.final),
            "standard": self.standard,
            "difference": found.value,
            "low": found.low,
            "high": found.high,
            "n": found.n,
            "p": found.test.p if found.test else None,
            "exact": found.test.exact if found.test else None,
            "method": found.method,
        }


def reasks(summaries: Sequence[TrialSummary]) -> list[Reask]:
    """Return what becomes of private answers under each other instruction that was used, by
    condition.

    Source: believed but not said, section 4.3 and Table 5.
    """
    return [
        _reasked(condition, wording)
        for condition in by_condition(summaries)
        for wording in VARIANTS
        if any(wording in member.reasks for talk in condition.talks for member in talk.room.members)
    ]


def _reasked(condition: Condition, wording: str) -> Reask:
    def answers(room: Room, *, last: bool) -> list[tuple[Private, Private]]:
        return [
            (member.held(r), answer)
            for member in room.members
            for r, answer in member.reasks.get(wording, {}).items()
            if not last or r == room.rounds
        ]

    def retained(room: Room) -> tuple[int, int]:
        again = [answer for held, answer in answers(room, last=False) if held == "FALSE"]
        return again.count("FALSE"), len(again)

    def side(which: int) -> Callable[[Room], tuple[int, int]]:
        def count(room: Room) -> tuple[int, int]:
            found = [pair[which] for pair in answers(room, last=True)]
            return found.count("FALSE"), len(found)

        return count

    asked = [talk for talk in condition.talks if answers(talk.room, last=True)]
    standard, final = _by_item(asked, side(0)), _by_item(asked, side(1))
    return Reask(
        condition=condition.settings,
        wording=wording,
        retained=columns(condition.talks, retained),
        final=columns(asked, side(1)),
        standard=columns(asked, side(0))["value"],
        difference=matched_difference(list(final.values()), list(standard.values())),
    )


def _by_item(talks: Collection[Talk], count: Callable[[Room], tuple[int, int]]) -> dict[str, float]:
    items = dict.fromkeys(talk.item for talk in talks)
    shares = {}
    for item in items:
        parts = [count(talk.room) for talk in talks if talk.item == item]
        shares[item] = sum(part for part, _ in parts) / sum(whole for _, whole in parts)
    return shares


def _prefixed(name: str, found: Row) -> Row:
    ends = ("low", "high", "n", "counted", "of")
    return {name: found["value"], **{f"{name}_{end}": found[end] for end in ends}}
