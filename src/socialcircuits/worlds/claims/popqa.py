"""Items from PopQA (Mallen et al. 2023, arXiv 2212.10511): a random partner of the same relation.

Three shapes are read: the official table, the same columns as JSON from the hub, and the JSON Lines
of FlashRAG, with the columns under ``metadata`` and the answers under ``golden_answers``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any

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
from socialcircuits.worlds.claims.words import entangled, held, plain, stands_in

__all__ = ["SOURCE", "build"]

SOURCE = Source("popqa", "PopQA: MIT License, (c) 2023 Alex Mallen")
_COLUMNS = ("subj", "prop", "obj", "subj_id", "prop_id", "o_aliases")
_OFFICIAL = ("question", "possible_answers", *_COLUMNS)
_FLASHRAG = ("question", "golden_answers", "metadata")


@dataclass(frozen=True)
class _Fact:
    """One row: its answer with its aliases, and all answers that the question has."""

    row: Row
    id: str
    question: str
    subject: str
    prop: str
    answer: str
    aliases: tuple[str, ...]
    answers: tuple[str, ...]

    @property
    def forms(self) -> tuple[str, ...]:
        return (self.answer, *self.aliases)

    @property
    def single(self) -> bool:
        """Whether all answers of the question are forms of this one."""
        own = {plain(form) for form in self.forms}
        return all(plain(answer) in own for answer in self.answers if plain(answer))


def build(paths: Iterable[str | Path], wanted: Wanted) -> Built:
    """Return the items of PopQA files in file order, and what was dropped at each step.

    The false answer is that of another row of the same relation, drawn uniformly from the rows that
    fit: it shares no form with the true answer, is no part of it, does not stand in the question,
    and no row gives it to the same subject.

    Args:
        paths: TSV, JSON or JSON Lines files in either shape; several are read as one.
        wanted: the seed of the partners, and how many items.

    Raises:
        SettingError: a file or a row is not of the form; file, row and field are named.

    Notes:
        ``possible_answers`` holds the aliases of all answers of a question in one list. A row whose
        question has several answers is dropped, and only ``o_aliases`` are aliases. Empty aliases
        and those without a letter or digit are left out, and so are those that are equal but for
        case and accents.

    >>> from tempfile import TemporaryDirectory
    >>> row = '''{"subj": "%s", "prop": "capital", "obj": "%s", "subj_id": %d, "prop_id": 9,
    ... "o_aliases": "[]", "possible_answers": "[]", "question": "What is the capital of %s?"}'''
    >>> rows = [row % ("Peru", "Lima", 1, "Peru"), row % ("Chad", "N'Djamena", 2, "Chad")]
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "popqa.json"
    ...     _ = file.write_text(f"[{', '.join(rows)}]", encoding="utf-8")
    ...     [(claim.id, claim.lure) for claim in build([file], Wanted()).claims]
    [('popqa-1-9', "N'Djamena"), ('popqa-2-9', 'Lima')]
    """
    rows, inputs = read_inputs(paths)
    sieve = Sieve([_fact(row) for row in rows])
    known = _wording()["statements"]
    sieve.keep("relation", "its relation is none of the sixteen", lambda f: f.prop in known)
    facts, partners = sieve.left, _by(sieve.left, lambda f: f.prop)
    same = _by(facts, lambda f: plain(f.question))
    why = "its question has several answers, merged into one list"
    sieve.keep("merged", why, lambda f: f.single)
    sieve.keep_single(lambda f: f.question, lambda f: f.answer, facts)
    why = "its question holds the answer or an alias as a word"
    sieve.keep("question", why, lambda f: held(f.question, f.answer, f.aliases) is None)
    lures: dict[str, _Fact] = {}
    for fact in sieve.left:
        true = [form for row in same[plain(fact.question)] for form in (*row.forms, *row.answers)]
        stream = Stream(digest("claims", wanted.seed), f"popqa {fact.id}")
        partner = draw(stream, partners[fact.prop], partial(_fits, fact, true))
        if partner is not None:
            lures[fact.id] = partner
    sieve.keep("partner", "no row of its relation fits", lambda f: f.id in lures)
    sieve.sample(wanted, "popqa", lambda f: f.prop)
    claims = tuple(_claim(fact, lures[fact.id]) for fact in sieve.left)
    return Built(SOURCE, claims, tuple(sieve.steps), inputs, wanted)


def _fits(fact: _Fact, true: Sequence[str], partner: _Fact) -> bool:
    if held(fact.question, partner.answer, partner.aliases) is not None:
        return False
    one_includes_other = _includes(fact, partner) or _includes(partner, fact)
    return not one_includes_other and not entangled(true, partner.forms)


def _includes(whole: _Fact, part: _Fact) -> bool:
    words = _wording()["parts"].get(whole.answer, ())
    return any(stands_in(word, part.answer) for word in words)


def _claim(fact: _Fact, partner: _Fact) -> Claim:
    return claim_of(
        fact.row,
        _wording()["statements"][fact.prop],
        fact.subject,
        id=fact.id,
        question=fact.question,
        truth=fact.answer,
        lure=partner.answer,
        relation=fact.prop.replace(" ", "_"),
        aliases=fact.aliases,
        lure_aliases=partner.aliases,
        source=f"{fact.row.file} (popqa)",
    )


def _fact(row: Row) -> _Fact:
    if row.has(*_OFFICIAL):
        columns, answers = row, row.texts("possible_answers")
    elif row.has(*_FLASHRAG):
        columns, answers = row.within("metadata"), row.texts("golden_answers")
    else:
        shapes = (
            f"the official ones ({', '.join(_OFFICIAL)}) or FlashRAG's ({', '.join(_FLASHRAG)})"
        )
        raise row.refuse("columns", ", ".join(row.values), shapes)
    answer = columns.text("obj")
    ids = (str(columns.values.get(name)) for name in ("subj_id", "prop_id"))
    return _Fact(
        row=row,
        id="-".join(["popqa", *ids]),
        question=row.text("question"),
        subject=columns.text("subj"),
        prop=columns.text("prop"),
        answer=answer,
        aliases=_distinct(answer, columns.texts("o_aliases")),
        answers=tuple(answers),
    )


def _distinct(answer: str, aliases: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for alias in aliases:
        found.setdefault(plain(alias), alias)
    return tuple(alias for key, alias in found.items() if key not in {"", plain(answer)})


def _by(facts: Iterable[_Fact], key: Callable[[_Fact], str]) -> Mapping[str, Sequence[_Fact]]:
    groups: dict[str, list[_Fact]] = {}
    for fact in facts:
        groups.setdefault(key(fact), []).append(fact)
    return groups


@cache
def _wording() -> Mapping[str, Any]:
    text = files("socialcircuits.worlds.claims").joinpath("popqa.toml").read_text("utf-8")
    return tomllib.loads(text)
