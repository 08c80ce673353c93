"""The claim world: questions of fact, each with a true answer and a false one that is planted."""

from __future__ import annotations

from socialcircuits.worlds.claims.builders import BUILDERS, build
from socialcircuits.worlds.claims.building import Built, Step
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.loading import Fault, Read, load, read, save

__all__ = [
    "BUILDERS",
    "Built",
    "Claim",
    "Fault",
    "Read",
    "Step",
    "build",
    "load",
    "read",
    "save",
]
