"""The question world: every seat sees the question, and one answer is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.graph import Deal, Evidence
from socialcircuits.seeds import digest
from socialcircuits.worlds.questions.bundled import bundled
from socialcircuits.worlds.questions.evidence import QuestionEvidence
from socialcircuits.worlds.questions.grading import settle
from socialcircuits.worlds.questions.item import Question
from socialcircuits.worlds.questions.loading import WHERE, Loaded, cached_hle, load
from socialcircuits.worlds.questions.settings import HUB_HLE, QuestionSettings


class QuestionWorld:
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

    def __init__(self, settings: QuestionSettings) -> None:
        self.settings = settings
        loaded = _loaded(settings)
        whys = {item.id: item.why for item in loaded.left_out}
        whys |= {question.id: self._refusal(question) for question in loaded.questions}
        self.questions = tuple(q for q in loaded.questions if not whys[q.id])
        self.left_out: Mapping[str, int] = Counter(filter(None, whys.values()))
        self.unmatched = loaded.unmatched
        self._evidence = {q.id: QuestionEvidence(q) for q in self.questions}
        for name in settings.only:
            if name not in self._evidence:
                why = f"; it is left out: {whys[name]}" if name in whys else ""
                expected = f"the id of a question that can be taken{why}"
                raise SettingError(f"{WHERE}.only", name, expected, among=whys)
        if not self.questions:
            expected = "a file with a question to take; left out: " + "; ".join(self.left_out)
            raise SettingError(f"{WHERE}.file", settings.file, expected)

    @property
    def kind(self) -> str:
        """Name of the world in the catalogue."""
        return "questions"

    @property
    def answers(self) -> tuple[str, ...]:
        """Empty: every item has its own candidates."""
        return ()

    @property
    def items(self) -> tuple[str, ...]:
        """The ids of the questions, in file order."""
        return tuple(self._evidence)

    @property
    def aliases(self) -> Mapping[str, str]:
        """Empty: other forms of an answer belong to its item."""
        return {}

    @cached_property
    def fingerprint(self) -> str:
        """Digest (hex) of all questions taken; where their file lies is no part of it."""
        return digest("questions", *(_digest(question) for question in self.questions)).hex()

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        """Return a question as each of `bearers` seats sees it; nothing is left to the seed.

        Args:
            shared_seed: not used: the item decides all.
            bearers: number of seats, at least 1.
            about: id of the question.

        Raises:
            SettingError: no question has this id, or there are no bearers.
        """
        if bearers < 1:
            raise SettingError("$.trial.N", bearers, "at least 1 seat that sees the question")
        evidence = self._find(about)
        return self.assemble(evidence.question.answer, [evidence] * bearers)

    def views(self, about: str) -> tuple[QuestionEvidence, ...]:
        """Return all that can be seen of a question: one piece of evidence.

        Raises:
            SettingError: no question has this id.

        >>> [seen.lure for seen in QuestionWorld(QuestionSettings()).views("divisors")]
        ['120']
        """
        return (self._find(about),)

    def named(self, truth: str, name: str) -> QuestionEvidence:
        """Refuse: of a question there is no other evidence than the question.

        Raises:
            SettingError: always.
        """
        raise SettingError(f"{WHERE}.evidence", name, "none: every seat sees the question itself")

    def assemble(self, truth: str, evidence: Sequence[Evidence], lure: str = "") -> Deal:
        """Return the situation in which these seats see their question.

        Args:
            truth: the right answer.
            evidence: the question, once a seat.
            lure: the wrong answer; empty: that of the item.

        Raises:
            SettingError: the evidence is not that of one question.
        """
        seen = [one for one in evidence if isinstance(one, QuestionEvidence)]
        if len({one.question.id for one in seen}) != 1:
            given = sorted({one.question.id for one in seen})
            raise SettingError(f"{WHERE}.evidence", given, "that of one question")
        lure = lure or seen[0].lure
        facts = {"truth": truth, "lure": lure, **_facts(seen[0].question)}
        return Deal(truth, seen[0].answers, lure, tuple(seen), facts)

    def picture(self, answer: str) -> None:
        """None: answers have no picture."""

    def _find(self, about: str | None) -> QuestionEvidence:
        if about is None or about not in self._evidence:
            few = ", ".join(self.items[:3])
            expected = f"the id of one of {len(self.items)} questions ({few}, ...)"
            raise SettingError("$.trial.truth", about, expected, among=self.items)
        return self._evidence[about]

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
    return QuestionWorld(QuestionSettings.read(settings))


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


def _digest(question: Question) -> bytes:
    options = (part for pair in question.options.items() for part in pair)
    lists = (digest(*texts) for texts in (options, question.aliases, question.lures))
    texts = question.id, question.question, question.answer, question.kind, question.category
    return digest(*texts, question.image or b"", *lists)


def _facts(question: Question) -> dict[str, Any]:
    return {
        "world": "questions",
        "item": question.id,
        "kind": question.kind,
        "options": dict(question.options),
        "aliases": list(question.aliases),
        "category": question.category,
        "shareable": question.shareable,
        "source": question.source,
    }


__all__ = ["QuestionWorld", "from_settings", "grade", "same"]
