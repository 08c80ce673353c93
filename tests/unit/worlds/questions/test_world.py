from __future__ import annotations

import base64
import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.graph import World
from socialcircuits.testing import check_world
from socialcircuits.worlds import grade, load, same
from socialcircuits.worlds.questions import QuestionWorld, bundled, from_settings
from socialcircuits.worlds.questions import grade as grade_question
from socialcircuits.worlds.questions import same as same_question

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
HLE: list[dict[str, Any]] = [
    {"id": "e1", "question": "How many?", "answer": "12", "answer_type": "exactMatch"},
    {
        "id": "c1",
        "question": "Which?\nA. one\nB. two",
        "answer": "B",
        "answer_type": "multipleChoice",
        "category": "Math",
    },
    {
        "id": "p1",
        "question": "What is shown?",
        "answer": "a dot",
        "answer_type": "exactMatch",
        "image": "data:image/png;base64," + base64.b64encode(PNG).decode(),
    },
    {"id": "u1", "question": "Which?", "answer": "C", "answer_type": "multipleChoice"},
]
UNUSABLE = "its answer is not among the options read from the text (none)"
PICTURE = "it has a picture, and pictures are not taken"


@pytest.fixture(name="file")
def a_file(tmp_path: Path) -> str:
    path = tmp_path / "hle.jsonl"
    path.write_text("\n".join(map(json.dumps, HLE)))
    return str(path)


def refusal(**settings: Any) -> SettingError:
    with pytest.raises(SettingError) as caught:
        from_settings(settings)
    return caught.value


def facts(item: str, world: QuestionWorld | None = None) -> dict[str, Any]:
    """The facts that a record holds of a trial about an item."""
    deal = (world or from_settings({})).deal(b"s", 2, item)
    return {"truth": deal.truth, "answers": list(deal.answers), "lure": deal.lure, **deal.facts}


def test_it_is_a_world_of_the_bundled_questions() -> None:
    used: World = load("questions", {})
    assert used.items == tuple(question.id for question in bundled())
    assert (used.kind, used.answers, dict(used.aliases)) == ("questions", (), {})
    assert used.picture("505") is None


def test_every_file_passes_the_kit(file: str) -> None:
    check_world(from_settings({"file": file, "pictures": True}), grade_question, same_question)


def test_all_seats_see_the_question() -> None:
    deal = from_settings({}).deal(b"s", 3, "apart-letters")
    assert len({seen.key for seen in deal.evidence}) == 1
    assert (len(deal.evidence), deal.truth, deal.lure) == (3, "7350", "34650")
    assert "MISSISSIPPI" in deal.evidence[0].text()
    assert deal.facts == {
        "truth": "7350",
        "lure": "34650",
        "world": "questions",
        "item": "apart-letters",
        "kind": "exact",
        "options": {},
        "aliases": ["7,350"],
        "category": "combinatorics",
        "shareable": True,
        "source": "bundled.toml (own)",
    }


def test_a_choice_has_its_letters_as_candidates(file: str) -> None:
    deal = from_settings({"file": file}).deal(b"s", 1, "c1")
    assert (deal.truth, deal.answers, deal.lure) == ("B", ("A", "B"), "A")
    assert deal.facts["options"] == {"A": "one", "B": "two"}
    assert deal.facts["shareable"] is False


def test_what_is_left_out_is_counted_with_its_reason(file: str) -> None:
    world = from_settings({"file": file})
    assert world.items == ("e1", "c1")
    assert world.left_out == {UNUSABLE: 1, PICTURE: 1}
    chosen = from_settings({"file": file, "only": ["c1"], "verified": ["c1", "p1", "x9"]})
    assert chosen.items == ("c1",)
    assert chosen.left_out == {
        "not in the list of verified ids": 2,
        "not in the list of ids to take": 1,
    }
    assert chosen.unmatched == ("x9",)


def test_pictures_are_taken_if_asked_for(file: str) -> None:
    world = from_settings({"file": file, "pictures": True})
    assert world.items == ("e1", "c1", "p1")
    assert [world.views(item)[0].image() for item in world.items] == [None, None, PNG]


