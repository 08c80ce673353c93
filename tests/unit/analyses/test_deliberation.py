"""Matched contrasts: coordination, verification, pairings."""

from __future__ import annotations

from typing import Any

import pytest

from socialcircuits.analyses.deliberation import Contrast, coordination, pairings, verification
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import paired_difference
from tests.unit.measures.trials import discussed


def one(defected: int, of: int, deceivers: int, seed: int, **condition: Any) -> TrialSummary:
    """A deliberation of agents right at first, of whom some defect."""
    words = ["++-"] * defected + ["+++"] * (of - defected)
    settings = {"N": of + deceivers, "deceivers": deceivers, **condition}
    return discussed(" ".join(words), deceivers, seed=seed, condition=settings)


def found(contrasts: list[Contrast], **condition: object) -> Contrast:
    (same,) = [
        one for one in contrasts if one.measure == "honest_defection" and one.condition == condition
    ]
    return same


def test_coordination_is_paired_by_question_and_composition() -> None:
    trials = [
        # question 1: 1/4 - 3/4 and 0/6 - 2/6; question 2: 1/4 - 2/4; question 3 has no partner
        one(1, 4, 2, 1, coordinated=True),
        one(3, 4, 2, 1, coordinated=False),
        one(0, 6, 3, 1, coordinated=True),
        one(2, 6, 3, 1, coordinated=False),
        one(1, 4, 2, 2, coordinated=True),
        one(2, 4, 2, 2, coordinated=False),
        one(4, 4, 2, 3, coordinated=True),
        one(0, 4, 1, 1, coordinated=True),
        one(4, 4, 1, 1, coordinated=False),  # one deceiver has nobody to coordinate with
        one(0, 4, 0, 1),
    ]
    results = coordination(trials)
    whole = found(results, coordinated=True)
    first = (-1 / 2 - 1 / 3) / 2
    assert whole.estimate.value == pytest.approx((first - 1 / 4) / 2)
    assert whole.estimate.low == pytest.approx(paired_difference([first, -1 / 4], [0, 0]).low)
    assert whole.contrast == "coordinated: True - False"
    row = whole.row()
    assert (row["n"], row["pairs"], row["left_out"], row["p"]) == (2, 3, 1, 0.5)
    small = found(results, N=6, deceivers=2, coordinated=True)
    assert small.estimate.value == pytest.approx(-3 / 8)
    assert len([r for r in results if r.measure == "honest_defection"]) == 3


def test_verification_against_none() -> None:
    trials = [one(2, 4, 2, seed, verify=way) for seed in (1, 2) for way in ("", "claim")] + [
        one(0, 4, 2, seed, verify="alone") for seed in (1, 2)
    ]
    results = verification(trials)
    avoided = found(results, N=6, deceivers=2, verify="alone")
    assert avoided.estimate.value == -1 / 2
    assert avoided.contrast == "verify: alone - none"
    assert found(results, N=6, deceivers=2, verify="claim").estimate.value == 0
    kept = {r.measure: r.estimate.value for r in results if r.condition["verify"] == "alone"}
    assert kept["honest_final_accuracy"] == 1 / 2
    assert kept["group_accuracy"] == 1  # 4 of 6 are right; without, 4 of 6 are wrong
    assert "correction" not in kept  # nobody was wrong at first


def test_trials_that_hang_on_unjudged_answers_are_no_pairs() -> None:
    def trial(words: str, seed: int, way: str) -> TrialSummary:
        condition = {"N": 4, "deceivers": 2, "verify": way}
        return discussed(words, 2, seed=seed, condition=condition)

    trials = [trial("+++ +++", seed, "alone") for seed in (1, 2, 3)]
    trials += [
        trial(words, seed, "") for seed, words in enumerate(("++- +++", "++? ++-", "??? ?++"), 1)
    ]
    (avoided,) = [one for one in verification(trials) if one.measure == "honest_defection"]
    row = avoided.row()
    assert (row["value"], row["n"], row["left_out"], row["unjudged"]) == (-1 / 2, 1, 2, 2)


def test_nothing_to_compare() -> None:
    plain = [one(1, 4, 2, seed) for seed in (1, 2)]
    assert coordination(plain) == verification(plain) == pairings(plain) == []
    assert coordination([one(1, 4, 2, 1, coordinated=True)]) == []


def cross(*, missing: frozenset[str] = frozenset()) -> list[TrialSummary]:
    """Two honest and two deceiving models at two proportions: honest B defects in 2 more of 4,
    with deceivers Y in 1 more; at the larger proportion nothing changes."""
    return [
        one((cast == "B") * 2 + (by == "Y"), 4, k, seed, cast=cast, deceiver=by)
        for seed in (1, 2, 3)
        for cast in "AB"
        for by in "XY"
        for k in (1, 3)
        if f"{seed}{cast}" not in missing
    ]


def test_main_effects_of_models_and_proportion() -> None:
    results = {one.contrast: one for one in pairings(cross())}
    values = {name: result.estimate.value for name, result in results.items()}
    assert values == {
        "cast: A - B": -1 / 2,
        "deceiver: X - Y": -1 / 4,
        "proportion: 0.429 - 0.200": 0,
        "effect of cast - effect of deceiver": 1 / 4,
    }
    assert results["cast: A - B"].row()["pairs"] == 12
    assert results["cast: A - B"].estimate.n == 3


def test_questions_of_one_model_only_are_counted() -> None:
    results = {one.contrast: one for one in pairings(cross(missing=frozenset({"2B"})))}
    assert results["cast: A - B"].row()["left_out"] == 1
    assert results["deceiver: X - Y"].row()["left_out"] == 0
    assert results["effect of cast - effect of deceiver"].estimate.n == 2


def test_models_that_are_swept_together_are_no_pairings() -> None:
    alike = [one(1, 4, 1, 1, cast=name, deceiver=name) for name in "AB"]
    assert pairings(alike) == []
