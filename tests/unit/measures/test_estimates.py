"""Rows: cells, levels, exclusions and contrasts on matched seeds."""

from __future__ import annotations

import json
from statistics import stdev
from typing import Any

import pytest

from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.measures import CATALOGUE, Row, cell, contrasts, estimate
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import Significance, mcnemar, mean, proportion, ratio
from socialcircuits.statistics.power import flips_detectable, matched_detectable
from tests.unit.measures.trials import managed, trial

FOUR = [
    trial("TROX", "TTRR", seed=1, asked=10, invalid=1),
    trial("TT--", "TTTT", seed=2, asked=10, invalid=4),
    trial("RROO", "RRRR", seed=3, asked=20, invalid=0),
]


def rows(trials: list[TrialSummary], **planned: int) -> dict[str, Row]:
    return {row.measure: row for row in estimate(trials, planned)}


def test_values_by_hand() -> None:
    found = rows(FOUR)
    values = {name: row.estimate.value for name, row in found.items()}
    assert values == pytest.approx(
        {
            "initial_accuracy": 0.25,  # 1/4, 2/4, 0
            "compatible_errors": 1 / 12,  # 0, 0, 1/4: only the first crop fits France too
            "incompatible_errors": 0.5,  # 3/4, 0, 3/4
            "majority_accuracy": 5 / 12,  # 1/4, 1, 0
            "majority_ties": 2 / 3,
            "collective_accuracy": 0.5,  # 2/4, 1, 0
            "uplift": 0.25,  # 1/4, 1/2, 0
            "correct_consensus": 1 / 3,
            "wrong_consensus": 1 / 3,
            "polarization": 1 / 3,
            "truth_rival_polarization": 1 / 3,
            "fragmentation": 0.0,
            "invalid_share": 5 / 40,  # pooled, not the mean of 1/10, 4/10, 0
        }
    )
    assert all(row.estimate.n == 3 for row in found.values())


def test_each_kind_has_its_interval() -> None:
    found = rows(FOUR)
    for name, plain in (
        ("initial_accuracy", mean([0.25, 0.5, 0.0])),
        ("uplift", mean([0.25, 0.5, 0.0], (-1.0, 1.0))),
        ("wrong_consensus", proportion(1, 3)),
        ("invalid_share", ratio([1, 4, 0], [10, 10, 20])),
    ):
        got = found[name].estimate
        assert (got.low, got.high, got.method) == (plain.low, plain.high, plain.method)


def test_json_form() -> None:
    form = rows(FOUR)["initial_accuracy"].as_json()
    assert list(form) == [
        *("measure", "condition", "value", "low", "high", "n", "levels", "method"),
        *("p", "test", "detectable", "warnings"),
    ]
    assert form["condition"] == {"N": 4}
    assert form["levels"] == {
        "seeds": {"planned": 3, "completed": 3, "excluded": 0},
        "answers": {"read": 12, "invalid": 2},
    }
    assert json.loads(json.dumps(form)) == form


def test_trials_that_failed_are_counted() -> None:
    for row in estimate(FOUR, {cell({"N": 4}): 5}):
        assert row.estimate.levels["seeds"] == {"planned": 5, "completed": 3, "excluded": 2}
        assert row.estimate.levels["excluded"] == {"not completed": 2}


def test_undefined_and_zero_over_zero_are_excluded_and_counted() -> None:
    trials = [*FOUR, trial(seed=4, facts={}, asked=0)]
    found = rows(trials)
    rival = found["truth_rival_polarization"].estimate
    assert rival.n == 3
    assert rival.levels["excluded"] == {"the record holds no compatible sets of the evidence": 1}
    invalid = found["invalid_share"].estimate
    assert (invalid.n, invalid.value) == (3, 5 / 40)
    assert invalid.levels["excluded"] == {"zero over zero": 1}
    assert invalid.levels["pooled"] == {"counted": 5, "of": 40}


def test_zero_over_zero_everywhere_is_no_value() -> None:
    found = rows([trial(asked=0)])["invalid_share"].as_json()
    assert (found["value"], found["low"], found["high"], found["n"]) == (None, None, None, 0)
    assert found["levels"]["seeds"] == {"planned": 1, "completed": 1, "excluded": 1}


def test_order_is_of_cells_then_of_the_catalogue() -> None:
    trials = [trial("TRTR", seed=1), trial("TR", "TT", seed=1), trial("TRTR", seed=2)]
    found = estimate(trials, {})
    assert [row.condition["N"] for row in found] == [4] * 13 + [2] * 13
    names = [m.name for m in CATALOGUE if m.undefined(trials[0]) is None]
    assert [row.measure for row in found] == names * 2


def test_measures_apply_by_cell() -> None:
    population = trial(condition={"protocol": "pairwise"})
    manager = managed("TROX", "T", condition={"protocol": "manager"})
    found = estimate([population, manager], {})
    by_protocol = {
        name: {row.measure for row in found if row.condition["protocol"] == name}
        for name in ("pairwise", "manager")
    }
    assert "collective_accuracy" not in by_protocol["manager"]
    assert "manager_accuracy" not in by_protocol["pairwise"]
    assert {"manager_accuracy", "uplift", "initial_accuracy"} <= by_protocol["manager"]


def test_a_cell_without_any_trial_is_not_silent() -> None:
    found = estimate(FOUR, {cell({"N": 4}): 3, cell({"N": 8}): 40})
    lost = [row for row in found if row.condition == {"N": 8}]
    assert len(lost) == 13
    assert {row.estimate.value for row in lost} == {None}
    assert lost[0].estimate.levels == {
        "seeds": {"planned": 40, "completed": 0, "excluded": 40},
        "excluded": {"not completed": 40},
    }
    assert estimate([], {cell({"N": 8}): 40}) == []


