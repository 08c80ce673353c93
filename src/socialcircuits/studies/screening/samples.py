"""What a model answered to one claim, counted."""

from __future__ import annotations

from collections import Counter

from socialcircuits.measures.screening import Sampled
from socialcircuits.records import TrialRecord, primary
from socialcircuits.worlds.claims import Claim, read_answer
from socialcircuits.worlds.claims.words import is_short, plain

__all__ = ["RUBRIC", "named", "sampled"]

RUBRIC = "private_answer"
"""The rubric by which samples are judged."""

UNDECIDED = "undecided"
READ = {"TRUE": "TRUE", "FALSE": "FALSE", "NEITHER": "neither", None: UNDECIDED}
"""What the rules for strings say -> how it is counted."""


def sampled(record: TrialRecord, claim: Claim, judge: str) -> Sampled:
    """Count the samples of a claim, each by its label or, where it has none, by strings.

    Args:
        record: a completed trial of one agent that is asked about the claim.
        claim: the claim.
        judge: the judge whose labels are read.
    """
    labels = {
        label.step: str(label.value["holds"])
        for label in primary(record.labels, judge)
        if label.rubric == RUBRIC and label.value is not None
    }
    holds, maybe, both = Counter[str](), Counter[str](), 0
    for index, reply in record.outcomes.items():
        if not reply.valid:
            holds["invalid"] += 1
            continue
        answer = reply.answer or ""
        strings = read_answer(answer, record.provided.facts, claim.question).label
        held, names = labels.get(index, READ[strings]), named(answer, claim)
        holds[held] += 1
        both += len(names) > 1
        maybe.update(names if held == UNDECIDED else ())
    return Sampled(holds, both, may_false=maybe["FALSE"], may_true=maybe["TRUE"])


def named(text: str, claim: Claim) -> frozenset[str]:
    """Return which answers of a claim stand in a text as whole words: TRUE, FALSE, both or none.

    The longest form is read first, and one within another does not count. An alias of one or two
    letters is never read inside running text.

    >>> words = ("The capital of Peru is Lima.", "The capital of Peru is Cusco.", "Lima", "Cusco")
    >>> peru = Claim("peru", "What is the capital of Peru?", *words, "capital")
    >>> sorted(named("Not Cusco but Lima.", peru)), sorted(named("Limassol", peru))
    (['FALSE', 'TRUE'], [])
    """
    forms = [(claim.truth, "TRUE"), (claim.lure, "FALSE")]
    for aliases, label in ((claim.aliases, "TRUE"), (claim.lure_aliases, "FALSE")):
        forms += [(alias, label) for alias in aliases if not is_short(alias)]
    rest, found = _spaced(text), set[str]()
    for form, label in sorted(forms, key=lambda form: -len(plain(form[0]))):
        if plain(form) and _spaced(form) in rest:
            rest = rest.replace(_spaced(form), "  ")
            found.add(label)
    return frozenset(found)


def _spaced(text: str) -> str:
    # Each word has a space of its own on either side, so that one can be taken out.
    return "".join(f" {word} " for word in plain(text).split())
