"""What worlds of items share: a list of items, each of which is seen by all who bear evidence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from socialcircuits.errors import SettingError
from socialcircuits.graph import Deal, Evidence
from socialcircuits.seeds import digest

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = [
    "WHERE",
    "ItemEvidence",
    "ItemWorld",
    "are_texts",
    "check_flags",
    "check_known",
    "check_needs_file",
    "check_texts",
    "read_settings",
]

WHERE = "$.world"
"""Path of the settings, for messages."""


class ItemEvidence(ABC):
    """What a seat sees of one item, and what is true of it.

    Attributes:
        id: of the item.
        truth: the right answer.
        lure: a plausible wrong answer; empty where the item has none.
        answers: among which simulated agents choose.
    """

    id: str
    truth: str
    lure: str
    answers: tuple[str, ...]

    @property
    @abstractmethod
    def key(self) -> bytes:
        """Digest of what is seen: agents know the same of equal ones."""

    @abstractmethod
    def log_belief(self) -> tuple[int | None, ...]:
        """How much a simulated agent knows: log-chances in thousandths of a nat."""

    @abstractmethod
    def reasons(self) -> tuple[str, ...]:
        """True statements that favour no answer."""

    @abstractmethod
    def text(self) -> str:
        """What a seat reads."""

    @abstractmethod
    def image(self) -> bytes | None:
        """The picture of the item as a PNG file, if it has one."""

    @abstractmethod
    def digest(self) -> bytes:
        """Digest of all that a deal of the item can depend on."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What the record needs later, without truth and lure (JSON values only)."""


E = TypeVar("E", bound=ItemEvidence)


class ItemWorld(Generic[E]):
    """A world whose trials are each about one item; nothing is left to the seed.

    Args:
        evidence: what is seen of each item, in the order of the list; ids are unique.
    """

    kind: str
    """Name of the world in the catalogue."""

    item: str
    """What an item is called."""

    seen: str
    """What every seat sees."""

    def __init__(self, evidence: Iterable[E]) -> None:
        self._evidence = {one.id: one for one in evidence}

    @property
    def answers(self) -> tuple[str, ...]:
        """Empty: every item has its own."""
        return ()

    @property
    def items(self) -> tuple[str, ...]:
        """The ids of the items, in the order of their list."""
        return tuple(self._evidence)

    @property
    def aliases(self) -> Mapping[str, str]:
        """Empty: other forms of an answer belong to its item."""
        return {}

    @cached_property
    def fingerprint(self) -> str:
        """Digest (hex) of all items taken; where their file lies is no part of it."""
        return digest(self.kind, *(one.digest() for one in self._evidence.values())).hex()

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        """Return an item as each of `bearers` seats sees it.

        Args:
            shared_seed: not used: the item decides all.
            bearers: number of seats, at least 1.
            about: id of the item.

        Raises:
            SettingError: no item has this id, or there are no bearers.
        """
        if bearers < 1:
            expected = f"at least 1 seat that sees {self.seen}"
            raise SettingError("$.trial.N", bearers, expected)
        evidence = self._find(about)
        return self.assemble(evidence.truth, [evidence] * bearers)

    def views(self, about: str) -> tuple[E, ...]:
        """Return all that can be seen of an item: one piece of evidence.

        Raises:
            SettingError: no item has this id.
        """
        return (self._find(about),)

    def named(self, truth: str, name: str) -> E:
        """Refuse: all seats see the same of an item.

        Raises:
            SettingError: always.
        """
        raise SettingError(f"{WHERE}.evidence", name, f"none: every seat sees {self.seen} itself")

    def assemble(self, truth: str, evidence: Sequence[Evidence], lure: str = "") -> Deal:
        """Return the situation in which these seats see their item.

        Args:
            truth: the right answer.
            evidence: what is seen of the item, once a seat.
            lure: the wrong answer; empty: that of the item.

        Raises:
            SettingError: the evidence is not that of one item.
        """
        seen = [one for one in evidence if isinstance(one, ItemEvidence)]
        ids = {one.id for one in seen}
        if len(ids) != 1:
            raise SettingError(f"{WHERE}.evidence", sorted(ids), f"that of one {self.item}")
        lure = lure or seen[0].lure
        facts = {"truth": truth, "lure": lure, "world": self.kind, **seen[0].facts()}
        return Deal(truth, seen[0].answers, lure, tuple(seen), facts)

    def picture(self, answer: str) -> None:
        """None: answers have no picture."""

    def _find(self, about: str | None) -> E:
        if about is None or about not in self._evidence:
            few = ", ".join(self.items[:3])
            expected = f"the id of one of {len(self.items)} {self.item}s ({few}, ...)"
            raise SettingError("$.trial.truth", about, expected, among=self.items)
        return self._evidence[about]


S = TypeVar("S", bound="DataclassInstance")


def read_settings(form: type[S], world: str, settings: Mapping[str, Any]) -> S:
    """Return the settings that a study file gives; those left out keep their defaults.

    Args:
        form: the data class of the settings.
        world: what the world is called.
        settings: name -> value; a list becomes a tuple.

    Raises:
        SettingError: a setting is unknown, or a value is not allowed.
    """
    known = [field.name for field in fields(form)]
    for name in settings:
        if name not in known:
            expected = f"a setting of the {world} world (" + ", ".join(known) + ")"
            raise SettingError(WHERE, name, expected, among=known)
    values = {n: tuple(v) if isinstance(v, list) else v for n, v in settings.items()}
    return form(**values)


def check_texts(settings: object, *names: str) -> None:
    """Refuse settings that are no text.

    Raises:
        SettingError: the first such setting.
    """
    _check_type(settings, names, str, "text")


def check_flags(settings: object, *names: str) -> None:
    """Refuse settings that are neither true nor false.

    Raises:
        SettingError: the first such setting.
    """
    _check_type(settings, names, bool, "true or false")


def check_needs_file(settings: object, file: str, *names: str) -> None:
    """Refuse settings that are about a file where none is named.

    Raises:
        SettingError: the first such setting.
    """
    for name in names:
        if not file and getattr(settings, name):
            expected = "nothing where no file is named"
            raise SettingError(f"{WHERE}.{name}", getattr(settings, name), expected)


def are_texts(value: object) -> bool:
    """Return whether a value is a tuple of texts.

    >>> are_texts(("peru",)), are_texts("peru")
    (True, False)
    """
    return isinstance(value, tuple) and all(isinstance(name, str) for name in value)


def check_known(name: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Refuse names that are not among those that there are.

    Args:
        name: of the setting.
        given: the names that it gives.
        known: the names that there are.

    Raises:
        SettingError: the first name that is not there.
    """
    for one in given:
        if one not in known:
            expected = f"one of {len(known)}, such as " + ", ".join(known[:3])
            raise SettingError(f"{WHERE}.{name}", one, expected, among=known)


def _check_type(settings: object, names: Iterable[str], kind: type, expected: str) -> None:
    for name in names:
        if not isinstance(getattr(settings, name), kind):
            raise SettingError(f"{WHERE}.{name}", getattr(settings, name), expected)
