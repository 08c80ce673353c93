"""CounterFact in both shapes, from small records; each trap with its right value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.seeds import digest
from socialcircuits.worlds.claims import Built, Claim, build

Record = dict[str, Any]


def flat(stem: str, subject: str, truth: str, lure: str, **changes: Any) -> Record:
    return {
        "case_id": int.from_bytes(digest(stem, subject, truth, lure)[:4]),
        "prompt": stem.replace("{}", subject),
        "subject": subject,
        "target_new": lure,
        "ground_truth": truth,
        "rephrase_prompt": "not read",
    } | changes


def nested(record: Record, relation_id: str | None = None) -> Record:
    subject = record["subject"]
    return {
        "case_id": record["case_id"],
        "requested_rewrite": {
            "prompt": record["prompt"].replace(subject, "{}"),
            "relation_id": relation_id,
            "target_new": {"str": record["target_new"], "id": None},
            "target_true": {"str": record["ground_truth"], "id": "Q1"},
            "subject": subject,
        },
    }


def built(tmp_path: Path, *files: list[Record], **options: Any) -> Built:
    paths = []
    for number, records in enumerate(files):
        paths.append(tmp_path / f"part{number}.json")
        paths[-1].write_text(json.dumps(records), encoding="utf-8")
    return build("counterfact", paths, **options)


def one(tmp_path: Path, record: Record) -> Claim:
    (claim,) = built(tmp_path, [record]).claims
    return claim


def dropped(found: Built) -> dict[str, int]:
    left = sum(entry.rows for entry in found.inputs)
    for step in found.steps:
        assert step.before == left
        left = step.left
    assert left == len(found.claims)
    return {step.name: step.dropped for step in found.steps if step.dropped}


def test_both_shapes_give_the_same_items(tmp_path: Path) -> None:
    record = flat("The mother tongue of {} is", "Ann Example", "French", "English", case_id=4)
    claim = one(tmp_path, record)
    assert claim == Claim(
        "counterfact-4",
        "What is the mother tongue of Ann Example?",
        "The mother tongue of Ann Example is French.",
        "The mother tongue of Ann Example is English.",
        "French",
        "English",
        "mother_tongue",
        source="part0.json (counterfact)",
    )
    assert one(tmp_path, nested(record)) == claim
    assert one(tmp_path, nested(record, "P103")) == claim


@pytest.mark.parametrize(
    ("stem", "truth", "lure", "question", "statement"),
    [
        ("{}, the", "piano", "guitar", "Which instrument does It play?", "It plays the piano."),
        ("{}, the", "soccer", "hockey", "Which sport does It play?", "It plays soccer."),
        ("{} plays", "jazz", "opera", "Which genre is It known for?", "It is known for jazz."),
        (
            "{}, in",
            "Asia",
            "Europe",
            "On which continent is It?",
            "It is on the continent of Asia.",
        ),
        ("{}, in", "Iran", "India", "In which country is It?", "It is in Iran."),
        ("{}, in", "Iran", "Texas", "Where is It located?", "It is located in Iran."),
        ("{}, by", "BBC", "Sega", "Who owns It?", "It is owned by BBC."),
        (
            "What is the twin city of {}? It is",
            "Bern",
            "Rome",
            "Which city is a twin city of It?",
            "Bern is a twin city of It.",
        ),
    ],
)
def test_unfinished_prompts_become_questions(
    tmp_path: Path, stem: str, truth: str, lure: str, question: str, statement: str
) -> None:
    claim = one(tmp_path, flat(stem, "It", truth, lure))
    assert (claim.question, claim.truth_statement) == (question, statement)


def test_the_wikidata_property_decides_between_forms(tmp_path: Path) -> None:
    record = flat("{} is in", "Lea", "Iran", "Texas")
    assert one(tmp_path, nested(record, "P17")).question == "In which country is Lea?"
    assert one(tmp_path, nested(record, "P9999")).question == "Where is Lea located?"


def test_a_prompt_without_a_form_is_counted(tmp_path: Path) -> None:
    records = [
        flat("{} dreams of", "Ann", "Rome", "Oslo"),
        flat("{}, the", "Ann", "slide", "violin"),
        flat("{} is in", "Lea", "Iran", "India"),
    ]
    assert dropped(built(tmp_path, records)) == {"form": 2}


@pytest.mark.parametrize(
    ("subject", "truth", "lure", "kept"),
    [
        ("New Neighbors", "NBC", "HBO", True),
        ("Cuban Revolution", "Cuba", "Chile", True),
        ("Sky2", "Sky", "BBC", True),
        ("BBC One", "BBC", "Sega", False),
        ("Fiat 500", "BMW", "Fiat", False),
        ("Universidad de Málaga", "Malaga", "Rome", False),
        ("FIAT-500", "Fiat", "BMW", False),
    ],
)
def test_a_subject_that_holds_an_answer_as_a_word(
    tmp_path: Path, subject: str, truth: str, lure: str, *, kept: bool
) -> None:
    found = built(tmp_path, [flat("{}, by", subject, truth, lure)])
    assert dropped(found) == ({} if kept else {"subject": 1})


@pytest.mark.parametrize(
    ("stem", "truth", "lure"),
    [
        ("{} is affiliated with the religion", "Christianity", "Christian"),
        ("{} is affiliated with the religion", "Christian", "Catholicism"),
        ("{} follows the religion of", "Islam", "Muslim"),
        ("{} is a professional", "soccer", "football"),
        ("{} works in the field of", "biology", "anatomy"),
        ("{} was born in", "Georgia", "Georgian"),
    ],
)
def test_answers_of_which_one_is_the_other(
    tmp_path: Path, stem: str, truth: str, lure: str
) -> None:
    assert dropped(built(tmp_path, [flat(stem, "Ann", truth, lure)])) == {"nested": 1}


def test_parts_of_one_whole_are_alternatives(tmp_path: Path) -> None:
    record = flat("{} works in the field of", "Ann", "anatomy", "genetics")
    assert one(tmp_path, record).lure == "genetics"


def test_a_false_answer_that_another_record_gives_as_true(tmp_path: Path) -> None:
    records = [
        flat("The official language of {} is", "Jersey", "English", "Spanish"),
        flat("In {}, they understand", "JERSEY", "French", "English"),
        flat("{} was born in", "Jersey", "Bern", "French"),
    ]
    found = built(tmp_path, records[:1], records[1:])
    assert dropped(found) == {"false": 1}
    assert [claim.truth for claim in found.claims] == ["English", "Bern"]


def test_a_twin_city_has_its_twin_too(tmp_path: Path) -> None:
    records = [
        flat("The twin city of {} is", "Lyon", "Milan", "Cairo"),
        flat("{} is a twin city of", "Cairo", "Lyon", "Rome"),
    ]
    assert dropped(built(tmp_path, records)) == {"false": 1}


def test_repeated_questions(tmp_path: Path) -> None:
    records = [
        flat("{} plays the", "Ann", "piano", "violin"),
        flat("{}, playing the", "Ann", "guitar", "violin"),
        flat("{} plays the", "Bea", "piano", "violin"),
        flat("{} plays", "Bea", "piano", "guitar"),
    ]
    found = built(tmp_path, records)
    assert dropped(found) == {"one answer": 2, "once": 1}
    assert [(claim.truth, claim.lure) for claim in found.claims] == [("piano", "violin")]


def test_padded_answers_are_trimmed(tmp_path: Path) -> None:
    record = flat("{} is in", "Lea", " Iran\n", "India  ")
    assert one(tmp_path, record).false_statement == "Lea is in India."


def test_a_size_draws_from_each_relation(tmp_path: Path) -> None:
    records = [flat("{} is in", f"Town {n}", "Iran", "India") for n in range(20)]
    records.append(flat("{} plays the", "Ann", "piano", "violin"))
    found = built(tmp_path, records, size=2, seed=5)
    assert dropped(found) == {"size": 19}
    assert {claim.relation for claim in found.claims} == {"location", "instrument"}
    assert built(tmp_path, records, size=2, seed=5) == found
    assert built(tmp_path, records, size=2, seed=6).claims != found.claims


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (flat("{} is in", "Lea", "Iran", "India") | {"subject": " "}, "row 2: subject: ' '"),
        (flat("{} is in", "Lea", "Iran", "India") | {"case_id": "x"}, "row 2: case_id: 'x'"),
        ({"case_id": 3, "prompt": "x"}, "row 2: columns: 'case_id, prompt' is not allowed"),
        ({"case_id": 3, "requested_rewrite": []}, "row 2: requested_rewrite: [] is not allowed"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, record: Record, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        built(tmp_path, [flat("{} is in", "Lea", "Iran", "India"), record])
    assert str(caught.value).startswith(f"part0.json: {message}")


def test_one_case_number_for_two_records(tmp_path: Path) -> None:
    records = [flat("{} is in", name, "Iran", "India", case_id=7) for name in ("Lea", "Lee")]
    with pytest.raises(SettingError, match=r"part0\.json .*: id: 'counterfact-7' is not allowed"):
        built(tmp_path, records)
