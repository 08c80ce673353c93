"""What a claim must be: each rule with a value that breaks it."""

from __future__ import annotations

from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.worlds.claims import Claim
from socialcircuits.worlds.claims.item import Document

PERU: dict[str, Any] = {
    "id": "peru",
    "question": "What is the capital of Peru?",
    "truth_statement": "The capital of Peru is Lima.",
    "false_statement": "The capital of Peru is Cusco.",
    "truth": "Lima",
    "lure": "Cusco",
    "relation": "capital",
}
IN = {
    "question": "In what country is Mysore?",
    "truth_statement": "Mysore is in India.",
    "false_statement": "Mysore is in Cuba.",
    "truth": "India",
    "lure": "Cuba",
}


def test_a_claim_is_made_with_its_defaults() -> None:
    claim = Claim(**PERU)
    assert (claim.aliases, claim.lure_aliases, claim.source, claim.shareable) == ((), (), "", False)


def test_a_question_may_be_a_request() -> None:
    claim = Claim(**{**PERU, "question": "Name the capital of Peru."})
    assert claim.question == "Name the capital of Peru."


def test_a_document_is_a_claim_with_a_passage() -> None:
    claim = Claim(**PERU)
    assert Document(claim, "It is Lima.\nNot Cusco.").passage == "It is Lima.\nNot Cusco."
    for passage in ("", " It is Lima.", "\ud800"):
        with pytest.raises(SettingError, match=r"passage: .* some text in Unicode"):
            Document(claim, passage)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "two\nlines"}, "id: 'two\\nlines' is not allowed; expected a name on one line"),
        ({"truth": " Lima"}, "truth: ' Lima' is not allowed; expected some text in Unicode"),
        ({"lure": ""}, "lure: '' is not allowed"),
        ({"lure": "\ud800"}, "lure: '\\ud800' is not allowed"),
        ({"truth": "?!"}, "truth: '?!' is not allowed; expected a text with a letter or digit"),
        ({"relation": "Capital of"}, "relation: 'Capital of' is not allowed"),
        ({"question": "Is it Líma?"}, "expected a text that does not hold the answer 'Lima'"),
        ({"question": "Is it CUSCO?"}, "expected a text that does not hold the answer 'Cusco'"),
        (
            {"question": "Is it the City of Kings?", "aliases": ("City of Kings",)},
            "expected a text that does not hold the answer 'City of Kings'",
        ),
        ({"lure": "Líma"}, "lure: 'Líma' is not allowed; expected a wrong answer"),
        ({"aliases": ("cusco",)}, "lure: 'Cusco' is not allowed; expected a wrong answer"),
        (
            {"aliases": ("Ciudad",), "lure_aliases": ("ciudad",)},
            "lure_aliases: 'ciudad' is not allowed; expected a wrong answer",
        ),
        ({"aliases": ("Lima",)}, "aliases: 'Lima' is not allowed; expected another form"),
        ({"aliases": ("Rey", "Rey")}, "aliases: 'Rey' is not allowed; expected every alias once"),
        ({"aliases": ("",)}, "aliases: '' is not allowed"),
        (
            {"lure": "Lima Norte"},
            "truth: 'Lima' is not allowed; expected an answer that is no",
        ),
        ({"truth_statement": "It is Limassol."}, "a sentence that holds 'Lima' and not 'Cusco'"),
        ({"false_statement": "Cusco, not Lima."}, "a sentence that holds 'Cusco' and not 'Lima'"),
    ],
)
def test_what_is_not_allowed(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        Claim(**PERU | changes)
    assert message in str(caught.value)


def test_an_alias_of_two_letters_may_stand_in_the_question() -> None:
    assert Claim(**PERU | IN | {"aliases": ("IN", "in")}).aliases == ("IN", "in")
    with pytest.raises(SettingError, match="does not hold the answer 'what'"):
        Claim(**PERU | IN | {"aliases": ("what",)})


def test_an_answer_inside_another_word_does_not_count() -> None:
    words = {
        "question": "In which country did the Cuban Revolution take place?",
        "truth_statement": "The Cuban Revolution took place in Cuba.",
        "false_statement": "The Cuban Revolution took place in Chile.",
    }
    assert Claim(**PERU | words | {"truth": "Cuba", "lure": "Chile"}).truth == "Cuba"
