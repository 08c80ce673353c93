"""What a seat sees of a claim, and what simulated agents are said to know."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

from socialcircuits.worlds.claims import UNSURE, Claim, ClaimEvidence, bundled
from socialcircuits.worlds.claims.evidence import CHANCES


def peru(name: str = "peru", **change: Any) -> Claim:
    whole = {
        "question": "What is the capital of Peru?",
        "truth_statement": "The capital of Peru is Lima.",
        "false_statement": "The capital of Peru is Cusco.",
        "truth": "Lima",
        "lure": "Cusco",
        "relation": "capital-city",
    }
    return Claim(name, **{**whole, **change})


def chances(claim: Claim) -> dict[str, float]:
    """Answer -> the chance with which a simulated agent gives it alone."""
    evidence = ClaimEvidence(claim)
    pairs = zip(evidence.answers, evidence.log_belief(), strict=True)
    return {answer: math.exp((belief or 0) / 1000) for answer, belief in pairs}


def test_what_is_seen_is_the_question_and_nothing_else() -> None:
    evidence = ClaimEvidence(peru())
    assert evidence.text() == "What is the capital of Peru?"
    assert evidence.image() is None


def test_the_places_of_the_answers_tell_nothing() -> None:
    assert ClaimEvidence(peru()).answers == ("Cusco", UNSURE, "Lima")
    turned = peru(
        truth="Cusco",
        lure="Lima",
        truth_statement="The capital of Peru is Cusco.",
        false_statement="The capital of Peru is Lima.",
    )
    assert ClaimEvidence(turned).answers == ("Cusco", UNSURE, "Lima")
    places = Counter(ClaimEvidence(claim).answers.index(claim.truth) for claim in bundled())
    assert min(places[0], places[2]) > len(bundled()) / 5


def test_chances_are_whole() -> None:
    assert {sum(shares) for shares in CHANCES.values()} == {1000}
    for claim in bundled():
        assert sum(chances(claim).values()) == pytest.approx(1, abs=0.002)
        assert chances(claim)[claim.lure] == pytest.approx(0.002, abs=1e-5)


def test_simulated_agents_know_85_claims_in_a_hundred() -> None:
    found = [chances(peru(f"item-{number}")) for number in range(4000)]
    known = [odds for odds in found if odds["Lima"] > 0.5]
    # The bounds are 4 standard errors of a share of 4,000.
    assert len(known) / len(found) == pytest.approx(0.85, abs=0.0226)
    unknown = [odds for odds in found if odds["Lima"] <= 0.5]
    assert all(odds[UNSURE] > 0.8 for odds in unknown)
    assert sum(odds["Lima"] for odds in found) / len(found) == pytest.approx(0.848, abs=0.02)


def test_bundled_claims_are_known_about_as_often() -> None:
    known = sum(chances(claim)[claim.truth] > 0.5 for claim in bundled())
    assert (known, len(bundled())) == (69, 80)


def test_what_is_known_depends_on_the_id_alone() -> None:
    other = peru(question="Of Peru, what is the capital?", relation="town", aliases=("Ciudad",))
    assert ClaimEvidence(other).log_belief() == ClaimEvidence(peru()).log_belief()
    assert len({ClaimEvidence(peru(f"item-{i}")).log_belief() for i in range(40)}) == 2


def test_reasons_are_about_the_question_and_name_no_answer() -> None:
    assert ClaimEvidence(peru()).reasons() == (
        "The question asks for one fact.",
        "The relation that it asks about is: capital city.",
    )
    assert ClaimEvidence(peru(relation="lima")).reasons() == ("The question asks for one fact.",)
    fact = peru(
        truth="fact",
        truth_statement="The capital is a fact.",
        question="What is it?",
    )
    assert "fact" not in " ".join(ClaimEvidence(fact).reasons()).split()


def test_the_key_is_of_id_question_and_answers() -> None:
    keys = {
        ClaimEvidence(claim).key
        for claim in (
            peru(),
            peru("other"),
            peru(question="Which is the capital of Peru?"),
            peru(lure="Puno", false_statement="The capital of Peru is Puno."),
        )
    }
    assert len(keys) == 4
    assert ClaimEvidence(peru(relation="town", aliases=("Ciudad",))).key in keys
