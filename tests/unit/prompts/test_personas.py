"""The ten personas: their form, and that none of them tells on a claim."""

from __future__ import annotations

import re

import pytest

from socialcircuits.prompts import Persona, personas
from socialcircuits.worlds.claims.bundled import bundled
from socialcircuits.worlds.claims.words import stands_in


def test_there_are_ten_from_alice_to_jack_in_order() -> None:
    names = [persona.name for persona in personas()]
    assert (len(names), names[0], names[-1]) == (10, "Alice", "Jack")
    assert "".join(name[0] for name in names) == "ABCDEFGHIJ"


@pytest.mark.parametrize("persona", personas(), ids=lambda persona: persona.name)
def test_each_is_two_plain_sentences_about_that_name(persona: Persona) -> None:
    sentences = re.findall(r"[^.]+\.", persona.text)
    assert "".join(sentences) == persona.text
    assert len(sentences) == 2
    assert all(re.search(rf"\b{persona.name}\b", sentence) for sentence in sentences)
    assert "\n" not in persona.text
    others = {other.name for other in personas()} - {persona.name}
    assert not others & set(re.findall(r"\w+", persona.text))


@pytest.mark.parametrize("persona", personas(), ids=lambda persona: persona.name)
def test_none_names_an_answer(persona: Persona) -> None:
    for claim in bundled():
        names = (claim.truth, claim.lure, *claim.aliases, *claim.lure_aliases)
        assert not [name for name in names if stands_in(name, persona.text)]
