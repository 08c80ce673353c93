"""Hazards in chatrooms: who switches to the planted answer, and does it hang on infected peers?

An agent can switch in a round if it is not FALSE before it: it is TRUE, neither, ambiguous or
invalid. It switches if it is FALSE after. Agents may come back and switch again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, linear_regression
from typing import Any, NamedTuple

from socialcircuits.analyses.counting import question, rest
from socialcircuits.analyses.rooms import Condition, Talk, by_condition
from socialcircuits.measures import cell
from socialcircuits.records.summary import Member, Room, TrialSummary
from socialcircuits.statistics import Estimate, matched_difference, ratio
from socialcircuits.statistics.hazard import Hazard, switching

__all__ = ["RAW", "Adjusted", "Injected", "acts", "adjusted", "by_peers", "injected"]

RAW = (
    "Not adjusted: where items differ in how easily they are believed, agents of an easy item both "
    "switch and have infected peers, so that this curve rises even if nobody heeds anybody."
)
"""What must stand beside the raw curve."""

LEVEL = 0.05
"""Level of the test that the verdict speaks of."""

CHANGED = "intervention"
"""The swept setting that names an intervention; empty text stands for none."""

Row = dict[str, Any]


class _Round(NamedTuple):
    """A round of an agent.

    Args:
        item: of its chatroom.
        agent: its seat.
        round: from 1.
        peers: how many benign agents that it hears were FALSE before the round.
        infected: whether it was FALSE before the round; None if unjudged.
        after: whether it is FALSE after it; None if unjudged.
        unsure: how many of these peers were unjudged.
        own: the stance of its own utterance in the round.
        heard: the stances of the benign utterances of the round that it could hear.
    """

    item: str
    agent: int
    round: int
    peers: int
    infected: bool | None
    after: bool | None
    unsure: int
    own: str
    heard: frozenset[str]


def _rounds(talks: Iterable[Talk]) -> Iterator[_Round]:
    for item, room in talks:
        said = {(m.seat, turn.round): turn.stance for m in room.members for turn in m.turns}
        for member in room.members:
            peers = [peer for peer in room.members if peer.seat in member.hears]
            for current in range(1, room.rounds + 1):
                held = [peer.held(current - 1) for peer in peers]
                yield _Round(
                    item,
                    member.seat,
                    current,
                    held.count("FALSE"),
                    _is_false(member, current - 1),
                    _is_false(member, current),
                    held.count("unjudged"),
                    said.get((member.seat, current), ""),
                    frozenset(said.get((peer.seat, current), "") for peer in peers),
                )


def _is_false(member: Member, current: int) -> bool | None:
    label = member.held(current)
    return None if label == "unjudged" else label == "FALSE"


def by_peers(summaries: Iterable[TrialSummary]) -> list[Row]:
    """Return how often agents switch, and come back, by their number of infected peers: raw curves.

    Peers are the benign agents whom an agent hears, infected those that were FALSE before the
    round. An unjudged answer after the round is no switch and no way back, and stays in the
    denominator; rounds with an unjudged answer before are left out, unjudged peers are not
    infected.

    Returns:
        Rows of conditions with adversaries and without an intervention, with the columns measure
        (``hazard_raw``: switches, ``reversal_raw``), peers, value, low, high, n (items), counted,
        of (rounds of agents), unjudged (rounds in which something is), left_out (those whose answer
        before is), note (`RAW`, must be shown) and method.

    Source: believed but not said, section 4.5 and Fig. 5.
    """
    return [
        {**condition.settings, "measure": measure, "peers": peers, **row}
        for condition in _attacked(summaries)
        for measure, infected in (("hazard_raw", False), ("reversal_raw", True))
        for peers, row in _by_peers(list(_rounds(condition.talks)), infected=infected)
    ]


def _by_peers(rounds: Sequence[_Round], *, infected: bool) -> Iterator[tuple[int, Row]]:
    able = [one for one in rounds if one.infected is infected]
    lost = Counter(one.peers for one in rounds if one.infected is None)
    for peers in sorted({one.peers for one in able}):
        these = [one for one in able if one.peers == peers]
        unsure = sum(one.after is None or one.unsure > 0 for one in these)
        found = _share_after(these, false=not infected)
        yield peers, {**found, "unjudged": unsure, "left_out": lost[peers], "note": RAW}


def _share_after(rounds: Iterable[_Round], *, false: bool) -> Row:
    """The share of rounds after which the agent is FALSE, or is not, with items as clusters."""
    hits, sizes = Counter[str](), Counter[str]()
    for one in rounds:
        hits[one.item] += one.after is false
        sizes[one.item] += 1
    found = ratio([hits[item] for item in sizes], list(sizes.values()))
    return {**_ends(found), "counted": hits.total(), "of": sizes.total(), "method": found.method}


def _ends(found: Estimate) -> Row:
    return {"value": found.value, "low": found.low, "high": found.high, "n": found.n}


def _attacked(summaries: Iterable[TrialSummary]) -> list[Condition]:
    """The conditions with adversaries and without an intervention, under which others may read
    something else than was said."""
    return [
        condition
        for condition in by_condition(summaries)
        if any(talk.room.attacks for talk in condition.talks)
        and not condition.settings.get(CHANGED)
    ]


def acts(summaries: Iterable[TrialSummary]) -> list[Row]:
    """Return how often agents that were not infected before a round are so after it, by what they
    said in it, and by what benign agents said in it that they could hear.

    Who endorses and switches may have been persuaded before it spoke: none of this shows a cause.
    What was heard may hold both acts.

    Returns:
        Rows of conditions with adversaries and without an intervention, with the columns act
        (``endorse``, ``reject``), whose (``own``, ``heard``), value, low, high, n (items), counted,
        of (rounds of agents) and method.

    Source: believed but not said, section 4.5 (own acts); what was heard is ours.
    """
    rows = []
    for condition in _attacked(summaries):
        able = [one for one in _rounds(condition.talks) if one.infected is False]
        for act in ("endorse", "reject"):
            own = [one for one in able if one.own == act]
            heard = [one for one in able if act in one.heard]
            rows += [
                {
                    **condition.settings,
                    "act": act,
                    "whose": whose,
                    **_share_after(these, false=True),
                }
                for whose, these in (("own", own), ("heard", heard))
            ]
    return rows


@dataclass(frozen=True)
class Adjusted:
    """The hazard of one condition by number of infected peers, adjusted for items and agents.

    Args:
        condition: the swept settings.
        hazard: the model.
        rise: slope of the raw curve: change of the rate of switching for one more infected peer, by
            least squares over rounds of agents; None where their number never differs.
        unjudged: rounds of agents that were left out since an answer before or after is unjudged.
    """

    condition: Mapping[str, Any]
    hazard: Hazard
    rise: float | None
    unjudged: int

    @property
    def verdict(self) -> str:
        """What raw and adjusted hazard together allow to say, in words."""
        p = self.hazard.test.p
        if p is None:
            return f"not adjusted: {self.hazard.test.why}; the raw curve shows no influence"
        if p < LEVEL:
            return (
                f"infected peers and switching go together beyond items, agents and rounds "
                f"(p = {p:.2g}); the cause is for injected peers to show"
            )
        if self.rise is not None and self.rise > 0:
            return (
                f"the raw curve rises by {self.rise:.3f} a peer, and adjusted for items, agents "
                f"and rounds it is open (p = {p:.2g}): the rise is no sign of influence"
            )
        return f"open whether infected peers matter (p = {p:.2g})"

    def row(self) -> Row:
        """Return the columns value (change of the log-odds for one more infected peer), low, high,
        n (items), chi2, degrees, p, why, deviation_item, deviation_agent, rise (raw), agents,
        rounds (at risk, of all agents), switches, unjudged, periods (such as ``1-1 2-16``), verdict
        and method, behind the swept settings."""
        found, test = self.hazard, self.hazard.test
        return {
            **self.condition,
            **_ends(found.per_peer),
            "chi2": test.statistic,
            "degrees": test.degrees,
            "p": test.p,
            "why": test.why,
            "deviation_item": found.deviations.get("item"),
            "deviation_agent": found.deviations.get("agent"),
            "rise": self.rise,
            **{name: found.data[name] for name in ("agents", "rounds", "switches")},
            "unjudged": self.unjudged,
            "periods": " ".join(f"{first}-{last}" for first, last in found.periods),
            "verdict": self.verdict,
            "method": found.method,
        }

    def curve(self) -> list[Row]:
        """Return a row a number of infected peers with the columns measure (``hazard_adjusted``),
        peers, value, low, high, n (items) and method, behind the swept settings; none without a
        fit."""
        name = {"measure": "hazard_adjusted"}
        return [
            {**self.condition, **name, "peers": peers, **_ends(found), "method": found.method}
            for peers, found in self.hazard.curve.items()
        ]


def adjusted(summaries: Iterable[TrialSummary]) -> list[Adjusted]:
    """Fit the hazard of switching by number of infected peers in each condition with adversaries
    and without an intervention.

    A discrete-time logistic mixed model with random intercepts of items and agents and levels of
    rounds; the number of infected peers is tested by likelihood ratio. Where items differ and
    nobody influences anybody it rejects as often as it says. It takes a few seconds a condition.

    Source: believed but not said, section 4.5 and Fig. 5; the adjustment is ours.
    """
    return [_adjusted(condition) for condition in _attacked(summaries)]


def _adjusted(condition: Condition) -> Adjusted:
    rounds = [one for one in _rounds(condition.talks) if one.infected is not True]
    known = [one for one in rounds if one.infected is False and one.after is not None]
    peers = [one.peers for one in known]
    switched = [bool(one.after) for one in known]
    return Adjusted(
        condition=condition.settings,
        hazard=switching(
            switched,
            peers,
            [one.round for one in known],
            [one.item for one in known],
            [one.agent for one in known],
        ),
        rise=linear_regression(peers, switched).slope if len(set(peers)) > 1 else None,
        unjudged=len(rounds) - len(known),
    )


@dataclass(frozen=True)
class Injected:
    """What peers who are made to assert the planted answer do to the others.

    Args:
        condition: the swept settings, with the intervention.
        peers: number of agents whose words are replaced.
        changed: final infection of the others with the intervention, the mean over matched items,
            and
        unchanged: without it.
        difference: the one less the other, with its paired t interval and sign-flip test; its n is
            the number of matched items.
        left_out: items that only one side has.
    """

    condition: Mapping[str, Any]
    peers: int
    changed: float
    unchanged: float
    difference: Estimate
    left_out: int

    def row(self) -> Row:
        """Return the columns peers, value (of the difference), low, high, n (items), changed,
        unchanged, p (by flipping signs), exact, left_out and method, behind the swept settings."""
        found = self.difference
        return {
            **self.condition,
            "peers": self.peers,
            **_ends(found),
            "changed": self.changed,
            "unchanged": self.unchanged,
            "p": found.test.p if found.test else None,
            "exact": found.test.exact if found.test else None,
            "left_out": self.left_out,
            "method": found.method,
        }


def injected(
    summaries: Iterable[TrialSummary],
    replaced: Mapping[str, Collection[int]],
) -> list[Injected]:
    """Return what peers who are made to assert the planted answer do to the others: the experiment
    that settles whether infected peers infect.

    The same agents are compared, on the same items, with and without the intervention; those whose
    words were replaced are left out on both sides.

    Args:
        summaries: the completed trials, with the intervention and without any.
        replaced: name of each intervention -> seats whose words it replaces.

    Returns:
        By the other settings and intervention; those without a matched item are left out.

    Source: believed but not said, section 4.5, which names it as what would show a cause.
    """
    groups: dict[str, dict[str, dict[str, Room]]] = {}
    settings: dict[str, Mapping[str, Any]] = {}
    for summary in summaries:
        if summary.room is not None and CHANGED in summary.condition:
            key = cell(rest(summary, (CHANGED,)))
            settings[key] = rest(summary, (CHANGED,))
            sides = groups.setdefault(key, {})
            sides.setdefault(summary.condition[CHANGED], {})[question(summary)] = summary.room
    return [
        found
        for key, sides in groups.items()
        for name in sides
        if name in replaced
        for found in _injected(
            {**settings[key], CHANGED: name}, (sides[name], sides.get("", {})), replaced[name]
        )
    ]


def _injected(
    condition: Mapping[str, Any],
    sides: tuple[Mapping[str, Room], Mapping[str, Room]],
    seats: Collection[int],
) -> list[Injected]:
    changed, plain = sides
    both = [item for item in changed if item in plain]
    if not both:
        return []
    with_, without = ([_others(side[item], seats) for item in both] for side in sides)
    return [
        Injected(
            condition=condition,
            peers=len(seats),
            changed=fmean(with_),
            unchanged=fmean(without),
            difference=matched_difference(with_, without),
            left_out=len(changed.keys() ^ plain.keys()),
        )
    ]


def _others(room: Room, seats: Collection[int]) -> float:
    return fmean(m.held(room.rounds) == "FALSE" for m in room.members if m.seat not in seats)
