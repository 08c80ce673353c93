"""Reading each official form from small made-up files, and refusing what is not of the form."""

from __future__ import annotations

import base64
import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.worlds.questions import FORMATS, cached_hle, load
from socialcircuits.worlds.questions.loading import LeftOut

Row = dict[str, Any]

PICTURE = b"\x89PNG\r\n\x1a\n made up"
DATA_URL = "data:image/png;base64," + base64.b64encode(PICTURE).decode()
CANARY = "made-up-canary-0815"

EXACT: Row = {
    "id": "h1",
    "question": "How many legs do three made-up animals have?",
    "image": "",
    "answer": "12",
    "answer_type": "exactMatch",
    "rationale": "Four each.",
    "category": "Biology",
    "canary": CANARY,
}
CHOICE: Row = EXACT | {
    "id": "h2",
    "question": "Which?\n\nAnswer Choices:\nA. the first\nB. the 2nd,\n   on two lines\nC. both",
    "image": DATA_URL,
    "answer": "B",
    "answer_type": "multipleChoice",
}
UNREADABLE: Row = CHOICE | {"id": "h3", "question": "Which of the pictures, A or B?"}

PRO: Row = {
    "question_id": 70,
    "question": "Which of these is made up?",
    "options": ["this", " that ", "those", "N/A", "N/A"],
    "answer": "C",
    "answer_index": 2,
    "cot_content": "",
    "category": "law",
    "src": "made-up",
}
SIMPLE: Row = {
    "metadata": "{'topic': 'Art', 'answer_type': 'Person', 'urls': ['https://example.org']}",
    "problem": "Who painted the made-up picture?",
    "answer": " Ann Example\n",
}
TRUTHFUL: Row = {
    "Type": "Adversarial",
    "Category": "Myths",
    "Question": "What happens if nothing happens?",
    "Best Answer": "Nothing happens",
    "Correct Answers": "Nothing happens; Not a thing;",
    "Incorrect Answers": "Something happens; All happens; Not a thing; Something happens",
    "Source": "https://example.org",
}
OWN = """
[[question]]
id = "sum"
category = "sums"
question = "What is 2 + 2?"
answer = "4"
aliases = ["four"]
lures = ["3", "5"]
why = "1 + 1 + 1 + 1"

[[question]]
id = "city"
question = "Which city?"
options = { A = "Oslo", B = "Rome" }
answer = "B"
"""


def jsonl(path: Path, rows: Sequence[Row]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n", encoding="utf-8")
    return path


def table(path: Path, rows: Sequence[Row]) -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def parquet(path: Path, rows: Sequence[Row]) -> Path:
    pd.DataFrame(rows).to_parquet(path)
    return path


def message(path: Path, **settings: Any) -> str:
    with pytest.raises(SettingError) as caught:
        load(path, **settings)
    return str(caught.value)


@pytest.mark.parametrize(
    ("write", "name"), [(jsonl, "h.jsonl"), (table, "h.csv"), (parquet, "h.parquet")]
)
def test_hle(write: Any, name: str, tmp_path: Path) -> None:
    loaded = load(write(tmp_path / name, [EXACT, UNREADABLE, CHOICE]))
    exact, choice = loaded.questions
    assert (exact.id, exact.kind, exact.answer, exact.category) == ("h1", "exact", "12", "Biology")
    assert (exact.image, exact.options, exact.lures) == (None, {}, ())
    assert (choice.kind, choice.answer, choice.lures) == ("choice", "B", ("A", "C"))
    assert choice.options == {"A": "the first", "B": "the 2nd,\n   on two lines", "C": "both"}
    assert (choice.image, choice.question) == (PICTURE, CHOICE["question"])
    assert {question.shareable for question in loaded.questions} == {False}
    assert choice.source == f"{name} (hle)"
    assert CANARY not in repr(loaded)
    assert choice.canary is not None
    assert choice.canary.found_in(CANARY)
    why = "its answer is not among the options read from the text (none)"
    assert loaded.left_out == (LeftOut(2, "h3", why),)


def test_hle_images_may_be_bytes(tmp_path: Path) -> None:
    preview = {"bytes": PICTURE, "path": "1.png"}
    rows: list[Row] = [
        EXACT | {"image": preview, "image_preview": preview},
        EXACT | {"id": "h9", "image": None, "image_preview": None},
    ]
    images = [q.image for q in load(parquet(tmp_path / "h.parquet", rows)).questions]
    assert images == [PICTURE, None]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Which?\nA. x\nB. y\nC. z\n\nChoose one.", {"A": "x", "B": "y", "C": "z"}),
        ("Which?\nA) x\n(B) y", {"A": "x", "B": "y"}),
        ("A. Smith wrote it.\nWhich?\nA. x\nB. y\nC. z", {"A": "x", "B": "y", "C": "z"}),
        (
            "Given:\nA. 1\nB. 2\n\nAnswer Choices:\nA. x\n\nmore\nB. y\n\nmore",
            {"A": "x\n\nmore", "B": "y\n\nmore"},
        ),
        ("Which?\nA. x\nB. y\nA.D. 9 is a date.", {"A": "x", "B": "y\nA.D. 9 is a date."}),
        ("Which?\nA. x\nD. not the next\nB. y", {"A": "x\nD. not the next", "B": "y"}),
    ],
)
def test_hle_options_are_read_out(text: str, options: dict[str, str], tmp_path: Path) -> None:
    loaded = load(jsonl(tmp_path / "h.jsonl", [CHOICE | {"question": text}]))
    assert loaded.questions[0].options == options


