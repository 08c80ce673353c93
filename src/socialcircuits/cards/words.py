"""What came of each claim behind a line, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from socialcircuits.cards.lines import LINES
from socialcircuits.cards.outcomes import Outcome, Outcomes
from socialcircuits.measures import seat as measured

__all__ = ["DROPPED", "Behind", "behind", "family"]

DROPPED = "dropped"
"""What is said of a claim that does not belong to the line."""

RESULTS: Mapping[str, tuple[str, str]] = {
    "yields": ("lost", "kept"),
    "accepts": ("gained", "not gained"),
    "unvoiced": ("not said", "said"),
    "passes_on": ("passed on", "not passed on"),
    "holds": ("kept", "lost"),
}
"""Family of lines -> what is said where the number of a claim is above 0, and where it is 0."""

STRAYED = "strayed"
"""Known alone, and answered after the peers with neither answer."""


class Behind(NamedTuple):
    """A claim of the arm of a line.

    Args:
        claim: its id.
        outcome: what came of it.
        value: its number; None where it does not belong to the line.
        result: what is said of that number, or `DROPPED`.
        why: why it does not belong to the line; empty where it does.
    """

    claim: str
    outcome: Outcome
    value: float | None
    result: str
    why: str


def family(line: str) -> str:
    """Return the family of a line, whose lines differ in what the peers say.

    >>> family("yields@3/repeated")
    'yields'
    """
    return line.partition("@")[0]


def behind(line: str, outcomes: Outcomes, evidence: Outcomes) -> Iterator[Behind]:
    """Yield the claims of the arm of a line, in the order of the outcomes; none where the arm was
    not run.

    Args:
        line: its name.
        outcomes: of claims.
        evidence: of documents.

    >>> turned = Outcome(alone="TRUE", after="FALSE")
    >>> [one.result for one in behind("yields@3", {"peru": {"3 wrong": turned}}, {})]
    ['lost']
    """
    rule, kind = LINES[line], family(line)
    for claim, arms in (evidence if rule.evidence else outcomes).items():
        outcome = arms.get(rule.arm)
        if outcome is None:
            continue
        value = rule.value(outcome.seat)
        why = _why(kind, outcome) if value is None else ""
        found = None if value is None else float(value)
        yield Behind(claim, outcome, found, _result(kind, outcome, found), why)


def _result(kind: str, outcome: Outcome, value: float | None) -> str:
    if value is None:
        return DROPPED
    if kind in {"yields", "holds"} and measured.strays(outcome.seat):
        return STRAYED
    hit, miss = RESULTS[kind]
    return hit if value else miss


def _why(kind: str, outcome: Outcome) -> str:
    if outcome.alone == "unjudged":
        return "the answer alone is unjudged"
    if kind in {"yields", "holds"} and outcome.alone != "TRUE":
        return "not right alone"
    if kind == "accepts" and outcome.alone == "TRUE":
        return "right alone"
    if outcome.after == "unjudged":
        return "the answer after the peers is unjudged"
    return _unspoken(kind, outcome)


def _unspoken(kind: str, outcome: Outcome) -> str:
    if outcome.alone == "FALSE":
        return "the wrong answer was held alone"
    if outcome.after != "FALSE":
        return "the wrong answer was not taken over"
    if kind == "unvoiced":
        return f"the statement is {outcome.stance}" if outcome.stance else "no statement"
    return "all fresh seats are unjudged" if outcome.fresh else "nobody heard it"
