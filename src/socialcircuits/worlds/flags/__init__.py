"""The flag world: a hidden national flag, of which every seat sees one private crop
(arXiv 2609.19124, section 3.1)."""

from __future__ import annotations

from dataclasses import fields

from socialcircuits.worlds.flags.crops import CropIndex, Statistics
from socialcircuits.worlds.flags.evidence import FlagEvidence
from socialcircuits.worlds.flags.pool import Flag, Pool, Stripe, Triangle, read_pool
from socialcircuits.worlds.flags.rendering import Sheet, png
from socialcircuits.worlds.flags.settings import FlagSettings
from socialcircuits.worlds.flags.world import FlagWorld, from_settings, grade, same

SETTINGS = tuple(field.name for field in fields(FlagSettings))
"""Names of the settings of the flag world."""

__all__ = [
    "SETTINGS",
    "CropIndex",
    "Flag",
    "FlagEvidence",
    "FlagSettings",
    "FlagWorld",
    "Pool",
    "Sheet",
    "Statistics",
    "Stripe",
    "Triangle",
    "from_settings",
    "grade",
    "png",
    "read_pool",
    "same",
]
