"""Worlds: what is true, and who privately sees what. One package or file and one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.graph import World

CATALOGUE: dict[str, str] = {
    "flags": "socialcircuits.worlds.flags:from_settings",
}
"""World name -> where its factory is (module:function), imported when the world is asked for."""


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
    if kind not in CATALOGUE:
        expected = "a world (" + ", ".join(CATALOGUE) + ")"
        raise SettingError("$.world.kind", kind, expected, among=CATALOGUE)
    module, _, name = CATALOGUE[kind].partition(":")
    factory: Callable[[Mapping[str, Any]], World] = getattr(import_module(module), name)
    return factory(settings)


__all__ = ["CATALOGUE", "load"]
