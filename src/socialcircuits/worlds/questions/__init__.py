"""Questions with one checkable answer: the bundled set and readers of benchmark files."""

from __future__ import annotations

from socialcircuits.worlds.questions.bundled import bundled
from socialcircuits.worlds.questions.item import Canary, Kind, Question
from socialcircuits.worlds.questions.loading import FORMATS, LeftOut, Loaded, cached_hle, load

__all__ = [
    "FORMATS",
    "Canary",
    "Kind",
    "LeftOut",
    "Loaded",
    "Question",
    "bundled",
    "cached_hle",
    "load",
]
