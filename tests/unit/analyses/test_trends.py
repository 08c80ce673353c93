"""Counts of trials, and how defection depends on proportion and number of adversaries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from socialcircuits.analyses.counting import TrialCount, by_composition, by_proportion, counted
from socialcircuits.analyses.trends import explained, trends
from socialcircuits.seeds import Stream
from socialcircuits.statistics import ratio
from socialcircuits.statistics.clustered import composition_means, linear_on_counts
from socialcircuits.statistics.mixed import likelihood_ratio, logistic_mixed
from tests.unit.measures.trials import discussed, trial

SIZES = ((5, 0), (10, 0), (5, 1), (10, 2), (15, 3), (7, 3), (14, 6), (21, 9))


def sweep(model: str = "A", questions: int = 12, **condition: object) -> list[TrialCount]:
    """Trials in which one honest agent in 20 defects for each 0.1 of the proportion, drawn."""
    stream, found = Stream(b"seed", model), []
    for question in range(questions):
        for n, k in SIZES:
            able = stream.below(n - k) + 1
            lost = sum(stream.below(1000) < 50 + 500 * k / n for _ in range(able))
            found.append(TrialCount(condition, model, f"q{question}", n, k, able, lost, 2, 1))
    return found


def test_trials_become_counts() -> None:
    named: dict[str, Any] = {
        "facts": {"item": "q7"},
        "condition": {"N": 5, "deceivers": 2, "coordinated": True},
    }
    models = {"N": 3, "deceivers": 1, "cast": "A", "deceiver": "B"}
    alike = {"N": 3, "deceivers": 1, "cast": "A", "deceiver": "A"}
    one, two, three = counted(
        [
            discussed("++- +++ -++", 2, **named),
            discussed("++? ?++", 1, seed=4, condition=models),
            trial(),
            discussed("+++ +++", 1, condition=alike),
        ]
    )
    assert one.row() == {
        "coordinated": True,
        "model": "",
        "question": "q7",
        "composition": "2 of 5",
        "N": 5,
        "adversaries": 2,
        "proportion": 0.4,
        "n": 2,
        "d": 1,
        "wrong": 1,
        "corrected": 1,
        "unjudged": [],
    }
    assert two.unjudged == {"honest_defection", "correction"}
    assert (two.model, two.question, two.right, two.defected) == ("A against B", "4", 1, 0)
    assert three.model == "A"


def test_rates_are_pooled_with_questions_as_clusters() -> None:
    counts = [
        TrialCount({}, "A", "q1", 5, 1, 4, 1, 0, 0),
        TrialCount({}, "A", "q1", 10, 2, 6, 2, 2, 1),
        TrialCount({}, "A", "q2", 5, 1, 0, 0, 3, 3),
        TrialCount({}, "A", "q2", 10, 2, 5, 4, 2, 1),
    ]
    defection, correction = by_proportion(counts)
    assert defection.estimate == ratio([3, 4], [10, 5])
    assert (defection.trials, defection.none, defection.composition) == (4, 1, "")
    assert correction.estimate == ratio([1, 4], [2, 5])
    small, _, large, _ = by_composition(counts)
    assert (small.composition, small.estimate.value, small.estimate.n) == ("1 of 5", 1 / 4, 1)
    assert (large.composition, large.estimate.value) == ("2 of 10", 6 / 11)
    assert small.row()["none"] == 1


def test_the_slope_is_that_of_two_way_clusters_per_tenth() -> None:
    counts = sweep()
    found, correction = trends(counts)
    d, n = [one.defected for one in counts], [one.right for one in counts]
    columns = {"p": [one.adversaries / one.agents for one in counts]}
    sizes = [one.composition for one in counts]
    fit = linear_on_counts(d, n, columns, [[one.question for one in counts], sizes])
    slope, means = fit.coefficients["p"], composition_means(d, n, columns, sizes)
    assert slope.value is not None
    assert found.slope.value == pytest.approx(slope.value / 10)
    assert found.slope.low == pytest.approx(slope.low / 10 if slope.low else 0)
    assert found.r2 == pytest.approx(means.r2)
    assert (found.questions, found.compositions, len(found.counts), found.none) == (12, 8, 96, 0)
    assert found.slope.value is not None
    assert 0.03 < found.slope.value < 0.07
    assert {"constant", "linear", "quadratic", "log"} < {form.name for form in found.forms}
    assert found.forms[0].behind == 0
    assert correction.slope.value == pytest.approx(0, abs=1e-12)


def test_lines_are_named_as_figures_name_them() -> None:
    assert trends(sweep())[0].group == "A"
    assert trends(sweep(coordinated=True))[0].group == "A, coordinated"
    assert trends(sweep("", coordinated=False))[0].group == "independent"
    line = trends(sweep())[0].line()
    assert list(line) == [
        *("group", "intercept", "slope_per_tenth", "low", "high", "n_questions", "n_compositions")
    ]
    assert line["low"] < line["slope_per_tenth"] < line["high"]


def test_settings_and_models_are_kept_apart() -> None:
    counts = [*sweep(), *sweep("B"), *sweep(coordinated=True)]
    assert [(t.model, dict(t.condition)) for t in trends(counts)[::2]] == [
        ("A", {}),
        ("B", {}),
        ("A", {"coordinated": True}),
    ]


def test_proportion_and_number_are_tested_both_ways_over_all_models() -> None:
    counts = [*sweep(), *sweep("B")]
    (found,) = explained(counts)
    assert found.models == ("A", "B")
    d, n = [one.defected for one in counts], [one.right for one in counts]
    p = {"p": [one.proportion for one in counts]}
    k = {"k": [float(one.adversaries) for one in counts]}
    b = {"b": [float(one.model == "B") for one in counts]}
    q = [one.question for one in counts]
    full = logistic_mixed(d, n, {**p, **k, **b}, q)
    proportion = likelihood_ratio(full, logistic_mixed(d, n, {**k, **b}, q))
    number = likelihood_ratio(full, logistic_mixed(d, n, {**p, **b}, q))
    assert found.proportion.statistic == pytest.approx(proportion.statistic, abs=1e-5)
    assert found.count.statistic == pytest.approx(number.statistic, abs=1e-5)
    first, second = found.rows()
    assert (first["tested"], first["given"], first["degrees"]) == ("proportion", "count", 1)
    assert first["p"] == found.proportion.p
    assert found.effects["count"].test == found.count.significance
    assert found.effects["proportion"].test == found.proportion.significance
    assert found.proportion.significance is not None
    assert second["p"] == found.count.p
    assert first["questions"] == 12


def test_one_size_cannot_tell_proportion_from_number() -> None:
    counts = [
        TrialCount({}, "", q, 10, k, 5, k // 2 + (q == "a"), 0, 0) for q in "abc" for k in (0, 2, 4)
    ]
    (found,) = explained(counts)
    assert found.proportion.p is None
    assert "combination" in found.proportion.why
    assert found.effects["count"].test is None


@pytest.mark.parametrize("sizes", [((5, 1),), ((5, 0), (5, 2)), ((5, 1), (10, 2), (10, 4))])
def test_fewer_than_three_proportions_have_no_trend(sizes: tuple[tuple[int, int], ...]) -> None:
    counts = [TrialCount({}, "", q, n, k, 4, 1, 0, 0) for q in "abc" for n, k in sizes]
    assert trends(counts) == []
    assert explained(counts) == []


def test_one_question_has_no_forms() -> None:
    counts = [TrialCount({}, "", "a", 5, k, 4, k, 0, 0) for k in (0, 1, 2)]
    assert trends(counts)[0].forms == ()


def test_what_hangs_on_unjudged_answers_is_known_of_each_change() -> None:
    words = {"++- +++": [], "++? -+-": ["honest_defection"], "+++ -??": ["correction"]}
    words |= {"+++ x??": ["correction"], "?++ +++": ["correction", "honest_defection"]}
    words |= {"+?+ -?-": [], "??? ?++": ["correction", "honest_defection"]}
    for honest, unknown in words.items():
        (one,) = counted([discussed(honest, 1)])
        assert one.row()["unjudged"] == unknown, honest


def test_trials_that_hang_on_unjudged_answers_enter_no_trend_of_that_change() -> None:
    counts = sweep()
    open_ones = [replace(one, defected=0, unjudged=frozenset({"honest_defection"}))
                 for one in counts[:8]]  # fmt: skip
    defection, correction = trends([*open_ones, *counts[8:]])
    plain, _ = trends(counts[8:])
    assert defection == plain
    assert len(correction.counts) == len(defection.counts) + 8 == 96
    assert explained([*open_ones, *counts[8:]]) == explained(counts[8:])
    assert by_composition([*open_ones, *counts[8:]])[0].trials == 11


def test_a_single_deceiver_that_was_to_coordinate_takes_its_composition_along() -> None:
    alone = sweep("", coordinated=False)
    together = [replace(one, lone=one.adversaries == 1) for one in sweep("", coordinated=True)]
    kept = trends([*alone, *together])
    assert [trend.compositions for trend in kept] == [7] * 4
    assert [trend.compositions for trend in trends(alone)] == [8] * 2
    facts = {"uncoordinated": "a single deceiver"}
    (one,) = counted([discussed("+++ +++", 1, facts=facts)])
    assert one.lone
