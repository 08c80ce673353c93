"""The tables of a run as text."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from socialcircuits.agents import LABEL
from socialcircuits.analyses.counting import CHANGES
from socialcircuits.measures import Row
from socialcircuits.measures.endpoints import ThresholdSweep
from socialcircuits.report import deliberation, rooms
from socialcircuits.report.parity import brief
from socialcircuits.report.words import setting, where
from socialcircuits.studies import Run, targets_left_out

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
IN_ALL = "Accuracy: estimate, and below it the ends of its 95 % interval; n {units} a row."
OF_HONEST = (
    "Honest agents: right at first, then wrong, and the other way round, of how many that could. "
    "The group vote, and in accuracy the mean share right, are those of all agents that vote or "
    "are read out: deceivers too where they vote, in a chatroom benign agents alone. A tied vote "
    "counts in part."
)
TABLES = (
    (ACCURACY, IN_ALL),
    (ALONE, "Agents alone, before anything is said: share, and its 95 % interval."),
    (ADVERSARIES, OF_HONEST),
    (ENDPOINTS, "How the trials ended: share of trials, and its 95 % interval."),
    (PLANTED, "What is answered under a planted memory: share of trials, and its 95 % interval."),
    (YIELDS, "Where a planted memory wins: the number of entries that name the lure."),
)
"""The main tables: measures in their order, with their heads; and what stands below."""


WIDTH = 170
"""Columns of text where the output is no terminal."""


def console() -> Console:
    """Return the console for results; wide enough for the tables where it is no terminal."""
    width = None if sys.stdout.isatty() else WIDTH
    return Console(highlight=False, markup=False, emoji=False, width=width)


def show(run: Run) -> None:
    """Print what was asked, the main table, the contrasts, what was told, and the counts."""
    out, rows = console(), run.rows()
    study = run.study
    out.print(f"{study.name}: {study.about}" if study.about else study.name)
    out.print(run.label.replace(LABEL, LABEL.upper()))
    if len(run.parts) > 1:
        paths = ", ".join(str(part.file.path) for part in run.parts)
        out.print(f"{len(run.parts)} runs pooled: {paths}", soft_wrap=True)
    if run.mixed:
        out.print(f"MIXED PROMPTS: {run.mixed}", soft_wrap=True)
    cells = [row for row in rows if "minus" not in row.condition]
    units = "questions" if study.world.get("kind") == "questions" else "seeds"
    for columns, caption in TABLES:
        shown = [row for row in cells if row.measure in columns]
        if shown:
            out.print(_main_table(shown, columns, caption.format(units=units), units))
            for line in _beside(shown, columns):
                out.print(line, soft_wrap=True)
    for found in (*deliberation.show(run), *rooms.show(run)):
        out.print(found, soft_wrap=isinstance(found, str))
    contrasted = [row for row in rows if "minus" in row.condition]
    if contrasted:
        out.print(_contrast_table(contrasted, units))
    sweeps = run.thresholds()
    if sweeps:
        out.print(_threshold_table(sweeps))
    for line in brief(run):
        out.print(line, soft_wrap=True)
    show_status(run)


def headline(run: Run) -> None:
    """Print what was asked and one table: of a chatroom what agents hold in private, else what
    became of honest agents."""
    out, study = console(), run.study
    out.print(f"{study.name}: {study.about}")
    out.print(run.label.replace(LABEL, LABEL.upper()))
    first = next(rooms.show(run), None)
    if first is None:
        cells = [row for row in run.rows() if row.measure in ADVERSARIES]
        first = _main_table(cells, ADVERSARIES, OF_HONEST, "questions")
    out.print(first)


def show_status(run: Run) -> None:
    """Print the counts of trials and replies, and why trials failed."""
    out, trials, calls = console(), run.trials(), run.calls()
    out.print(
        f"Trials: {trials['completed']} of {trials['planned']} completed, {trials['failed']} "
        f"failed, {trials['excluded']} examples outside all estimates."
    )
    out.print(
        f"Replies: {calls['made']:,} asked for, {calls['reused']:,} taken from a record, "
        f"{calls['invalid']:,} invalid, {calls['repeated']:,} asked again after a crash, "
        f"{calls['voided']:,} void."
    )
    spent = run.spent()
    out.print(
        f"Tokens: {spent.prompt:,} of prompts, {spent.completion:,} of replies. "
        f"Cost: {spent.cost / 1e9:.4f} USD."
    )
    if run.plan.dropped:
        out.print(f"Dropped: {len(run.plan.dropped)} conditions need a model that was not named.")
    for line in lacking(targets_left_out(run.plan)):
        out.print(line, soft_wrap=True)
    for plan, why in run.failures()[:5]:
        out.print(f"Failed: trial {plan.number} (seed {plan.seed}, {where(plan.condition)}): {why}")
    out.print(f"Digest: {run.digests()['run']}")


def lacking(left_out: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say which answers cannot be targets, a line for each kind of situation."""
    for entry in left_out:
        names, condition = ", ".join(entry["targets"]), where(entry["condition"])
        yield f"Left out as targets, no evidence serves ({condition}): {names}."


