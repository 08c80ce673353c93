"""What a run of chatrooms comes to, as text: what is held, what is said, how they go together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from socialcircuits.analyses.agreement import agreement, corrected
from socialcircuits.analyses.cells import cells
from socialcircuits.analyses.dyad import dyads
from socialcircuits.analyses.hazard import RAW, adjusted, injected
from socialcircuits.analyses.infection import joint, reasks, speed, timing
from socialcircuits.measures import effects
from socialcircuits.measures.hidden_belief import CONTRASTED
from socialcircuits.records.courses import RULES
from socialcircuits.report.chatrooms import DEFENCE, replaced
from socialcircuits.report.words import p_text, where
from socialcircuits.studies import Run
from socialcircuits.studies.study import INTERVENTION

Shown = Iterator["Table | str"]
Values = Mapping[str, Any]

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
MEASURES = (
    (AGENTS, "Private answers of benign agents: share (items), and its 95 % interval."),
    (TURNS, "Exposed turns: share (items) of all, then of those that hold this after the round."),
)
AVERAGED = ("final_infection", "private_infection", "public_endorsement", "unvoiced_infection")
NO_CAUSE = "Who endorses and switches may have been persuaded before it spoke: no cause is shown."
FIXED = (
    "Seats of attackers, names, personas and speaking orders are the same in all conversations: "
    "only items are replicates, and nothing is known of other seats, personas and orders."
)


def show(run: Run) -> Shown:
    """Yield what is printed of a run of chatrooms; nothing for others."""
    if not any(one.room for one in run.summaries()):
        return
    rows = [row.as_json() for row in run.rows() if "minus" not in row.condition]
    for heads, caption in MEASURES:
        lines: dict[str, dict[str, str]] = {}
        for row in (row for row in rows if row["measure"] in heads):
            place = _where(run, row["condition"])
            line = lines.setdefault(place, {"where": place, **dict.fromkeys(heads.values(), "-")})
            line[heads[row["measure"]]] = _narrow(row)
        yield from _table(caption, list(lines.values()))
    yield NO_CAUSE
    yield from _by_figure(run)
    yield from _asked_again(run)
    yield from _contrasts(run)
    yield from _judges(run)
    if run.study.trial.seating == "first":
        yield FIXED


def _by_figure(run: Run) -> Shown:
    summaries, figures = run.summaries(), run.study.figures
    if len({one.condition.get("cast") for one in summaries}) > 1 and "sybils" in figures:
        caption = (
            "Averages over casts and sources of items: macro, each cell alike; micro, each agent "
            "or turn alike."
        )
        found = [row for row in cells(summaries, measures=AVERAGED) if row["value"] is not None]
        yield from _lines(run, caption, found, _average)
    if "dynamics" in figures:
        caption = (
            "First round after which half, and 80 %, of the final infection is there; and the part "
            "of it that is there after rounds 1 and 4. Round 0 is before the talk."
        )
        yield from _lines(run, caption, speed(summaries), _speed)
    if "stance" in figures:
        caption = "Exposed turns: what is said, by what their agent holds after the round."
        yield from _table(caption, list(_joint(run)))
    if "pairing" in figures:
        caption = "Utterance and private answer, paired in several ways: share, 95 % interval."
        yield from _lines(run, caption, timing(summaries), _paired)
    if "hazard" in figures:
        yield from _hazard(run)


def _average(row: Values) -> dict[str, str]:
    measure = {"measure": _plain(row["measure"]), "average": row["average"]}
    return {**measure, "share": _share(row), "cells": str(row["cells"])}


def _speed(row: Values) -> dict[str, str]:
    return {
        "final": f"{row['final']:.3f}",
        "half by": _number(row["half_round"], "d"),
        "80 % by": _number(row["most_round"], "d"),
        "there by 1": _number(row["round_1"], ".2f"),
        "there by 4": _number(row["round_4"], ".2f"),
    }


def _joint(run: Run) -> Iterator[dict[str, str]]:
    """A line a private answer, a column a stance that some turn has."""
    rows = joint(run.summaries())
    stances = list(dict.fromkeys(row["stance"] for row in rows if row["counted"]))
    lines: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        place = _where(run, row)
        line = lines.setdefault(
            (place, row["label"]),
            {"where": place, "holds": row["label"], **dict.fromkeys(stances, "0")},
        )
        if row["counted"]:
            line[row["stance"]] = f"{row['counted']:,} ({100 * row['value']:.1f} %)"
        line |= {"turns": f"{row['of']:,}", "items": str(row["n"])}
    yield from lines.values()


def _paired(row: Values) -> dict[str, str]:
    names = {name: _plain(row[name]) for name in ("pairing", "quantity")}
    return {**names, "share": _share(row), "turns": f"{row['of']:,}"}


def _hazard(run: Run) -> Shown:
    found = adjusted(one for one in run.summaries() if not one.condition.get(INTERVENTION))
    caption = (
        "Switching by the number of infected peers: log-odds for one more, with items, agents and "
        f"rounds held equal; likelihood ratio; and the rise as counted. {RAW}"
    )
    yield from _lines(run, caption, [one.row() for one in found], _slope)
    for one in found:
        yield f"{_where(run, one.condition)}: {one.verdict}."
    caption = (
        "Peers made to assert the claim: final infection of the others less that on the same items "
        "where nobody is; p by flipping signs."
    )
    yield from _lines(run, caption, injected(run.summaries(), replaced(run)), _injected)


def _slope(row: Values) -> dict[str, str]:
    return {
        "log-odds a peer": _difference(row),
        "chi2": _number(row["chi2"], ".2f"),
        "p": _number(row["p"], ".2g"),
        "rise": _number(row["rise"], "+.3f"),
        "rounds": f"{row['rounds']:,}",
        "switches": f"{row['switches']:,}",
    }


def _injected(row: Values) -> dict[str, str]:
    return {
        "peers": str(row["peers"]),
        "difference": _difference(row),
        "with": f"{row['changed']:.3f}",
        "without": f"{row['unchanged']:.3f}",
        "p": p_text(row["p"], row.get("exact", True)),
    }


def _asked_again(run: Run) -> Shown:
    caption = (
        "Private answers asked for again: share of FALSE ones that are FALSE again; final "
        "infection so, and its difference from the usual one on the same items."
    )
    yield from _lines(run, caption, reasks(run.summaries()), _reasked)


def _reasked(row: Values) -> dict[str, str]:
    return {
        "asked": row["wording"],
        "kept": _share(_part(row, "retained")),
        "of": f"{row['retained_of']:,}",
        "final": _share(_part(row, "final")),
        "difference": _difference({**row, "value": row["difference"]}),
        "p": p_text(row["p"], row.get("exact", True)),
    }


def _contrasts(run: Run) -> Shown:
    caption = (
        "Dyad less group, final infection on the same items: above 0, peers protect. Messages: the "
        "attacker's part of all, in the dyad and in the group."
    )
    yield from _lines(run, caption, [one.row() for one in dyads(run.summaries())], _dyad)
    caption = (
        "Each defence less none on the same items: final infection below 0 is harm avoided, truth "
        "rejects below 0 is correction lost. The p values are not corrected for their number."
    )
    changed = effects(run.summaries(), DEFENCE, CONTRASTED)
    found = [row.as_json() for row in changed if row.estimate.n]
    yield from _lines(run, caption, [{**row["condition"], **row} for row in found], _defence)


def _dyad(row: Values) -> dict[str, str]:
    return {
        "agents": f"2 less {row['group']}",
        "difference": _difference(row),
        "dyad": f"{row['dyad']:.3f}",
        "group": f"{row['group_infection']:.3f}",
        "messages": f"{row['dyad_messages']:.2f}, {row['group_messages']:.2f}",
        "p": p_text(row["p"], row.get("exact", True)),
    }


def _defence(row: Values) -> dict[str, str]:
    test = row["method"].rpartition("; ")[2]
    return {"measure": _plain(row["measure"]), "difference": _difference(row), "test": test}


def _judges(run: Run) -> Shown:
    first = run.study.judge
    others = [name for name in run.file.judging() if name not in (first, RULES)]
    records = list(run.file.trials()) if others else []
    for other in others:
        caption = f"{first} and {other}: how far they agree."
        found = [one.row() for one in agreement(records, first, other)]
        yield from _lines(run, caption, found, _agreed)
        caption = f"Final infection by {first}, and under judge 2, {other}, who need not be right."
        yield from _lines(
            run, caption, [one.row() for one in corrected(records, first, other)], _corrected
        )


def _agreed(row: Values) -> dict[str, str]:
    return {
        "rubric": _plain(row["rubric"]),
        "agree": _share(_part(row, "share")),
        "kappa": _share(_part(row, "kappa")),
        "alpha": _number(row["alpha"], ".3f"),
        "both": f"{row['both']:,}",
        "one only": f"{row['missing']:,}",
    }


def _corrected(row: Values) -> dict[str, str]:
    return {
        "judge 1": f"{row['rate']:.3f}",
        row["label"]: _share(row),
        "labelled": f"{row['labelled']:,}",
        "not": f"{row['unlabelled']:,}",
    }


WORDS = ("where", "measure", "average", "holds", "asked", "pairing", "quantity", "rubric", "test")
"""Columns of words; the others hold numbers."""


def _lines(
    run: Run, caption: str, rows: Iterable[Values], line: Callable[[Values], dict[str, str]]
) -> Shown:
    """Yield a table with a line a row, its condition first and its n last; none without rows."""
    told = [{"where": _where(run, row), **line(row), "n": str(row["n"])} for row in rows]
    yield from _table(caption, told)


def _table(caption: str, lines: Sequence[Mapping[str, str]]) -> Shown:
    if not lines:
        return
    table = Table(caption=caption, caption_justify="left", box=SIMPLE_HEAD)
    for head in lines[0]:
        table.add_column(head, justify="left" if head in WORDS else "right")
    for line in lines:
        table.add_row(*line.values())
    yield table


def _where(run: Run, settings: Values) -> str:
    """The settings in words, of those that differ between conditions of the run."""
    conditions = [cell.condition for cell in run.plan.cells]
    axes = dict.fromkeys(axis for one in conditions for axis in one)
    differ = [axis for axis in axes if len({str(one.get(axis, "")) for one in conditions}) > 1]
    return where({axis: settings[axis] for axis in differ if axis in settings})


def _part(row: Values, name: str) -> dict[str, Any]:
    """The estimate that stands in columns that begin with a name."""
    return {
        "value": row[name],
        "low": row[f"{name}_low"],
        "high": row[f"{name}_high"],
    }


def _narrow(row: Values) -> str:
    if row["value"] is None:
        return "none\n(n = 0)"
    return f"{row['value']:.2f} ({row['n']})\n{row['low']:.2f} {row['high']:.2f}"


def _share(row: Values) -> str:
    if row["value"] is None:
        return "none"
    return f"{row['value']:.3f} ({row['low']:.3f} to {row['high']:.3f})"


def _difference(row: Values) -> str:
    if row["value"] is None:
        return "none"
    return f"{row['value']:+.3f} ({row['low']:+.3f} to {row['high']:+.3f})"


def _number(value: float | None, form: str) -> str:
    return "none" if value is None else format(value, form)


def _plain(name: str) -> str:
    return name.replace("_", " ")
