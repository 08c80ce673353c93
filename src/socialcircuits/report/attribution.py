"""Which agent matters, as `attribute` prints it: one schedule, or many."""

from __future__ import annotations

from collections.abc import Iterator

from socialcircuits.agents import LABEL
from socialcircuits.analyses.attributing import Attributed
from socialcircuits.analyses.attribution import Attribution
from socialcircuits.analyses.ranking import Ranked
from socialcircuits.report import families
from socialcircuits.report.page import Block, Line, Page, Section
from socialcircuits.report.sections._rankings import rankings
from socialcircuits.report.sections._schedules import Schedule
from socialcircuits.report.sections.attribution import agents
from socialcircuits.report.text import show_apart
from socialcircuits.statistics import LEVEL, Estimate


def show(found: Attributed, ranked: Ranked | None = None) -> None:
    """Print a table a trial; of many trials, how the rankings agree instead."""
    page = Page("", found.label, (), (Section("", tuple(_blocks(found, ranked))),))
    show_apart(families.adjust(page, []).blocks())


def _blocks(found: Attributed, ranked: Ranked | None) -> Iterator[Block]:
    yield _line(found.label.replace(LABEL, LABEL.upper()))
    several = [Schedule(one, "", one.seed) for one in found.found]
    if ranked is None:
        for one in several:
            yield _line(_heading(one.found))
            yield from agents([one])
    else:
        yield from rankings([several])
        yield from map(_line, verdicts(ranked))
    if found.asked:
        yield _line(
            f"Replies: {found.asked:,} asked for, {found.reused:,} taken from the record "
            f"({found.saved:.0%} saved); kept in {found.path}."
        )
    else:
        yield _line(f"Nobody was asked: {found.path} holds all patches and probes.")


def _line(text: str) -> Line:
    return Line("", (text,))


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


def _span(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "-"
    value, low, high = (round(x, 2) + 0.0 for x in (estimate.value, estimate.low, estimate.high))
    return f"{value:.2f} ({low:.2f} to {high:.2f})"
