"""Whether `plan` says how often a study finds its effect: data of known parameters, the tool's own
tests, and the planning function beside them.

Few sets are simulated by default, many with SOCIALCIRCUITS_LONG=1, where the bar is three points;
it is wider by the error of the simulation where sets are few.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import fmean

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from socialcircuits.analyses.spreads import Changes, Differences, Slope
from socialcircuits.seeds import Stream
from socialcircuits.statistics import mcnemar, paired_difference, sign_flip
from socialcircuits.statistics.clustered import linear_on_counts
from socialcircuits.statistics.power import matched_sides

Floats = NDArray[np.float64]

LONG = "SOCIALCIRCUITS_LONG" in os.environ
LEVEL, POWER, POINTS = 0.05, 0.8, 0.03


@dataclass
class Draws:
    """Uniform numbers and counts from a named stream."""

    stream: Stream

    def uniform(self, *shape: int) -> Floats:
        words = [self.stream.below(1 << 53) for _ in range(int(np.prod(shape)))]
        return (np.array(words, float).reshape(shape) + 0.5) / (1 << 53)

    def binomial(self, n: Floats | int, chance: Floats | float, *shape: int) -> Floats:
        return np.asarray(stats.binom.ppf(self.uniform(*shape), n, chance), np.float64)


def bar(sets: int) -> float:
    """Three points, and where sets are few the error of the simulation."""
    error = sqrt(POWER * (1 - POWER) / sets)
    return POINTS if LONG else POINTS + 2.6 * error


@cache
def changed(gained: int, lost: int) -> bool:
    return mcnemar(gained, lost).mid < LEVEL


@pytest.mark.parametrize(("gained", "lost"), [(0.25, 0.1), (0.12, 0.02), (0.5, 0.3)])
def test_a_rate_difference(gained: float, lost: float) -> None:
    """Yes or no on matched seeds, by McNemar's mid-p."""
    sets, effect = 20_000 if LONG else 2_000, gained - lost
    spread = Changes(round(1000 * (gained + lost)), 1000)
    n = spread.size(effect, POWER)
    assert spread.power(effect, n) >= POWER
    draws = Draws(Stream(b"plan", f"changes {gained} {lost}"))
    moved = draws.binomial(n, gained + lost, sets)
    up = draws.binomial(moved, gained / (gained + lost), sets)
    found = fmean(changed(int(a), int(b)) for a, b in zip(up, moved - up, strict=True))
    print(f"changes {gained} {lost}: n {n}, said {spread.power(effect, n):.3f}, found {found:.3f}")
    assert found == pytest.approx(spread.power(effect, n), abs=bar(sets))


def test_a_rate_difference_of_few_seeds() -> None:
    """What ten seeds detect is found as often as is wanted."""
    sets, n, share = 20_000 if LONG else 2_000, 10, 0.3
    spread = Changes(3, n)
    effect = spread.detects(n, POWER)
    assert effect is not None
    gained, lost = matched_sides(share, effect)
    draws = Draws(Stream(b"plan", "few changes"))
    moved = draws.binomial(n, gained + lost, sets)
    up = draws.binomial(moved, gained / (gained + lost), sets)
    found = fmean(changed(int(a), int(b)) for a, b in zip(up, moved - up, strict=True))
    print(f"few changes: n {n}, effect {effect:.3f}, found {found:.3f}")
    assert found == pytest.approx(POWER, abs=bar(sets))


AGENTS, RIGHT, FLIPS = 8, (0.65, 0.55), 0.1
"""Two groups of eight agents, each right with these chances; and part of the seeds in which one
group is all right and the other all wrong, either way."""


def differences(draws: Draws, sets: int, n: int) -> Floats:
    first, second = (draws.binomial(AGENTS, chance, sets, n) for chance in RIGHT)
    flips = draws.uniform(sets, n)
    found: Floats = np.where(flips < FLIPS, np.sign(flips - FLIPS / 2), (first - second) / AGENTS)
    return found


def truth() -> tuple[float, float]:
    """Mean and deviation of a difference."""
    mean = (1 - FLIPS) * (RIGHT[0] - RIGHT[1])
    own = sum(chance * (1 - chance) for chance in RIGHT) / AGENTS
    square = FLIPS + (1 - FLIPS) * (own + (RIGHT[0] - RIGHT[1]) ** 2)
    return mean, sqrt(square - mean**2)


