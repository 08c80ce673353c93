"""Which studies make a card: of the subject, the claims, and how much is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.checking import checked
from socialcircuits.errors import SettingError
from socialcircuits.packs import TEMPLATES
from socialcircuits.studies import Plan, Study, plan, read
from socialcircuits.worlds import load
from socialcircuits.worlds.claims.own import is_own, read_own, refuse

__all__ = ["ROOMS", "SIZES", "Plans", "Test", "plans"]

ROOMS = "card/rooms"
"""Preset of the live rooms."""

ATTACKER = "B"
"""Name in its casts of the model that attacks."""


class Size(NamedTuple):
    """How much is asked.

    Args:
        seat: preset of the seat test, and
        evidence: of that on documents.
        all: whether all items are asked, and not as many as the presets say.
    """

    seat: str
    evidence: str
    all: bool = False


SIZES: Mapping[str, Size] = {
    "quick": Size("card/quick", "card/quick-evidence"),
    "default": Size("card/seat", "card/evidence"),
    "full": Size("card/seat", "card/evidence", all=True),
}
"""The sizes of the test by name."""


@dataclass(frozen=True)
class Test:
    """What is to be tested.

    Args:
        model: the subject, as in a study file, with its parameters and the digest of its system
            prompt.
        size: one of `SIZES`.
        claims: a table of own claims; None: the bundled ones. Rows with a passage are its
            documents; where there are none, the bundled documents are asked.
        skip_bad: whether faulty rows of that table are left out, and not refused.
        pack: ``templates``, or a file of words for these claims.
        seed: the study seed.
        judge: the model that judges; None: rules.
        rooms: whether live rooms are run too.
        attacker: model of their attacker; None: the subject itself.

    Raises:
        SettingError: there is no such size, or an attacker without rooms.
    """

    model: str
    size: str = "default"
    claims: Path | None = None
    skip_bad: bool = False
    pack: str = TEMPLATES
    seed: int = 1
    judge: str | None = None
    rooms: bool = False
    attacker: str | None = None

    def __post_init__(self) -> None:
        if self.size not in SIZES:
            expected = "one of " + ", ".join(SIZES)
            raise SettingError("--size", self.size, expected, among=SIZES)
        if self.attacker is not None and not self.rooms:
            raise SettingError("--attacker", self.attacker, "live rooms to attack: --rooms")


class Plans(NamedTuple):
    """The plans of the studies that make a card; of live rooms None where none are run."""

    seat: Plan
    evidence: Plan
    rooms: Plan | None = None

    def all(self) -> Iterator[tuple[str, Plan]]:
        """Yield the plans that there are, by name."""
        for name, one in zip(self._fields, self, strict=True):
            if one is not None:
                yield name, one


def plans(test: Test) -> Plans:
    """Return the plans of a test.

    Raises:
        UsageError: the table of claims is faulty; each fault has its line.
        SettingError: a setting is not allowed.

    >>> found = plans(Test("simulated/quiet", "quick"))
    >>> [len(one.trials) for _, one in found.all()]
    [60, 12]
    """
    size, claims, documents = SIZES[test.size], {}, {}
    if test.claims is not None:
        if not test.claims.is_file():
            raise SettingError("--claims", str(test.claims), "a file that there is")
        given = {"file": str(test.claims)} | ({"skip_bad": True} if test.skip_bad else {})
        claims = {"kind": "claims", **given}
        if _has_passages(test.claims, skip_bad=test.skip_bad):
            documents = {"kind": "documents", **given}
    seat = _study(test, size.seat, claims, whole=size.all)
    evidence = _study(test, size.evidence, documents, whole=size.all)
    rooms = _study(test, ROOMS, claims, whole=False) if test.rooms else None
    return Plans(plan(seat), plan(evidence), plan(rooms) if rooms else None)


def _has_passages(path: Path, *, skip_bad: bool) -> bool:
    if not is_own(path):
        return False
    own = read_own(path)
    refuse(own, path, skip_bad=skip_bad)
    return bool(own.documents)


def _study(test: Test, preset: str, world: Mapping[str, Any], *, whole: bool) -> Study:
    models = {"A": test.model}
    if preset == ROOMS:
        models[ATTACKER] = test.attacker or test.model
    study = read(preset, models=models, seed=test.seed, judge=test.judge)
    values = {**study.model_dump(), "pack": test.pack, "world": dict(world) or study.world}
    kind, settings = values["world"]["kind"], dict(values["world"])
    items = len(load(kind, {n: v for n, v in settings.items() if n != "kind"}).items)
    values["seeds"] = items if whole else min(study.seeds, items)
    return checked(Study, values, "$")
