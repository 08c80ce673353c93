"""The bundled and the generated documents: the rules of their form, checked without the code that
makes them."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from socialcircuits.worlds.claims import Claim
from socialcircuits.worlds.claims.documents import Document, bundled, generated
from socialcircuits.worlds.claims.documents.generated import most
from socialcircuits.worlds.claims.words import entangled

ALL = most()
MADE = generated(ALL, 11)


def words(text: str) -> int:
    return len(text.split())


def bodies(documents: tuple[Document, ...]) -> list[Claim]:
    return [document.claim for document in documents]


@pytest.mark.parametrize(
    "document", [*bundled(), *MADE[:24]], ids=lambda document: document.claim.id
)
def test_a_passage_holds_the_true_answer_and_not_the_false_one(document: Document) -> None:
    claim, passage = document.claim, document.passage
    assert claim.truth in passage
    assert claim.lure.casefold() not in passage.casefold()
    assert not entangled([claim.truth], [claim.lure])
    assert 60 <= words(passage) <= 150
    assert passage == " ".join(passage.split())
    assert not re.search(r"[{}]", passage + claim.question)
    assert claim.question.endswith("?")
    assert claim.truth_statement.replace(claim.truth, claim.lure) == claim.false_statement
    assert claim.truth_statement.count(claim.truth) == 1
    assert claim.truth.startswith(("the ", "at ")) == claim.lure.startswith(("the ", "beh"))
    assert bool(re.search(r"\d", claim.truth)) == bool(re.search(r"\d", claim.lure))


def test_none_of_all_that_can_be_made_is_faulty() -> None:
    for document in chain(MADE, generated(240, 0), generated(240, 2**70)):
        claim = document.claim
        assert document.passage.count(claim.truth) == 1
        assert claim.lure not in document.passage
        assert claim.lure not in claim.question
        assert not entangled([claim.truth], [claim.lure])
        assert 60 <= words(document.passage) <= 150


def test_there_are_24_of_them_about_different_things() -> None:
    claims = bodies(bundled())
    assert len({claim.id for claim in claims}) == len({claim.question for claim in claims}) == 24
    assert all(claim.shareable for claim in claims)
    assert all(claim.source == "bundled.toml (own)" for claim in claims)


def test_no_document_answers_the_question_of_another() -> None:
    passages = {document.claim.id: document.passage for document in MADE[:200]}
    for claim in bodies(MADE[:200]):
        names = re.findall(r"[A-Z]\w{3,}", claim.question.split(" ", 1)[1])
        holders = [own for own, text in passages.items() if all(name in text for name in names)]
        assert (len(names) > 0, holders) == (True, [claim.id])


def test_what_is_made_depends_on_the_seed_alone() -> None:
    assert generated(30, 11) == MADE[:30]
    other = generated(30, 12)
    assert not {one.passage for one in other} & {one.passage for one in MADE}
    ids = [claim.id for claim in bodies(MADE)]
    assert ids == [f"generated-11-{number}" for number in range(1, ALL + 1)]
    assert not any(claim.shareable for claim in bodies(MADE))


def test_all_kinds_come_in_turn_and_no_question_comes_twice() -> None:
    first = [re.sub(r"[A-Z]\w+", "", claim.question) for claim in bodies(MADE[:12])]
    assert len(set(first)) == 12
    assert len({claim.question for claim in bodies(MADE)}) == ALL