def test_a_paired_accuracy_difference() -> None:
    """Accuracy of groups on matched seeds, by the paired t interval."""
    sets, (effect, deviation) = 8_000 if LONG else 800, truth()
    spread = Differences(deviation, 20)
    n = spread.size(effect, POWER)
    draws = Draws(Stream(b"plan", "differences"))
    hits = 0
    for row in differences(draws, sets, n).tolist():
        estimate = paired_difference(row, [0.0] * n)
        assert estimate.low is not None
        assert estimate.high is not None
        hits += estimate.low > 0 or estimate.high < 0
    said = spread.power(effect, n)
    print(f"differences: n {n}, said {said:.3f}, found {hits / sets:.3f}")
    assert hits / sets == pytest.approx(said, abs=bar(sets))


@pytest.mark.parametrize("n", [5, 6, 7, 14])
def test_a_paired_accuracy_difference_by_sign_flips(n: int) -> None:
    """The test that stands beside a difference finds what is planned, also at small n."""
    sets, deviation = 5_000 if LONG else 600, 0.25
    spread = Differences(deviation, 20)
    if n == 5:
        assert spread.detects(n, POWER) is None
        assert sign_flip([1.0] * n).p > LEVEL
        return
    effect = spread.detects(n, POWER)
    assert effect is not None
    draws = Draws(Stream(b"plan", f"sign flips {n}"))
    normal = effect + deviation * special.ndtri(draws.uniform(sets, n))
    found = fmean(sign_flip(row).p < LEVEL for row in normal.tolist())
    print(f"sign flips: n {n}, said {spread.power(effect, n):.3f}, found {found:.3f}")
    points = bar(sets) + (0.02 if n == 7 else 0)
    assert found == pytest.approx(spread.power(effect, n), abs=points)


COMPOSITIONS = [
    *((2, 0), (8, 0), (12, 0), (5, 1), (10, 2), (15, 3)),
    *((6, 2), (12, 4), (18, 6), (7, 3), (14, 6), (21, 9)),
]
"""Seats and deceivers."""


@dataclass
class Slopes:
    """A rate that is linear in the proportion, with slopes that differ by question and levels that
    differ by composition, both uniform, with these deviations."""

    slope: float
    question: float
    composition: float
    questions: int = 60
    level: float = 0.2

    @property
    def name(self) -> str:
        return f"slopes {self.slope} {self.question} {self.composition}"

    def sets(self, number: int) -> Iterator[tuple[float, float, float]]:
        """The p value of each simulated study, and the parts of its variance."""
        seats, deceivers = (np.array(part) for part in zip(*COMPOSITIONS, strict=True))
        tenths = np.tile(10 * deceivers / seats, self.questions)
        honest = np.tile(seats - deceivers, self.questions)
        question = np.repeat(np.arange(self.questions), len(seats))
        composition = np.tile(np.arange(len(seats)), self.questions)
        ways = [question.tolist(), composition.tolist()]
        for i in range(number):
            draws = Draws(Stream(f"plan {i}".encode(), self.name))
            own, shared = (
                sqrt(12) * (draws.uniform(k) - 0.5) for k in (self.questions, len(seats))
            )
            slopes = self.slope + self.question * own[question]
            rate = self.level + slopes * tenths + self.composition * shared[composition]
            events = draws.binomial(honest, np.clip(rate, 0, 1), len(rate))
            columns = {"proportion": tenths.tolist()}
            fit = linear_on_counts(events.astype(int).tolist(), honest.tolist(), columns, ways)
            test = fit.coefficients["proportion"].test
            assert test is not None
            first, second = fit.parts["proportion"]
            yield test.p, first, second


@pytest.mark.parametrize(
    "one", [Slopes(0.02, 0.02, 0.02), Slopes(0.036, 0.02, 0.05), Slopes(0.0255, 0.03, 0.03)]
)
def test_a_slope(one: Slopes) -> None:
    """The t test with errors clustered two ways, planned with the parts that such fits have."""
    sets = 4_000 if LONG else 150
    p, first, second = zip(*one.sets(sets), strict=True)
    spread = Slope(one.questions * fmean(first), fmean(second), len(COMPOSITIONS), one.questions)
    found, said = fmean(value < LEVEL for value in p), spread.power(one.slope, one.questions)
    print(f"{one.name}: said {said:.3f}, found {found:.3f}")
    assert found == pytest.approx(said, abs=bar(sets))


def test_a_slope_where_compositions_do_not_differ() -> None:
    """The larger of two variances stands there, and so the plan is cautious: never by much."""
    one, sets = Slopes(0.0145, 0.02, 0.0), 4_000 if LONG else 150
    p, first, second = zip(*one.sets(sets), strict=True)
    spread = Slope(one.questions * fmean(first), fmean(second), len(COMPOSITIONS), one.questions)
    found, said = fmean(value < LEVEL for value in p), spread.power(one.slope, one.questions)
    print(f"{one.name}: said {said:.3f}, found {found:.3f}")
    assert said - bar(sets) + POINTS <= found <= said + bar(sets) + 0.02
