"""Whether an answer is right, in the manner of the judge of Humanity's Last Exam."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from socialcircuits.judges.base import Case, Judgment, Rubric, Text, Transcript, words
from socialcircuits.judges.form import TEXT, Schema, Void, choice, holds, table

GRADED = frozenset({"message", "decision", "vote", "guess"})
"""Purposes of the steps whose answers are graded."""

NONE = "None"
"""What stands for an answer where there is none."""

_NONES = {"", "none", "n/a"}

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
            judged = tuple(said.values())
            yield Case(self, index, texts if said else (), judged, transcript=transcript)

    def form(self, case: Case) -> Schema:
        """Extracted answer, reasoning, yes or no."""
        return _FORM

    def read(self, case: Case, said: Mapping[str, Any]) -> Judgment:
        """Right or not; the extracted answer must stand in the reply, and be none only where
        there is none, or where that is the answer."""
        extracted, right = said["extracted"].strip(), said["correct"] == "yes"
        if extracted.casefold() in _NONES:
            extracted = NONE
            if right and not _is_none(case.transcript.reference()):
                raise Void("right without an answer")
        elif not any(holds(text, extracted) for text in case.judged):
            raise Void("the extracted answer is not in the judged text")
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


def _is_none(reference: Iterable[Text]) -> bool:
    """Whether that there is none may be the right answer."""
    forms = (form for line in reference for form in line.values())
    texts = (text for form in forms for text in ([form] if isinstance(form, str) else form))
    return any(text.casefold() in _NONES for text in texts)
