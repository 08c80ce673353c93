"""Trials, replies and cost: what was planned, done, left out and paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from socialcircuits.report.numbers import Trials, counted
from socialcircuits.report.page import Block, Cell, Head, Line, Number, Row, Table, Trail
from socialcircuits.report.words import plain, where
from socialcircuits.studies import Run, targets_left_out

NANO = 1_000_000_000

COUNTS = (Head("what", "what"), Head("number", "number"))

REPLIES = {
    "made": "replies asked for",
    "reused": "replies taken from a record",
    "invalid": "invalid replies",
    "repeated": "replies asked for again after a crash",
    "voided": "replies void, as the trial had ended",
}


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield what was planned, done and paid; what failed and what was left out; and the judges."""
    yield from tallies(run)
    yield from _left_out(run)


def tallies(run: Run) -> Iterator[Block]:
    """Yield all of them that take no estimate, of which an unfinished run shows nothing."""
    rows = tuple(Row(what, (what, number)) for what, number in _counts(run))
    yield Table("counts", "Trials, replies and cost of the whole run.", COUNTS, rows)
    yield from _failures(run)
    yield from judging(run)
    for text in lacking(targets_left_out(run.plan)):
        yield Line("", (text,))


def _counts(run: Run) -> Iterator[tuple[str, Number]]:
    found, calls, spent = run.trials(), run.calls(), run.spent()
    for name in ("planned", "completed", "failed"):
        yield f"trials {name}", counted(f"{name}_trials", found[name], f"trials {name}, all roles")
    roles = Counter(one.plan.role for part in run.parts for one in part.plan.trials)
    for role, what in ROLES.items():
        if roles[role]:
            words = f"trials outside all estimates: {what}"
            yield words, counted(f"{role}_trials", roles[role], words)
    for name, words in REPLIES.items():
        yield words, counted(f"replies_{name}", calls[name], f"{words}, of all trials")
    yield "tokens of prompts", counted("prompt_tokens", spent.prompt, "tokens of all prompts")
    yield "tokens of replies", counted("reply_tokens", spent.completion, "tokens of all replies")
    yield "cost in USD", _cost("cost", spent.cost, "what the replies of agents cost")
    dropped = len(run.plan.dropped)
    if dropped:
        words = "conditions dropped: they need a model that was not named"
        yield words, counted("dropped_conditions", dropped, words)


ROLES = {"example": "examples", "stratum": "models alone, to select the items"}


def _cost(name: str, nano: int, definition: str) -> Number:
    return Number(name, nano / NANO, f"{nano / NANO:.4f}", Trail(definition))


def _failures(run: Run) -> Iterator[Table]:
    reasons: dict[str, list[str]] = {}
    for plan, why in run.failures():
        words = f"trial {plan.number} (seed {plan.seed}, {where(plan.condition)})"
        reasons.setdefault(why, []).append(words)
    if not reasons:
        return
    rows = (
        Row(why, (why, counted("failed_trials", len(found), f"trials failed: {why}"), found[0]))
        for why, found in reasons.items()
    )
    heads = (Head("why", "why"), Head("trials", "trials"), Head("first", "first"))
    yield Table("failures", "Why trials failed.", heads, tuple(rows))


def _left_out(run: Run) -> Iterator[Table]:
    """Why trials are missing in estimates: a row a reason, for all measures with equal counts."""
    by_reason: dict[str, Counter[str]] = {}
    for row in (one for one in run.rows() if "minus" not in one.condition):
        for why, number in row.estimate.levels.get("excluded", {}).items():
            by_reason.setdefault(why, Counter())[row.measure] += number
    rows = []
    for why, measures in by_reason.items():
        alike: dict[int, list[str]] = {}
        for name, number in measures.items():
            alike.setdefault(number, []).append(plain(name))
        for number, names in alike.items():
            words = ", ".join(names)
            definition = f"trials that are not in {words}: {why}"
            count = counted("excluded_trials", number, definition, run.summaries())
            rows.append(Row(f"{why}: {words}", (why, count, words)))
    if rows:
        heads = (Head("why", "why"), Head("trials", "trials"), Head("measures", "left out of"))
        caption = "Trials that are left out of estimates, over all conditions."
        yield Table("excluded", caption, heads, tuple(rows))


def judging(run: Run) -> Iterator[Table]:
    """Yield what each judge was asked and said."""
    heads = (
        Head("judge", "judge"),
        Head("labels", "labels"),
        Head("unjudged", "without\na value"),
        Head("calls", "replies\nasked for"),
        Head("cost", "cost in USD"),
    )
    rows = tuple(Row(judge, tuple(_judged(judge, row))) for judge, row in run.judging().items())
    if rows:
        caption = "Judges: rules is the deterministic judge. Their cost is not in that of agents."
        yield Table("judging", caption, heads, rows)


def _judged(judge: str, counts: Mapping[str, int]) -> Iterator[Cell]:
    yield judge
    yield counted("labels", counts["labels"], f"labels by {judge}")
    yield counted("unjudged_labels", counts["unjudged"], f"labels by {judge} without a value")
    yield counted("judge_calls", counts["calls"], f"replies that {judge} was asked for")
    yield _cost("judge_cost", counts["cost"], f"what the replies of {judge} cost")


def lacking(left_out: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say which answers cannot be targets, a line for each kind of situation."""
    for entry in left_out:
        names, condition = ", ".join(entry["targets"]), where(entry["condition"])
        yield f"Left out as targets, no evidence serves ({condition}): {names}."
