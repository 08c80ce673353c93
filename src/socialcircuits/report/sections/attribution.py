"""Which agent matters: one schedule in full, how rankings agree over many, and patches by N."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from socialcircuits.analyses.attribution import PROBES
from socialcircuits.measures import collective_accuracy
from socialcircuits.report.numbers import CHANGE, FINE, SHARE, Form, Trials, measured
from socialcircuits.report.page import Block, Cell, Line, Number, Table, Trail
from socialcircuits.report.sections._conditions import MISSING, count, named, plain, table
from socialcircuits.report.sections._rankings import rankings
from socialcircuits.report.sections._schedules import (
    AGREEMENT,
    CHANCE,
    HIT,
    READS,
    SCHEDULES,
    Schedule,
    schedules,
)
from socialcircuits.report.words import where
from socialcircuits.studies import Run
from socialcircuits.studies.display import typed
from socialcircuits.studies.study import INTERVENTION

COLUMNS = {
    "original_correct": "original\nof 10",
    "informative_correct": "informative\nof 10",
    "dp": "dp",
    "D": "D",
    "E": "E",
    "S": "S",
    "rank_S": "rank\nof S",
    "dA": "dA",
    "rank_dA": "rank\nof dA",
    "unreached": "not\nreached",
    "out_degree": "out-\ndegree",
    "paths": "paths",
    "direct": "direct",
    "relayed": "relayed",
    "shapley": "Shapley\nvalue",
    "shapley_error": "its\nerror",
}

ASSUMES = {
    "dp": "what the informative evidence gains in isolated probes; says nothing of what is heard",
    "D": "mean arrival time in utterances over those that are reached; memories keep all, no reader"
    " doubts",
    "E": "the mean of N / arrival time over all other seats (not reached: 0); the same assumptions",
    "S": "dp x E: gain and reach multiply, whoever else knows the same",
    "dA": "measured: change of the group's accuracy when this agent alone is patched, one game",
    "out_degree": "utterances to others; when they are said does not matter",
    "paths": "earliest-arrival paths of two others that lead through it; first arrival is all that"
    " counts",
    "direct": "the part of dA that remains when all others' words are those of the original",
    "relayed": "dA less direct: what needs others to say something else; the two need not be causes"
    " that add up in another trial",
    "shapley": "its part of what patching all agents gains, averaged over orders of patching",
}
"""Column -> what it is and what it assumes."""

_DEFINED = {
    **ASSUMES,
    "original_correct": "right answers of ten isolated probes of its own evidence, or ten times the"
    " odds of the truth",
    "informative_correct": "the same of the informative evidence",
    "rank_S": "rank of S, 1 the largest; tied agents share the mean of their ranks",
    "rank_dA": "rank of dA, likewise",
    "unreached": "other seats that nothing it says can reach",
    "shapley_error": "standard error of its Shapley value over orders of patching",
}
_COUNTS = frozenset({"unreached", "out_degree", "paths"})
_TENTHS = frozenset({"original_correct", "informative_correct", "D"})
FIRST = (
    "These are the agents of the first schedule of which all is held; those of another: "
    "socialcircuits attribute"
)
_WRONG = (
    "The informative evidence is not right in all isolated probes: choose another (--view) before "
    "reading S."
)


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield what is to be said of agents that were patched; nothing for runs without."""
    if not run.plan.bases:
        return
    groups: dict[str, list[Schedule]] = {}
    for one in schedules(run):
        groups.setdefault(one.condition, []).append(one)
    yield from agents([group[0] for group in groups.values()])
    if any(len(group) > 1 for group in groups.values()):
        yield Line("", (f"{FIRST} {typed(str(run.path))} --trial NUMBER.",))
    yield from _each([one for group in groups.values() for one in group])
    yield from rankings(list(groups.values()))
    if "patch_effect" in run.study.figures:
        yield from _patched(run, trials)


