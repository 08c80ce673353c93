"""The question world: questions with one checkable answer, the bundled set or the user's files."""

from __future__ import annotations

from dataclasses import fields

from socialcircuits.worlds.questions.bundled import bundled
from socialcircuits.worlds.questions.evidence import QuestionEvidence
from socialcircuits.worlds.questions.item import Canary, Kind, Question
from socialcircuits.worlds.questions.loading import FORMATS, LeftOut, Loaded, cached_hle, load
from socialcircuits.worlds.questions.settings import QuestionSettings
from socialcircuits.worlds.questions.world import QuestionWorld, from_settings, grade, same

SETTINGS = tuple(field.name for field in fields(QuestionSettings))
"""Names of the settings of the question world."""

__all__ = [
    "FORMATS",
    "SETTINGS",
    "Canary",
    "Kind",
    "LeftOut",
    "Loaded",
    "Question",
    "QuestionEvidence",
    "QuestionSettings",
    "QuestionWorld",
    "bundled",
    "cached_hle",
    "from_settings",
    "grade",
    "load",
    "same",
]
