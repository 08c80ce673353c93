"""Worlds: what is true, and who privately sees what. One package or file and one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.graph import World

CATALOGUE: dict[str, str] = {
    "flags": "socialcircuits.worlds.flags",
    "questions": "socialcircuits.worlds.questions",
    "claims": "socialcircuits.worlds.claims",
    "documents": "socialcircuits.worlds.claims.documents",
}
"""World name -> its module, imported when the world is asked for: it has `from_settings`, which
makes the world, `SETTINGS`, the names of its settings, and `grade` and `same`, which know answers
by the facts that a record holds."""


def load(kind: str, settings: Mapping[str, Any]) -> World:
    """Return the world of a name with these settings; settings left out keep their defaults.

    Args:
        kind: name of the world in the catalogue.
        settings: the world's own settings, as a study file gives them.

    Raises:
        SettingError: no world has this name, or a setting is unknown or not allowed.

    >>> len(load("flags", {"pool": "stripe24"}).answers)
    24
    """
    factory: Callable[[Mapping[str, Any]], World] = _module(kind).from_settings
    return factory(settings)


def settings(kind: str) -> tuple[str, ...]:
    """Return the names of a world's settings.

    Raises:
        SettingError: no world has this name.

    >>> settings("flags")[0]
    'pool'
    """
    names: tuple[str, ...] = _module(kind).SETTINGS
    return names


def grade(kind: str, answer: str, facts: Mapping[str, Any]) -> bool | None:
    """Return whether an answer is right; None where that is left to a judge.

    Args:
        kind: name of the world in the catalogue.
        answer: a valid answer.
        facts: what the record says of the trial: truth, answers, lure and what the world wrote.

    Raises:
        SettingError: no world has this name.

    >>> grade("flags", "Peru", {"truth": "Chad"})
    False
    """
    right: bool | None = _module(kind).grade(answer, facts)
    return right


def same(kind: str, a: str, b: str, facts: Mapping[str, Any]) -> bool | None:
    """Return whether two answers are the same final answer; None where that is left to a judge.

    Args:
        kind: name of the world in the catalogue.
        a: a valid answer, and
        b: another; their order does not matter.
        facts: what the record says of the trial.

    Raises:
        SettingError: no world has this name.

    >>> same("flags", "Peru", "Peru", {"truth": "Chad"})
    True
    """
    equal: bool | None = _module(kind).same(a, b, facts)
    return equal


def _module(kind: str) -> ModuleType:
    if kind not in CATALOGUE:
        expected = "a world (" + ", ".join(CATALOGUE) + ")"
        raise SettingError("$.world.kind", kind, expected, among=CATALOGUE)
    return import_module(CATALOGUE[kind])


__all__ = ["CATALOGUE", "grade", "load", "same", "settings"]
