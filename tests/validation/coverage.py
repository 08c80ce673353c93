"""How often intervals hold what is true, and how often tests see what is not there.

``python -m tests.validation.coverage`` prints the tables, ``--long`` with many simulated sets; the
tests assert the bars. Everything is drawn from named streams: the same numbers come out each time.

What 1,000 sets give: the slope is covered in 98.4, 96.9 and 95.1 %, the less the more compositions
differ; the count is found in 4.4 %; rates are covered in 93.6 to 98.0 %, and in 86.8 % where a
dozen events lie in four or five of a hundred items.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import sqrt
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from socialcircuits.seeds import Stream
from socialcircuits.statistics import Estimate, ratio
from socialcircuits.statistics.clustered import linear_on_counts
from socialcircuits.statistics.mixed import likelihood_ratio, logistic_mixed
from socialcircuits.statistics.sequential import boundaries, equal_looks, inflation

Floats = NDArray[np.float64]

COMPOSITIONS = [
    *((2, 0), (8, 0), (12, 0), (5, 1), (10, 2), (15, 3)),
    *((6, 2), (12, 4), (18, 6), (7, 3), (14, 6), (21, 9)),
]
"""Seats and deceivers."""

QUESTIONS = 60
INTERCEPT, SLOPE = 0.06, 0.53
NORMAL = 1.959964


def held(count: int, sets: int, low: float, high: float) -> bool:
    """Whether so many of so many sets are what a chance within these bars gives: the tails beyond
    them are above one in a thousand."""
    below, above = stats.binom.cdf(count, sets, low), stats.binom.sf(count - 1, sets, high)
    return bool(below > 0.001 and above > 0.001)


@dataclass
class Draws:
    """Uniform and normal numbers from a named stream."""

    stream: Stream

    def uniform(self, *shape: int) -> Floats:
        words = [self.stream.below(1 << 53) for _ in range(int(np.prod(shape)))]
        return (np.array(words, float).reshape(shape) + 0.5) / (1 << 53)

    def normal(self, *shape: int) -> Floats:
        drawn: Floats = special.ndtri(self.uniform(*shape))
        return drawn

    def binomial(self, n: Floats | float, chance: Floats) -> Floats:
        return np.asarray(stats.binom.ppf(self.uniform(*chance.shape), n, chance), np.float64)


@dataclass
class Set:
    """Rows of a simulated study: questions x compositions, flattened."""

    draws: Draws

    def __post_init__(self) -> None:
        seats = np.array([n for n, _ in COMPOSITIONS])
        deceivers = np.array([k for _, k in COMPOSITIONS])
        self.proportion = np.tile(deceivers / seats, QUESTIONS)
        self.count = np.tile(deceivers / 10, QUESTIONS)
        self.question = np.repeat(np.arange(QUESTIONS), len(seats))
        self.composition = np.tile(np.arange(len(seats)), QUESTIONS)
        easy = np.repeat(special.expit(0.4 + 0.7 * self.draws.normal(QUESTIONS)), len(seats))
        honest = np.tile(seats - deceivers, QUESTIONS)
        self.sizes: Floats = self.draws.binomial(honest, easy)

    def copied(self, question: float, composition: float, trial: float) -> Floats:
        """Events at a rate that is linear in the proportion, with correlations in these ways."""
        shared = (
            np.sqrt(question) * self.draws.normal(QUESTIONS)[self.question]
            + np.sqrt(composition) * self.draws.normal(len(COMPOSITIONS))[self.composition]
            + np.sqrt(trial) * self.draws.normal(len(self.question))
        )
        bar = special.ndtri(INTERCEPT + SLOPE * self.proportion)
        own = np.sqrt(1 - question - composition - trial)
        return self.draws.binomial(self.sizes, special.ndtr((bar - shared) / own))

    def logistic(self, question: float, trial: float) -> Floats:
        """Events of a logistic model without an effect of the count."""
        odds = (
            -2.7
            + 4.4 * self.proportion
            + question * self.draws.normal(QUESTIONS)[self.question]
            + trial * self.draws.normal(len(self.question))
        )
        return self.draws.binomial(self.sizes, special.expit(odds))


def ints(values: Floats) -> list[int]:
    return [int(value) for value in values]


class Slopes(NamedTuple):
    """In how many sets the interval held the slope: clustered two ways, and of plain least squares
    on agents."""

    sets: int
    two_way: int
    naive: int


def slopes(sets: int, composition: float) -> Slopes:
    """Cover a known slope where compositions differ by this much."""
    found = [0, 0]
    for i in range(sets):
        one = Set(Draws(Stream(f"slope {i}".encode(), str(composition))))
        events = one.copied(question=0.15, composition=composition, trial=0.1)
        columns = {"proportion": one.proportion.tolist()}
        ways = [one.question.tolist(), one.composition.tolist()]
        fit = linear_on_counts(ints(events), ints(one.sizes), columns, ways)
        found[0] += covers(fit.coefficients["proportion"], SLOPE)
        found[1] += on_agents(events, one.sizes, one.proportion)
    return Slopes(sets, *found)


def covers(found: Estimate, truth: float) -> bool:
    assert found.low is not None
    assert found.high is not None
    return found.low <= truth <= found.high


def on_agents(events: Floats, sizes: Floats, x: Floats) -> bool:
    """Whether least squares on agents, each for itself, covers the slope."""
    design = np.column_stack([np.ones(len(x)), x])
    bread = np.linalg.inv(design.T @ (sizes[:, None] * design))
    solution = bread @ (design.T @ events)
    fitted = design @ solution
    left = events @ (1 - fitted) ** 2 + (sizes - events) @ fitted**2
    error = np.sqrt(bread[1, 1] * left / (sizes.sum() - 2))
    return bool(abs(solution[1] - SLOPE) <= NORMAL * error)


class Rejections(NamedTuple):
    """In how many sets a count that does nothing was found to do something at 5 %, and how many
    fits were refused."""

    sets: int
    rejected: int
    refused: int


def rejections(sets: int, test: Callable[[Set, Floats], float | None]) -> Rejections:
    """Test for an effect of the count that is not there, with the proportion known."""
    found = []
    for i in range(sets):
        one = Set(Draws(Stream(f"count {i}".encode(), "type I")))
        found.append(test(one, one.logistic(question=0.8, trial=0.6)))
    return Rejections(sets, sum(p is not None and p < 0.05 for p in found), found.count(None))


def with_trials(one: Set, events: Floats) -> float | None:
    return mixed(one, events, trials=True)


def without_trials(one: Set, events: Floats) -> float | None:
    return mixed(one, events, trials=False)


def mixed(one: Set, events: Floats, *, trials: bool) -> float | None:
    both = {"proportion": one.proportion.tolist(), "count": one.count.tolist()}
    full, reduced = (
        logistic_mixed(ints(events), ints(one.sizes), columns, one.question.tolist(), trials=trials)
        for columns in (both, {"proportion": both["proportion"]})
    )
    return likelihood_ratio(full, reduced).p


def alone(one: Set, events: Floats) -> float:
    """The likelihood ratio test of a logistic regression in which every agent is for itself."""
    kept = one.sizes > 0
    outcome = np.column_stack([events, one.sizes - events])[kept]
    design = np.column_stack([np.ones(len(events)), one.proportion, one.count])[kept]
    api = import_module("statsmodels.api")
    deviances = [
        api.GLM(outcome, design[:, :k], family=api.families.Binomial()).fit().deviance
        for k in (2, 3)
    ]
    return float(stats.chi2.sf(deviances[0] - deviances[1], 1))


class Design(NamedTuple):
    """Items with so many answers each, the rate, and how alike the answers of one item are."""

    items: int
    answers: int
    rate: float
    icc: float


RARE = (Design(40, 8, 0.006, 0.2), Design(60, 20, 0.006, 0.05), Design(60, 10, 0.006, 0.1))
"""Rates of .6 %."""

ALIKE = (Design(40, 8, 0.3, 0.5), Design(60, 8, 0.1, 0.5))
"""Answers that move together."""

BEYOND = Design(100, 20, 0.006, 0.2)
"""Many answers of an item, which move together, at a low rate: a dozen events in few items."""


class Rates(NamedTuple):
    """In how many sets the interval held the rate: Wilson's on the effective n, the normal one
    with the clustered error, and Wilson's on all answers."""

    sets: int
    effective: int
    clustered: int
    naive: int


