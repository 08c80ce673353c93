"""Published and independently calculated values: seeds, endpoints, counts and judges."""

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
from socialcircuits.statistics.clustered import linear_on_counts
from socialcircuits.statistics.forms import compare_forms
from socialcircuits.statistics.judges import corrected_rate, judge_agreement
from socialcircuits.statistics.mixed import MixedFit, likelihood_ratio, logistic_mixed

DATA = Path(__file__).parent / "data"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text())
PAIRED: dict[str, Any] = EXPECTED["paired_seeds.csv"]
with (DATA / "paired_seeds.csv").open() as file:
    SEEDS = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
with (DATA / "defection_counts.csv").open() as file:
    COUNTS = list(csv.DictReader(file))
with (DATA / "judge_audit.csv").open() as file:
    AUDIT = list(csv.DictReader(file))
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


DEFECTION: dict[str, Any] = EXPECTED["defection_counts.csv"]
EVENTS = [int(row["d"]) for row in COUNTS]
SIZES = [int(row["n"]) for row in COUNTS]
QUESTIONS = [row["q"] for row in COUNTS]
COMPOSITIONS = [row["c"] for row in COUNTS]
COLUMNS = {name: [float(row[name]) for row in COUNTS] for name in ("p", "k10")}


def fitted(names: str, *, trials: bool) -> MixedFit:
    columns = {name: COLUMNS[name] for name in names.split()}
    return logistic_mixed(EVENTS, SIZES, columns, QUESTIONS, trials=trials)


def test_linear_model_on_counts() -> None:
    found = linear_on_counts(EVENTS, SIZES, COLUMNS, [QUESTIONS])
    values = [estimate.value for estimate in found.coefficients.values()]
    assert values == pytest.approx(DEFECTION["lpm_coef"], abs=1e-10)
    errors = list(found.errors.values())
    assert errors == pytest.approx(DEFECTION["lpm_CR_q_se_G_over_Gm1"], abs=1e-10)


@pytest.mark.parametrize(("name", "trials"), [("q", False), ("q_and_trial", True)])
def test_mixed_model_against_lme4(name: str, trials: bool) -> None:
    expected = DEFECTION["lme4"][name]
    full = fitted("p k10", trials=trials)
    values = [estimate.value for estimate in full.coefficients.values()]
    assert values == pytest.approx(expected["beta"], abs=1e-4)
    assert list(full.errors.values()) == pytest.approx(expected["se"], abs=1e-4)
    deviations = [full.deviations[effect] for effect in reversed(full.effects)]
    assert deviations == pytest.approx(expected.get("sd", [expected.get("sigma")]), abs=1e-4)
    count = likelihood_ratio(full, fitted("p", trials=trials)).statistic
    assert count == pytest.approx(expected["LRT_count"], abs=1e-6)
    # lme4 leaves 1.6e-6 of the log likelihood of the smaller model with trial effects to gain.
    share = likelihood_ratio(full, fitted("k10", trials=trials)).statistic
    assert share == pytest.approx(expected["LRT_prop"], abs=4e-6 if trials else 1e-6)
    assert share is not None
    assert share < expected["LRT_prop"] + 1e-8


def test_mixed_model_against_quadrature() -> None:
    full = fitted("p k10", trials=False)
    values = [estimate.value for estimate in full.coefficients.values()]
    assert values == pytest.approx(DEFECTION["glmm_AGHQ15_beta"], abs=1e-6)
    assert full.deviations["question"] == pytest.approx(DEFECTION["glmm_sigma"], abs=1e-6)
    for left, name in (("p", "glmm_LRT_count_given_prop"), ("k10", "glmm_LRT_prop_given_count")):
        found = likelihood_ratio(full, fitted(left, trials=False)).statistic
        assert found == pytest.approx(DEFECTION[name], abs=1e-9)


def test_the_known_form_is_the_best() -> None:
    found = compare_forms(EVENTS, SIZES, COLUMNS["p"], QUESTIONS, COMPOSITIONS)
    assert found[0].name == "linear"
    assert found[0].r2 is not None
    assert found[0].r2 > 0.95
    assert found[-1].name == "constant"
    assert found[-1].behind > 4 * found[-1].behind_error


def test_judges() -> None:
    expected: dict[str, Any] = EXPECTED["judge_audit.csv"]
    first, second = ([row[judge] for row in AUDIT] for judge in ("judge1", "judge2"))
    found = judge_agreement(first, second)
    assert found.share.value == pytest.approx(expected["agreement"], abs=1e-12)
    assert found.kappa.value == pytest.approx(expected["kappa_hand"], abs=1e-12)
    assert found.kappa.low == pytest.approx(expected["kappa_ci"][0], abs=1e-9)
    assert found.kappa.high == pytest.approx(expected["kappa_ci"][1], abs=1e-9)
    assert found.alpha == pytest.approx(expected["krippendorff_alpha_nominal"], abs=1e-12)
    corrected = expected["corrected_FALSE_rate_given_prev"]
    shares = dict(zip("0123", corrected["judge1_prevalences"], strict=True))
    rate = corrected_rate(shares, first, second, "0")
    assert rate.value == pytest.approx(corrected["predictive_value_estimate"], abs=1e-12)
