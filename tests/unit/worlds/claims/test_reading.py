"""The rules for private answers over all bundled claims: what they decide, what spoils it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.worlds.claims.bundled import bundled
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.reading import Reading, settle

each = pytest.mark.parametrize("claim", bundled(), ids=lambda claim: claim.id)

BARE = ["{}", "{}.", "**{}**", '"{}"', "Answer: {}", "The answer is {}.", "I believe it is {}."]
SPOILED = """not {}
It isn't {}.
{} is wrong.
{}?
{}...
Alice: {}
Some say {}.
According to the group, the answer is {}.
The answer is probably {}.
The answer is "{}".
The answer is {}, they say.
I was told that the answer is {}.
Never {}!
{} or so""".splitlines()
SPOILERS = ("It is false that ", "Bob believes that ", "Perhaps ", "If ", "Not: ", "I doubt that ")


def names(claim: Claim) -> list[tuple[str, str]]:
    right = [(name, "TRUE") for name in (claim.truth, *claim.aliases)]
    return right + [(name, "FALSE") for name in (claim.lure, *claim.lure_aliases)]


@each
def test_a_name_alone_is_read(claim: Claim) -> None:
    for name, label in names(claim):
        for form in BARE:
            text = form.format(name)
            reading = settle(text, claim)
            assert (reading.label, reading.words) == (label, name), text


@each
def test_the_statements_are_read_with_every_name(claim: Claim) -> None:
    for name, label in names(claim):
        text = claim.truth_statement.replace(claim.truth, name)
        assert settle(text, claim).label == label
        assert settle(text.upper(), claim).label == label
        assert settle(f"I am sure that {text}", claim).label == label
        assert settle(f"{claim.question} {text}", claim).label == label


@each
def test_whatever_spoils_a_name_is_left(claim: Claim) -> None:
    for name, _ in names(claim):
        for form in SPOILED:
            assert settle(form.format(name), claim).label is None


@each
def test_whatever_spoils_a_statement_is_left(claim: Claim) -> None:
    for statement in (claim.truth_statement, claim.false_statement):
        for spoiler in SPOILERS:
            assert settle(spoiler + statement, claim).label is None
        assert settle(f'"{statement}"', claim).label is None
        assert settle(statement.replace(".", "?"), claim).label is None


@each
def test_the_question_and_both_statements_say_nothing(claim: Claim) -> None:
    assert settle(claim.question, claim).label is None
    both = settle(f"{claim.truth_statement} {claim.false_statement}", claim)
    assert both == Reading(None, "", "both answers are named")


@each
def test_statements_of_other_claims_are_left(claim: Claim) -> None:
    for other in bundled():
        if other is not claim:
            assert settle(other.truth_statement, claim).label is None
            assert settle(other.false_statement, claim).label is None


CANBERRA = bundled()[0]


def test_the_words_are_those_of_the_text() -> None:
    reading = settle("The capital of Australia is **CANBERRA!**", CANBERRA)
    assert reading == Reading("TRUE", "CANBERRA", "a sentence that gives it")
    assert settle(" I don't know. ", CANBERRA).words == "I don't know."


def test_no_match_is_left_and_never_neither() -> None:
    reading = settle("It is Sydney.", CANBERRA)
    assert reading == Reading(None, "", "no answer of the claim is found")


def test_a_refusal_beside_an_answer_is_left() -> None:
    assert settle("I don't know. Canberra.", CANBERRA).label is None
    assert settle("I don't know. I have no idea.", CANBERRA).label == "NEITHER"


def test_a_phrase_of_refusal_may_be_an_answer() -> None:
    words = ("The song is No Idea.", "The song is Far Away.", "No Idea", "Far Away", "song")
    song = Claim("song", "Which song opens the record?", *words)
    assert settle("No idea.", song).label == "TRUE"


def test_a_long_text_is_prose() -> None:
    assert settle("Canberra. " * 40, CANBERRA).label == "TRUE"
    assert settle("Canberra. " * 41, CANBERRA) == Reading(None, "", "prose")
    assert settle("Canberra. " * 1_000_000, CANBERRA).label is None


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(["Canberra", "Melbourne"]))
def test_any_text_can_be_read(before: str, after: str, name: str) -> None:
    text = f"{before}{name}{after}"
    label, words, _ = settle(text, CANBERRA)
    assert words in text
    assert label in {None, "TRUE" if name == "Canberra" else "FALSE"}
