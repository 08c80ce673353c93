"""The claim world: every seat sees a question of fact, and one false answer to it is planted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.graph import Deal, Evidence
from socialcircuits.seeds import digest
from socialcircuits.worlds.claims.bundled import bundled
from socialcircuits.worlds.claims.evidence import UNSURE, ClaimEvidence
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.loading import load
from socialcircuits.worlds.claims.reading import Reading, settle
from socialcircuits.worlds.claims.settings import WHERE, ClaimSettings

__all__ = ["ClaimWorld", "from_settings", "grade", "read_answer", "same"]

_UNASKED = "?"
"""Stands for a question that is not at hand: no sentence can be made of it."""


class ClaimWorld:
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

    def __init__(self, settings: ClaimSettings) -> None:
        self.settings = settings
        claims = _loaded(settings)
        for name, given, known in (
            ("only", settings.only, [claim.id for claim in claims]),
            ("relations", settings.relations, list({claim.relation: 1 for claim in claims})),
        ):
            for one in given:
                if one not in known:
                    expected = f"one of {len(known)}, such as " + ", ".join(known[:3])
                    raise SettingError(f"{WHERE}.{name}", one, expected, among=known)
        self.claims = tuple(claim for claim in claims if _is_taken(claim, settings))
        if not self.claims:
            expected = "a claim of the relations " + ", ".join(settings.relations)
            raise SettingError(f"{WHERE}.only", list(settings.only), expected)
        self._evidence = {claim.id: ClaimEvidence(claim) for claim in self.claims}

    @property
    def kind(self) -> str:
        """Name of the world in the catalogue."""
        return "claims"

    @property
    def answers(self) -> tuple[str, ...]:
        """Empty: every claim has its own."""
        return ()

    @property
    def items(self) -> tuple[str, ...]:
        """The ids of the claims, in file order."""
        return tuple(self._evidence)

    @property
    def aliases(self) -> Mapping[str, str]:
        """Empty: other forms of an answer belong to its claim."""
        return {}

    @cached_property
    def fingerprint(self) -> str:
        """Digest (hex) of all claims taken; where their file lies is no part of it."""
        return digest("claims", *map(_digest, self.claims)).hex()

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        """Return a claim's question as each of `bearers` seats sees it; nothing is left to the
        seed.

        Args:
            shared_seed: not used: the claim decides all.
            bearers: number of seats, at least 1.
            about: id of the claim.

        Raises:
            SettingError: no claim has this id, or there are no bearers.
        """
        if bearers < 1:
            raise SettingError("$.trial.N", bearers, "at least 1 seat that sees the question")
        evidence = self._find(about)
        return self.assemble(evidence.claim.truth, [evidence] * bearers)

    def views(self, about: str) -> tuple[ClaimEvidence, ...]:
        """Return all that can be seen of a claim: one piece of evidence.

        Raises:
            SettingError: no claim has this id.

        >>> [seen.text() for seen in ClaimWorld(ClaimSettings()).views("canada")]
        ['What is the capital of Canada?']
        """
        return (self._find(about),)

    def named(self, truth: str, name: str) -> ClaimEvidence:
        """Refuse: of a claim there is no other evidence than its question.

        Raises:
            SettingError: always.
        """
        raise SettingError(f"{WHERE}.evidence", name, "none: every seat sees the question itself")

    def assemble(self, truth: str, evidence: Sequence[Evidence], lure: str = "") -> Deal:
        """Return the situation in which these seats see their question.

        Args:
            truth: the true answer.
            evidence: the question, once a seat.
            lure: the wrong answer; empty: the false answer of the claim.

        Raises:
            SettingError: the evidence is not that of one claim.
        """
        seen = [one for one in evidence if isinstance(one, ClaimEvidence)]
        if len({one.claim.id for one in seen}) != 1:
            given = sorted({one.claim.id for one in seen})
            raise SettingError(f"{WHERE}.evidence", given, "that of one claim")
        claim = seen[0].claim
        lure = lure or claim.lure
        facts = {"truth": truth, "lure": lure, **_facts(claim)}
        return Deal(truth, seen[0].answers, lure, tuple(seen), facts)

    def picture(self, answer: str) -> None:
        """None: answers have no picture."""

    def _find(self, about: str | None) -> ClaimEvidence:
        if about is None or about not in self._evidence:
            few = ", ".join(self.items[:3])
            expected = f"the id of one of {len(self.items)} claims ({few}, ...)"
            raise SettingError("$.trial.truth", about, expected, among=self.items)
        return self._evidence[about]


def from_settings(settings: Mapping[str, Any]) -> ClaimWorld:
    """Return the claim world with the settings of a study file.

    Raises:
        UsageError: a setting is unknown or not allowed, or the file cannot be used.

    >>> from_settings({"only": ["morocco", "canada"]}).items
    ('canada', 'morocco')
    """
    return ClaimWorld(ClaimSettings.read(settings))


def read_answer(answer: str, facts: Mapping[str, Any], question: str = _UNASKED) -> Reading:
    """Read a private answer by the facts of its trial, as far as no judge is needed for that.

    The answers among which simulated agents choose are always settled; all others are read by
    `settle`.

    Args:
        answer: a valid answer.
        facts: what a trial in this world recorded.
        question: the question; without it sentences that are made of it are left to a judge.

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
    return settle(answer, _claim(facts, question))


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
        return bundled()
    try:
        claims = load(settings.file)
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


def _digest(claim: Claim) -> bytes:
    texts = claim.id, claim.question, claim.truth_statement, claim.false_statement, claim.relation
    lists = (digest(*forms) for forms in (claim.aliases, claim.lure_aliases))
    return digest(*texts, claim.truth, claim.lure, *lists)


def _facts(claim: Claim) -> dict[str, Any]:
    return {
        "world": "claims",
        "item": claim.id,
        "relation": claim.relation,
        "truth_statement": claim.truth_statement,
        "false_statement": claim.false_statement,
        "aliases": list(claim.aliases),
        "lure_aliases": list(claim.lure_aliases),
        "shareable": claim.shareable,
        "source": claim.source,
    }
