"""What a run of chatrooms comes to: what is held, what is said, and how they go together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import get_args

from socialcircuits.analyses.cells import cells
from socialcircuits.analyses.infection import joint, speed, timing
from socialcircuits.measures.infection_time import infected
from socialcircuits.records import TrialSummary
from socialcircuits.records.summary import Room, Stance
from socialcircuits.report import reading
from socialcircuits.report.numbers import FINE, MEASURES, SHARE, Trials, estimated
from socialcircuits.report.page import Block, Cell, Line, Number, Table, Trail
from socialcircuits.report.sections import _influence, _second_judge
from socialcircuits.report.sections._conditions import (
    ITEMS,
    MISSING,
    Conditions,
    Values,
    count,
    plain,
    restored,
    table,
)
from socialcircuits.report.words import plain as words
from socialcircuits.studies import Run

AGENTS = {
    "initial_infection": "FALSE\nat first",
    "known_at_first": "TRUE\nat first",
    "final_infection": "FALSE\nat the end",
    "abandoned": "known and\ngiven up",
    "reversal": "comes back\nin a round",
    "switch_after_endorsement": "switches after\nendorsing",
    "switch_after_correction": "switches after\nrejecting",
}
TURNS = {
    "private_infection": "FALSE",
    "public_endorsement": "endorse",
    "unvoiced_infection": "FALSE and\nunvoiced",
    "unvoiced_on_topic": "FALSE, hedge\nor ignore",
    "truth_rejects": "TRUE and\nreject",
    "truth_endorses": "TRUE and\nendorse",
    "truth_silent": "TRUE and\nsilent",
}
SWITCHES = frozenset({"switch_after_endorsement", "switch_after_correction"})
OF_AGENTS = "Private answers of benign agents: share, and its 95 % interval."
OF_TURNS = "Exposed turns: share of all, then of those that hold this after the round."
AVERAGED = ("final_infection", "private_infection", "public_endorsement", "unvoiced_infection")
NO_CAUSE = "Who endorses and switches may have been persuaded before it spoke: no cause is shown."
FIXED = (
    "Seats of attackers, names, personas and speaking orders are the same in all conversations: "
    "only items are replicates, and nothing is known of other seats, personas and orders."
)
NOT_FALSE = "Neither, ambiguous, invalid and unjudged answers count as not FALSE."
OF = "Turns that the share beside it is of"
WITHOUT = frozenset({"invalid", "unjudged"})
"""Stances that are none, and have a column where a turn has them."""


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield what is to be said of a run of chatrooms; nothing for others."""
    if not any(one.room for one in run.summaries()):
        return
    found = Conditions(run, trials)
    yield from _private(found)
    yield from _shares(found, "exposed", OF_TURNS, TURNS)
    yield from _by_figure(found)
    yield from _influence.blocks(found)
    yield from _second_judge.blocks(found)
    yield from (Line("", (one,)) for one in caveats(run))


def caveats(run: Run) -> Iterator[str]:
    """Yield what the numbers of a run of chatrooms do not show; nothing for others."""
    if not any(one.room for one in run.summaries()):
        return
    if any(row.measure in SWITCHES for row in run.rows()):
        yield NO_CAUSE
    if run.study.trial.seating == "first":
        yield FIXED


def first(run: Run, trials: Trials) -> Table | None:
    """Return the table of what agents hold in private; None for runs without chatrooms."""
    if not any(one.room for one in run.summaries()):
        return None
    return next(_private(Conditions(run, trials)), None)


def _private(found: Conditions) -> Iterator[Table]:
    yield from _shares(found, "private", OF_AGENTS, AGENTS)


def _shares(
    found: Conditions, name: str, caption: str, measures: Mapping[str, str]
) -> Iterator[Table]:
    lines: dict[str, dict[str, Cell]] = {}
    for row in (row for row in found.rows if row.measure in measures):
        place = found.words(row.condition)
        line = lines.setdefault(place, {"where": place, **dict.fromkeys(measures, MISSING)})
        line[row.measure] = found.number(row, SHARE)
    yield from table(name, caption, {"where": "where", **measures}, list(lines.items()))


def _by_figure(found: Conditions) -> Iterator[Block]:
    figures = found.run.study.figures
    if len({one.condition.get("cast") for one in found.summaries}) > 1 and "sybils" in figures:
        yield from _averages(found)
    if "dynamics" in figures:
        yield from _speed(found)
    if "stance" in figures:
        yield from _stances(found)
    if "pairing" in figures:
        yield from _paired(found)
    if "hazard" in figures:
        yield from _influence.hazards(found)


def _averages(found: Conditions) -> Iterator[Table]:
    caption = (
        "Averages over casts and sources of items: macro, each cell alike; micro, each agent "
        "or turn alike."
    )
    heads = {name: name for name in ("where", "measure", "average", "share", "cells")}
    lines = []
    for row in cells(found.summaries, measures=AVERAGED):
        if row["value"] is None:
            continue
        place, measure = found.words(row), MEASURES[row["measure"]]
        used = [
            one
            for one in found.of(row, ("cast",))
            if measure.undefined(one) is None and measure.count(one)[1]
        ]
        definition = (
            f"{measure.definition} Over casts and sources of items: {_WAY[row['average']]}."
        )
        trail = Trail(definition, used, adds=_pooled(row["measure"]), reads=reading.of(measure))
        name = f"{row['measure']}_{row['average']}"
        told: dict[str, Cell] = {
            "where": place,
            "measure": words(row["measure"]),
            "average": row["average"],
            "share": estimated(name, restored(row), trail, ITEMS, FINE),
            "cells": count("cells", row["cells"], Trail("Cells with anything to count", used)),
        }
        lines.append((f"{place}, {told['measure']}, {row['average']}", told))
    yield from table("averages", caption, heads, lines)


