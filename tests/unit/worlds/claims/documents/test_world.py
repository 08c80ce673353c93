"""The document world: what a seat that has the passage sees and knows, and how it is graded."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.graph import World
from socialcircuits.testing import check_world
from socialcircuits.worlds import grade, load, same, settings
from socialcircuits.worlds.claims import UNSURE, ClaimEvidence, read_answer
from socialcircuits.worlds.claims.documents import bundled, from_settings
from socialcircuits.worlds.claims.documents import grade as grade_document
from socialcircuits.worlds.claims.documents import same as same_document

HEAD = "question,true,false,passage,true_aliases"
TABLE = f"{HEAD}\nUntil when is it open?,five,six,It is open from nine to five.,5 pm\n"


def facts(item: str, **given: Any) -> dict[str, Any]:
    """The facts that a record holds of a trial about a document."""
    deal = from_settings(given).deal(b"s", 2, item)
    return {"answers": list(deal.answers), **deal.facts}


def test_it_is_a_world_of_the_bundled_documents() -> None:
    used: World = load("documents", {})
    assert used.items == tuple(document.claim.id for document in bundled())
    assert (used.kind, used.answers) == ("documents", ())
    names = ("file", "only", "generated", "seed", "shareable", "skip_bad")
    assert settings("documents") == names


@pytest.mark.parametrize("given", [{}, {"generated": 36, "seed": 5}])
def test_it_passes_the_kit(given: dict[str, int]) -> None:
    check_world(from_settings(given), grade_document, same_document)


def test_a_table_of_ones_own_passes_the_kit(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(TABLE, encoding="utf-8")
    given: dict[str, Any] = {"file": str(tmp_path / "mine.csv")}
    world = from_settings(given)
    check_world(world, grade_document, same_document)
    assert [document.claim.shareable for document in world.documents] == [False]
    shared = from_settings({**given, "shareable": True})
    assert [document.claim.shareable for document in shared.documents] == [True]
    assert shared.fingerprint == world.fingerprint


def test_a_seat_sees_the_passage_and_below_it_the_question() -> None:
    deal = from_settings({}).deal(b"s", 3, "tram-last")
    (text,) = {seen.text() for seen in deal.evidence}
    passage, question = text.split("\n\n")
    assert "leaves Castle Hill at 22:48" in passage
    assert question == "When does the last tram of line 9 leave Castle Hill on Sundays?"
    assert deal.evidence[0].image() is None
    assert deal.answers == ("22:48", "23:26", UNSURE)
    assert deal.facts == {
        "truth": "22:48",
        "lure": "23:26",
        "world": "documents",
        "item": "tram-last",
        "relation": "time",
        "truth_statement": "On Sundays the last tram of line 9 leaves Castle Hill at 22:48.",
        "false_statement": "On Sundays the last tram of line 9 leaves Castle Hill at 23:26.",
        "aliases": [],
        "lure_aliases": [],
        "shareable": True,
        "source": "bundled.toml (own)",
        "question": question,
    }


def test_whoever_sees_the_passage_nearly_always_knows() -> None:
    world = from_settings({})
    for document in world.documents:
        (seen,) = world.views(document.claim.id)
        chances = {
            answer: math.exp((belief or 0) / 1000)
            for answer, belief in zip(seen.answers, seen.log_belief(), strict=True)
        }
        assert sum(chances.values()) == pytest.approx(1, abs=0.001)
        assert chances[document.claim.truth] == pytest.approx(0.99, abs=0.001)
        assert chances[document.claim.lure] == pytest.approx(0.001, abs=1e-5)
        assert seen.key != ClaimEvidence(document.claim).key


def test_reasons_name_the_passage_and_no_answer() -> None:
    (seen,) = from_settings({}).views("velorine-dose")
    assert seen.reasons() == (
        "The passage settles it.",
        "The relation that it asks about is: dose.",
    )


def test_answers_are_read_as_those_of_claims() -> None:
    for document in bundled():
        claim = document.claim
        known = facts(claim.id)
        right = (claim.truth, claim.truth_statement, f"It is {claim.truth}.")
        wrong = (claim.lure, claim.false_statement, UNSURE)
        assert {grade("documents", said, known) for said in right} == {True}
        assert {grade("documents", said, known) for said in wrong} == {False}
        assert all(same("documents", a, b, known) is False for a, b in product(right, wrong))
        assert grade("documents", f"Not {claim.truth}", known) is None


def test_the_question_of_the_facts_is_read_and_not_the_whole_evidence() -> None:
    known = facts("museum-clock")
    said = "Abel Trenoweth built the tide clock in the Lerrin Museum."
    assert read_answer(said, known).label == "TRUE"
    (seen,) = from_settings({}).views("museum-clock")
    assert read_answer(said, known, seen.text()).label == "TRUE"


def test_the_fingerprint_is_of_passages_too(tmp_path: Path) -> None:
    prints = set()
    for number, text in enumerate((TABLE, TABLE.replace("nine", "ten"), TABLE.replace("5 pm", ""))):
        path = tmp_path / f"{number}.csv"
        path.write_text(text, encoding="utf-8")
        prints.add(from_settings({"file": str(path)}).fingerprint)
    made = {"generated": 3, "seed": 1}, {"generated": 3, "seed": 2}, {"generated": 4, "seed": 1}
    prints |= {from_settings(given).fingerprint for given in made}
    assert len(prints) == 6


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"fil": "x"}, "$.world"),
        ({"file": 3}, "$.world.file"),
        ({"file": "missing.csv"}, "$.world.file"),
        ({"only": "tram-last"}, "$.world.only"),
        ({"only": ["tram"]}, "$.world.only"),
        ({"generated": -1}, "$.world.generated"),
        ({"generated": True}, "$.world.generated"),
        ({"generated": 961}, "$.world.generated"),
        ({"generated": 3, "file": "x.csv"}, "$.world.generated"),
        ({"seed": 3}, "$.world.seed"),
        ({"generated": 3, "seed": -1}, "$.world.seed"),
        ({"generated": 3, "seed": 1.5}, "$.world.seed"),
        ({"skip_bad": True}, "$.world.skip_bad"),
        ({"generated": 3, "shareable": True}, "$.world.shareable"),
    ],
)
def test_settings_that_are_not_allowed_are_refused(given: dict[str, Any], where: str) -> None:
    with pytest.raises(SettingError) as caught:
        from_settings(given)
    assert caught.value.where == where