def agents(several: Sequence[Schedule]) -> Iterator[Block]:
    """Yield the agents of schedules, and what each column assumes."""
    if not several:
        return
    lines = [
        (named(one.condition, f"A{row['agent']}"), _agent(one, row))
        for one in several
        for row in one.found.rows()
    ]
    present = [name for name in COLUMNS if all(name.lower() in cells for _, cells in lines)]
    heads = {"where": "where", "seed": "seed", "agent": "agent"}
    heads |= {name.lower(): COLUMNS[name] for name in present}
    caption = "Agents of one schedule. Tied agents share the mean of their ranks."
    yield from table("agents", caption, heads, lines)
    rows = [row for one in several for row in one.found.rows()]
    if any(row["informative_correct"] < PROBES for row in rows):
        yield Line("", (_WRONG,), loud=True)
    yield Line("", ("What each column assumes:",))
    for name in (name for name in present if name in ASSUMES):
        yield Line("", (f"{name}: {ASSUMES[name]}.",))


def _agent(one: Schedule, row: Mapping[str, Any]) -> dict[str, Cell]:
    cells: dict[str, Cell] = {
        "where": one.condition,
        "seed": str(one.seed),
        "agent": f"A{row['agent']}",
    }
    for name in (name for name in COLUMNS if name in row):
        trail = Trail(_DEFINED[name], one.trials, adds=one.adds, reads=READS)
        cells[name.lower()] = _of_agent(name, row[name], trail)
    return cells


def _of_agent(name: str, value: float | None, trail: Trail) -> Cell:
    if value is None:
        return MISSING
    if name in _COUNTS:
        return count(name, int(value), trail)
    if name.startswith("rank"):
        return Number(name, value, f"{value:g}", trail, n=1, unit=SCHEDULES)
    form = Form(1) if name in _TENTHS else FINE if "shapley" in name else SHARE
    return plain(name, value, trail, 1, form, SCHEDULES)


ACCURACY = "Accuracy of the group, or of its manager, at the end of the trial as it was"
SCHEDULE = {
    "where": "where",
    "seed": "seed",
    "truth": "truth",
    "evidence": "informative\nevidence",
    "probes": "probes of\neach crop",
    "accuracy": "accuracy\nas it was",
    "agreement": "rank\nagreement",
    "hit": "hit",
    "chance": "by\nchance",
}


def _each(several: Sequence[Schedule]) -> Iterator[Table]:
    caption = (
        "Each schedule: rank agreement of S and dA within equal dp; whether the agent of the "
        "largest S is the one whose patch does most, and how often an agent drawn at random is."
    )
    lines = [(named(one.condition, f"seed {one.seed}"), _schedule(one)) for one in several]
    yield from table("schedules", caption, SCHEDULE, lines)


def _schedule(one: Schedule) -> dict[str, Cell]:
    found, ranked = one.found, one.ranked

    def number(name: str, value: float | None, what: str, form: Form) -> Cell:
        if value is None:
            return MISSING
        trail = Trail(what, one.trials, adds=one.adds, reads=READS)
        return plain(name, value, trail, 1, form, SCHEDULES)

    best = ranked.rankings[0]
    return {
        "where": one.condition,
        "seed": str(one.seed),
        "truth": found.truth,
        "evidence": found.view,
        "probes": "odds" if found.probes is None else str(found.probes),
        "accuracy": number("accuracy", found.accuracy, ACCURACY, FINE),
        "agreement": number("rank_agreement", best.each.value, AGREEMENT, FINE),
        "hit": number("hit", best.hits.value, HIT, SHARE),
        "chance": number("chance", ranked.chance, CHANCE, SHARE),
    }


def _patched(run: Run, trials: Trials) -> Iterator[Table]:
    """The effects of interventions on accuracy, by condition; their tests stand with all others."""
    rows = [
        row
        for row in run.rows()
        if row.measure == collective_accuracy.MEASURE.name
        and INTERVENTION in row.condition.get("minus", {})
    ]
    lines: list[tuple[str, dict[str, Cell]]] = []
    for row in rows:
        condition = {name: value for name, value in row.condition.items() if name != "minus"}
        effect = replace(measured(row, trials, form=CHANGE), test=None, detectable="")
        place = where(condition)
        cells: dict[str, Cell] = {"where": place, "effect": effect}
        lines.append((place, cells))
    caption = "Accuracy at the end with patched agents less without, on matched seeds."
    yield from table("patched", caption, {"where": "where", "effect": "effect"}, lines)
