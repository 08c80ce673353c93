"""PopQA in its three shapes, from small rows of the same form; each trap with its right value."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.worlds.claims import Built, Claim, build

Row = dict[str, Any]
QUESTIONS = {
    "capital": "What is the capital of {}?",
    "country": "In what country is {}?",
    "religion": "What is the religion of {}?",
    "genre": "What genre is {}?",
}


def row(prop: str, subject: str, answer: str, aliases: Sequence[str] = (), **changes: Any) -> Row:
    return {
        "id": "1",
        "subj": subject,
        "prop": prop,
        "obj": answer,
        "subj_id": sum(map(ord, subject)),
        "prop_id": sum(map(ord, prop)),
        "s_aliases": "[]",
        "o_aliases": json.dumps(list(aliases)),
        "question": QUESTIONS.get(prop, "Who is {}?").format(subject),
        "possible_answers": json.dumps([answer, *aliases]),
    } | changes


def flashrag(official: Row) -> Row:
    outside = ("id", "question", "possible_answers")
    return {
        "id": "test_7",
        "question": official["question"],
        "golden_answers": json.loads(official["possible_answers"]),
        "metadata": {name: value for name, value in official.items() if name not in outside},
    }


def tsv(path: Path, rows: Sequence[Row]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter="\t")
        writer.writeheader()
        writer.writerows(rows)
    return path


def jsonl(path: Path, rows: Sequence[Row]) -> Path:
    path.write_text("\n".join(json.dumps(one) for one in rows), encoding="utf-8")
    return path


def built(tmp_path: Path, rows: Sequence[Row], **options: Any) -> Built:
    return build("popqa", [tsv(tmp_path / "popqa.tsv", rows)], **options)


def dropped(found: Built) -> dict[str, int]:
    left = found.inputs[0].rows
    for step in found.steps:
        assert step.before == left
        left = step.left
    assert left == len(found.claims)
    return {step.name: step.dropped for step in found.steps if step.dropped}


PERU = row("capital", "Peru", "Lima", ["Ciudad de los Reyes"])
CHAD = row("capital", "Chad", "N'Djamena", ["NDjamena", "Fort-Lamy"])
MALI = row("capital", "Mali", "Bamako")


def test_every_shape_gives_the_same_items(tmp_path: Path) -> None:
    rows = [PERU, CHAD]
    hub = tmp_path / "hub.json"
    hub.write_text(json.dumps({"rows": [{"row_idx": n, "row": r} for n, r in enumerate(rows)]}))
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps([r | {"o_aliases": json.loads(r["o_aliases"])} for r in rows]))
    paths = [tsv(tmp_path / "a.tsv", rows), hub, plain, jsonl(tmp_path / "b.jsonl", rows)]
    paths.append(jsonl(tmp_path / "c.jsonl", list(map(flashrag, rows))))
    first, *others = [build("popqa", [path]).claims for path in paths]
    ids = f"popqa-{PERU['subj_id']}-{PERU['prop_id']}"
    assert first[0] == Claim(
        ids,
        "What is the capital of Peru?",
        "The capital of Peru is Lima.",
        "The capital of Peru is N'Djamena.",
        "Lima",
        "N'Djamena",
        "capital",
        ("Ciudad de los Reyes",),
        ("NDjamena", "Fort-Lamy"),
        "a.tsv (popqa)",
    )
    for claims in others:
        assert [(c.id, c.truth, c.lure, c.aliases) for c in claims] == [
            (c.id, c.truth, c.lure, c.aliases) for c in first
        ]


def test_aliases_that_merge_several_objects(tmp_path: Path) -> None:
    merged = row("capital", "Sicily", "Palermo", possible_answers='["Palermo", "Messina"]')
    emoji = row("capital", "Kerala", "Kochi", possible_answers='["KOCHI", "Kochi", "\U0001f6d5"]')
    found = built(tmp_path, [merged, emoji, PERU])
    assert dropped(found) == {"merged": 1}
    assert [claim.truth for claim in found.claims] == ["Kochi", "Lima"]
    assert {alias for claim in found.claims for alias in claim.aliases} == {"Ciudad de los Reyes"}


def test_repeated_questions_with_different_answers(tmp_path: Path) -> None:
    other = row("capital", "Peru", "Cusco", subj_id=99)
    found = built(tmp_path, [PERU, other, CHAD, CHAD, MALI])
    assert dropped(found) == {"one answer": 2, "once": 1}
    assert [claim.truth for claim in found.claims] == ["N'Djamena", "Bamako"]


def test_two_letter_and_empty_aliases(tmp_path: Path) -> None:
    india = row(
        "country", "Mysore", "India", ["IN", "in", "", " ", "\U0001f1ee\U0001f1f3", "Bharat"]
    )
    france = row("country", "Toulouse", "France", ["FR", "fr", "La France", "FRANCE"])
    found = built(tmp_path, [india, france])
    assert dropped(found) == {}
    assert [claim.lure for claim in found.claims] == ["France", "India"]
    assert found.claims[0].aliases == ("IN", "Bharat")
    assert found.claims[0].lure_aliases == ("FR", "La France")


def test_an_answer_or_alias_in_the_own_question(tmp_path: Path) -> None:
    rows = [
        row("capital", "canton of Górdes", "Gordes"),
        row("religion", "St Ann's Church", "Lutheranism", ["Church"]),
        row("capital", "Cordoba Province", "Cordo"),
        PERU,
    ]
    assert dropped(built(tmp_path, rows)) == {"question": 2}


def test_a_partner_shares_no_alias_and_is_not_in_the_question(tmp_path: Path) -> None:
    rows = [
        row("genre", "Stars", "comedy film", ["comedy movie", "funny film"]),
        row("genre", "Heavy Metal", "humorous picture", ["FUNNY film"]),
        row("genre", "Noise", "heavy metal", ["metal"]),
        row("genre", "Night", "black metal"),
    ]
    for seed in range(20):
        lures = {claim.truth: claim.lure for claim in built(tmp_path, rows, seed=seed).claims}
        assert lures["comedy film"] in {"heavy metal", "black metal"}
        assert lures["humorous picture"] == "black metal"
        assert lures["heavy metal"] in {"comedy film", "humorous picture"}


def test_a_partner_is_not_true_for_the_subject_in_another_row(tmp_path: Path) -> None:
    # Each of the two rows of Rama is dropped; what they say is true of Rama all the same.
    rows = [
        row("religion", "Rama", "Hinduism", subj_id=1),
        row("religion", "RAMA", "Jainism", subj_id=2),
        row("religion", "Ann", "Hinduism", subj_id=3),
        row("religion", "Ann", "Jainism", subj_id=3),
        row("religion", "Bea", "Judaism", subj_id=4),
    ]
    found = built(tmp_path, rows)
    assert dropped(found) == {"one answer": 4}
    assert found.claims[0].lure in {"Hinduism", "Jainism"}


def test_nested_answers_are_no_partners(tmp_path: Path) -> None:
    rows = [
        row("religion", "Ann", "Christianity"),
        row("religion", "Bea", "Catholic Church"),
        row("religion", "Cem", "Christian"),
    ]
    found = built(tmp_path, rows)
    assert dropped(found) == {"partner": 1}
    assert [(claim.truth, claim.lure) for claim in found.claims] == [
        ("Catholic Church", "Christian"),
        ("Christian", "Catholic Church"),
    ]


def test_a_partner_has_the_same_relation(tmp_path: Path) -> None:
    found = built(tmp_path, [PERU, CHAD, row("genre", "Stars", "jazz")])
    assert dropped(found) == {"partner": 1}


def test_partners_are_drawn_uniformly_by_a_seed(tmp_path: Path) -> None:
    rows = [PERU, *(row("capital", f"Land {letter}", f"Town {letter * 3}") for letter in "abcd")]
    lures = Counter(built(tmp_path, rows, seed=seed).claims[0].lure for seed in range(200))
    assert set(lures) == {"Town aaa", "Town bbb", "Town ccc", "Town ddd"}
    assert min(lures.values()) > 30
    assert built(tmp_path, rows, seed=3) == built(tmp_path, rows, seed=3)


def test_an_unknown_relation_is_counted(tmp_path: Path) -> None:
    assert dropped(built(tmp_path, [PERU, CHAD, row("spouse", "Ann", "Bob")])) == {"relation": 1}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"obj": ""}, "popqa.tsv: row 1: obj: '' is not allowed"),
        ({"o_aliases": "x, y"}, "popqa.tsv: row 1: o_aliases: 'x, y' is not allowed"),
        ({"question": "Capital of Peru"}, "popqa.tsv: row 1: question: 'Capital of Peru'"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, changes: Row, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        built(tmp_path, [PERU | changes, CHAD])
    assert str(caught.value).startswith(message)


def test_other_columns_are_refused(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "x.jsonl", [{"question": "Who?", "answers": []}])
    with pytest.raises(SettingError, match="row 1: columns: 'question, answers' is not allowed"):
        build("popqa", [path])
