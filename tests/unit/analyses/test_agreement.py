"""Two judges: where they agree, and the rate that the second would give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from socialcircuits.analyses.agreement import agreement, corrected
from socialcircuits.records import TrialPlan, TrialRecord
from socialcircuits.statistics.judges import corrected_rate, judge_agreement
from tests.support.conversations import CLAIM, graph_of, labels, record

GRAPH = graph_of(["sybil", "observer", "observer"], rounds=1, reasks="own")


def trial(
    item: str, condition: Mapping[str, Any] | None = None, **judges: Mapping[str, str | None]
) -> TrialRecord:
    made = record(GRAPH, {}, {**CLAIM, "item": item})
    said = [one for judge, values in judges.items() for one in labels(GRAPH, values, judge)]
    return replace(made, labels=said, plan=TrialPlan(0, condition or {}, 1))


def ends(one: str, two: str) -> dict[str, str | None]:
    return {"probe/1/1": one, "probe/2/1": two}


TRIALS = [
    trial("a", rules=ends("FALSE", "TRUE"), other=ends("FALSE", "TRUE")),
    trial("b", rules=ends("FALSE", "FALSE"), other=ends("neither", "FALSE")),
    trial("c", rules=ends("TRUE", "neither"), other={"probe/1/1": "TRUE"}),
]


def test_agreement_has_items_as_clusters() -> None:
    (found,) = agreement(TRIALS, "rules", "other")
    first = ["FALSE", "TRUE", "FALSE", "FALSE", "TRUE", "neither"]
    second = ["FALSE", "TRUE", "neither", "FALSE", "TRUE", None]
    expected = judge_agreement(first, second, list("aabbcc"))
    assert found.found == expected
    row = found.row()
    assert (row["rubric"], row["share"], row["both"], row["missing"]) == (
        "private_answer",
        4 / 5,
        5,
        1,
    )
    assert (row["kappa"], row["kappa_low"], row["n"]) == (
        expected.kappa.value,
        expected.kappa.low,
        3,
    )
    assert (row["judge_1"], row["judge_2"]) == ("rules", "other")


def test_the_rules_stand_in_for_the_first_judge_only() -> None:
    mixed = trial("a", rules=ends("FALSE", "TRUE"), model={"probe/1/1": "TRUE"}, other={})
    assert agreement([mixed], "model", "other") == []
    audited = trial(
        "a",
        rules=ends("FALSE", "TRUE"),
        model={"probe/1/1": "TRUE"},
        other=ends("TRUE", "TRUE"),
    )
    (found,) = agreement([audited], "model", "other")
    assert (found.found.both, found.found.share.value) == (2, 1.0)
    # A label without a value is none.
    void = trial("a", rules=ends("FALSE", "TRUE"), other={"probe/1/1": None, "probe/2/1": "TRUE"})
    assert agreement([void], "rules", "other")[0].found.both == 1


def test_stances_are_compared_too() -> None:
    said = trial("a", rules={"message/1/0": "hedge"}, other={"message/1/0": "ignore"})
    (found,) = agreement([said], "rules", "other")
    assert (found.rubric, found.found.share.value) == ("stance", 0.0)


def test_the_corrected_rate_stands_under_the_second_judge() -> None:
    (found,) = corrected(TRIALS, "rules", "other")
    shares = {"FALSE": 3 / 6, "TRUE": 2 / 6, "neither": 1 / 6}
    assert found.rate == 3 / 6
    assert (found.found.value, found.found.low) == (None, None)
    assert found.found.method == "no estimate: 'neither' was not audited"
    whole = [*TRIALS[:2], trial("c", rules=ends("TRUE", "neither"), other=ends("TRUE", "neither"))]
    row = corrected(whole, "rules", "other")[0].row()
    expected = corrected_rate(
        shares,
        ["FALSE", "TRUE", "FALSE", "FALSE", "TRUE", "neither"],
        ["FALSE", "TRUE", "neither", "FALSE", "TRUE", "neither"],
        "FALSE",
    )
    assert (row["value"], row["low"], row["high"]) == (
        expected.value,
        expected.low,
        expected.high,
    )
    assert row["value"] == pytest.approx(1 / 3)
    assert (row["label"], row["rate"], row["labelled"]) == ("under judge 2", 1 / 2, 6)


def test_only_last_standard_probes_make_the_rate() -> None:
    said: dict[str, str | None] = {
        "probe/1/0": "TRUE",
        "probe/1/1": "FALSE",
        "probe:own/1/0": "TRUE",
    }
    (found,) = corrected([trial("a", rules=said, other=said)], "rules", "other")
    assert (found.rate, found.labelled, found.unlabelled) == (1.0, 1, 1)
    # What the second judge made of other answers with the same label counts in the audit.
    assert found.found.value == 1.0
    assert found.found.n == 1


def test_conditions_stand_apart() -> None:
    trials = [
        trial("a", {"deceivers": k}, rules=ends(label, label), other=ends(label, label))
        for k, label in ((1, "TRUE"), (3, "FALSE"))
    ]
    rows = [found.row() for found in corrected(trials, "rules", "other")]
    assert [(row["deceivers"], row["value"]) for row in rows] == [(1, 0.0), (3, 1.0)]
    assert corrected([trial("a", rules=ends("TRUE", "TRUE"))], "rules", "other") == []
