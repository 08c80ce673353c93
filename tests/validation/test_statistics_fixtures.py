"""Published and independently calculated values: matched seeds and endpoint classes."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from socialcircuits.measures.endpoints import classify
from socialcircuits.statistics import mcnemar, paired_difference, sign_flip

DATA = Path(__file__).parent / "data"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text())
PAIRED: dict[str, Any] = EXPECTED["paired_seeds.csv"]
with (DATA / "paired_seeds.csv").open() as file:
    SEEDS = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
MASSES = [seed["mass_b"] for seed in SEEDS], [seed["mass_a"] for seed in SEEDS]
DIFFERENCES = [b - a for b, a in zip(*MASSES, strict=True)]


def test_paired_t() -> None:
    estimate = paired_difference(*MASSES)
    assert estimate.n == 60
    assert estimate.value is not None
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.value == pytest.approx(PAIRED["mean_diff"], abs=1e-12)
    error = (estimate.high - estimate.low) / 2 / stats.t.ppf(0.975, 59)
    statistic, p = PAIRED["paired_t"]
    assert estimate.value / error == pytest.approx(statistic, abs=1e-9)
    assert 2 * stats.t.sf(estimate.value / error, 59) == pytest.approx(p, abs=1e-9)


def test_mcnemar() -> None:
    lost = sum(seed["mgr_a"] > seed["mgr_b"] for seed in SEEDS)
    gained = sum(seed["mgr_b"] > seed["mgr_a"] for seed in SEEDS)
    assert (lost, gained) == (PAIRED["b"], PAIRED["c"])
    assert mcnemar(gained, lost).exact == pytest.approx(PAIRED["mcnemar_exact_p"], abs=1e-12)


def test_sign_flip_enumerated() -> None:
    result = sign_flip(DIFFERENCES[:12])
    assert result.exact
    assert result.p == PAIRED["signflip_first12_exact"]


def test_sign_flip_drawn_agrees_with_the_exact_distribution() -> None:
    result = sign_flip(DIFFERENCES)
    assert not result.exact
    # All differences are eighths, so the exact null distribution of the sum is a convolution.
    ways = {0: 1}
    for step in [round(8 * d) for d in DIFFERENCES if d]:
        moved: dict[int, int] = {}
        for total, count in ways.items():
            for sign in (step, -step):
                moved[total + sign] = moved.get(total + sign, 0) + count
        ways = moved
    observed = abs(round(8 * sum(DIFFERENCES)))
    extreme = sum(count for total, count in ways.items() if abs(total) >= observed)
    exact = extreme / sum(ways.values())
    assert abs(result.p - exact) < 4 * sqrt(exact * (1 - exact) / 100_000)


@pytest.mark.parametrize("case", EXPECTED["endpoints"], ids=lambda case: str(case["shares"]))
def test_endpoints(case: dict[str, Any]) -> None:
    counts = case["shares"]
    assert classify(counts, sum(counts.values()), case["truth"]) == case["cls"]


def test_thresholds_are_exact_up_to_the_last() -> None:
    accumulated = 0.75
    for _ in range(5):
        accumulated += 0.05
    assert accumulated > 1  # the trap: no unanimous run would be a consensus
    for step in range(6):
        consensus = Fraction(3, 4) + step * Fraction(1, 20)
        assert classify({"T": 4}, 4, "T", consensus=consensus) == "correct_consensus"