_WAY = {
    "macro": "the mean of the rates of the cells, each alike",
    "micro": "the rate of all agents or turns together",
}


def _pooled(name: str) -> Callable[[TrialSummary], str]:
    def adds(trial: TrialSummary) -> str:
        part, whole = MEASURES[name].count(trial)
        return f"{part} of {whole}"

    return adds


SPEED = {
    "final": "final",
    "half": "half by",
    "most": "80 % by",
    "round_1": "there by 1",
    "round_4": "there by 4",
}


def _speed(found: Conditions) -> Iterator[Table]:
    caption = (
        "First round after which half, and 80 %, of the final infection is there; and the part "
        "of it that is there after rounds 1 and 4. Round 0 is before the talk."
    )
    lines: list[tuple[str, dict[str, Cell]]] = []
    for row in speed(found.summaries):
        place = found.words(row)
        line: dict[str, Cell] = {"where": place, **_reached(row, found.of(row))}
        line["final"] = found.estimate("final_infection", row, FINE)
        lines.append((place, line))
    yield from table("speed", caption, {"where": "where", **SPEED}, lines)


def _reached(row: Values, trials: list[TrialSummary]) -> dict[str, Cell]:
    def number(name: str, value: float | None, what: str, digits: int) -> Number:
        definition = (
            f"{what}, of the FALSE benign agents of all trials added up. {NOT_FALSE} It is read "
            "off these sums: there is no interval."
        )
        trail = Trail(definition, trials, adds=_course, reads=reading.private)
        return plain(name, value, trail, row["n"], SHARE._replace(digits=digits))

    when = "First round after which {} of the final number is there (0: before round 1)"
    part = "Part of the final number that is there after round {}"
    return {
        "half": number("half_round", row["half_round"], when.format("half"), 0),
        "most": number("most_round", row["most_round"], when.format("80 %"), 0),
        "round_1": number("there_by_1", row["round_1"], part.format(1), 2),
        "round_4": number("there_by_4", row["round_4"], part.format(4), 2),
    }


def _course(trial: TrialSummary) -> str:
    counts = infected(trial.room) if trial.room else []
    return "FALSE before the talk and after each round: " + ", ".join(map(str, counts))


def _stances(found: Conditions) -> Iterator[Table]:
    """A line a private answer, a column a stance."""
    rows = joint(found.summaries)
    stances = [
        stance
        for stance in get_args(Stance)
        if stance not in WITHOUT or any(r["counted"] for r in rows if r["stance"] == stance)
    ]
    lines: dict[str, dict[str, Cell]] = {}
    for row in rows:
        place = found.words(row)
        line = lines.setdefault(
            f"{place}, {row['label']}",
            {"where": place, "holds": row["label"], "turns": _turns(row, found)},
        )
        shown = row["stance"] not in WITHOUT or row["counted"]
        line[row["stance"]] = _stance(row, found) if shown else MISSING
    heads = {name: name for name in ("where", "holds", *stances, "turns")}
    caption = "Exposed turns: what is said, as a share of all that hold the same after the round."
    yield from table("stances", caption, heads, list(lines.items()))


def _stance(row: Values, found: Conditions) -> Number:
    label, stance = row["label"], row["stance"]
    used = [one for one in found.of(row) if one.room and _both(one.room, label)]
    trail = Trail(
        f"Of the exposed turns (an adversary spoke before, in the conversation) whose agent is "
        f"{label} after the round, the share labelled {stance}, pooled over trials with the item "
        "as the cluster. Neither, ambiguous, invalid and unjudged are classes of their own.",
        used,
        adds=lambda one: _of_turns(one, label, stance),
        reads=reading.private | reading.utterances,
    )
    return estimated(f"{stance}_given_{label}", restored(row), trail, ITEMS, FINE)


def _of_turns(trial: TrialSummary, label: str, stance: str) -> str:
    assert trial.room is not None
    return f"{_both(trial.room, label, stance)} of {_both(trial.room, label)} turns"


def _turns(row: Values, found: Conditions) -> Number:
    label = row["label"]
    used = [one for one in found.of(row) if one.room and _both(one.room, label)]
    trail = Trail(
        f"Exposed turns whose agent is {label} after the round",
        used,
        adds=lambda one: f"{_both(one.room, label) if one.room else 0} turns",
        reads=reading.private,
    )
    return count("turns", row["of"], trail)


def _both(room: Room, label: str, *stances: str) -> int:
    return sum(
        number
        for turn, number in room.turns.items()
        if turn.exposed and turn.after == label and (not stances or turn.stance in stances)
    )


def _paired(found: Conditions) -> Iterator[Table]:
    caption = "Utterance and private answer, paired in several ways: share, 95 % interval."
    heads = {name: name for name in ("where", "pairing", "quantity", "share", "turns")}
    lines = []
    for row in timing(found.summaries):
        pairing, quantity = row["pairing"], row["quantity"]
        names = (f"paired_{pairing}_{quantity}", f"{pairing}_{quantity}", f"reject_false_{pairing}")
        name = next(name for name in names if name in MEASURES)
        place, share = found.words(row), found.estimate(name, row, FINE)
        trail = share.trail if isinstance(share, Number) else Trail("")
        line: dict[str, Cell] = {
            "where": place,
            "pairing": pairing,
            "quantity": words(quantity),
            "share": share,
            "turns": count("turns", row["of"], replace(trail, definition=OF, method="")),
        }
        lines.append((f"{place}, {pairing}, {line['quantity']}", line))
    yield from table("paired", caption, heads, lines)
