"""Items from SimpleQA (Wei et al. 2024, arXiv 2411.04368): answers of one relation and shape.

The file has no relations; they are read from the wording of the question, with its topic and answer
type. Copies with other names for the columns are read where it is clear what they are.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from socialcircuits.seeds import Stream, digest
from socialcircuits.worlds.claims.building import (
    Built,
    Sieve,
    Source,
    Wanted,
    claim_of,
    draw,
    read_inputs,
)
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.rows import Row
from socialcircuits.worlds.claims.shapes import Shape, bare, read_shape
from socialcircuits.worlds.claims.wording import Asked, read_wording
from socialcircuits.worlds.claims.words import entangled, stands_in

__all__ = ["SOURCE", "build"]

SOURCE = Source("simpleqa", "SimpleQA: MIT License, (c) 2024 OpenAI")
_ID_LENGTH = 12
_NO_NAME = re.compile(r"[^a-z0-9]+")
_NAMES = {
    "problem": ("problem", "question", "prompt", "query"),
    "answer": ("answer", "gold_answer", "target", "reference_answer"),
    "topic": ("topic", "category"),
    "answer_type": ("answer_type", "answer type"),
}
_STATEMENT = "The answer to the question \u201c{subject}\u201d is {answer}."


@dataclass(frozen=True)
class _Entry:
    """One row; what is asked and the shape are None where they cannot be read."""

    row: Row
    question: str
    answer: str
    topic: str
    answer_type: str
    asked: Asked | None
    shape: Shape | None

    @property
    def id(self) -> str:
        # From the text and not from the row: an item has one id in the file and in a slice of it.
        text = self.question.encode("utf-8", "replace")
        return f"simpleqa-{digest('simpleqa', text).hex()[:_ID_LENGTH]}"

    @property
    def relation(self) -> str:
        assert self.asked is not None
        assert self.shape is not None
        name = self.shape.kind if self.asked.name == "date" else self.asked.name
        topic = _NO_NAME.sub("_", self.topic.lower()).strip("_")
        return "-".join(filter(None, (name, self.asked.about, topic)))


def build(paths: Iterable[str | Path], wanted: Wanted) -> Built:
    """Return the items of SimpleQA files in file order, and what was dropped at each step.

    The false answer is that of another question of the same relation and shape, drawn uniformly
    from those that fit: it is not the same in other words, no part of the answer, and does not
    stand in the question.

    Args:
        paths: CSV, TSV, JSON or JSON Lines files; several are read as one.
        wanted: the seed of the partners, and how many items.

    Raises:
        SettingError: a file or a row is not of the form; file, row and field are named.

    Notes:
        ``metadata`` is a Python literal, never run. Answers lose the space, the quotes and the full
        stop around them.

    >>> from tempfile import TemporaryDirectory
    >>> text = '''problem,answer,topic,answer_type
    ... In what year was Ann born?,1950.,Art,Date
    ... In what year was Bea born?,1961,Art,Date
    ... '''
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "simple.csv"
    ...     _ = file.write_text(text, encoding="utf-8")
    ...     [(claim.relation, claim.truth, claim.lure) for claim in build([file], Wanted()).claims]
    [('year-born-art', '1950', '1961'), ('year-born-art', '1961', '1950')]
    """
    rows, inputs = read_inputs(paths)
    sieve = Sieve([_entry(row) for row in rows])
    asked = sieve.left
    sieve.keep("question", "it has no question mark", lambda e: "?" in e.question)
    sieve.keep("relation", "its wording tells no relation", lambda e: e.asked is not None)
    sieve.keep("broad", "its relation is too broad", lambda e: _is_fine(e.asked))
    sieve.keep("shape", "its answer has no shape that fits", lambda e: e.shape is not None)
    why = "its question holds the answer as a word"
    sieve.keep("answer", why, lambda e: not stands_in(e.answer, e.question))
    sieve.keep_single(lambda e: e.question, lambda e: e.answer, asked)
    lures = _lures(sieve.left, wanted)
    sieve.keep("partner", "no answer of its relation fits", lambda e: e.id in lures)
    sieve.sample(wanted, "simpleqa", lambda e: e.relation)
    claims = tuple(_claim(entry, lures[entry.id]) for entry in sieve.left)
    return Built(SOURCE, claims, tuple(sieve.steps), inputs, wanted)


def _is_fine(asked: Asked | None) -> bool:
    return asked is not None and bool(asked.narrow or asked.about)


def _lures(entries: Iterable[_Entry], wanted: Wanted) -> dict[str, _Entry]:
    groups: dict[tuple[str, str], list[_Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.relation, entry.answer_type), []).append(entry)
    lures: dict[str, _Entry] = {}
    for group in groups.values():
        for entry in group:
            stream = Stream(digest("claims", wanted.seed), f"simpleqa {entry.id}")
            partner = draw(stream, group, partial(_fits, entry))
            if partner is not None:
                lures[entry.id] = partner
    return lures


def _fits(entry: _Entry, partner: _Entry) -> bool:
    assert entry.shape is not None
    assert partner.shape is not None
    if not entry.shape.fits(partner.shape) or stands_in(partner.answer, entry.question):
        return False
    return not entangled([entry.answer], [partner.answer])


def _claim(entry: _Entry, partner: _Entry) -> Claim:
    return claim_of(
        entry.row,
        _STATEMENT,
        entry.question,
        id=entry.id,
        question=entry.question,
        truth=entry.answer,
        lure=partner.answer,
        relation=entry.relation,
        source=f"{entry.row.file} (simpleqa)",
    )


def _entry(row: Row) -> _Entry:
    fields = {"problem": _column(row, "problem"), "answer": _column(row, "answer")}
    source = _metadata(row) if "metadata" in row.values else row
    fields |= {name: _column(source, name) for name in ("topic", "answer_type")}
    answer = bare(fields["answer"])
    asked = read_wording(fields["problem"], fields["answer_type"])
    shape = read_shape(answer, asked.shape) if asked else None
    names = (fields["problem"], answer, fields["topic"], fields["answer_type"])
    return _Entry(row, *names, asked, shape)


def _column(row: Row, name: str) -> str:
    names = {column.strip().lower(): column for column in row.values}
    found = [names[known] for known in _NAMES[name] if known in names]
    if len(found) != 1:
        expected = f"one column for {name}: " + " or ".join(_NAMES[name])
        raise row.refuse("columns", ", ".join(row.values), expected)
    return row.text(found[0])


def _metadata(row: Row) -> Row:
    given = row.values["metadata"]
    data = _literal(given) if isinstance(given, str) else given
    if not isinstance(data, Mapping):
        raise row.refuse("metadata", given, "a table, written as in Python or JSON")
    return Row(row.file, row.number, {str(name): value for name, value in data.items()})


def _literal(text: str) -> object:
    readers: tuple[Callable[[str], object], ...] = (ast.literal_eval, json.loads)
    for read in readers:
        try:
            return read(text.strip())
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
    return None