def test_mmlu_pro(tmp_path: Path) -> None:
    for write, name in ((parquet, "p.parquet"), (jsonl, "p.jsonl")):
        question = load(write(tmp_path / name, [PRO])).questions[0]
        assert (question.id, question.answer, question.lures) == ("70", "C", ("A", "B"))
        assert question.options == {"A": "this", "B": "that", "C": "those"}
        assert question.question.endswith("made up?\n\nA. this\nB. that\nC. those")
        assert (question.category, question.source) == ("law", f"{name} (mmlu-pro)")


def test_simpleqa(tmp_path: Path) -> None:
    rows = [SIMPLE | {"problem": "Who else?"}, SIMPLE]
    questions = load(table(tmp_path / "s.csv", rows)).questions
    assert [question.answer for question in questions] == ["Ann Example"] * 2
    assert (questions[0].category, questions[0].kind) == ("Art", "exact")
    assert load(table(tmp_path / "slice.csv", rows[1:])).questions[0].id == questions[1].id


def test_truthfulqa(tmp_path: Path) -> None:
    question = load(table(tmp_path / "t.csv", [TRUTHFUL])).questions[0]
    assert (question.answer, question.aliases) == ("Nothing happens", ("Not a thing",))
    assert question.lures == ("Something happens", "All happens")
    assert question.category == "Myths"


def test_what_is_ambiguous_in_a_benchmark_is_left_out(tmp_path: Path) -> None:
    twice = PRO | {"question_id": 71, "options": ["this", "that ", "those", "that", "N/A"]}
    loaded = load(jsonl(tmp_path / "p.jsonl", [PRO, twice]))
    assert [question.id for question in loaded.questions] == ["70"]
    assert loaded.left_out == (LeftOut(2, "71", "two of its options have the same text"),)
    both = TRUTHFUL | {"Question": "What?", "Incorrect Answers": "All happens; NOTHING happens"}
    (dropped,) = load(table(tmp_path / "t.csv", [TRUTHFUL, both])).left_out
    assert (dropped.row, dropped.why) == (2, "one of its wrong answers is graded as right")
    assert dropped.id.startswith("truthfulqa-")


def test_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(OWN, encoding="utf-8")
    total, city = load(path, shareable=True).questions
    assert (total.aliases, total.lures, total.category) == (("four",), ("3", "5"), "sums")
    assert city.question == "Which city?\n\nA. Oslo\nB. Rome"
    assert (city.options, city.lures) == ({"A": "Oslo", "B": "Rome"}, ("A",))
    assert total.shareable
    assert not load(path).questions[0].shareable


