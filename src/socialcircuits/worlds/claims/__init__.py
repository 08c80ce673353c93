"""The claim world: questions of fact, each with a true answer and a false one that is planted."""

from __future__ import annotations

from dataclasses import fields

from socialcircuits.worlds.claims.builders import BUILDERS, build
from socialcircuits.worlds.claims.building import Built, Step
from socialcircuits.worlds.claims.bundled import bundled
from socialcircuits.worlds.claims.evidence import UNSURE, ClaimEvidence
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.loading import Fault, Read, load, read, save
from socialcircuits.worlds.claims.settings import ClaimSettings
from socialcircuits.worlds.claims.world import ClaimWorld, from_settings, grade, read_answer, same

SETTINGS = tuple(field.name for field in fields(ClaimSettings))
"""Names of the settings of the claim world."""

__all__ = [
    "BUILDERS",
    "SETTINGS",
    "UNSURE",
    "Built",
    "Claim",
    "ClaimEvidence",
    "ClaimSettings",
    "ClaimWorld",
    "Fault",
    "Read",
    "Step",
    "build",
    "bundled",
    "from_settings",
    "grade",
    "load",
    "read",
    "read_answer",
    "same",
    "save",
]
