"""The claims that come with the package, written for it; anyone may publish their text."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from socialcircuits.worlds.claims.item import Claim

_FILE = "bundled.toml"


@cache
def bundled() -> tuple[Claim, ...]:
    """Return the bundled claims in file order, four of each of twenty relations, all shareable.

    >>> claim = bundled()[0]
    >>> claim.relation, claim.truth, claim.lure, len(bundled())
    ('capital', 'Canberra', 'Melbourne', 80)
    """
    text = files("socialcircuits.worlds.claims").joinpath(_FILE).read_text("utf-8")
    return tuple(_claim(row) for row in tomllib.loads(text)["claim"])


def _claim(row: dict[str, Any]) -> Claim:
    lists = {name: tuple(row.get(name, ())) for name in ("aliases", "lure_aliases")}
    fields = {name: value for name, value in row.items() if name != "why"}
    return Claim(**fields | lists, source=f"{_FILE} (own)", shareable=True)


__all__ = ["bundled"]
