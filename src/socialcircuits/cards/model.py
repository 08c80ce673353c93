"""The card: who was tested, with what, and what came of each claim."""

from __future__ import annotations

import json
from datetime import date
from math import isclose
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, JsonValue, field_validator

from socialcircuits.cards.lines import Line, Shown, shown
from socialcircuits.cards.outcomes import Outcome, Part
from socialcircuits.checking import checked
from socialcircuits.errors import UsageError
from socialcircuits.statistics.estimate import Estimate

__all__ = [
    "VERSION",
    "Audit",
    "Card",
    "Claims",
    "Cost",
    "Judge",
    "Live",
    "Pack",
    "Run",
    "Subject",
    "read",
    "write",
]

VERSION: Final = 1
"""Version of the form of a card; one of another version is refused, never guessed."""

_WORDS = {"method", "warnings"}
"""Keys of what is said beside numbers, which may be said otherwise by another release."""

_NEAR = 1e-6
"""Floating-point functions differ between processors by less."""


class Subject(Part):
    """What was tested.

    Args:
        model: its name.
        mind: id of the mind in the seat.
        system: digest of the system prompt; None without one.
        parameters: what was sent with each call.
        simulated: whether it is a simulated character, which is no evidence about any model.
    """

    model: str = Field(min_length=1)
    mind: str
    system: str | None = None
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    simulated: bool


class Pack(Part):
    """What the recorded peers said."""

    name: str
    version: int = Field(ge=1)
    digest: str = Field(min_length=1)


class Claims(Part):
    """What was asked.

    Args:
        source: where the claims are from.
        digest: of the claims.
        n: how many were asked.
    """

    source: str
    digest: str = Field(min_length=1)
    n: int = Field(ge=0)


class Run(Part):
    """Digests of a run that the card rests on: of its study, and of its result."""

    study: str
    run: str


class Cost(Part):
    """What the runs took.

    Args:
        calls: calls that were sent.
        tokens: read and written.
        usd: in US dollars; None where no price is known.
    """

    calls: int = Field(ge=0)
    tokens: int = Field(ge=0)
    usd: float | None = Field(default=None, ge=0)


class Audit(Part):
    """How far the judge is to be trusted.

    Args:
        labels: labels that it gave.
        void: those whose quote is not in the text.
        agreement: share of a second judge's labels that are the same; None without one.
    """

    labels: int = Field(ge=0)
    void: int = Field(ge=0)
    agreement: float | None = Field(default=None, ge=0, le=1)


class Judge(Part):
    """Who labelled what was said.

    Args:
        name: of the judge.
        audit: what is known of its errors; None without labels.
        corrected: whether the numbers are corrected for them.
    """

    name: str
    audit: Audit | None = None
    corrected: bool = False


class Live(Part):
    """What came of live rooms, in which others react and no room is like another.

    It is no line: other subjects meet other rooms.

    Args:
        measure: name of the measure.
        attackers: how many attackers were there.
        estimate: its number, over claims.
    """

    measure: str
    attackers: int = Field(ge=0)
    estimate: Estimate


class Card(Part):
    """A peer-pressure card.

    What it shows follows from its outcomes; a card whose `shown` does not is refused.

    Args:
        version: of the form of cards, `VERSION`.
        subject: what was tested.
        pack: what peers said.
        claims: what was asked.
        documents: what was asked with a passage; None where that was not done.
        probe: digest of the wordings of the private questions.
        runs: name of the study -> its run.
        date: of the last run, as in ``2026-01-31``.
        software: version of socialcircuits.
        size: name of the size of the test.
        seed: study seed, which draws the peers' messages and their order.
        cost: what it took.
        judge: who labelled.
        outcomes: id of the claim -> arm -> what came of it.
        evidence: the same of documents.
        live: what came of live rooms; empty where none were run.
        shown: what follows, as `socialcircuits.cards.shown` counts it.
    """

    version: Literal[1] = VERSION
    subject: Subject
    pack: Pack
    claims: Claims
    documents: Claims | None = None
    probe: str = Field(min_length=1)
    runs: dict[str, Run]
    date: str
    software: str
    size: str
    seed: int = Field(ge=0)
    cost: Cost
    judge: Judge
    outcomes: dict[str, dict[str, Outcome]]
    evidence: dict[str, dict[str, Outcome]] = Field(default_factory=dict)
    live: tuple[Live, ...] = ()
    shown: Shown

    @field_validator("date")
    @classmethod
    def _day(cls, value: str) -> str:
        date.fromisoformat(value)
        return value

    @property
    def lines(self) -> dict[str, Line]:
        """Every line, by name."""
        return self.shown.lines


def read(path: Path) -> Card:
    """Return the card that a file holds.

    Raises:
        UsageError: the file cannot be read, is no card of this version, or shows what does not
            follow from its outcomes.
    """
    where = str(path)
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{where}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: no card: it is not JSON in UTF-8 ({error})") from None
    if not isinstance(values, dict) or "outcomes" not in values:
        raise UsageError(f"{where}: no card: it has no outcomes")
    version = values.get("version")
    if version != VERSION:
        told = f"a card of version {version!r}; this release reads version {VERSION}"
        raise UsageError(f"{where}: {told}")
    card = checked(Card, values, where)
    follows = shown(card.outcomes, card.evidence).model_dump()
    spot = _apart(card.shown.model_dump(), follows, "shown")
    if spot:
        what = f"{spot} does not follow from the card's outcomes"
        raise UsageError(f"{where}: {what}: it was changed, or not made by this software")
    return card


def write(card: Card, path: Path) -> None:
    """Write a card as JSON.

    Raises:
        UsageError: the file cannot be written.
    """
    try:
        path.write_text(card.model_dump_json(indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None


def _apart(given: Any, follows: Any, where: str) -> str:
    """Where two shown values differ by more than rounding, empty where nowhere."""
    if isinstance(given, dict) and isinstance(follows, dict):
        for key in sorted({*given, *follows} - _WORDS):
            if key not in given or key not in follows:
                return f"{where}.{key}"
            spot = _apart(given[key], follows[key], f"{where}.{key}")
            if spot:
                return spot
        return ""
    if isinstance(given, float) and isinstance(follows, float):
        return "" if isclose(given, follows, rel_tol=_NEAR, abs_tol=_NEAR) else where
    return "" if given == follows else where
