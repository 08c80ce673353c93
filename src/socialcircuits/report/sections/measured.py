"""The main tables: each measure in each condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from socialcircuits.analyses.counting import CHANGES
from socialcircuits.measures import Row as Measured
from socialcircuits.records import TrialSummary
from socialcircuits.report.numbers import MEASURES, Trials, counted, measured
from socialcircuits.report.page import Block, Cell, Head, Number, Row, Table
from socialcircuits.report.reading import readout
from socialcircuits.report.words import setting, units, where
from socialcircuits.statistics import Estimate
from socialcircuits.studies import Run

ACCURACY = {
    "initial_accuracy": "first\nguess",
    "majority_accuracy": "majority\nvote",
    "collective_accuracy": "mean share\nright",
    "manager_accuracy": "manager",
    "uplift": "uplift",
    "invalid_share": "invalid\nreplies",
}
ENDPOINTS = {
    "correct_consensus": "correct\nconsensus",
    "wrong_consensus": "wrong\nconsensus",
    "polarization": "polarized",
    "truth_rival_polarization": "of these\ntruth-rival",
    "fragmentation": "fragmented",
}
ALONE = {
    "compatible_errors": "wrong but\ncompatible",
    "incompatible_errors": "incompatible",
    "probe_accuracy": "right over\nall probes",
    "rival_share": "rival's\nshare",
}
ADVERSARIES = {
    "honest_defection": "honest\ndefection",
    "correction": "correction",
    "net_change": "net\nchange",
    "none_right_at_first": "nobody right\nat first",
    "group_accuracy": "group\nvote",
    "honest_group_accuracy": "honest\ngroup vote",
    "group_ties": "ties",
}
PLANTED = {
    "private_target_share": "target",
    "social_share": "lure",
    "other_compatible_share": "other\ncompatible",
    "incompatible_share": "incompatible",
    "no_answer_share": "invalid",
}
YIELDS = {"yield_point": "lures at which\nit yields", "yielded": "yields to\nall lures"}
OF_HONEST = (
    "Honest agents: right at first, then wrong, and the other way round, of how many that could. "
    "The group vote, and in accuracy the mean share right, are those of all agents that vote or "
    "are read out: deceivers too where they vote, in a chatroom benign agents alone. A tied vote "
    "counts in part."
)
TABLES = {
    "accuracy": (ACCURACY, "Accuracy: estimate, and the ends of its 95 % interval."),
    "alone": (
        ALONE,
        "Agents alone, before anything is said: share, and its 95 % interval.",
    ),
    "adversaries": (ADVERSARIES, OF_HONEST),
    "endpoints": (ENDPOINTS, "How the trials ended: share of trials, and its 95 % interval."),
    "planted": (
        PLANTED,
        "What is answered under a planted memory: share of trials, and its 95 % interval.",
    ),
    "yields": (
        YIELDS,
        "Where a planted memory wins: the number of entries that name the lure.",
    ),
}
"""The main tables by name: measures in their order, with their heads; and what stands below."""

LADDERS = {
    "yield_point": "The number of planted entries that must name the lure before the agent does, "
    "by Spearman and Kaerber: of each seed the entries at which it does not name the lure, less "
    "1/2; seeds with an invalid answer are left out. Flag Game, section 5.1.",
    "yielded": "Share of seeds in which the agent names the lure where all planted entries do; "
    "seeds with an invalid answer are left out. Flag Game, section 5.1.",
}


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield a main table for each group of measures of which the run has any."""
    if any(one.seat for one in run.summaries()):
        return  # one agent is no group
    rows = [row for row in run.rows() if "minus" not in row.condition]
    unit = units(run.study)
    for name, (columns, caption) in TABLES.items():
        shown = [row for row in rows if row.measure in columns]
        if shown:
            yield _table(name, shown, _Cells(columns, trials, unit), caption)


class _Cells:
    """The cells of one table."""

    def __init__(self, columns: Mapping[str, str], trials: Trials, unit: str) -> None:
        self.columns, self._trials, self._unit = columns, trials, unit

    def heads(self, used: Sequence[str]) -> Iterator[Head]:
        for name in used:
            yield Head(name, self.columns[name])
            if name in CHANGES:
                yield Head(f"{name}_of", "of\nagents")

    def of(self, name: str, row: Measured | None) -> Iterator[Cell]:
        if row is None:
            yield from ("-", "-") if name in CHANGES else ("-",)
            return
        number = measured(row, self._trials, self._unit)
        if name in LADDERS:
            # A ladder is over conditions that differ in the lures.
            inside = self._trials.within(row.condition)
            trail = replace(
                number.trail, definition=LADDERS[name], trials=inside, adds=_named, reads=readout
            )
            number = replace(number, trail=trail)
        yield replace(number, warnings=(*number.warnings, *remarks(row.estimate)))
        if name in CHANGES:
            yield _of(name, row, number)


def _table(name: str, rows: Sequence[Measured], cells: _Cells, caption: str) -> Table:
    by_cell: dict[str, dict[str, Measured]] = {}
    for row in rows:
        by_cell.setdefault(where(row.condition), {})[row.measure] = row
    used = [one for one in cells.columns if any(one in cell for cell in by_cell.values())]
    conditions = {key: next(iter(cell.values())).condition for key, cell in by_cell.items()}
    axes = list(dict.fromkeys(axis for one in conditions.values() for axis in one))
    lines = []
    for key, cell in by_cell.items():
        own = conditions[key]
        settings = [setting(own[axis]) if axis in own else "" for axis in axes]
        numbers = [shown for one in used for shown in cells.of(one, cell.get(one))]
        lines.append(Row(key, (*settings, *numbers)))
    heads = (*(Head(axis.lower(), axis) for axis in axes), *cells.heads(used))
    return Table(name, caption, heads, tuple(lines))


def remarks(found: Estimate) -> Iterator[str]:
    """Say which answers are not judged, and why an estimate is missing."""
    left_out = found.levels.get("excluded", {})
    yield from (part for part in found.method.split("; ") if " unjudged, not counted: " in part)
    if found.value is None and left_out:
        yield "none, since " + ", ".join(f"{why} ({n})" for why, n in left_out.items())
        return
    yield from (f"{n} left out, {why}" for why, n in left_out.items() if "judged" in why)


def _of(name: str, row: Measured, number: Number) -> Number:
    """How many agents could have changed."""
    whole = int(row.estimate.levels.get("pooled", {}).get("of", 0))
    measure = MEASURES[name]
    found = counted(
        f"{name}_of", whole, f"what {name.replace('_', ' ')} divides by", number.trail.trials
    )
    trail = replace(found.trail, adds=lambda trial: str(measure.count(trial)[1]))
    return replace(found, trail=trail)


def _named(trial: TrialSummary) -> str:
    answer, lures = trial.final[0], trial.facts["planted"]["lure"]
    said = (
        "invalid"
        if answer is None
        else "the lure"
        if answer == trial.facts["lure"]
        else "not the lure"
    )
    return f"{said}, with {lures} entries that name it"