def rates(sets: int, design: Design) -> Rates:
    """Cover a known rate; items' rates are beta distributed."""
    spare = (1 - design.icc) / design.icc
    shape = design.rate * spare, (1 - design.rate) * spare
    found, total = [0, 0, 0], design.items * design.answers
    for i in range(sets):
        draws = Draws(Stream(f"rate {i}".encode(), str(design)))
        chances = np.asarray(special.betaincinv(*shape, draws.uniform(design.items)), np.float64)
        events = draws.binomial(float(design.answers), chances)
        found[0] += covers(ratio(ints(events), [design.answers] * design.items), design.rate)
        rate, items = float(events.sum()) / total, design.items
        spread = float(((events - rate * design.answers) ** 2).sum()) * items / (items - 1)
        found[1] += abs(rate - design.rate) <= NORMAL * sqrt(spread) / total
        # Wilson's interval holds the rates at which the score test does not reject.
        error = sqrt(design.rate * (1 - design.rate) / total)
        found[2] += abs(rate - design.rate) <= NORMAL * error
    return Rates(sets, *found)


HARD, EASY = (0.3, 0.386), (0.67, 0.1)
"""Of hard and of easy questions, half of all each: chance to be right at first, and to defect."""


class Averages(NamedTuple):
    """A rate by its two ways to average, as expected and in simulated trials."""

    pooled: float
    of_ratios: float
    simulated_pooled: float
    simulated_of_ratios: float


