"""Which agent matters, in lines of text: one schedule, and many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from socialcircuits.agents import LABEL
from socialcircuits.analyses.attributing import Attributed
from socialcircuits.analyses.attribution import PROBES, Attribution
from socialcircuits.analyses.ranking import Contest, Ranked, Ranking
from socialcircuits.report.text import console
from socialcircuits.statistics import LEVEL, Estimate

COLUMNS = {
    "agent": "agent",
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


def show(found: Attributed, ranked: Ranked | None = None) -> None:
    """Print a table a trial; of many trials, how the rankings agree instead."""
    out = console()
    out.print(found.label.replace(LABEL, LABEL.upper()))
    if ranked is None:
        for one in found.found:
            out.print(_heading(one), soft_wrap=True)
            if any(row["informative_correct"] < PROBES for row in one.rows()):
                out.print(
                    "The informative evidence is not right in all isolated probes: choose another "
                    "(--view) before reading S."
                )
            out.print(_agents(one))
            for line in _notes(one):
                out.print(line, soft_wrap=True)
    else:
        out.print(_rankings(ranked))
        out.print(_contests(ranked))
        for line in verdicts(ranked):
            out.print(line, soft_wrap=True)
    if found.asked:
        out.print(
            f"Replies: {found.asked:,} asked for, {found.reused:,} taken from the record "
            f"({found.saved:.0%} saved); kept in {found.path}."
        )
    else:
        out.print(f"Nobody was asked: {found.path} holds all patches and probes.")


def verdicts(ranked: Ranked) -> Iterator[str]:
    """Say plainly whether S beats each other predictor, a line each."""
    for contest in ranked.contests:
        for words, estimate, p in (
            ("in rank agreement within equal dp", contest.each, contest.each_p),
            ("in hits of the first agent", contest.hits, contest.hits_p),
        ):
            if estimate.value is not None:
                verdict = f"S {_verdict(estimate, p)} {contest.other} {words}"
                yield f"{verdict} ({_span(estimate)}, p = {p:.3g})."


def _verdict(estimate: Estimate, p: float) -> str:
    """Both the interval and the test must say so."""
    assert estimate.low is not None
    assert estimate.high is not None
    if p > 1 - LEVEL or estimate.low <= 0 <= estimate.high:
        return "is not told apart from"
    return "beats" if estimate.low > 0 else "is beaten by"


def _heading(one: Attribution) -> str:
    probes = "exact odds" if one.probes is None else f"{one.probes} probes of each crop"
    return (
        f"Trial {one.trial} (seed {one.seed}), truth {one.truth}: accuracy {one.accuracy:.3f} as it"
        f" was; informative evidence {one.view}; {probes}."
    )


def _agents(one: Attribution) -> Table:
    table, rows = Table(box=SIMPLE_HEAD), one.rows()
    names = [name for name in COLUMNS if name in rows[0]]
    for name in names:
        table.add_column(COLUMNS[name], justify="right")
    for row in rows:
        table.add_row(*(_cell(name, row) for name in names))
    return table


def _cell(name: str, row: Mapping[str, Any]) -> str:
    value = row[name]
    if value is None:
        return "-"
    if name == "agent":
        return f"A{value}"
    if name in {"unreached", "out_degree", "paths"}:
        return str(value)
    if name in {"original_correct", "informative_correct", "D"}:
        return f"{value:.1f}"
    if name.startswith("rank"):
        return f"{value:g}"
    return f"{value + 0.0:.3f}" if "shapley" in name else f"{round(value, 2) + 0.0:.2f}"


def _notes(one: Attribution) -> Iterator[str]:
    row = one.rows()[0]
    yield "Tied agents share the mean of their ranks. What each column assumes:"
    yield from (f"  {name}: {text}." for name, text in ASSUMES.items() if name in row)


def _rankings(ranked: Ranked) -> Table:
    chance = "-" if ranked.chance is None else f"{ranked.chance:.2f}"
    table = Table(
        caption=(
            f"{ranked.schedules} schedules, in {ranked.undecided} of them all patches do the same. "
            "Within: ranks within schedule and equal dp, agents of dp 0 left out; p by permutation "
            "there, one-sided. Each: "
            "mean of the schedules' own coefficients, 95 % interval. Hits: the agent ranked first "
            f"is the one whose patch does most; by chance {chance}."
        ),
        caption_justify="left",
        box=SIMPLE_HEAD,
    )
    heads = ("predictor", "within: rho", "tau-b", "p", "n", "each", "all agents: rho", "p", "hits")
    for head in heads:
        table.add_column(head, justify="left" if head == "predictor" else "right")
    for row in ranked.rankings:
        table.add_row(*_ranking(row))
    return table


def _ranking(row: Ranking) -> tuple[str, ...]:
    within, overall = row.within, row.overall
    return (
        row.predictor,
        _number(within.spearman),
        _number(within.kendall),
        f"{within.p:.3g}",
        str(within.n),
        _span(row.each),
        _number(overall.spearman),
        f"{overall.p:.3g}",
        _span(row.hits),
    )


def _contests(ranked: Ranked) -> Table:
    table = Table(
        caption="S less each other predictor on the same schedules, 95 % intervals; p by sign "
        "flips, not corrected for their number.",
        caption_justify="left",
        box=SIMPLE_HEAD,
    )
    for head in ("S against", "rank agreement within equal dp", "p", "hits", "p"):
        table.add_column(head)
    for contest in ranked.contests:
        table.add_row(*_contest(contest))
    return table


def _contest(contest: Contest) -> tuple[str, ...]:
    each_p = "-" if contest.each.value is None else f"{contest.each_p:.3g}"
    hits_p = "-" if contest.hits.value is None else f"{contest.hits_p:.3g}"
    return contest.other, _span(contest.each), each_p, _span(contest.hits), hits_p


def _number(value: float | None) -> str:
    return "-" if value is None else f"{round(value, 3) + 0.0:.3f}"


def _span(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "-"
    value, low, high = (round(x, 2) + 0.0 for x in (estimate.value, estimate.low, estimate.high))
    return f"{value:.2f} ({low:.2f} to {high:.2f})"
