"""When agents first defect, and pooled shares of labels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from socialcircuits.analyses.behaviour import audits_by_round, shares, timing
from socialcircuits.records.summary import TrialSummary
from socialcircuits.records.trial import Label
from socialcircuits.statistics import Significance, ratio, sign_flip
from tests.unit.measures.trials import discussed


def test_first_defections_over_all_compositions() -> None:
    trials = [
        discussed("+-+++ +---- +++++", 1, seed=1),
        discussed("++--- +-+++", 2, seed=1),
        discussed("++++- +++--", 1, seed=2),
        discussed("+---- +----", 0, seed=3),  # no adversaries
    ]
    (found,) = timing(trials)
    assert found.times == {1: 3, 2: 1, 3: 1, "vote": 1}
    early = {last: replace(share, test=None) for last, share in found.early.items()}
    assert early == {1: ratio([3, 0], [4, 2]), 2: ratio([4, 0], [4, 2])}
    assert found.vote == ratio([0, 1], [4, 2])
    assert found.early[2].test == Significance(1.0, "sign flips about one half")
    first, second, vote = found.rows()
    assert (first["class"], first["value"], first["agents"]) == ("by round 1", 1 / 2, 6)
    assert second["p"] == sign_flip([2.0, -1.0]).p
    assert (vote["class"], vote["p"]) == ("vote only", None)


def test_trials_in_which_the_time_hangs_on_unjudged_answers_are_left_out() -> None:
    closed = ["+-?-", "+-+?", "-???", "+++-", "+x--"]
    opened = ["?+++", "+?--", "+++?", "+?+-"]
    for words, unjudged in [*((one, 0) for one in closed), *((one, 1) for one in opened)]:
        (found,) = timing([discussed(words, 1), discussed("+--- ", 1, seed=2)])
        assert len(found.left_out) == unjudged, words
        assert found.times[1] == (2 if words.startswith("+-") else 1), words
    assert found.rows()[0]["unjudged"] == 1


def test_models_and_settings_are_kept_apart() -> None:
    trials = [
        discussed("+--", 1, condition={"N": 2, "deceivers": 1, "cast": cast}) for cast in "AB"
    ]
    assert [found.condition for found in timing(trials)] == [{"cast": "A"}, {"cast": "B"}]


def labelled(*values: tuple[int, Any], seed: int, **condition: Any) -> TrialSummary:
    labels = tuple(Label(i, "message_audit", "rules", 0, v) for i, (_, v) in enumerate(values))
    rounds = {index: current for index, (current, _) in enumerate(values)}
    settings = {"N": 3 + seed, "deceivers": 1, **condition}
    return discussed("+++", 1, seed=seed, labels=labels, labelled=rounds, condition=settings)


YES, NO = {"challenges": True, "repeats": False}, {"challenges": False, "repeats": False}


def test_shares_are_pooled_over_compositions() -> None:
    trials = [
        labelled((1, YES), (2, NO), seed=1, coordinated=True),
        labelled((1, NO), (1, None), seed=2, coordinated=True),
        labelled((1, YES), seed=1, coordinated=False),
    ]
    found = {(row.measure, row.condition["coordinated"]): row.estimate for row in shares(trials)}
    assert found["message_challenges", True].value == ratio([1, 0], [2, 2]).value
    assert found["message_challenges", True].method.endswith("however they are judged")
    assert found["message_challenges", False].value == 1
    assert {name for name, _ in found} == {"message_challenges", "message_repeats"}


def test_audits_by_round() -> None:
    trials = [labelled((1, YES), (2, NO), seed=1), labelled((1, NO), (2, NO), seed=2)]
    rows = {(row["measure"], row["round"]): row for row in audits_by_round(trials)}
    assert rows["message_challenges", 1]["value"] == 1 / 2
    assert rows["message_challenges", 2]["value"] == 0
    assert rows["message_challenges", 1]["n"] == 2
    assert audits_by_round([discussed("+++", 1)]) == []
