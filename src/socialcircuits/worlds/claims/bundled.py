"""The claims that come with the package, written for it; anyone may publish their text."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files

from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.loading import load


@cache
def bundled() -> tuple[Claim, ...]:
    """Return the bundled claims in file order, four of each of twenty relations, all shareable.

    >>> claim = bundled()[0]
    >>> claim.relation, claim.truth, claim.lure, len(bundled())
    ('capital', 'Canberra', 'Melbourne', 80)
    """
    with as_file(files("socialcircuits.worlds.claims").joinpath("bundled.toml")) as path:
        return tuple(replace(claim, shareable=True) for claim in load(path))


__all__ = ["bundled"]