def test_verified_ids_can_stand_in_a_file(file: str, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("\ufeffc1\r\n\n  e1 \n", encoding="utf-8")
    assert from_settings({"file": file, "verified": str(tmp_path / "ids.txt")}).items == (
        "e1",
        "c1",
    )
    (tmp_path / "empty.txt").write_text("\n")
    for name in ("empty.txt", "missing.txt"):
        assert refusal(file=file, verified=str(tmp_path / name)).where == "$.world.verified"


def test_items_to_take_are_in_file_order_and_must_be_there(file: str) -> None:
    assert from_settings({"only": ["maltese", "divisors"]}).items == ("divisors", "maltese")
    error = refusal(only=["divisor"])
    assert (error.where, error.nearest) == ("$.world.only", "divisors")
    assert PICTURE in str(refusal(file=file, only=["p1"]))


def test_a_file_with_nothing_to_take_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(json.dumps(HLE[2]))
    error = refusal(file=str(tmp_path / "one.jsonl"))
    assert error.where == "$.world.file"
    assert PICTURE in str(error)


def test_the_cached_copy_of_hle_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd

    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    assert refusal(file="hub:hle").where == "$.world.file"
    data = tmp_path / "datasets--cais--hle" / "snapshots" / "1f2e" / "data"
    data.mkdir(parents=True)
    pd.DataFrame(HLE[:2]).to_parquet(data / "test-00000-of-00001.parquet")
    world = from_settings({"file": "hub:hle"})
    assert world.items == ("e1", "c1")
    assert not any(question.shareable for question in world.questions)
    assert refusal(file="hub:hle", shareable=True).where == "$.world.shareable"


@pytest.mark.parametrize(
    ("settings", "where"),
    [
        ({"fil": "x"}, "$.world"),
        ({"file": 3}, "$.world.file"),
        ({"file": "missing.toml"}, "$.world.file"),
        ({"file": "x.csv", "format": "hl"}, "$.world.format"),
        ({"format": "own"}, "$.world.format"),
        ({"verified": ["divisors"]}, "$.world.verified"),
        ({"file": "x.csv", "verified": [1]}, "$.world.verified"),
        ({"shareable": True}, "$.world.shareable"),
        ({"file": "x.csv", "shareable": "yes"}, "$.world.shareable"),
        ({"pictures": 1}, "$.world.pictures"),
        ({"only": "divisors"}, "$.world.only"),
    ],
)
def test_settings_that_are_not_allowed_are_refused(settings: dict[str, Any], where: str) -> None:
    assert refusal(**settings).where == where


def test_the_fingerprint_is_of_the_questions_and_not_of_their_place(
    file: str, tmp_path: Path
) -> None:
    first = from_settings({"file": file})
    (tmp_path / "copy.jsonl").write_text(Path(file).read_text())
    assert first.fingerprint == from_settings({"file": str(tmp_path / "copy.jsonl")}).fingerprint
    others = {first.fingerprint, from_settings({"file": file, "pictures": True}).fingerprint}
    for number, change in enumerate(
        ({"answer": "13"}, {"question": "How few?"}, {"category": "Sums"}, {"id": "e2"})
    ):
        path = tmp_path / f"{number}.jsonl"
        path.write_text("\n".join(map(json.dumps, [{**HLE[0], **change}, *HLE[1:]])))
        others.add(from_settings({"file": str(path)}).fingerprint)
    assert len(others) == 6


def test_what_is_no_question_is_refused() -> None:
    world = from_settings({})
    for about in (None, "divisor"):
        with pytest.raises(SettingError, match="the id of one of 82 questions"):
            world.deal(b"s", 2, about)
    with pytest.raises(SettingError, match=r"\$\.trial\.N: 0"):
        world.deal(b"s", 0, "divisors")
    with pytest.raises(SettingError, match="every seat sees the question itself"):
        world.named("240", "maltese")
    mixed = [*world.views("divisors"), *world.views("maltese")]
    for evidence in (mixed, []):
        with pytest.raises(SettingError, match="that of one question"):
            world.assemble("240", evidence)


def test_candidates_and_aliases_are_never_left_to_a_judge() -> None:
    world = from_settings({})
    for item in world.items:
        known = facts(item, world)
        graded = [grade("questions", answer, known) for answer in known["answers"]]
        assert graded == [answer == known["truth"] for answer in known["answers"]]
        assert all(grade("questions", alias, known) for alias in known["aliases"])
        assert all(same("questions", alias, known["truth"], known) for alias in known["aliases"])


def test_words_that_are_no_candidate_may_be_left_to_a_judge() -> None:
    known = facts("maltese")
    right = known["options"][known["truth"]]
    assert grade("questions", right, known) is True
    assert grade("questions", f"The answer is ({known['lure']}).", known) is False
    assert grade("questions", "a Semitic one", known) is None
    assert grade("questions", "240 divisors", facts("divisors")) is None


def test_same_is_symmetric_and_agrees_with_grading() -> None:
    known = facts("maltese")
    letters = known["options"]
    said = [*letters, *letters.values(), "some language", "The answer is (B).", "none"]
    for a, b in product(said, said):
        verdict = same("questions", a, b, known)
        assert verdict is same("questions", b, a, known)
        if {grade("questions", a, known), grade("questions", b, known)} == {True, False}:
            assert verdict is False
    assert same("questions", "A", letters["A"], known) is True
    assert same("questions", "A", letters["C"], known) is False
    assert same("questions", "some language", "an old language", known) is None
    assert same("questions", "some language", "some language", known) is True
