"""The question world: every seat sees the question, and one answer is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.worlds._items import WHERE, ItemWorld, read_settings
from socialcircuits.worlds.questions.bundled import bundled
from socialcircuits.worlds.questions.evidence import QuestionEvidence
from socialcircuits.worlds.questions.grading import settle
from socialcircuits.worlds.questions.item import Question
from socialcircuits.worlds.questions.loading import Loaded, cached_hle, load
from socialcircuits.worlds.questions.settings import HUB_HLE, QuestionSettings


class QuestionWorld(ItemWorld[QuestionEvidence]):
    """Questions of a file, or the bundled ones; a trial is about one of them.

    Agents that are models answer in their own words. Only simulated agents choose among the
    candidates of an item: the options, or the reference answer and the lures. An item without a
    lure, as SimpleQA's are, has its truth as only candidate, and simulated agents always give it.

    Args:
        settings: the checked settings.

    Attributes:
        settings: the settings.
        questions: the questions taken, in file order.
        left_out: why items of the file were not taken -> how many.
        unmatched: the verified ids that no item of the file has.

    Raises:
        SettingError: the file cannot be used, or no question is left to take.

    >>> world = QuestionWorld(QuestionSettings())
    >>> deal = world.deal(b"seed", 3, "trailing-zeros")
    >>> len(world.items), deal.truth, deal.lure, deal.answers
    (82, '505', '405', ('405', '504', '505', '506'))
    """

    kind, item, seen = "questions", "question", "the question"

    def __init__(self, settings: QuestionSettings) -> None:
        self.settings = settings
        loaded = _loaded(settings)
        whys = {item.id: item.why for item in loaded.left_out}
        whys |= {question.id: self._refusal(question) for question in loaded.questions}
        self.questions = tuple(q for q in loaded.questions if not whys[q.id])
        self.left_out: Mapping[str, int] = Counter(filter(None, whys.values()))
        self.unmatched = loaded.unmatched
        for name in settings.only:
            if whys.get(name, True):
                why = f"; it is left out: {whys[name]}" if name in whys else ""
                expected = f"the id of a question that can be taken{why}"
                raise SettingError(f"{WHERE}.only", name, expected, among=whys)
        if not self.questions:
            expected = "a file with a question to take; left out: " + "; ".join(self.left_out)
            raise SettingError(f"{WHERE}.file", settings.file, expected)
        super().__init__(map(QuestionEvidence, self.questions))

    def _refusal(self, question: Question) -> str:
        """Why a question is not taken; empty if it is."""
        if self.settings.only and question.id not in self.settings.only:
            return "not in the list of ids to take"
        if question.image is not None and not self.settings.pictures:
            return "it has a picture, and pictures are not taken"
        return ""


def from_settings(settings: Mapping[str, Any]) -> QuestionWorld:
    """Return the question world with the settings of a study file.

    Raises:
        SettingError: a setting is unknown or not allowed, or the file cannot be used.

    >>> from_settings({"only": ["divisors", "maltese"]}).items
    ('divisors', 'maltese')
    """
    return QuestionWorld(read_settings(QuestionSettings, "question", settings))


def grade(answer: str, facts: Mapping[str, Any]) -> bool | None:
    """Whether an answer is right, by the facts of its trial; None: left to a judge.

    The truth and its aliases are right, every other candidate of the item is wrong; what is none of
    these is graded by `settle`.

    >>> facts = {"truth": "5 km", "answers": ["5 km", "6 km"], "aliases": [], "options": {}}
    >>> grade("6 km", facts), grade("5000 m", facts), grade("five or so", facts)
    (False, True, None)
    """
    if answer == facts["truth"] or answer in facts["aliases"]:
        return True
    if answer in facts["answers"]:
        return False
    return settle(answer, facts["truth"], options=facts["options"], aliases=facts["aliases"]).right


def same(a: str, b: str, facts: Mapping[str, Any]) -> bool | None:
    """Whether two answers are the same final answer, by the facts of their trial; None: left to a
    judge. It is symmetric: with each as the reference `settle` must say the same of the other.

    Two right answers are the same, a right and a wrong one are not; two candidates of the item are
    the same only if they are equal.

    >>> facts = {"truth": "5 km", "answers": ["5 km", "6 km"], "aliases": [], "options": {}}
    >>> same("7 km", "7000 m", facts), same("6 km", "7 km", facts), same("far", "away", facts)
    (True, False, None)
    """
    if a == b:
        return True
    if a in facts["answers"] and b in facts["answers"]:
        return False
    right = {grade(a, facts), grade(b, facts)}
    if right in ({True}, {True, False}):
        return False not in right
    options = facts["options"]
    verdicts = {settle(x, y, options=options).right for x, y in ((a, b), (b, a))}
    return verdicts.pop() if len(verdicts) == 1 else None


def _loaded(settings: QuestionSettings) -> Loaded:
    if not settings.file:
        return Loaded(bundled(), (), ())
    form, path = settings.format or None, settings.file
    if settings.file == HUB_HLE:
        form, path = form or "hle", str(cached_hle())
    return load(path, form, settings.verified_ids(), shareable=settings.shareable)


__all__ = ["QuestionWorld", "from_settings", "grade", "same"]
