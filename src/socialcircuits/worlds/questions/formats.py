"""From one row of a file to the fields of a question: one function a format."""

from __future__ import annotations

import ast
import base64
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from socialcircuits.errors import SettingError
from socialcircuits.seeds import digest
from socialcircuits.worlds.questions.item import Canary, Kind

_LONGEST_SHOWN = 80
_ID_LENGTH = 12
_HLE_KINDS: dict[str, Kind] = {"exactMatch": "exact", "multipleChoice": "choice"}
_FILL = ("", "N/A")
_IMAGE = re.compile(r"data:image/[\w.+-]+;base64,(.+)", re.DOTALL)
_OPTION = re.compile(r"^[ \t]*\(?([A-Z])[.):](?=\s)[ \t]*", re.MULTILINE)
_MARKER = re.compile(r"^[ \t]*answer choices:[ \t]*$", re.MULTILINE | re.IGNORECASE)


class Unusable(Exception):
    """The item is well formed, but cannot be asked or graded here."""


class Row:
    """One row, whose errors name file, row and field."""

    def __init__(self, where: str, values: Mapping[str, Any]) -> None:
        self.where, self.values = where, values

    def refuse(self, name: str, given: object, expected: str) -> SettingError:
        """Return the error for one field; a long value is shown by its beginning."""
        if isinstance(given, str) and len(given) > _LONGEST_SHOWN:
            given = given[:_LONGEST_SHOWN] + "..."
        elif isinstance(given, bytes | list | tuple | dict) and len(given) > 20:
            given = f"{type(given).__name__} of {len(given)}"
        return SettingError(f"{self.where}: {name}", given, expected)

    def text(self, name: str) -> str:
        """Return a field's text without the space around it; it must not be empty."""
        value = self.values.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self.refuse(name, value, "some text")
        return value.strip()

    def texts(self, name: str) -> list[str]:
        """Return the texts of a field that holds a list."""
        value = self.values.get(name)
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise self.refuse(name, value, "a list of texts")
        return [part.strip() for part in value]

    def parts(self, name: str) -> list[str]:
        """Return the texts between the semicolons of a field."""
        return [part for part in map(str.strip, self.text(name).split(";")) if part]


Fields = dict[str, Any]


def _read_hle(row: Row) -> Fields:
    question, answer, given = row.text("question"), row.text("answer"), row.text("answer_type")
    if given not in _HLE_KINDS:
        raise row.refuse("answer_type", given, " or ".join(_HLE_KINDS))
    found: Fields = {"id": row.text("id"), "question": question, "answer": answer}
    found |= {"kind": _HLE_KINDS[given], "image": _image(row)}
    if found["kind"] == "choice":
        options = _options_in(question)
        if answer not in options:
            letters = ", ".join(options) or "none"
            raise Unusable(f"its answer is not among the options read from the text ({letters})")
        found |= _choice(options, answer)
    found |= _category(row, "category")
    canary = row.values.get("canary")
    if canary:
        if not isinstance(canary, str):
            raise row.refuse("canary", type(canary).__name__, "text")
        found["canary"] = Canary(canary)
    return found


def _category(row: Row, name: str) -> Fields:
    return {"category": row.text(name)} if row.values.get(name) else {}


def _image(row: Row) -> bytes | None:
    value = row.values.get("image")
    if isinstance(value, dict):
        value = value.get("bytes")
    if value is None or value == "":
        return None
    if isinstance(value, bytes) and value:
        return value
    coded = _IMAGE.fullmatch(value.strip()) if isinstance(value, str) else None
    if coded is None:
        allowed = "a picture as data URL or bytes, or nothing (an address is never fetched)"
        raise row.refuse("image", value, allowed)
    try:
        return base64.b64decode(coded[1], validate=True)
    except ValueError:
        raise row.refuse("image", value, "a data URL in valid Base64") from None


def _options_in(question: str) -> dict[str, str]:
    """Return letter -> text of the last run of lines ``A. ...``, ``B. ...``; empty if there is
    none. An option goes on until the next letter; the last one without a heading before it ends
    at an empty line, for other text may follow."""
    headings = list(_MARKER.finditer(question))
    begin = headings[-1].end() if headings else 0
    marks = list(_OPTION.finditer(question, begin))
    runs = (_run(marks[place:]) for place in reversed(range(len(marks))))
    run = next((run for run in runs if len(run) > 1), [])
    if not run:
        return {}
    ends = [*(mark.start() for mark in run[1:]), len(question)]
    texts = [question[mark.end() : end].strip() for mark, end in zip(run, ends, strict=True)]
    if not headings:
        texts[-1] = re.split(r"\n\s*\n", texts[-1])[0]
    return {mark[1]: text for mark, text in zip(run, texts, strict=True)}


