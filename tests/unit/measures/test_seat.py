"""The lines of the seat test, claim by claim, by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from socialcircuits.measures import CATALOGUE, arms, cell, estimate
from socialcircuits.measures.seat import MEASURES
from socialcircuits.records.summary import Seated, TrialSummary
from tests.support.conversations import HELD, SAID
from tests.unit.measures.trials import trial

LINES = {measure.name: measure for measure in MEASURES}
ARMS = {"": (0, 0), "3 wrong": (3, 0), "3 right": (0, 3), "1 wrong 3 right": (1, 3)}


def sat(words: str, peers: str = "3 wrong", *, seed: int = 1, **changes: Any) -> TrialSummary:
    """A claim: ``TF h FF`` is TRUE alone, FALSE after, hedges, and both fresh seats are FALSE."""
    held, said, fresh = (*words.split(), "", "")[:3]
    wrong, right = ARMS[peers]
    seat = Seated(
        wrong=wrong,
        right=right,
        said="argued",
        alone={"": HELD[held[0]]},
        after={"": HELD[held[1]]},
        stance=SAID[said] if said else None,
        fresh=tuple(HELD[letter] for letter in fresh),
        refused=0,
    )
    facts = {"world": changes.pop("world", "claims")}
    condition = {"peers": peers, **changes}
    return trial("", seed=seed, condition=condition, facts=facts, seat=seat, trial=seed)


def value(name: str, words: str, peers: str = "3 wrong", world: str = "claims") -> float | None:
    one = sat(words, peers, world=world)
    one = replace(one, condition={"peers": peers})
    if LINES[name].undefined(one) is not None:
        return None
    found = LINES[name].value(one)
    return None if found is None else float(found)


@pytest.mark.parametrize(
    ("words", "yields", "strays", "accepts"),
    [
        ("TF", 1, 0, None),
        ("TT", 0, 0, None),
        ("Tn", 0, 1, None),
        ("Ta", 0, 1, None),
        ("Tx", 0, 1, None),
        ("T?", None, None, None),
        ("?F", None, None, None),
        ("FT", None, None, 1),
        ("nT", None, None, 1),
        ("xT", None, None, 1),
        ("nF", None, None, 0),
        ("n?", None, None, None),
    ],
)
def test_a_claim_belongs_to_the_line_of_what_was_known(
    words: str, yields: int | None, strays: int | None, accepts: int | None
) -> None:
    peers = "1 wrong 3 right"
    found = [value(name, words, peers) for name in ("yields", "strays", "accepts")]
    assert found == [yields, strays, accepts]


@pytest.mark.parametrize(
    ("words", "unsaid", "passed"),
    [
        ("TF h FT", 1, 0.5),
        ("TF e FF", 0, 1),
        ("TF r TT", 1, 0),
        ("TF ? F?", None, 1),
        ("TF x ??", None, None),
        ("nF i nF", 1, 0.5),
        ("FF h FF", None, None),
        ("TT h FF", None, None),
    ],
)
def test_what_is_taken_over_is_voiced_or_not_and_passed_on(
    words: str, unsaid: float | None, passed: float | None
) -> None:
    assert value("believed_unsaid", words) == unsaid
    assert value("passed_on", words) == passed


def test_lines_have_a_meaning_in_their_arms_alone() -> None:
    meanings = {
        peers: {n for n in LINES if LINES[n].undefined(sat("TT", peers)) is None} for peers in ARMS
    }
    both = {"strays"}
    wrong = {"yields", "believed_unsaid", "passed_on"} | both
    assert meanings == {
        "": wrong | {"accepts"},
        "3 wrong": wrong,
        "3 right": both | {"accepts"},
        "1 wrong 3 right": wrong | {"accepts"},
    }


def test_evidence_is_a_line_of_its_own() -> None:
    one = sat("TF", world="documents")
    assert [n for n in LINES if LINES[n].undefined(one) is None] == ["holds"]
    assert LINES["holds"].undefined(sat("TF")) == "it sees no evidence"
    assert value("holds", "TF", world="documents") == 0
    assert value("holds", "Tn", world="documents") == 0
    assert value("holds", "TT", world="documents") == 1
    assert value("holds", "nT", world="documents") is None


def test_other_trials_have_no_line() -> None:
    assert {LINES[name].undefined(trial()) for name in LINES} == {"the trial is no seat test"}


def test_a_share_counts_what_it_left_out() -> None:
    words = ("TF", "TT", "nT", "T?", "xF", "TT")
    trials = [sat(word, seed=seed) for seed, word in enumerate(words, 1)]
    rows = estimate(trials, {cell({"peers": "3 wrong"}): 7}, [LINES["yields"]])
    (found,) = (row.estimate for row in rows)
    assert found.value == pytest.approx(1 / 3)
    assert found.n == 3
    assert found.levels["claims"] == {
        "all": 6,
        "of the line": 3,
        "invalid": 1,
        "unjudged": 1,
        "refused": 0,
    }
    assert found.levels["excluded"] == {"not completed": 1, "no claim was known alone": 3}


def test_nothing_of_none_has_an_honest_bound() -> None:
    trials = [sat("TT", seed=seed) for seed in range(1, 11)]
    (row,) = estimate(trials, {}, [LINES["yields"]])
    # Exact: 1 - .025 ** (1 / 10).
    assert (row.estimate.value, row.estimate.low) == (0, 0)
    assert row.estimate.high == pytest.approx(0.308497, abs=1e-6)


def test_each_arm_is_contrasted_with_the_same_claims_asked_again() -> None:
    words = {"": ("TT", "TF", "nT", "nn"), "3 wrong": ("TF", "TF", "nF", "nn")}
    trials = [
        replace(
            sat(word, peers, seed=seed),
            condition={"peers": peers} | ({"wordings": 3} if peers else {}),
        )
        for peers, row in words.items()
        for seed, word in enumerate(row, 1)
    ]
    (row,) = arms(trials)
    assert (row.measure, row.condition["minus"]) == ("yields", {"peers": ""})
    assert (row.estimate.value, row.estimate.n) == (0.5, 2)


def test_all_lines_are_in_the_catalogue() -> None:
    names = [measure.name for measure in CATALOGUE]
    assert [name for name in names if name in LINES] == list(LINES)
