"""The claim world: its deals, its settings, and which answers need no judge."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import SettingError, UsageError
from socialcircuits.graph import World
from socialcircuits.testing import check_world
from socialcircuits.worlds import grade, load, same, settings
from socialcircuits.worlds.claims import UNSURE, bundled, from_settings, read_answer
from socialcircuits.worlds.claims import grade as grade_claim
from socialcircuits.worlds.claims import same as same_claim
from socialcircuits.worlds.claims.bundled import rare

KNOWN = "811f6e6cd98dbbb5ab502765bfc05eb2"
"""Fingerprint of the bundled claims: runs that were begun with them can go on."""

ROWS: list[dict[str, Any]] = [
    {
        "id": "peru",
        "question": "What is the capital of Peru?",
        "truth_statement": "The capital of Peru is Lima.",
        "false_statement": "The capital of Peru is Cusco.",
        "truth": "Lima",
        "lure": "Cusco",
        "aliases": ["Ciudad de los Reyes"],
        "relation": "capital",
    },
    {
        "id": "moby-dick",
        "question": "Who wrote Moby-Dick?",
        "truth_statement": "Moby-Dick was written by Herman Melville.",
        "false_statement": "Moby-Dick was written by Jack London.",
        "truth": "Herman Melville",
        "lure": "Jack London",
        "lure_aliases": ["London"],
        "relation": "author",
        "shareable": True,
    },
]


def written(folder: Path, rows: list[dict[str, Any]], name: str = "mine.jsonl") -> str:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


@pytest.fixture(name="file")
def a_file(tmp_path: Path) -> str:
    return written(tmp_path, ROWS)


def refusal(**given: Any) -> SettingError:
    with pytest.raises(SettingError) as caught:
        from_settings(given)
    return caught.value


def facts(item: str, **given: Any) -> dict[str, Any]:
    """The facts that a record holds of a trial about a claim."""
    deal = from_settings(given).deal(b"s", 2, item)
    return {"truth": deal.truth, "answers": list(deal.answers), "lure": deal.lure, **deal.facts}


def test_it_is_a_world_of_the_bundled_claims() -> None:
    used: World = load("claims", {})
    assert used.items == tuple(claim.id for claim in bundled())
    assert (used.kind, used.answers, dict(used.aliases)) == ("claims", (), {})
    assert used.picture("Lima") is None
    names = ("file", "only", "relations", "shareable", "list", "skip_bad")
    assert settings("claims") == names


def test_it_passes_the_kit_with_its_own_claims_and_with_a_file(file: str) -> None:
    check_world(from_settings({}), grade_claim, same_claim)
    check_world(from_settings({"file": file}), grade_claim, same_claim)


def test_all_seats_see_the_question_of_the_item(file: str) -> None:
    deal = from_settings({"file": file}).deal(b"s", 3, "peru")
    assert len({seen.key for seen in deal.evidence}) == 1
    assert (len(deal.evidence), deal.truth, deal.lure) == (3, "Lima", "Cusco")
    assert deal.answers == ("Cusco", UNSURE, "Lima")
    assert deal.facts == {
        "truth": "Lima",
        "lure": "Cusco",
        "world": "claims",
        "item": "peru",
        "relation": "capital",
        "truth_statement": "The capital of Peru is Lima.",
        "false_statement": "The capital of Peru is Cusco.",
        "aliases": ["Ciudad de los Reyes"],
        "lure_aliases": [],
        "shareable": False,
        "source": "mine.jsonl (own)",
    }


def test_only_some_ids_and_relations_are_taken(file: str) -> None:
    assert from_settings({"file": file, "only": ["moby-dick"]}).items == ("moby-dick",)
    assert from_settings({"file": file, "relations": ["capital"]}).items == ("peru",)
    assert from_settings({"only": ["canada", "australia"]}).items == ("australia", "canada")
    error = refusal(only=["astralia"])
    assert (error.where, error.nearest) == ("$.world.only", "australia")
    error = refusal(relations=["capitol"])
    assert (error.where, error.nearest) == ("$.world.relations", "capital")
    none = refusal(file=file, only=["peru"], relations=["author"])
    assert (none.where, none.given) == ("$.world.only", ["peru"])


def test_texts_of_a_file_may_be_published_if_it_or_the_study_says_so(file: str) -> None:
    def flags(**given: Any) -> list[bool]:
        return [claim.shareable for claim in from_settings({"file": file, **given}).claims]

    assert flags() == [False, True]
    assert flags(shareable=True) == [True, True]
    assert all(claim.shareable for claim in from_settings({}).claims)


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"fil": "x"}, "$.world"),
        ({"file": 3}, "$.world.file"),
        ({"file": "missing.toml"}, "$.world.file"),
        ({"shareable": True}, "$.world.shareable"),
        ({"file": "x.csv", "shareable": "yes"}, "$.world.shareable"),
        ({"only": "peru"}, "$.world.only"),
        ({"relations": [1]}, "$.world.relations"),
        ({"list": "all"}, "$.world.list"),
        ({"file": "x.csv", "list": "rare"}, "$.world.list"),
        ({"skip_bad": True}, "$.world.skip_bad"),
        ({"file": "x.csv", "skip_bad": 1}, "$.world.skip_bad"),
    ],
)
def test_settings_that_are_not_allowed_are_refused(given: dict[str, Any], where: str) -> None:
    assert refusal(**given).where == where


def test_a_file_with_faulty_rows_is_refused_with_all_of_them(tmp_path: Path) -> None:
    bad = [{**ROWS[0], "question": "Lima?"}, ROWS[1], {**ROWS[0], "lure": "Lima"}]
    with pytest.raises(UsageError, match=r"no claims: 2\n  row 1: .*\n  row 3: "):
        from_settings({"file": written(tmp_path, bad)})


def test_faulty_rows_are_left_out_if_the_study_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, [{**ROWS[0], "question": "Lima?"}, ROWS[1]])
    assert from_settings({"file": path, "skip_bad": True}).items == ("moby-dick",)


def test_the_lists_of_bundled_claims_are_chosen_by_name() -> None:
    known, few = from_settings({"list": "known"}), from_settings({"list": "rare"})
    assert known.fingerprint == from_settings({}).fingerprint == KNOWN
    assert few.items == tuple(claim.id for claim in rare())
    assert from_settings({"list": "both"}).items == known.items + few.items
    check_world(few, grade_claim, same_claim)


def test_the_fingerprint_is_of_the_claims_and_not_of_their_place(tmp_path: Path, file: str) -> None:
    first = from_settings({"file": file}).fingerprint
    assert first == from_settings({"file": written(tmp_path, ROWS, "copy.jsonl")}).fingerprint
    assert first == from_settings({"file": file, "shareable": True}).fingerprint
    changes: list[dict[str, Any]] = [
        {"id": "peru-2"},
        {"question": "Which town is the capital of Peru?"},
        {"aliases": []},
        {"lure_aliases": ["Qosqo"]},
        {"truth_statement": "Peru has the capital Lima."},
        {"relation": "town"},
    ]
    others = {
        from_settings({"file": written(tmp_path, [{**ROWS[0], **change}, ROWS[1]], "x.jsonl")})
        for change in changes
    }
    assert len({first, *(world.fingerprint for world in others)}) == 7


def test_what_is_no_claim_is_refused() -> None:
    world = from_settings({})
    for about in (None, "astralia"):
        with pytest.raises(SettingError, match="the id of one of 80 claims"):
            world.deal(b"s", 2, about)
    with pytest.raises(SettingError, match=r"\$\.trial\.N: 0"):
        world.deal(b"s", 0, "australia")
    with pytest.raises(SettingError, match="every seat sees the question itself"):
        world.named("Canberra", "canada")
    mixed = [*world.views("australia"), *world.views("canada")]
    for evidence in (mixed, []):
        with pytest.raises(SettingError, match="that of one claim"):
            world.assemble("Canberra", evidence)


def test_answers_and_aliases_are_never_left_to_a_judge() -> None:
    world = from_settings({})
    for claim in world.claims:
        known = facts(claim.id)
        right, wrong = (claim.truth, *claim.aliases), (claim.lure, *claim.lure_aliases)
        assert [grade("claims", answer, known) for answer in right] == [True] * len(right)
        assert [grade("claims", answer, known) for answer in wrong] == [False] * len(wrong)
        assert grade("claims", claim.truth_statement, known) is True
        assert grade("claims", claim.false_statement, known) is False
        assert all(same("claims", a, b, known) is True for a, b in product(wrong, wrong))
        assert all(same("claims", a, b, known) is False for a, b in product(right, wrong))


def test_a_refusal_is_wrong_and_neither_answer() -> None:
    known = facts("australia")
    for said in (UNSURE, "I don't know.", "I have no idea"):
        assert grade("claims", said, known) is False
        assert read_answer(said, known).label == "NEITHER"
        assert same("claims", said, UNSURE, known) is True
        assert same("claims", said, known["lure"], known) is False


def test_what_denies_or_hedges_is_left_to_a_judge() -> None:
    known = facts("australia")
    for said in ("Not Canberra.", "Canberra or Melbourne", "Sydney"):
        assert grade("claims", said, known) is None
        assert same("claims", said, "Canberra", known) is None
        assert same("claims", said, said, known) is True


def test_the_question_lets_more_answers_be_read() -> None:
    known = facts("magic-flute")
    said = f"{known['truth']} composed The Magic Flute."
    assert read_answer(said, known).label is None
    assert read_answer(said, known, "Who composed The Magic Flute?").label == "TRUE"


def test_same_is_symmetric_and_agrees_with_grading() -> None:
    known = facts("australia")
    said = [known["truth"], known["lure"], UNSURE, "It is Canberra.", "Sydney", "no idea"]
    for a, b in product(said, said):
        verdict = same("claims", a, b, known)
        assert verdict is same("claims", b, a, known)
        if {grade("claims", a, known), grade("claims", b, known)} == {True, False}:
            assert verdict is False
