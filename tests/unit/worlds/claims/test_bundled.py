"""The bundled claims: the rules of their form, checked without the code that checks a claim."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from importlib.resources import files
from itertools import combinations

import pytest

from socialcircuits.worlds.claims.bundled import bundled, rare
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.words import entangled

LISTS = {"bundled.toml": bundled(), "rare.toml": rare()}
CLAIMS = {claim.id: claim for claims in LISTS.values() for claim in claims}
ROWS = [
    row
    for name in LISTS
    for row in tomllib.loads(
        files("socialcircuits.worlds.claims").joinpath(name).read_text("utf-8")
    )["claim"]
]

each = pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)


def folded(text: str) -> str:
    letters = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def holds(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(folded(name))}\b", folded(text)) is not None


def rights(claim: Claim) -> tuple[str, ...]:
    return (claim.truth, *claim.aliases)


def wrongs(claim: Claim) -> tuple[str, ...]:
    return (claim.lure, *claim.lure_aliases)


def test_ids_and_questions_are_unique() -> None:
    assert len(CLAIMS) == sum(map(len, LISTS.values())) == len(ROWS)
    assert len({claim.question for claim in CLAIMS.values()}) == len(ROWS)


@pytest.mark.parametrize(
    ("name", "relations", "each_has"), [("bundled.toml", 20, 4), ("rare.toml", 5, 8)]
)
def test_there_are_as_many_of_each_relation(name: str, relations: int, each_has: int) -> None:
    found = Counter(claim.relation for claim in LISTS[name])
    assert len(found) == relations
    assert set(found.values()) == {each_has}


def test_no_claim_gives_another_away() -> None:
    for one, other in combinations(CLAIMS.values(), 2):
        if one.relation == other.relation:
            assert one.truth != other.truth or one.relation == "official-language"


@each
def test_no_name_stands_in_the_question(claim: Claim) -> None:
    assert not [n for n in (*rights(claim), *wrongs(claim)) if holds(claim.question, n)]


@each
def test_the_two_answers_share_no_name(claim: Claim) -> None:
    names = [folded(name) for name in (*rights(claim), *wrongs(claim))]
    assert len(set(names)) == len(names)
    assert not entangled(rights(claim), wrongs(claim))


@each
def test_names_are_numbers_or_have_three_letters(claim: Claim) -> None:
    for name in (*rights(claim), *wrongs(claim)):
        assert name.isdigit() or sum(letter.isalpha() for letter in name) >= 3
    assert claim.truth.isdigit() == claim.lure.isdigit()


@each
def test_the_statements_differ_in_their_answer_only(claim: Claim) -> None:
    assert holds(claim.truth_statement, claim.truth)
    assert holds(claim.false_statement, claim.lure)
    assert claim.truth_statement.count(claim.truth) == 1
    assert claim.truth_statement.replace(claim.truth, claim.lure) == claim.false_statement


@each
def test_texts_are_sentences_on_one_line(claim: Claim) -> None:
    assert claim.question.endswith("?")
    for text in (claim.question, claim.truth_statement, claim.false_statement):
        assert text[0].isupper()
        assert "\n" not in text
    assert claim.truth_statement.endswith(".")


@each
def test_each_may_be_shared_and_says_where_it_is_from(claim: Claim) -> None:
    assert claim.shareable
    assert claim in LISTS[claim.source.removesuffix(" (own)")]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_each_has_its_reason_in_one_line(row: dict[str, str]) -> None:
    assert row["why"].endswith(".")
    assert "\n" not in row["why"]