def test_verified_ids_filter(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "h.jsonl", [EXACT, CHOICE])
    loaded = load(path, "hle", ["h2", "h7"])
    assert [question.id for question in loaded.questions] == ["h2"]
    assert loaded.left_out == (LeftOut(1, "h1", "not in the list of verified ids"),)
    assert loaded.unmatched == ("h7",)
    assert "left out: not in the list of verified ids" in message(path, verified=["h7"])
    assert "$.world.verified: 'h1' is not allowed" in message(path, verified="h1")


@pytest.mark.parametrize(
    ("base", "change", "told"),
    [
        (EXACT, {"id": ""}, "row 2: id: '' is not allowed; expected some text"),
        (EXACT, {"id": 7}, "row 2: id: 7 is not allowed"),
        (EXACT, {"id": "h1"}, "row 2: id: 'h1' is not allowed; expected an id of its own; row 1"),
        (EXACT, {"answer": None}, "row 2: answer: None is not allowed"),
        (EXACT, {"answer": "\ud800"}, "row 2: answer: '\\ud800' is not allowed"),
        (EXACT, {"answer_type": "open"}, "expected exactMatch or multipleChoice"),
        (EXACT, {"image": "https://example.org/1.png"}, "an address is never fetched"),
        (
            EXACT,
            {"image": "data:image/png;base64,%%%"},
            "row 2: image: 'data:image/png;base64,%%%'",
        ),
        (EXACT, {"canary": ["x", CANARY]}, "row 2: canary: 'list' is not allowed"),
        (PRO, {"options": "this"}, "row 2: options: 'this' is not allowed; expected a list"),
        (PRO, {"options": ["this"]}, "expected 2 to 26 options"),
        (PRO, {"answer": "F"}, "row 2: answer: 'F' is not allowed; expected the letter of an"),
        (PRO, {"answer_index": 1}, "row 2: answer_index: 1 is not allowed; expected 2, for"),
        (PRO, {"question_id": "70"}, "row 2: question_id: '70' is not allowed"),
        (PRO, {"options": ["this", "that", ""]}, "row 2: options.C: '' is not allowed"),
    ],
)
def test_a_bad_row_is_named(base: Row, change: Row, told: str, tmp_path: Path) -> None:
    first = base | ({"id": "h1"} if base is EXACT else {"question_id": 1})
    rows = [first, base | ({"id": "h2"} if base is EXACT else {}) | change]
    text = message(jsonl(tmp_path / "bad.jsonl", rows))
    assert text.startswith("bad.jsonl: row 2: ")
    assert told in text
    assert CANARY not in text


def test_a_row_without_a_field_is_named(tmp_path: Path) -> None:
    rows = [EXACT, {name: EXACT[name] for name in EXACT if name != "answer"} | {"id": "h2"}]
    assert "h.jsonl: row 2: answer: None" in message(jsonl(tmp_path / "h.jsonl", rows))
    assert "h.jsonl: row 2: 'list'" in message(jsonl(tmp_path / "h.jsonl", [EXACT, [1]]))  # type: ignore[list-item]