def _run(marks: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    for mark in marks:
        if ord(mark[1]) == ord("A") + len(found):
            found.append(mark)
    return found if marks[0][1] == "A" else []


def _choice(options: Mapping[str, str], answer: str) -> Fields:
    lures = tuple(letter for letter in options if letter != answer)
    return {"kind": "choice", "options": options, "answer": answer, "lures": lures}


def _with_options(question: str, options: Mapping[str, str]) -> str:
    lines = [f"{letter}. {text}" for letter, text in options.items()]
    return "\n".join([question, "", *lines])


def _read_mmlu_pro(row: Row) -> Fields:
    texts, answer, index = row.texts("options"), row.text("answer"), row.values.get("answer_index")
    letters = [chr(ord("A") + place) for place in range(len(texts))]
    if not 2 <= len(texts) <= 26:
        raise row.refuse("options", texts, "2 to 26 options")
    if answer not in letters:
        raise row.refuse("answer", answer, f"the letter of an option (A to {letters[-1]})")
    if type(index) is not int or index != letters.index(answer):
        raise row.refuse("answer_index", index, f"{letters.index(answer)}, for answer is {answer}")
    # The official evaluation drops the fill, too; the letters of the others stay.
    pairs = zip(letters, texts, strict=True)
    options = {name: text for name, text in pairs if text not in _FILL or name == answer}
    number = row.values.get("question_id")
    if type(number) is not int:
        raise row.refuse("question_id", number, "a whole number")
    found: Fields = {"id": str(number), "category": row.text("category")}
    found["question"] = _with_options(row.text("question"), options)
    return found | _choice(options, answer)


def _read_simpleqa(row: Row) -> Fields:
    question, metadata = row.text("problem"), row.text("metadata")
    try:
        topic = ast.literal_eval(metadata)["topic"]
    except (ValueError, SyntaxError, TypeError, KeyError, MemoryError, RecursionError):
        topic = None
    if not isinstance(topic, str):
        raise row.refuse("metadata", metadata, "a table with a topic, written as in Python")
    name = _derived("simpleqa", question)
    return {"id": name, "question": question, "answer": row.text("answer"), "category": topic}


def _read_truthfulqa(row: Row) -> Fields:
    question, best = row.text("Question"), row.text("Best Answer")
    right = dict.fromkeys(row.parts("Correct Answers"))
    wrong = dict.fromkeys(row.parts("Incorrect Answers"))
    found: Fields = {"id": _derived("truthfulqa", question), "question": question, "answer": best}
    found["aliases"] = tuple(text for text in right if text != best)
    found["lures"] = tuple(text for text in wrong if text not in right and text != best)
    return found | _category(row, "Category")


def _derived(prefix: str, question: str) -> str:
    # From the text and not from the row: an item has one id in the file and in a slice of it.
    return f"{prefix}-{digest(prefix, question.encode('utf-8', 'replace')).hex()[:_ID_LENGTH]}"


def _read_own(row: Row) -> Fields:
    known = READERS["own"].columns
    for name in row.values:
        if name not in known:
            raise SettingError(row.where, name, "one of " + ", ".join(known), among=known)
    found: Fields = {name: row.text(name) for name in ("id", "question", "answer")}
    found |= _category(row, "category")
    if "why" in row.values:
        row.text("why")
    found |= {name: tuple(row.texts(name)) for name in ("aliases", "lures") if name in row.values}
    options = row.values.get("options")
    if options is None:
        return found
    if "lures" in found:
        raise row.refuse("lures", list(found["lures"]), "none, for the other options are the lures")
    if not isinstance(options, dict) or not all(isinstance(t, str) for t in options.values()):
        raise row.refuse("options", options, "a table of letter and text")
    found["question"] = _with_options(found["question"], options)
    return found | _choice(options, found["answer"])


class Format(NamedTuple):
    """The columns that tell a format, those that it may have besides, and its reader."""

    required: tuple[str, ...]
    optional: tuple[str, ...]
    read: Callable[[Row], Fields]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are read."""
        return self.required + self.optional


READERS = {
    "hle": Format(
        ("id", "question", "answer", "answer_type"), ("image", "category", "canary"), _read_hle
    ),
    "mmlu-pro": Format(
        ("question_id", "question", "options", "answer", "answer_index", "category"),
        (),
        _read_mmlu_pro,
    ),
    "simpleqa": Format(("metadata", "problem", "answer"), (), _read_simpleqa),
    "truthfulqa": Format(
        ("Question", "Best Answer", "Correct Answers", "Incorrect Answers"),
        ("Category",),
        _read_truthfulqa,
    ),
    "own": Format(
        ("id", "question", "answer"),
        ("category", "options", "aliases", "lures", "why"),
        _read_own,
    ),
}

__all__ = ["READERS", "Fields", "Format", "Row", "Unusable"]
