"""Whether an answer is right, in the manner of the judge of Humanity's Last Exam."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from socialcircuits.judges.base import Case, Judgment, Rubric, Transcript, words
from socialcircuits.judges.form import TEXT, Schema, Void, choice, table

GRADED = frozenset({"message", "decision", "vote", "guess"})
"""Purposes of the steps whose answers are graded."""

NONE = "None"
"""What stands for an answer where there is none."""

_FORM = table(extracted=TEXT, reasoning=TEXT, correct=choice(["yes", "no"]))


class Correctness(Rubric):
    """Is the answer of a message, decision, vote or isolated guess right?

    The judge is given the question, the right answer and the reply. An invalid reply is no answer:
    it is not right, and no judge is asked about it. Source: adversarial influence, section 2.5 and
    appendix C.
    """

    name = "correctness"

    def cases(self, transcript: Transcript) -> Iterator[Case]:
        """One for each graded step."""
        for index, reply in transcript.outcomes.items():
            if transcript.graph.steps[index].purpose not in GRADED:
                continue
            said = words(reply) if reply.valid else {}
            texts = ({"question": transcript.question}, *transcript.reference(), said)
            yield Case(self, index, texts if said else (), transcript=transcript)

    def form(self, case: Case) -> Schema:
        """Extracted answer, reasoning, yes or no."""
        return _FORM

    def read(self, case: Case, said: Mapping[str, Any]) -> Judgment:
        """Right or not; what is right must have been extracted."""
        extracted, right = said["extracted"].strip() or NONE, said["correct"] == "yes"
        if right and extracted == NONE != case.transcript.facts["truth"]:
            raise Void("right without an answer")
        return Judgment({"right": right, "extracted": extracted}, said["reasoning"])

    def rules(self, case: Case) -> Judgment:
        """What the world can grade without a judge."""
        answer = case.reply.answer if case.reply.valid else None
        if answer is None:
            return Judgment({"right": False, "extracted": NONE}, "no answer")
        right = case.transcript.grade(answer)
        if right is None:
            return Judgment(None, why="left to a judge: not surely right and not surely wrong")
        return Judgment({"right": right, "extracted": answer}, "graded by rules")

    def parts(self, value: Mapping[str, Any]) -> Mapping[str, Hashable]:
        """Right or not."""
        return {"right": value["right"]}
