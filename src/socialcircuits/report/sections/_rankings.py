"""Does the predicted ranking of agents agree with what patching each of them does?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from socialcircuits.analyses.ranking import Contest, Ranked, Ranking, rank
from socialcircuits.records import TrialSummary
from socialcircuits.report.numbers import FINE, SHARE, estimated
from socialcircuits.report.page import Block, Cell, Line, Trail
from socialcircuits.report.sections._conditions import MISSING, named, plain, table
from socialcircuits.report.sections._schedules import (
    AGREEMENT,
    CHANCE,
    HIT,
    READS,
    SCHEDULES,
    Schedule,
)
from socialcircuits.statistics import Estimate, Significance

RANKED = {
    "where": "where",
    "predictor": "predictor",
    "within": "within: rho",
    "tau": "tau-b",
    "each": "each",
    "overall": "all agents: rho",
    "hits": "hits",
}
HITS = (
    "All agents: ranks within schedule, whatever dp. Hits: the agent ranked first is the one whose "
    "patch does most; schedules in which all patches do the same have none."
)
AGAINST = {"where": "where", "other": "S against", "each": "rank agreement", "hits": "hits"}


def rankings(groups: Sequence[Sequence[Schedule]]) -> Iterator[Block]:
    """Yield how predictors rank agents over the schedules of each condition, and S against each."""
    pooled = [_Pooled(several) for several in groups]
    caption = (
        "Within: ranks within schedule and equal dp, agents of dp 0 left out, tested by "
        "permutation there. Each: mean of the schedules' own coefficients."
    )
    lines = [line for one in pooled for line in one.rankings()]
    yield from table("rankings", caption, RANKED, lines)
    if lines:
        yield Line("", (HITS,))
    caption = (
        "S less each other predictor on the same schedules: rank agreement within equal dp, and "
        "hits; random is an agent drawn at random."
    )
    lines = [line for one in pooled for line in one.contests()]
    yield from table("contests", caption, AGAINST, lines)


class _Pooled:
    """The schedules of one condition together."""

    def __init__(self, schedules: Sequence[Schedule]) -> None:
        self._schedules = schedules
        self._where = schedules[0].condition
        self._ranked = rank([one.found for one in schedules])
        self._trials = [trial for one in schedules for trial in one.trials]
        self._of = {id(trial): one for one in schedules for trial in one.trials}

    def rankings(self) -> Iterator[tuple[str, dict[str, Cell]]]:
        for place, one in enumerate(self._ranked.rankings):
            yield self._line("predictor", one.predictor, self._ranking(place, one))
        if self._ranked.chance is not None:
            trail = self._trail(CHANCE, lambda ranked: ranked.chance)
            decided = self._ranked.schedules - self._ranked.undecided
            chance = plain("chance", self._ranked.chance, trail, decided, SHARE, SCHEDULES)
            blank = dict.fromkeys(("within", "tau", "each", "overall"), MISSING)
            yield self._line("predictor", "random", {**blank, "hits": chance})

    def _ranking(self, place: int, one: Ranking) -> dict[str, Cell]:
        rho = self._trail(AGREEMENT, lambda ranked: ranked.rankings[place].each.value)
        hit = self._trail(HIT, lambda ranked: ranked.rankings[place].hits.value)
        both = self._trail(_OVERALL, lambda ranked: ranked.rankings[place].overall.spearman)
        tau = replace(rho, definition=f"Kendall's tau-b instead of: {AGREEMENT}")
        n, name, within, overall = one.each.n, one.predictor, one.within, one.overall
        alone = Significance(within.p_two_sided, _WITHIN, within.exact)
        whole = Significance(overall.p_two_sided, _WHATEVER, overall.exact)
        return {
            "within": _coefficient(_tested("within", name), within.spearman, rho, n, alone),
            "tau": _coefficient(f"{name}_tau", within.kendall, tau, n),
            "each": _mean(f"{name}_each", one.each, rho),
            "overall": _coefficient(
                _tested("overall", name), overall.spearman, both, overall.strata, whole
            ),
            "hits": _mean(f"{name}_hits", one.hits, hit),
        }

    def contests(self) -> Iterator[tuple[str, dict[str, Cell]]]:
        for place, one in enumerate(self._ranked.contests):
            yield self._line("other", one.other, self._contest(place, one))

    def _contest(self, place: int, one: Contest) -> dict[str, Cell]:
        each = self._trail(
            f"S less {one.other}: {AGREEMENT}", lambda ranked: ranked.contests[place].each.value
        )
        hits = self._trail(
            f"S less {one.other}: {HIT}", lambda ranked: ranked.contests[place].hits.value
        )
        return {
            "each": _mean("influence_contest", one.each, each),
            "hits": _mean("influence_hits", one.hits, hits),
        }

    def _line(self, head: str, name: str, cells: dict[str, Cell]) -> tuple[str, dict[str, Cell]]:
        return named(self._where, name), {"where": self._where, head: name, **cells}

    def _trail(self, what: str, own: Callable[[Ranked], float | None]) -> Trail:
        def adds(trial: TrialSummary) -> str:
            one = self._of[id(trial)]
            if trial.trial != one.found.trial:
                return f"part of the schedule of seed {one.seed}"
            value = own(one.ranked)
            return f"schedule of seed {one.seed}: {'none' if value is None else FINE.of(value)}"

        return Trail(what, self._trials, adds=adds, reads=READS)


_WITHIN = "permutation within schedule and equal dp"
_WHATEVER = "permutation within schedule, whatever dp"
_OVERALL = "Spearman's coefficient of the predictor and dA, of ranks within schedule, of all agents"


def _tested(which: str, predictor: str) -> str:
    """The name of the test of S, which a study may declare, or of another predictor's."""
    return f"influence_{which}" if predictor == "S" else f"influence_{which}_{predictor}"


def _coefficient(
    name: str, value: float | None, trail: Trail, n: int, test: Significance | None = None
) -> Cell:
    if value is None:
        return MISSING
    return replace(plain(name, value, trail, n, FINE, SCHEDULES), test=test)


def _mean(name: str, found: Estimate, trail: Trail) -> Cell:
    return MISSING if found.value is None else estimated(name, found, trail, SCHEDULES, SHARE)
