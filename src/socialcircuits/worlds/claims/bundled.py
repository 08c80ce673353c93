"""The claims that come with the package, written for it; anyone may publish their text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files

from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.loading import load

__all__ = ["LISTS", "bundled", "rare"]


@cache
def bundled() -> tuple[Claim, ...]:
    """Return the bundled claims in file order, four of each of twenty relations, all shareable.

    >>> claim = bundled()[0]
    >>> claim.relation, claim.truth, claim.lure, len(bundled())
    ('capital', 'Canberra', 'Melbourne', 80)
    """
    return _read("bundled.toml")


@cache
def rare() -> tuple[Claim, ...]:
    """Return the bundled claims about what few read of, eight of each of five relations, all
    shareable: strong models know most of the others.

    >>> claim = rare()[0]
    >>> claim.relation, claim.truth, claim.lure, len(rare())
    ('place-of-birth', 'Okakarara', 'Otjiwarongo', 40)
    """
    return _read("rare.toml")


LISTS: Mapping[str, Callable[[], tuple[Claim, ...]]] = {
    "known": bundled,
    "rare": rare,
    "both": lambda: (*bundled(), *rare()),
}
"""Name of a list -> the bundled claims in it."""


def _read(name: str) -> tuple[Claim, ...]:
    with as_file(files("socialcircuits.worlds.claims").joinpath(name)) as path:
        return tuple(replace(claim, shareable=True) for claim in load(path))
