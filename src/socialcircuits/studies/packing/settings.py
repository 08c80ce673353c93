"""What is written, and by whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from socialcircuits.agents import SIMULATED
from socialcircuits.errors import SettingError, UsageError
from socialcircuits.packs.making import sides, unsayable
from socialcircuits.seeds import digest
from socialcircuits.studies.packing.author import prompts
from socialcircuits.worlds import load
from socialcircuits.worlds.claims import Claim, ClaimEvidence

__all__ = ["Writing", "claims_of"]


@dataclass(frozen=True)
class Writing:
    """What is written, and by whom.

    Args:
        claims: the claims; those with the same question and answers get the same words.
        model: the model that writes, ``PROVIDER/NAME``, optionally with options.
        retries: how often a reply that cannot be used is asked for again, at least 0.

    Raises:
        SettingError: a simulated agent is to write.
        UsageError: no message could hold an answer; each such answer has a line.
    """

    claims: tuple[Claim, ...]
    model: str
    retries: int = 2

    def __post_init__(self) -> None:
        if self.model.startswith(f"{SIMULATED}/"):
            expected = "a model that writes; simulated agents have no words of their own"
            raise SettingError("--model", self.model, expected)
        faults = [
            f"{claim.id}, {side.answer[:40]!r}: {why}"
            for claim in self.claims
            for side in sides(claim)
            if (why := unsayable(side))
        ]
        if faults:
            head = f"answers that no message could hold: {len(faults)}"
            raise UsageError("\n  ".join([head, *faults]))

    @property
    def asked(self) -> str:
        """The model; it reads text, whatever else it can take."""
        mark = "&" if "?" in self.model else "?"
        return self.model if "sees=" in self.model else f"{self.model}{mark}sees=text"

    @cached_property
    def kinds(self) -> tuple[tuple[Claim, ...], ...]:
        """The claims in groups that get the same words: each is asked about once."""
        found: dict[tuple[str, ...], list[Claim]] = {}
        for claim in self.claims:
            forms = (*claim.aliases, "", *claim.lure_aliases)
            found.setdefault((claim.question, claim.truth, claim.lure, *forms), []).append(claim)
        return tuple(map(tuple, found.values()))

    @property
    def digest(self) -> str:
        """Digest (hex) of the claims: their ids, questions and answers."""
        texts = (
            text for one in self.claims for text in (one.id, one.question, *map(repr, sides(one)))
        )
        return digest("claims of a pack", *texts).hex()

    def as_json(self) -> dict[str, Any]:
        """Return what decides whether a run file can be gone on with (JSON values)."""
        files = {one.id: {"version": one.version, "sha256": one.sha256} for one in prompts()}
        return {
            "writes": "pack",
            "model": self.model,
            "claims": self.digest,
            "retries": self.retries,
            "prompts": files,
        }


def claims_of(worlds: Iterable[Mapping[str, Any]]) -> tuple[Claim, ...]:
    """Return the claims of worlds, those of documents too, in order.

    Args:
        worlds: settings of worlds of claims or documents, as in a study file.

    Raises:
        UsageError: a setting is not allowed, or a file cannot be used.

    >>> len(claims_of([{"kind": "claims", "list": "both"}, {"kind": "documents"}]))
    144
    """
    found = []
    for settings in worlds:
        world = load(settings["kind"], {n: v for n, v in settings.items() if n != "kind"})
        for item in world.items:
            (seen,) = world.views(item)
            assert isinstance(seen, ClaimEvidence), "only claims have two answers"
            found.append(seen.claim)
    return tuple(found)
