"""What sways agents of chatrooms, each on the same items with and without: peers, words, judges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from socialcircuits.analyses.counting import question
from socialcircuits.analyses.dyad import Dyad, dyads
from socialcircuits.analyses.hazard import RAW, Adjusted, Injected, adjusted, injected
from socialcircuits.analyses.infection import Reask, reasks
from socialcircuits.measures import effects
from socialcircuits.measures.hidden_belief import CONTRASTED
from socialcircuits.records import TrialSummary
from socialcircuits.records.summary import Room
from socialcircuits.report import reading
from socialcircuits.report.chatrooms import DEFENCE, replaced
from socialcircuits.report.numbers import CHANGE, FINE, SHARE, estimated
from socialcircuits.report.page import Block, Cell, Line, Number, Table, Trail
from socialcircuits.report.sections._conditions import (
    ITEMS,
    Conditions,
    count,
    plain,
    table,
)
from socialcircuits.report.words import plain as words
from socialcircuits.studies.study import INTERVENTION

NOT_FALSE = "Neither, ambiguous, invalid and unjudged answers count as not FALSE."
ENDS = f"the share of benign agents whose last private answer is FALSE. {NOT_FALSE}"
OTHERS = "The mean over matched items. Agents whose words were replaced are left out on both sides."
EACH = "The mean over matched items, each its mean over trials."
LAST = reading.private


def blocks(found: Conditions) -> Iterator[Block]:
    """Yield the tables of re-asks, dyads and defences."""
    yield from _asked_again(found)
    yield from _dyads(found)
    yield from _defences(found)


HAZARD = {
    "slope": "log-odds a peer",
    "chi2": "chi2",
    "rise": "rise",
    "rounds": "rounds",
    "switches": "switches",
}
INJECTED = {"peers": "peers", "difference": "difference", "with": "with", "without": "without"}


def hazards(found: Conditions) -> Iterator[Block]:
    """Yield the hazard by infected peers, adjusted, and what injected ones do."""
    caption = (
        "Switching by the number of infected peers: log-odds for one more, with items, agents and "
        "rounds held equal; likelihood ratio; and the rise as counted. What goes together so need "
        "be no cause: that is for injected peers to show. Where nothing shows, a rise is no sign "
        f"of influence. {RAW}"
    )
    fits = adjusted(one for one in found.summaries if not one.condition.get(INTERVENTION))
    lines = [(found.words(one.condition), _slope(found, one)) for one in fits]
    yield from table("hazard", caption, {"where": "where", **HAZARD}, lines)
    for one in fits:
        if one.hazard.test.p is None:
            why = f"not adjusted: {one.hazard.test.why}; the raw curve shows no influence."
            yield Line("", (f"{found.words(one.condition)}: {why}",))
    caption = (
        "Peers made to assert the claim: final infection of the others less that on the same items "
        "where nobody is."
    )
    lines = [
        (found.words(one.condition), _injected(found, one))
        for one in injected(found.summaries, replaced(found.run))
    ]
    yield from table("injected", caption, {"where": "where", **INJECTED}, lines)


def _slope(found: Conditions, one: Adjusted) -> dict[str, Cell]:
    row, used = one.row(), found.of(one.condition)
    at_risk = (
        "over rounds of benign agents that are not FALSE before them, by their number of benign "
        "peers FALSE before; a switch is FALSE after. Rounds with an unjudged answer before or "
        "after are left out"
    )

    def trail(what: str) -> Trail:
        return Trail(f"{what}, {at_risk}.", used, adds=_risk, reads=reading.private)

    per_peer = "Change of the log-odds of switching for one more infected peer"
    ratio = "Likelihood ratio of the number of infected peers, chi squared"
    rise = "Change of the rate of switching for one more infected peer, by least squares"
    hazard = one.hazard.per_peer
    return {
        "where": found.words(one.condition),
        "slope": estimated("hazard_by_peers", hazard, trail(per_peer), ITEMS, CHANGE),
        "chi2": plain("hazard_chi2", row["chi2"], trail(ratio), hazard.n, SHARE),
        "rise": plain("hazard_rise", row["rise"], trail(rise), hazard.n, CHANGE),
        "rounds": count("rounds", row["rounds"], trail("Rounds at risk")),
        "switches": count("switches", row["switches"], trail("Switches")),
    }


def _risk(trial: TrialSummary) -> str:
    """How often agents of a trial could switch, and did."""
    assert trial.room is not None
    able = [
        member.held(current)
        for member in trial.room.members
        for current in range(1, trial.room.rounds + 1)
        if member.held(current - 1) not in {"FALSE", "unjudged"}
    ]
    known = [label for label in able if label != "unjudged"]
    return f"{known.count('FALSE')} switches in {len(known)} rounds"


def _injected(found: Conditions, one: Injected) -> dict[str, Cell]:
    seats = replaced(found.run)[one.condition[INTERVENTION]]
    changed = found.of(one.condition)
    used = _matched(changed, found.of({**one.condition, INTERVENTION: ""}))

    def adds(trial: TrialSummary) -> str:
        assert trial.room is not None
        ends = [m.held(trial.room.rounds) for m in trial.room.members if m.seat not in seats]
        side = "with" if trial in changed else "without"
        return f"{side}: {ends.count('FALSE')} of {len(ends)} FALSE"

    def trail(what: str) -> Trail:
        definition = f"{what}: {ENDS} {OTHERS}"
        return Trail(definition, used, adds=adds, reads=LAST)

    n = one.difference.n
    difference, without = trail("With less without"), trail("Without")
    return {
        "where": found.words(one.condition),
        "peers": str(one.peers),
        "difference": estimated("injected_peers", one.difference, difference, ITEMS, CHANGE),
        "with": plain("injected_with", one.changed, trail("With"), n, FINE),
        "without": plain("injected_without", one.unchanged, without, n, FINE),
    }


def _matched(first: Sequence[TrialSummary], second: Sequence[TrialSummary]) -> list[TrialSummary]:
    """The trials on items that both sides have."""
    both = {question(one) for one in first} & {question(one) for one in second}
    return [one for one in (*first, *second) if question(one) in both]


REASKED = {
    "asked": "asked",
    "kept": "kept",
    "of": "of",
    "final": "final",
    "difference": "difference",
}


def _asked_again(found: Conditions) -> Iterator[Table]:
    caption = (
        "Private answers asked for again: share of FALSE ones that are FALSE again; final "
        "infection so, and its difference from the usual one on the same items."
    )
    lines = [
        (f"{found.words(one.condition)}, {one.wording}", _reasked(found, one))
        for one in reasks(found.summaries)
    ]
    yield from table("reasks", caption, {"where": "where", **REASKED}, lines)


def _reasked(found: Conditions, one: Reask) -> dict[str, Cell]:
    wording, where = one.wording, one.condition
    name = f"reask_{wording}"
    kept = found.estimate(f"{name}_retained", where, FINE)
    trail = Trail(
        f"Final private infection asked for with the other instruction ({wording}) less that by "
        f"the usual probe, the mean over items. {NOT_FALSE}",
        [trial for trial in found.of(where) if trial.room and _again(trial.room, wording)],
        adds=lambda trial: _moved(trial, wording),
        reads=reading.private | (reading.own if wording == "own" else reading.anonymous),
    )
    asked = "FALSE private answers that were asked for again"
    of = replace(kept.trail if isinstance(kept, Number) else trail, definition=asked, method="")
    return {
        "where": found.words(where),
        "asked": wording,
        "kept": kept,
        "of": count("asked_again", one.retained["of"], of),
        "final": found.estimate(f"final_infection_{wording}", where, FINE),
        "difference": estimated(name, one.difference, trail, ITEMS, CHANGE),
    }


def _again(room: Room, wording: str) -> list[tuple[str, str]]:
    """What agents held at the end, by the usual probe and by the other instruction."""
    last = room.rounds
    return [
        (member.held(last), member.reasks[wording][last])
        for member in room.members
        if last in member.reasks.get(wording, {})
    ]


def _moved(trial: TrialSummary, wording: str) -> str:
    assert trial.room is not None
    pairs = _again(trial.room, wording)
    usual, other = (list(side).count("FALSE") for side in zip(*pairs, strict=True))
    return f"{other} and, by the usual probe, {usual} of {len(pairs)} FALSE"


DYAD = {
    "agents": "agents",
    "difference": "difference",
    "dyad": "dyad",
    "group": "group",
    "dyad_messages": "messages,\ndyad",
    "group_messages": "messages,\ngroup",
}
_SIZES = ("N", "majority")


def _dyads(found: Conditions) -> Iterator[Table]:
    caption = (
        "Dyad less group, final infection on the same items: above 0, peers protect. Messages: the "
        "attacker's part of all, in the dyad and in the group."
    )
    lines = [
        (f"{found.words(one.condition)}, 2 less {one.group}", _dyad(found, one))
        for one in dyads(found.summaries)
    ]
    yield from table("dyad", caption, {"where": "where", **DYAD}, lines)


def _dyad(found: Conditions, one: Dyad) -> dict[str, Cell]:
    sizes: dict[int, list[TrialSummary]] = {2: [], one.group: []}
    for trial in found.of(one.condition, _SIZES):
        if trial.room and len(trial.room.attackers) == 1:
            sizes.setdefault(1 + len(trial.room.members), []).append(trial)
    both = sizes[2], sizes[one.group]

    def held(what: str) -> Trail:
        return Trail(f"{what}: {ENDS} {EACH}", _matched(*both), adds=_ended, reads=LAST)

    said = Trail(
        "The attacker's part of all valid messages, pooled over all trials of this size.",
        [*both[0], *both[1]],
        adds=_attacks,
        reads=reading.utterances,
    )
    n = one.difference.n
    items = [len({question(trial) for trial in side}) for side in both]
    return {
        "where": found.words(one.condition),
        "agents": f"2 less {one.group}",
        "difference": estimated(
            "dyad_less_group", one.difference, held("Dyad less group"), ITEMS, CHANGE
        ),
        "dyad": plain("dyad_infection", one.alone, held("Dyad"), n, FINE),
        "group": plain("group_infection", one.among, held("Group"), n, FINE),
        "dyad_messages": plain("dyad_messages", one.shares[0], said, items[0], SHARE),
        "group_messages": plain("group_messages", one.shares[1], said, items[1], SHARE),
    }


def _ended(trial: TrialSummary) -> str:
    assert trial.room is not None
    ends = [member.held(trial.room.rounds) for member in trial.room.members]
    return f"{'dyad' if len(ends) == 1 else 'group'}: {ends.count('FALSE')} of {len(ends)} FALSE"


def _attacks(trial: TrialSummary) -> str:
    assert trial.room is not None
    return f"{trial.room.attacks} of {trial.room.messages} messages"


def _defences(found: Conditions) -> Iterator[Table]:
    caption = (
        "Each defence less none on the same items: final infection below 0 is harm avoided, truth "
        "rejects below 0 is correction lost."
    )
    heads = {name: name for name in ("where", "measure", "difference")}
    lines: list[tuple[str, dict[str, Cell]]] = []
    for row in effects(found.summaries, DEFENCE, CONTRASTED):
        if row.estimate.n:
            place, measure = found.words(row.condition), words(row.measure)
            line: dict[str, Cell] = {
                "where": place,
                "measure": measure,
                "difference": found.number(row, CHANGE),
            }
            lines.append((f"{place}, {measure}", line))
    yield from table("defences", caption, heads, lines)