def averages(trials: int, honest: int) -> Averages:
    """Average defection over trials of so many honest agents, which does not depend on that."""
    some = [1 - (1 - right) ** honest for right, _ in (HARD, EASY)]
    pairs = list(zip((HARD, EASY), some, strict=True))
    draws = Draws(Stream(b"averages", str(honest)))
    kinds = np.array([(HARD, EASY)[i % 2] for i in range(trials)])
    right = draws.binomial(float(honest), kinds[:, 0])
    defected = draws.binomial(right, kinds[:, 1])
    pooled = ratio(ints(defected), ints(right)).value
    assert pooled is not None
    return Averages(
        pooled=sum(right * lost for right, lost in (HARD, EASY)) / (HARD[0] + EASY[0]),
        of_ratios=sum(kind[1] * share for kind, share in pairs) / sum(some),
        simulated_pooled=pooled,
        simulated_of_ratios=fmean(d / n for d, n in zip(defected, right, strict=True) if n),
    )


class Peeks(NamedTuple):
    """How many of so many studies in which nothing is there found something at one of their looks:
    at 5 % each, and with O'Brien and Fleming's boundaries."""

    sets: int
    naive: int
    bounded: int


def peeks(sets: int, looks: int) -> Peeks:
    """Look at data that grow by as much from look to look."""
    draws = Draws(Stream(b"peeks", str(looks)))
    steps = draws.normal(sets, looks)
    z = np.cumsum(steps, axis=1) / np.sqrt(np.arange(1, looks + 1))
    naive, bounded = (
        int((abs(z) >= np.array(bar)).any(axis=1).sum())
        for bar in ([NORMAL] * looks, boundaries(equal_looks(looks)))
    )
    return Peeks(sets, naive, bounded)


Line = Sequence[object]


def tables(*, long: bool) -> Iterator[tuple[str, Sequence[Line]]]:
    """Yield each table: what it shows, and its lines, the head first."""
    few = 1000 if long else 100

    def share(count: int, sets: int) -> str:
        return f"{100 * count / sets:.1f} %"

    head: Line = ("compositions differ by", "sets", "two-way", "naive least squares on agents")
    found = [(c, slopes(few, c)) for c in (0.0, 0.003, 0.01)]
    yield (
        "A slope is covered (95 % intended, bar 93 to 98)",
        [head, *((c, s.sets, *(share(x, s.sets) for x in s[1:])) for c, s in found)],
    )
    head = ("model", "sets", "found", "refused")
    models = {
        "mixed, with trial effects": with_trials,
        "mixed, without them": without_trials,
        "logistic regression on agents": alone,
    }
    tested = [(name, rejections(1000 if long else 20, test)) for name, test in models.items()]
    yield (
        "A count that does nothing is found (5 % intended, bar 3 to 8)",
        [head, *((name, r.sets, share(r.rejected, r.sets), r.refused) for name, r in tested)],
    )
    head = ("items x answers", "rate", "ICC", "sets", "effective n", "cluster z", "naive Wilson")
    covered = [(d, rates(2 * few, d)) for d in (*RARE, *ALIKE, BEYOND)]
    yield (
        "A rate is covered (95 % intended, bar 90 to 97)",
        [
            head,
            *(
                (
                    f"{d.items} x {d.answers}",
                    d.rate,
                    d.icc,
                    r.sets,
                    *(share(x, r.sets) for x in r[1:]),
                )
                for d, r in covered
            ),
        ],
    )
    head = ("honest agents", "pooled", "mean of ratios", "pooled, simulated", "mean, simulated")
    rows = [(n, averages(100 * few, n)) for n in (4, 8, 12)]
    yield (
        "A rate that does not depend on the group",
        [head, *((n, *(f"{x:.3f}" for x in a)) for n, a in rows)],
    )
    head = ("looks", "naive, exact", "naive, simulated", "with boundaries, simulated", "sets")
    seen = [(k, peeks(20 * few, k)) for k in (1, 4, 10, 64)]
    yield (
        "Nothing is there and is found at one of the looks (5 % intended)",
        [
            head,
            *(
                (
                    k,
                    f"{100 * inflation(equal_looks(k)):.1f} %",
                    share(p.naive, p.sets),
                    share(p.bounded, p.sets),
                    p.sets,
                )
                for k, p in seen
            ),
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Coverage and false positives by simulation.")
    parser.add_argument("--long", action="store_true", help="many sets: a quarter of an hour")
    for title, lines in tables(long=parser.parse_args().long):
        print(f"\n{title}")
        texts = [[str(cell) for cell in line] for line in lines]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        for line in texts:
            cells = (cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            print("  ".join(cells), flush=True)


if __name__ == "__main__":
    main()
