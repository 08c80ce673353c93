"""Items from CounterFact (Meng et al. 2022, arXiv 2202.05262): the record's own counterfactual.

Two shapes are read: that of ROME, with the edit under ``requested_rewrite``, and the flat one of
EasyEdit. Prompts are unfinished sentences; the form of a question is found by the prompt's stem.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from socialcircuits.worlds.claims.building import (
    Built,
    Sieve,
    Source,
    Wanted,
    claim_of,
    fill,
    read_inputs,
)
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.rows import Row
from socialcircuits.worlds.claims.words import entangled, plain, stands_in

__all__ = ["SOURCE", "build"]

SOURCE = Source("counterfact", "CounterFact: MIT License, (c) 2022 Kevin Meng")
_ROME = ("case_id", "requested_rewrite")
_Fact = tuple[str, str, str]
_FLAT = ("case_id", "prompt", "subject", "target_new", "ground_truth")


@dataclass(frozen=True)
class _Form:
    """How one kind of prompt is asked.

    Args:
        kind: the answers that it is for; empty: all.
        mutual: whether the relation holds both ways.
    """

    relation: str
    wikidata: tuple[str, ...]
    question: str
    statement: str
    kind: frozenset[str]
    mutual: bool


@dataclass(frozen=True)
class _Forms:
    """The forms of each stem in their order, and pairs of answers that are no alternatives."""

    by_stem: Mapping[str, Sequence[_Form]]
    alike: frozenset[frozenset[str]]


@dataclass(frozen=True)
class _Record:
    """One record; form is None where no form covers its prompt."""

    row: Row
    case: int
    subject: str
    truth: str
    lure: str
    form: _Form | None

    @property
    def asked(self) -> _Form:
        assert self.form is not None
        return self.form

    @property
    def question(self) -> str:
        return fill(self.asked.question, subject=self.subject)

    def claim(self) -> Claim:
        return claim_of(
            self.row,
            self.asked.statement,
            self.subject,
            id=f"counterfact-{self.case}",
            question=self.question,
            truth=self.truth,
            lure=self.lure,
            relation=self.asked.relation,
            source=f"{self.row.file} (counterfact)",
        )


def build(paths: Iterable[str | Path], wanted: Wanted) -> Built:
    """Return the items of CounterFact files in file order, and what was dropped at each step.

    Args:
        paths: JSON or JSON Lines files in either shape; several are read as one.
        wanted: the seed decides only which items are drawn where a size is given.

    Raises:
        SettingError: a file or a row is not of the form; file, row and field are named. Or two
            different records have one case number.

    Notes:
        A false answer counts as true if a record of the same subject and relation, dropped or not,
        has it as the truth. The records have no aliases.

    >>> from tempfile import TemporaryDirectory
    >>> row = '''{"case_id": 7, "prompt": "Ann Example, the", "subject": "Ann Example",
    ... "target_new": "piano", "ground_truth": "guitar"}'''
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "cf.json"
    ...     _ = file.write_text(row, encoding="utf-8")
    ...     build([file], Wanted()).claims[0].question
    'Which instrument does Ann Example play?'
    """
    rows, inputs = read_inputs(paths)
    records = [_record(row) for row in rows]
    sieve = Sieve(records)
    sieve.keep("form", "no question form covers its prompt", lambda r: r.form is not None)
    asked = sieve.left
    facts = set[_Fact]().union(*map(_facts, asked))
    sieve.keep("subject", "its question holds an answer as a word", _answers_are_apart)
    sieve.keep("nested", "one answer is the other, or a part of it", _answers_differ)
    why = "its false answer is true in another record of its subject and relation"
    sieve.keep("false", why, lambda r: _fact(r, r.lure) not in facts)
    sieve.keep_single(lambda r: r.question, lambda r: r.truth, asked)
    sieve.sample(wanted, "counterfact", lambda r: r.asked.relation)
    claims = tuple(record.claim() for record in sieve.left)
    return Built(SOURCE, claims, tuple(sieve.steps), inputs, wanted)


def _record(row: Row) -> _Record:
    case = row.values.get("case_id")
    if row.has(*_ROME):
        edit = row.within("requested_rewrite")
        stem, subject = edit.text("prompt"), edit.text("subject")
        truth, lure = (edit.within(name).text("str") for name in ("target_true", "target_new"))
    elif row.has(*_FLAT):
        edit, subject = row, row.text("subject")
        stem = row.text("prompt").replace(subject, "{}", 1)
        truth, lure = row.text("ground_truth"), row.text("target_new")
    else:
        shapes = f"those of ROME ({', '.join(_ROME)}) or of EasyEdit ({', '.join(_FLAT)})"
        raise row.refuse("columns", ", ".join(row.values), shapes)
    if type(case) is not int:
        raise row.refuse("case_id", case, "a whole number")
    form = _form(stem, edit.values.get("relation_id"), (truth, lure))
    return _Record(row, case, subject, truth, lure, form)


def _form(stem: str, property_id: object, answers: tuple[str, str]) -> _Form | None:
    offered = _forms().by_stem.get(stem, ())
    named = [form for form in offered if property_id in form.wikidata]
    if named:
        return named[0]
    return next((form for form in offered if not form.kind or form.kind.issuperset(answers)), None)


@cache
def _forms() -> _Forms:
    text = files("socialcircuits.worlds.claims").joinpath("counterfact.toml").read_text("utf-8")
    data: dict[str, Any] = tomllib.loads(text)
    by_stem: dict[str, list[_Form]] = {}
    for entry in data["form"]:
        kind = frozenset(data["kinds"][entry["kind"]] if "kind" in entry else ())
        words = (entry["question"], entry["statement"])
        mutual = entry.get("mutual", False)
        form = _Form(entry["relation"], tuple(entry["wikidata"]), *words, kind, mutual)
        for stem in entry["stems"]:
            by_stem.setdefault(stem, []).append(form)
    alike = {frozenset((whole, part)) for whole, parts in data["parts"].items() for part in parts}
    return _Forms(by_stem, frozenset(alike))


def _fact(record: _Record, answer: str) -> _Fact:
    return plain(record.subject), record.asked.relation, plain(answer)


def _facts(record: _Record) -> set[_Fact]:
    subject, relation, truth = fact = _fact(record, record.truth)
    return {fact, (truth, relation, subject)} if record.asked.mutual else {fact}


def _answers_are_apart(record: _Record) -> bool:
    return not any(stands_in(answer, record.question) for answer in (record.truth, record.lure))


def _answers_differ(record: _Record) -> bool:
    alike = frozenset((record.truth, record.lure)) in _forms().alike
    return not alike and not entangled([record.truth], [record.lure])