def _threshold_table(sweeps: Sequence[ThresholdSweep]) -> Table:
    conditions = {where(sweep.condition): sweep.condition for sweep in sweeps}
    cells = {(where(s.condition), s.endpoint): s for s in sweeps}
    classes = list(dict.fromkeys(sweep.endpoint for sweep in sweeps))
    table = Table(
        caption="Smallest and largest share over 30 pairs of thresholds (consensus .75 to 1.00, "
        "camps .15 to .35): a sensitivity, not an uncertainty.",
        caption_justify="left",
        box=SIMPLE_HEAD,
    )
    for head in ("condition", "n", *(name.replace("_", " ") for name in classes)):
        table.add_column(head, justify="left" if head == "condition" else "right")
    for words in conditions:
        row = [cells[words, name] for name in classes]
        ranges = (f"{sweep.smallest:.2f} to {sweep.largest:.2f}" for sweep in row)
        table.add_row(words, str(row[0].trials), *ranges)
    return table


def _main_table(rows: list[Row], columns: Mapping[str, str], caption: str, units: str) -> Table:
    by_cell: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_cell.setdefault(where(row.condition), {})[row.measure] = row
    used = [name for name in columns if any(name in cell for cell in by_cell.values())]
    shown = [next(iter(cell.values())) for cell in by_cell.values()]
    axes = list(dict.fromkeys(axis for row in shown for axis in row.condition))
    table = Table(
        caption=caption,
        caption_justify="left",
        box=SIMPLE_HEAD,
        show_lines=True,
    )
    for axis in axes:
        table.add_column(axis, no_wrap=True)
    table.add_column("n" if units == "seeds" else units, justify="right")
    for name in used:
        table.add_column(columns[name], justify="right")
    for cell in by_cell.values():
        condition = next(iter(cell.values())).condition
        n = max(row.estimate.n for row in cell.values())
        settings = (setting(condition[axis]) if axis in condition else "" for axis in axes)
        table.add_row(*settings, str(n), *(_number(cell.get(name)) for name in used))
    return table


def _beside(rows: Sequence[Row], columns: Mapping[str, str]) -> Iterator[str]:
    """Say of each measure where answers are not judged, and why an estimate is missing."""
    for name, head in columns.items():
        told: dict[str, list[str]] = {}
        for row in (row for row in rows if row.measure == name):
            for why in _remarks(row):
                told.setdefault(why, []).append(where(row.condition))
        for why, places in told.items():
            yield f"{head.replace(chr(10), ' ')}: {'; '.join(places)}: {why}."


def _remarks(row: Row) -> Iterator[str]:
    found = row.estimate
    left_out = found.levels.get("excluded", {})
    said = deliberation.unjudged(found)
    if said:
        yield said
    if found.value is None and left_out:
        yield "none, since " + ", ".join(f"{why} ({n})" for why, n in left_out.items())
        return
    unjudged = {why: number for why, number in left_out.items() if "judged" in why}
    yield from (f"{number} left out, {why}" for why, number in unjudged.items())


def _contrast_table(rows: list[Row], units: str) -> Table:
    table = Table(
        caption=(
            f"Differences on matched {units}, with 95 % intervals; 'open': the interval holds 0. "
            "The p values are not corrected for their number."
        ),
        caption_justify="left",
        box=SIMPLE_HEAD,
    )
    for head in ("measure", "difference", "estimate", "n", "", "test"):
        table.add_column(head)
    for row in rows:
        condition = {name: value for name, value in row.condition.items() if name != "minus"}
        words = f"{where(condition)} minus {where(row.condition['minus'])}"
        cell = _number(row).replace("\n", "  ")
        test = row.estimate.method.rpartition("; ")[2]
        measure = row.measure.replace("_", " ")
        table.add_row(measure, words, cell, str(row.estimate.n), _direction(row), test)
    return table


def _direction(row: Row) -> str:
    low, high = row.estimate.low, row.estimate.high
    if low is None or high is None or low <= 0 <= high:
        return "open"
    return "higher" if low > 0 else "lower"


def _number(row: Row | None) -> str:
    if row is None:
        return "-"
    found = row.estimate
    if found.value is None or found.low is None or found.high is None:
        return "none\n(n = 0)"
    # Adding zero turns a rounded -0.00 into 0.00.
    value, low, high = (round(part, 2) + 0.0 for part in (found.value, found.low, found.high))
    of = f"\nof {found.levels['pooled']['of']}" if row.measure in CHANGES else ""
    return f"{value:.2f}\n{low:.2f} {high:.2f}{of}"
