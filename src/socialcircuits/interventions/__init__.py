"""Interventions: named data that turn one frozen trial into another (causal analysis of groups).

A new kind is one class that says how it changes a trial, one line in `CATALOGUE` and one test.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from socialcircuits.checking import checked
from socialcircuits.errors import SettingError
from socialcircuits.interventions import edges, evidence, memory, messages, seats
from socialcircuits.interventions._base import WHERE, Change, Scene
from socialcircuits.interventions.cone import cone
from socialcircuits.trial import Setup

CATALOGUE: dict[str, type[Change]] = {
    "evidence": evidence.Evidence,
    "message": messages.Message,
    "silence": messages.Silence,
    "forget": memory.Forget,
    "misremember": memory.Misremember,
    "implant": memory.Implant,
    "reorder": memory.Reorder,
    "cut": edges.Cut,
    "overhear": edges.Overhear,
    "model": seats.Replace,
    "brief": seats.Brief,
    "remove": seats.Remove,
}
"""All kinds of changes by name."""


def read(name: str, changes: Sequence[Mapping[str, Any]]) -> tuple[Change, ...]:
    """Return the changes of one intervention from its data.

    Args:
        name: its name, for errors.
        changes: tables with a ``kind`` and its settings.

    Raises:
        SettingError: a kind is unknown, or a setting of it is unknown or not allowed.

    >>> read("a4", [{"kind": "evidence", "agents": "4", "view": "7,3"}])[0].kind
    'evidence'
    """
    found = []
    for number, change in enumerate(changes):
        where, kind = f"{WHERE}.{name}[{number}]", change.get("kind")
        if not isinstance(kind, str) or kind not in CATALOGUE:
            expected = "a kind of change: " + ", ".join(CATALOGUE)
            raise SettingError(f"{where}.kind", kind, expected, among=CATALOGUE)
        found.append(checked(CATALOGUE[kind], change, where))
    return tuple(found)


def apply(setup: Setup, changes: Iterable[Change], scene: Scene) -> Setup:
    """Return a trial after all changes, one after the other.

    Raises:
        SettingError: a change names what the trial does not have.
    """
    for change in changes:
        setup = change.apply(setup, scene)
    return setup


__all__ = ["CATALOGUE", "Change", "Scene", "apply", "cone", "read"]
