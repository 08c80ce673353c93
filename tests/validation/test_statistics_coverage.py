"""How often intervals hold a known slope, and how often a test sees an effect that is not there.

Sixty questions under the twelve default compositions. A few sets are simulated by default, 1,000
with SOCIALCIRCUITS_LONG=1; the bars are those of the long run, wider where sets are few. In the
long run the slope is covered in 98.4, 96.9 and 95.1 % of sets, the more compositions differ the
less, and the count is rejected in 4.4 %.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from socialcircuits.seeds import Stream
from socialcircuits.statistics.clustered import linear_on_counts
from socialcircuits.statistics.mixed import likelihood_ratio, logistic_mixed

Floats = NDArray[np.float64]

LONG = "SOCIALCIRCUITS_LONG" in os.environ
COMPOSITIONS = [
    *((2, 0), (8, 0), (12, 0), (5, 1), (10, 2), (15, 3)),
    *((6, 2), (12, 4), (18, 6), (7, 3), (14, 6), (21, 9)),
]
"""Seats and deceivers."""

QUESTIONS = 60
INTERCEPT, SLOPE = 0.06, 0.53


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
        self.sizes: Floats = self.binomial(honest, easy)

    def binomial(self, n: Floats, chance: Floats) -> Floats:
        return np.asarray(stats.binom.ppf(self.draws.uniform(len(n)), n, chance), np.float64)

    def copied(self, question: float, composition: float, trial: float) -> Floats:
        """Events at a rate that is linear in the proportion, with correlations in these ways."""
        shared = (
            np.sqrt(question) * self.draws.normal(QUESTIONS)[self.question]
            + np.sqrt(composition) * self.draws.normal(len(COMPOSITIONS))[self.composition]
            + np.sqrt(trial) * self.draws.normal(len(self.question))
        )
        bar = special.ndtri(INTERCEPT + SLOPE * self.proportion)
        own = np.sqrt(1 - question - composition - trial)
        return self.binomial(self.sizes, special.ndtr((bar - shared) / own))

    def logistic(self, question: float, trial: float) -> Floats:
        """Events of a logistic model without an effect of the count."""
        odds = (
            -2.7
            + 4.4 * self.proportion
            + question * self.draws.normal(QUESTIONS)[self.question]
            + trial * self.draws.normal(len(self.question))
        )
        return self.binomial(self.sizes, special.expit(odds))


def ints(values: Floats) -> list[int]:
    return [int(value) for value in values]


@pytest.mark.parametrize("composition", [0.0, 0.003, 0.01])
def test_the_slope_clustered_two_ways_covers(composition: float) -> None:
    sets, covered = 1000 if LONG else 150, 0
    for i in range(sets):
        one = Set(Draws(Stream(f"slope {i}".encode(), str(composition))))
        events = one.copied(question=0.15, composition=composition, trial=0.1)
        columns = {"proportion": one.proportion.tolist()}
        ways = [one.question.tolist(), one.composition.tolist()]
        fit = linear_on_counts(ints(events), ints(one.sizes), columns, ways)
        slope = fit.coefficients["proportion"]
        assert slope.low is not None
        assert slope.high is not None
        covered += slope.low <= SLOPE <= slope.high
    # Where compositions do not differ at all, the larger of two variances is a little too large.
    spare = 0.01 if LONG else 0.03
    assert 0.93 - spare <= covered / sets <= 0.98 + spare


def test_the_count_is_rejected_as_often_as_said() -> None:
    sets, rejected, refused = 1000 if LONG else 30, 0, 0
    for i in range(sets):
        one = Set(Draws(Stream(f"count {i}".encode(), "type I")))
        events, sizes = ints(one.logistic(question=0.8, trial=0.6)), ints(one.sizes)
        both = {"proportion": one.proportion.tolist(), "count": one.count.tolist()}
        without = {"proportion": both["proportion"]}
        full, reduced = (
            logistic_mixed(events, sizes, columns, one.question.tolist())
            for columns in (both, without)
        )
        found = likelihood_ratio(full, reduced)
        refused += found.p is None
        rejected += found.p is not None and found.p < 0.05
    assert refused <= sets / 100
    if LONG:
        assert 0.03 <= rejected / sets <= 0.08
    else:
        assert rejected <= 6