def test_a_seed_counts_once_in_a_cell() -> None:
    with pytest.raises(RunFileError, match=r'seed 1 occurs twice in cell {"N":4}'):
        estimate([trial(seed=1), trial(seed=1)], {})


def test_more_completed_than_planned_is_an_error() -> None:
    with pytest.raises(SettingError, match="at least the 3 completed trials"):
        estimate(FOUR, {cell({"N": 4}): 2})


def test_cells_do_not_depend_on_the_order_of_settings() -> None:
    assert cell({"b": 1, "a": "Côte"}) == cell({"a": "Côte", "b": 1}) == '{"a":"Côte","b":1}'


SWEEP = [
    # seed: N = 2 | N = 3 (a middle value, never read) | N = 4; collective accuracy and class
    trial("TR", "RR", seed=1),  # 0, wrong
    trial("TR", "RR", seed=2),  # 0, wrong
    trial("TR", "TR", seed=3),  # 1/2, polarization
    trial("TR", "TT", seed=4),  # has no partner
    trial("TRO", "OOO", seed=1),
    trial("TROX", "TTRR", seed=1),  # 1/2, polarization
    trial("TROX", "TTRO", seed=2),  # 1/2, polarization
    trial("TROX", "TTTT", seed=3),  # 1, correct
]


def contrast(name: str, trials: list[TrialSummary]) -> Row:
    return next(row for row in contrasts(trials, "N") if row.measure == name)


def test_contrast_by_hand() -> None:
    row = contrast("collective_accuracy", SWEEP)
    assert row.condition == {"N": 4, "minus": {"N": 2}}
    assert row.estimate.value == 0.5  # three times 1/2
    assert row.estimate.n == 3
    assert row.estimate.levels["seeds"] == {"planned": 4, "completed": 3, "excluded": 1}
    assert row.estimate.levels["excluded"] == {"completed on one side only": 1}
    assert row.estimate.test == Significance(0.25, "sign flips")
    assert row.estimate.detectable is None
    assert row.estimate.warnings[-1] == "with 3 units no difference can be found by sign flips"


def test_contrast_of_a_class_by_hand() -> None:
    # Polarization: 0, 0, 1 at N = 2 and 1, 1, 0 at N = 4: two gained, one lost.
    row = contrast("polarization", SWEEP)
    assert row.estimate.value == pytest.approx(1 / 3)
    assert row.estimate.levels["changed"] == {"gained": 2, "lost": 1}
    assert (mcnemar(2, 1).mid, mcnemar(2, 1).exact) == (0.625, 1.0)
    assert row.estimate.test == Significance(0.625, "McNemar mid-p")
    assert row.estimate.method.endswith("McNemar exact p = 1")


def test_what_ten_seeds_detect_is_of_their_own_test() -> None:
    # Polarization: none at N = 2, and in four of ten at N = 4.
    pairs = [(trial("TR", "TT", seed=s), trial("TROX", "TTRR", seed=s)) for s in range(4)]
    pairs += [(trial("TR", "TT", seed=s), trial("TROX", "TTTT", seed=s)) for s in range(4, 10)]
    trials = [one for pair in pairs for one in pair]
    row = contrast("polarization", trials)
    assert row.estimate.levels["changed"] == {"gained": 4, "lost": 0}
    assert row.estimate.detectable == matched_detectable(0.4, 10) == pytest.approx(0.581, abs=1e-3)
    accuracy = contrast("collective_accuracy", trials)
    deviation = stdev([-0.5] * 4 + [0.0] * 6)
    assert accuracy.estimate.detectable == flips_detectable(deviation, 10)


def test_contrasts_keep_other_axes_apart() -> None:
    def one(size: int, model: str, final: str) -> TrialSummary:
        return trial("T" * size, final, condition={"model": model, "N": size})

    trials = [one(2, "A", "TT"), one(2, "B", "RR"), one(4, "B", "TTTT"), one(4, "A", "RRRR")]
    found = [row for row in contrasts(trials, "N") if row.measure == "collective_accuracy"]
    assert [(row.condition["model"], row.estimate.value) for row in found] == [("A", -1), ("B", 1)]
    assert found[0].condition == {"model": "A", "N": 4, "minus": {"N": 2}}


def test_contrasts_of_seeds_that_never_match_have_no_value() -> None:
    row = contrast("polarization", [trial("TR", "TR", seed=1), trial(seed=2)])
    assert (row.estimate.value, row.estimate.n) == (None, 0)
    assert row.estimate.levels["seeds"] == {"planned": 2, "completed": 0, "excluded": 2}


def test_one_value_is_no_contrast() -> None:
    assert contrasts(FOUR, "N") == []


def test_a_manager_has_no_endpoint_contrast() -> None:
    trials = [managed("T" * n, "T", condition={"N": n}) for n in (2, 4)]
    assert {row.measure for row in contrasts(trials, "N")} == {"manager_accuracy"}


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ({"n": 4}, r"axis: 'N' .* a swept setting \(n\)"),
        ({"N": "four"}, "axis N: 'four' .* numbers"),
        ({"N": True}, "axis N: True .* numbers"),
    ],
)
def test_an_axis_must_be_swept_and_numeric(condition: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        contrasts([trial(condition=condition)], "N")
