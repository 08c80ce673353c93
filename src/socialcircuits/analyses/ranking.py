"""Does the predicted ranking of agents agree with what patching each of them does? Many schedules
together: the unit of evidence is the schedule, never the agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from socialcircuits.analyses.attribution import DIGITS, Attribution
from socialcircuits.errors import SettingError
from socialcircuits.interventions.attribution import Score
from socialcircuits.statistics import (
    Agreement,
    Estimate,
    agreement,
    matched_difference,
    mean,
    spearman,
    top_hit,
)

__all__ = ["PREDICTORS", "Contest", "Ranked", "Ranking", "rank"]

PREDICTORS: dict[str, Callable[[Score], float]] = {
    "S": lambda score: score.score,
    "E": lambda score: score.closeness,
    "dp": lambda score: score.gain,
    "out_degree": lambda score: score.out_degree,
    "paths": lambda score: score.paths,
}
"""What may predict dA, by its column. Within equal dp above 0, S and E rank alike."""


@dataclass(frozen=True)
class Ranking:
    """How well one column predicts dA.

    Args:
        predictor: the column.
        within: agreement within schedule and equal dp, of agents whose dp is not 0: what the
            schedule alone explains. Where dp is 0, S predicts no effect of anybody.
        overall: agreement within schedule, of all agents.
        each: mean over schedules of Spearman's coefficient within equal dp.
        hits: how often the agent that is ranked first is the one whose patch does most.
    """

    predictor: str
    within: Agreement
    overall: Agreement
    each: Estimate
    hits: Estimate


@dataclass(frozen=True)
class Contest:
    """S against another predictor, on the same schedules.

    Args:
        other: the column; ``random``: an agent chosen at random.
        each: mean difference of Spearman's coefficients within equal dp; n = 0 for random, and
            where both rank alike in every schedule, as S and E do.
        each_p: two-sided p of a sign-flip permutation over schedules.
        hits: mean difference of the hits.
        hits_p: as `each_p`.
    """

    other: str
    each: Estimate
    each_p: float
    hits: Estimate
    hits_p: float


@dataclass(frozen=True)
class Ranked:
    """Predictions against measured effects over many schedules.

    Args:
        schedules: how many there are.
        undecided: schedules in which all patches do the same, so that none can be hit.
        chance: hits of an agent chosen at random, over the others: 1 / n where no effects tie.
        rankings: one a predictor.
        contests: S against each other predictor and against chance.
    """

    schedules: int
    undecided: int
    chance: float | None
    rankings: tuple[Ranking, ...]
    contests: tuple[Contest, ...]

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON values."""
        return asdict(self)


def rank(found: Sequence[Attribution], seed: bytes = b"") -> Ranked:
    """Compare predicted and measured rankings over many schedules.

    Numbers that agree to 9 digits are ties. Schedules in which a coefficient does not exist (all
    predictions or all effects tie) are left out of its mean, and of a contest on both sides.

    Args:
        found: one attribution a schedule.
        seed: seed of drawn permutations.

    Raises:
        SettingError: there is none.

    Source: Flag Game, Fig. 7b and Table 5, for one schedule.
    """
    if not found:
        raise SettingError("found", 0, "at least one attribution")
    tables = [_Table(one) for one in found]
    decided = [table for table in tables if table.chance is not None]
    chances = [table.chance for table in decided if table.chance is not None]
    rankings = tuple(_ranking(name, tables, seed) for name in PREDICTORS)
    contests = [_contest(name, tables, seed) for name in PREDICTORS if name != "S"]
    pairs = [(table.hit("S"), chance) for table, chance in zip(decided, chances, strict=True)]
    hits, hits_p = _difference(pairs, 1.0, seed)
    nothing = mean([], (-1.0, 1.0))
    return Ranked(
        schedules=len(found),
        undecided=len(tables) - len(decided),
        chance=fmean(chances) if chances else None,
        rankings=rankings,
        contests=(*contests, Contest("random", nothing, 1.0, hits, hits_p)),
    )


class _Table:
    """One schedule: what is predicted and measured of its agents."""

    def __init__(self, found: Attribution) -> None:
        rows = found.scores
        self.measured = [round(row.effect, DIGITS) for row in rows]
        self.gains = [round(row.gain, DIGITS) for row in rows]
        self.predicted = {
            name: [round(float(value(row)), DIGITS) for row in rows]
            for name, value in PREDICTORS.items()
        }
        self.gaining = [place for place, gain in enumerate(self.gains) if gain]
        hit = top_hit(self.measured, self.measured)
        self.chance = hit.chance if hit else None

    def hit(self, name: str) -> float:
        """The hit of a predictor, where there is a first to be hit."""
        hit = top_hit(self.predicted[name], self.measured)
        assert hit is not None, "asked of decided schedules only"
        return hit.share

    def within(self, name: str) -> list[tuple[float, float, float]]:
        """Prediction, effect and dp of each agent whose dp is not 0."""
        predicted = self.predicted[name]
        return [(predicted[i], self.measured[i], self.gains[i]) for i in self.gaining]

    def each(self, name: str) -> float | None:
        """Spearman's coefficient within equal dp."""
        rows = self.within(name)
        return spearman(*([row[part] for row in rows] for part in range(3)))


def _ranking(name: str, tables: Sequence[_Table], seed: bytes) -> Ranking:
    x = [value for table in tables for value in table.predicted[name]]
    y = [value for table in tables for value in table.measured]
    schedules = [place for place, table in enumerate(tables) for _ in table.measured]
    inside = [(*row, place) for place, table in enumerate(tables) for row in table.within(name)]
    strata = [(place, gain) for _, _, gain, place in inside]
    each = [rho for table in tables if (rho := table.each(name)) is not None]
    return Ranking(
        predictor=name,
        within=agreement([row[0] for row in inside], [row[1] for row in inside], strata, seed),
        overall=agreement(x, y, schedules, seed),
        each=mean(each, (-1.0, 1.0)),
        hits=mean([table.hit(name) for table in tables if table.chance is not None]),
    )


def _contest(other: str, tables: Sequence[_Table], seed: bytes) -> Contest:
    pairs = [(table.each("S"), table.each(other)) for table in tables]
    both = [(one, two) for one, two in pairs if one is not None and two is not None]
    if all(one == two for one, two in both):
        both = []
    hits = [(t.hit("S"), t.hit(other)) for t in tables if t.chance is not None]
    return Contest(other, *_difference(both, 2.0, seed), *_difference(hits, 1.0, seed))


def _difference(
    pairs: Sequence[tuple[float, float]], most: float, seed: bytes
) -> tuple[Estimate, float]:
    first, second = [one for one, _ in pairs], [two for _, two in pairs]
    found = matched_difference(first, second, (-most, most), seed)
    return found, found.test.p if found.test else 1.0
