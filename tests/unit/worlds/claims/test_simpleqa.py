"""SimpleQA, from small rows of the same form: relations, shapes, partners, and renamed columns."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.worlds.claims import Built, build
from socialcircuits.worlds.claims.wording import read_wording

Row = dict[str, str]


def row(problem: str, answer: str, kind: str, topic: str = "Art") -> Row:
    metadata = {"topic": topic, "answer_type": kind, "urls": ["https://example.org/it's"]}
    return {"metadata": str(metadata), "problem": problem, "answer": answer}


def table(path: Path, rows: Sequence[Row]) -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def built(tmp_path: Path, *rows: Row, **options: Any) -> Built:
    return build("simpleqa", [table(tmp_path / "simple.csv", rows)], **options)


def dropped(found: Built) -> dict[str, int]:
    left = found.inputs[0].rows
    for step in found.steps:
        assert step.before == left
        left = step.left
    assert left == len(found.claims)
    return {step.name: step.dropped for step in found.steps if step.dropped}


def pairs(found: Built) -> list[tuple[str, str]]:
    return [(claim.truth, claim.lure) for claim in found.claims]


ANN = row("In what year was Ann Example born?", "1950. ", "Date")
BEA = row("In what year was Bea Example born?", " 1961\n", "Date")


@pytest.mark.parametrize(
    ("question", "kind", "asked", "about"),
    [
        ("On what day, month, and year was Ann born?", "Date", "date", "born"),
        ("The park was founded on what day, month, and year?", "Date", "date", "founded"),
        ("When (month-day-year) was it released?", "Date", "date", "released"),
        ("In which year, month, and day was the app created?", "Date", "date", "created"),
        ("In which patch was the Robe changed?", "Date", "version", "added"),
        ("In which season and episode does she leave?", "Other", "episode", "resigned"),
        ("How many children did Ann have?", "Number", "count", "children"),
        ("How many biological children did Ann have?", "Number", "count", "children"),
        ("In feet, what is the maximum depth of the lake?", "Number", "amount", "depth"),
        ("How old was she when she won?", "Number", "amount", "old"),
        ("Who won the prize in 1995?", "Person", "person", "won"),
        ("What is the surname of the person who won?", "Person", "surname", "won"),
        ("What is the full name of the first director?", "Person", "person", "directed"),
        ("Which scientist received the medal?", "Person", "person", "awarded"),
        ("What is the name of the city where Ann died?", "Place", "city", "died"),
        ("From which university did Ann graduate?", "Other", "university", "studied"),
        ("What is the name of track 5 on the album?", "Other", "song", ""),
        ("In which city, founded in 1291, did Ann die?", "Place", "city", "founded"),
    ],
)
def test_relations(question: str, kind: str, asked: str, about: str) -> None:
    found = read_wording(question, kind)
    assert found is not None
    assert (found.name, found.about) == (asked, about)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What animal does she love?", "Other"),
        ("In what year was Ann born?", "Number"),
        ("What two languages are shown?", "Other"),
        ("Why did she leave?", "Other"),
    ],
)
def test_questions_without_a_relation(question: str, kind: str) -> None:
    assert read_wording(question, kind) is None


def test_an_item(tmp_path: Path) -> None:
    claim = built(tmp_path, ANN, BEA).claims[0]
    assert claim.id.startswith("simpleqa-")
    assert len(claim.id) == len("simpleqa-") + 12
    question = "In what year was Ann Example born?"
    assert (claim.question, claim.truth, claim.lure) == (question, "1950", "1961")
    assert claim.truth_statement == f"The answer to the question \u201c{question}\u201d is 1950."
    assert claim.relation == "year-born-art"
    assert claim.source == "simple.csv (simpleqa)"


def test_every_step_is_counted(tmp_path: Path) -> None:
    found = built(
        tmp_path,
        ANN,
        BEA,
        row("Name the painter of the picture.", "Ann Example", "Person"),
        row("What animal does Ann love?", "A cat.", "Other"),
        row("In what year did Ann see a comet?", "1970", "Date"),
        row("In what year was Cem born?", "5.0.4", "Date"),
        row("In what year was the class of 1980 born?", "1980", "Date"),
        row("In what year was Dan born?", "1953", "Date"),
        row("In what year was Dan born?", "1954", "Date"),
        row("In what year was Eve born?", "1820", "Date"),
        row("In what year was Fay born?", "1955", "Date", topic="Music"),
    )
    assert dropped(found) == {
        "question": 1,
        "relation": 1,
        "broad": 1,
        "shape": 1,
        "answer": 1,
        "one answer": 2,
        "partner": 2,
    }
    assert pairs(found) == [("1950", "1961"), ("1961", "1950")]


def test_a_partner_says_something_else_and_is_not_in_the_question(tmp_path: Path) -> None:
    found = built(
        tmp_path,
        row("How many children did Ann have?", "two", "Number"),
        row("How many children did Bea, who had 3 brothers, have?", "2", "Number"),
        row("How many children did Cem have?", "Three", "Number"),
        row("How many children did Dan have?", "3", "Number"),
    )
    lures = [claim.lure for claim in found.claims]
    assert set(lures[:1]) <= {"Three", "3"}
    assert lures[1] == "Three"
    assert set(lures[2:]) <= {"two", "2"}


def test_nested_answers_are_no_partners(tmp_path: Path) -> None:
    question = "From which university did {} graduate?"
    found = built(
        tmp_path,
        row(question.format("Ann"), "The University of Bern.", "Place"),
        row(question.format("Bea"), "University of Bern", "Place"),
    )
    assert dropped(found) == {"partner": 2}


def test_dates_of_one_granularity_and_era_only(tmp_path: Path) -> None:
    question = "On what day, month, and year was {} born?"
    answers = ["2 May 1950", "June 3rd, 1961", "May 1955", "1952", "4 July 1820"]
    rows = [row(question.format(name), a, "Date") for name, a in zip("ABCDE", answers, strict=True)]
    found = built(tmp_path, *rows)
    assert dropped(found) == {"partner": 3}
    assert pairs(found) == [("2 May 1950", "June 3rd, 1961"), ("June 3rd, 1961", "2 May 1950")]
    assert {claim.relation for claim in found.claims} == {"day-born-art"}


def test_versions_and_episodes_that_the_file_calls_dates(tmp_path: Path) -> None:
    found = built(
        tmp_path,
        row("In which patch was the Robe added?", "5.0.4", "Date"),
        row("In which patch was the Cap added?", "1.2.3", "Date"),
        row("In which patch was the Ring added?", "2004", "Date"),
        row("In which season and episode does she leave?", "S2 E2", "Other"),
        row("In which season and episode does he leave?", "Season 3, Episode 1", "Other"),
    )
    assert dropped(found) == {"shape": 1}
    assert pairs(found)[:2] == [("5.0.4", "1.2.3"), ("1.2.3", "5.0.4")]
    assert pairs(found)[2] == ("S2 E2", "Season 3, Episode 1")


def test_partners_are_drawn_by_a_seed(tmp_path: Path) -> None:
    rows = [row(f"In what year was {n} born?", str(1950 + n), "Date") for n in range(10)]
    same = [pairs(built(tmp_path, *rows, seed=seed)) for seed in (1, 1, 2)]
    assert same[0] == same[1] != same[2]


@pytest.mark.parametrize(
    "names",
    [
        ("question", "answer", "topic", "answer_type"),
        ("Problem", "Gold_Answer", "Category", "Answer Type"),
        ("prompt", "target", "topic", "answer_type"),
    ],
)
def test_renamed_columns(tmp_path: Path, names: tuple[str, ...]) -> None:
    values = [("Was Ann born in what year?", "1950"), ("Was Bea born in what year?", "1961")]
    rows = [dict(zip(names, (*pair, "Art", "Date"), strict=True)) for pair in values]
    assert pairs(built(tmp_path, *rows)) == [("1950", "1961"), ("1961", "1950")]


def test_metadata_may_be_json_or_a_table(tmp_path: Path) -> None:
    json = '{"topic": "Art", "answer_type": "Date", "urls": null}'
    assert len(built(tmp_path, ANN | {"metadata": json}, BEA).claims) == 2


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"problem": "x?", "answer": "y"}, "row 1: columns: .* one column for topic: topic or"),
        (ANN | {"question": "x?"}, "row 1: columns: .* one column for problem: problem or"),
        (ANN | {"metadata": "__import__('os')"}, r"row 1: metadata: .* written as in Python"),
        (ANN | {"metadata": "{'topic': 'Art'}"}, "row 1: columns: 'topic' .* answer_type"),
        (ANN | {"answer": " "}, "row 1: answer: ' ' is not allowed"),
    ],
)
def test_what_is_not_of_the_form_is_refused(tmp_path: Path, changed: Row, message: str) -> None:
    with pytest.raises(SettingError, match=rf"simple\.csv: {message}"):
        built(tmp_path, changed)