def test_bad_metadata_is_named(tmp_path: Path) -> None:
    for metadata in ("{", "[]", "{'topic': 3}", "__import__('os')"):
        path = table(tmp_path / "s.csv", [SIMPLE, SIMPLE | {"metadata": metadata}])
        assert "s.csv: row 2: metadata: " in message(path)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('answer = "4"', 'answr = "4"', "did you mean 'answer'?"),
        ('lures = ["3", "5"]', 'lures = ["3", "4"]', "row 1: lures: '4' is not allowed"),
        ('lures = ["3", "5"]', 'lures = ["4.0"]', "row 1: lures: '4.0' is not allowed"),
        ('lures = ["3", "5"]', "lures = [3]", "row 1: lures: [3] is not allowed"),
        ('A = "Oslo"', 'A = "Rome"', "row 2: options.B: 'Rome' is not allowed"),
        ('"sums"', '"\\u001b[2J"', "row 1: category: '\\x1b[2J' is not allowed"),
        ('answer = "B"', 'answer = "C"', "row 2: answer: 'C' is not allowed"),
        ('answer = "B"', 'answer = "B"\nlures = ["A"]', "the other options are the lures"),
        ('{ A = "Oslo", B = "Rome" }', '["Oslo", "Rome"]', "row 2: options: "),
        ('why = "1 + 1 + 1 + 1"', "why = 4", "row 1: why: 4 is not allowed"),
        ("[[question]]", "[[item]]", "it holds [[question]] tables and nothing else"),
        ("[[question]]", "[[question", "a file that can be read"),
    ],
)
def test_a_bad_file_of_our_own_form_is_refused(
    old: str, new: str, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(OWN.replace(old, new), encoding="utf-8")
    assert told in message(path)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    assert "No such file" in message(tmp_path / "none.csv")
    assert "a file that ends in .jsonl, .parquet, .csv, .toml" in message(tmp_path / "x.json")
    bad = {
        "a.jsonl": b'{"id": 1}\n{"id"',
        "b.csv": b"metadata,problem,answer\n1,2\n",
        "c.csv": b"metadata,problem,answer\n1,2,3,4\n",
        "d.csv": b'metadata,problem,answer\n1,"2',
        "e.csv": b"metadata,problem,answer\n1,2,\xff\n",
        "f.parquet": b"no parquet",
    }
    told = ["row 2 is not JSON", "row 1 has not as", "row 1 has not as", "", "decode", "arquet"]
    for (name, data), part in zip(bad.items(), told, strict=True):
        (tmp_path / name).write_bytes(data)
        text = message(tmp_path / name)
        assert "a file that can be read" in text
        assert part in text
    (tmp_path / "empty.csv").write_bytes(b"metadata,problem,answer\n")
    assert "it has none" in message(tmp_path / "empty.csv")


def test_a_long_field_is_read_and_the_limit_put_back(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    long = "x" * (before + 1)
    path = table(tmp_path / "s.csv", [SIMPLE | {"problem": long}])
    assert load(path).questions[0].question == long
    assert csv.field_size_limit() == before


def test_formats_are_recognised_or_refused(tmp_path: Path) -> None:
    path = table(tmp_path / "s.csv", [SIMPLE])
    assert load(path, "simpleqa") == load(path)
    assert "did you mean 'simpleqa'?" in message(path, format="simple")
    assert "s.csv: row 1: question: None" in message(path, format="hle")
    assert "own for a .toml file" in message(path, format="own")
    for write, name in ((table, "x.csv"), (parquet, "x.parquet")):
        text = message(write(tmp_path / name, [{"Frage": "?", "answer": "!"}]))
        assert f"{name}: columns: 'Frage, answer' is not allowed" in text
        assert not [name for name in FORMATS if name + ":" not in text]


def test_hle_is_never_shareable(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "h.jsonl", [EXACT])
    assert "HLE may not be published" in message(path, shareable=True)


@pytest.mark.parametrize("variable", ["HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "HOME"])
def test_hle_is_found_in_the_cache(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    below = {"HF_HUB_CACHE": "", "HF_HOME": "hub", "XDG_CACHE_HOME": "huggingface/hub"}
    hub = tmp_path / below.get(variable, ".cache/huggingface/hub")
    folder = hub / "datasets--cais--hle"
    with pytest.raises(SettingError, match="exactly one test file of cais/hle"):
        cached_hle()
    for revision in ("old", "new"):
        data = folder / "snapshots" / revision / "data"
        data.mkdir(parents=True)
        parquet(data / "test-00000-of-00001.parquet", [EXACT | {"id": revision}])
    with pytest.raises(SettingError, match="exactly one test file"):
        cached_hle()
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("new\n", encoding="utf-8")
    assert [question.id for question in load(cached_hle()).questions] == ["new"]
