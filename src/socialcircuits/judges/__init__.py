"""Judges: labels of what was said, by rules or by a model, each with its reason and its quote.

A new rubric is one file that subclasses `Rubric`, one prompt file of its name in ``prompts/judge``,
one line in `RUBRICS` and one test.
"""

from socialcircuits.judges.agreement import (
    Agreement,
    Contradiction,
    agreement,
    contradictions,
)
from socialcircuits.judges.base import Case, Judgment, Rubric, Transcript
from socialcircuits.judges.form import Void
from socialcircuits.judges.judging import judge_case, labelled, settle
from socialcircuits.judges.mind import MOST_TOKENS, JudgeMind, Line, prompt_of
from socialcircuits.judges.rubrics.clusters import Clusters
from socialcircuits.judges.rubrics.coordination import Coordination
from socialcircuits.judges.rubrics.correctness import Correctness
from socialcircuits.judges.rubrics.defection_reason import DefectionReason
from socialcircuits.judges.rubrics.message_audit import MessageAudit
from socialcircuits.judges.rubrics.private_answer import PrivateAnswer
from socialcircuits.judges.rubrics.reflection_audit import ReflectionAudit
from socialcircuits.judges.rubrics.stance import Stance
from socialcircuits.judges.rubrics.tactics import Tactics
from socialcircuits.records.courses import RULES

RUBRICS: dict[str, Rubric] = {
    rubric.name: rubric
    for rubric in (
        Correctness(),
        Clusters(),
        ReflectionAudit(),
        MessageAudit(),
        Tactics(),
        DefectionReason(),
        Coordination(),
        Stance(),
        PrivateAnswer(),
    )
}
"""All rubrics by name, in the order in which they are judged: the reasons of defections need the
labels of ``correctness``."""

__all__ = [
    "MOST_TOKENS",
    "RUBRICS",
    "RULES",
    "Agreement",
    "Case",
    "Contradiction",
    "JudgeMind",
    "Judgment",
    "Line",
    "Rubric",
    "Transcript",
    "Void",
    "agreement",
    "contradictions",
    "judge_case",
    "labelled",
    "prompt_of",
    "settle",
]
