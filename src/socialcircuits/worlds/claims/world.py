"""The claim world: every seat sees a question of fact, and one false answer to it is planted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.worlds._items import WHERE, ItemWorld, check_known, read_settings
from socialcircuits.worlds.claims.bundled import LISTS
from socialcircuits.worlds.claims.evidence import UNSURE, ClaimEvidence
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.loading import load
from socialcircuits.worlds.claims.reading import Reading, settle
from socialcircuits.worlds.claims.settings import ClaimSettings

__all__ = ["ClaimWorld", "from_settings", "grade", "read_answer", "same"]

_UNASKED = "?"
"""Stands for a question that is not at hand: no sentence can be made of it."""


class ClaimWorld(ItemWorld[ClaimEvidence]):
    """Claims of a file, or the bundled ones; a trial is about one of them.

    Agents that are models answer in their own words. Simulated agents choose among the true answer,
    the false one, which is the lure of every trial, and `UNSURE`.

    Args:
        settings: the checked settings.

    Attributes:
        settings: the settings.
        claims: the claims taken, in file order.

    Raises:
        UsageError: the file cannot be used, or no claim is left to take.

    >>> world = ClaimWorld(ClaimSettings(relations=("capital",)))
    >>> deal = world.deal(b"seed", 10, "australia")
    >>> world.items, deal.truth, deal.lure
    (('australia', 'canada', 'turkey', 'morocco'), 'Canberra', 'Melbourne')
    """

    kind, item, seen = "claims", "claim", "the question"

    def __init__(self, settings: ClaimSettings) -> None:
        self.settings = settings
        claims = _loaded(settings)
        check_known("only", settings.only, [claim.id for claim in claims])
        relations = list({claim.relation: 1 for claim in claims})
        check_known("relations", settings.relations, relations)
        self.claims = tuple(claim for claim in claims if _is_taken(claim, settings))
        if not self.claims:
            expected = "a claim of the relations " + ", ".join(settings.relations)
            raise SettingError(f"{WHERE}.only", list(settings.only), expected)
        super().__init__(map(ClaimEvidence, self.claims))


def from_settings(settings: Mapping[str, Any]) -> ClaimWorld:
    """Return the claim world with the settings of a study file.

    Raises:
        UsageError: a setting is unknown or not allowed, or the file cannot be used.

    >>> from_settings({"only": ["morocco", "canada"]}).items
    ('canada', 'morocco')
    """
    return ClaimWorld(read_settings(ClaimSettings, "claim", settings))


def read_answer(answer: str, facts: Mapping[str, Any], question: str = _UNASKED) -> Reading:
    """Read a private answer by the facts of its trial, as far as no judge is needed for that.

    The answers among which simulated agents choose are always settled; all others are read by
    `settle`.

    Args:
        answer: a valid answer.
        facts: what a trial in this world recorded.
        question: the question, where the facts do not hold it; without it sentences that are made
            of it are left to a judge.

    >>> facts = from_settings({}).deal(b"seed", 2, "canada").facts
    >>> [read_answer(said, facts).label for said in ("It is Ottawa.", "Montreal", UNSURE, "Who?")]
    ['TRUE', 'FALSE', 'NEITHER', None]
    """
    if answer == facts["truth"]:
        return Reading("TRUE", answer, "the true answer")
    if answer == facts["lure"]:
        return Reading("FALSE", answer, "the false answer")
    if answer == UNSURE:
        return Reading("NEITHER", answer, "neither answer")
    return settle(answer, _claim(facts, facts.get("question", question)))


def grade(answer: str, facts: Mapping[str, Any]) -> bool | None:
    """Whether an answer is right, by the facts of its trial; None: left to a judge.

    >>> facts = from_settings({}).deal(b"seed", 2, "canada").facts
    >>> grade("Ottawa", facts), grade(UNSURE, facts), grade("Not Ottawa", facts)
    (True, False, None)
    """
    label = read_answer(answer, facts).label
    return None if label is None else label == "TRUE"


def same(a: str, b: str, facts: Mapping[str, Any]) -> bool | None:
    """Whether two answers are the same, by the facts of their trial; None: left to a judge.

    >>> facts = from_settings({}).deal(b"seed", 2, "canada").facts
    >>> same("Ottawa", "It is Ottawa.", facts), same("Ottawa", "Montreal", facts)
    (True, False)
    """
    if a == b:
        return True
    labels = [read_answer(answer, facts).label for answer in (a, b)]
    return None if None in labels else labels[0] == labels[1]


def _loaded(settings: ClaimSettings) -> tuple[Claim, ...]:
    if not settings.file:
        return LISTS[settings.list]()
    try:
        claims = load(settings.file, skip_bad=settings.skip_bad)
    except SettingError as error:
        raise SettingError(f"{WHERE}.file", settings.file, error.expected) from error
    return tuple(replace(c, shareable=c.shareable or settings.shareable) for c in claims)


def _is_taken(claim: Claim, settings: ClaimSettings) -> bool:
    chosen = not settings.only or claim.id in settings.only
    return chosen and (not settings.relations or claim.relation in settings.relations)


def _claim(facts: Mapping[str, Any], question: str) -> Claim:
    """The claim of a record."""
    return Claim(
        id=facts["item"],
        question=question,
        truth_statement=facts["truth_statement"],
        false_statement=facts["false_statement"],
        truth=facts["truth"],
        lure=facts["lure"],
        relation=facts["relation"],
        aliases=tuple(facts["aliases"]),
        lure_aliases=tuple(facts["lure_aliases"]),
    )
