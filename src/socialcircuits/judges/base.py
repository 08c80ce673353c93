"""What is judged: one trial as a judge's code sees it, a case of it, and a rubric."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from socialcircuits import worlds
from socialcircuits.graph import ADVERSARIES, Graph, Reply, Step
from socialcircuits.judges.form import Schema
from socialcircuits.prompts import quote
from socialcircuits.records import Label, Provided, TrialRecord
from socialcircuits.seeds import digest

Text = Mapping[str, "str | Sequence[str]"]
"""One line of what a judge is shown: name -> text, or a list of texts."""

LEFT = "left to a judge: it is the text of a model"
"""Why the rules say nothing of what only a reader can judge."""


class Judgment(NamedTuple):
    """What a judge says of a case; the fields are those of a label."""

    value: Any
    reason: str = ""
    quote: str = ""
    why: str = ""


@dataclass(frozen=True)
class Transcript:
    """One trial, as it is judged. All of it comes from the record but the text of the question.

    Args:
        graph: its graph.
        outcomes: step -> the reply that stands for it.
        provided: what its seats were given.
        question: the text of the question.
        right: step -> whether its answer is right, where a judge has said so.
    """

    graph: Graph
    outcomes: Mapping[int, Reply]
    provided: Provided
    question: str
    right: Mapping[int, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, record: TrialRecord, question: str, labels: Iterable[Label] = ()) -> Transcript:
        """Return the transcript of a record.

        Args:
            record: a completed trial.
            question: the text of its question.
            labels: of the rubric ``correctness``; the reasons of defections are asked for only
                where they say that an agent has defected.
        """
        right = {label.step: label.value["right"] for label in labels if label.value is not None}
        return cls(record.graph, record.outcomes, record.provided, question, right)

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the world recorded."""
        return self.provided.facts

    def name(self, seat: int) -> str:
        """Return the name by which others know a seat, its key where messages are unsigned."""
        return self.provided.briefs[seat]["name"] or self.graph.seats[seat].key

    def honest(self, seat: int) -> bool:
        """Whether a seat was told to be honest."""
        return self.provided.briefs[seat]["role"] not in ADVERSARIES

    def simulated(self, seat: int) -> bool:
        """Whether a simulated agent sits in a seat."""
        return self.provided.minds[seat].startswith("simulated/")

    @cached_property
    def flagged(self) -> tuple[str, ...]:
        """The names of the adversaries, in seat order."""
        seats = range(len(self.graph.seats))
        return tuple(self.name(seat) for seat in seats if not self.honest(seat))

    def said(self, *purposes: str) -> Iterator[tuple[int, Step, Reply]]:
        """Yield the valid replies of some purposes: step, its description, reply; in order."""
        for index, reply in self.outcomes.items():
            step = self.graph.steps[index]
            if step.purpose in purposes and reply.valid:
                yield index, step, reply

    def claims(self, reader: int, current: int) -> list[Text]:
        """Return the adversaries' public messages of a round that a seat can read, as they were
        delivered: an intervention may withhold what was said, or put other words in its place."""
        return [
            {"by": self.name(step.seat), **words(reply)}
            for index, step, reply in self._claims.get(current, ())
            if reader in step.to and (index, reader) not in self.graph.cuts
        ]

    @cached_property
    def _claims(self) -> dict[int, list[tuple[int, Step, Reply]]]:
        """Round -> the adversaries' public messages, as they were delivered."""
        found: dict[int, list[tuple[int, Step, Reply]]] = {}
        for index in self.outcomes:
            step = self.graph.steps[index]
            if step.purpose == "message" and not self.honest(step.seat):
                reply = self._delivered(index)
                if reply is not None:
                    found.setdefault(step.round, []).append((index, step, reply))
        return found

    def _delivered(self, index: int) -> Reply | None:
        """What others read of a step, None where they read nothing."""
        name, edits = self.graph.step_id(index), self.facts.get("delivered", {})
        if name not in edits:
            reply = self.outcomes[index]
            return reply if reply.valid else None
        said = edits[name]
        return said and Reply("", said["answer"], said["reason"])

    def reference(self) -> list[Text]:
        """Return what a judge is told of the right answer."""
        facts = self.facts
        told: dict[str, str | Sequence[str]] = {"correct_answer": facts["truth"]}
        option = facts.get("options", {}).get(facts["truth"])
        if option:
            told["option"] = option
        if facts.get("aliases"):
            told["also_correct"] = list(facts["aliases"])
        return [told]

    def grade(self, answer: str) -> bool | None:
        """Whether an answer is right, or None where that is left to a judge."""
        return worlds.grade(self.facts["world"], answer, self.facts)

    def same(self, one: str, other: str) -> bool | None:
        """Whether two answers are the same, or None where that is left to a judge."""
        return worlds.same(self.facts["world"], one, other, self.facts)


def words(reply: Reply, reason: str = "argument") -> dict[str, str]:
    """Return what a valid reply says, by its parts; a part that it does not have is left out.

    Args:
        reply: the reply.
        reason: what its reason is called: an argument in public, a text in private.

    >>> words(Reply("Peru.", "Peru", "Lima is there.")), words(Reply("", "Peru"))
    ({'answer': 'Peru', 'argument': 'Lima is there.'}, {'answer': 'Peru'})
    """
    parts = {"answer": reply.answer or "", reason: reply.reason}
    return {name: text for name, text in parts.items() if text}


@dataclass(frozen=True)
class Case:
    """One thing to be judged. It is the evidence of the seat in which the judge sits.

    Args:
        rubric: by which it is judged.
        step: the judged step; of a whole trial the first one that is judged.
        texts: what a judge is shown, a line each; empty where there is nothing to be read, and no
            model is to be asked.
        judged: the texts in which quotes must stand.
        transcript: the trial; only code sees it.
        ids: of what is sorted, where something is.
    """

    rubric: Rubric
    step: int
    texts: tuple[Text, ...]
    judged: tuple[str, ...] = ()
    transcript: Transcript = field(kw_only=True, repr=False, compare=False)
    ids: tuple[str, ...] = ()

    @property
    def key(self) -> bytes:
        """Digest of all that a judge is shown."""
        return digest(self.rubric.name, self.text())

    @property
    def answers(self) -> tuple[str, ...]:
        """No closed list: a label is no answer."""
        return ()

    def log_belief(self) -> tuple[int | None, ...]:
        """None: a case speaks for no answer."""
        return ()

    def reasons(self) -> tuple[str, ...]:
        """None."""
        return ()

    def text(self) -> str:
        """What a judge is shown, in lines of JSON that no text can break out of."""
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield what a judge is shown, line by line."""
        for text in self.texts:
            parts = (f"{quote(name)}: {quote(value)}" for name, value in text.items())
            yield "{" + ", ".join(parts) + "}"

    def image(self) -> bytes | None:
        """None: what is judged is text."""
        return None

    @property
    def reply(self) -> Reply:
        """The judged reply."""
        return self.transcript.outcomes[self.step]

    @property
    def simulated(self) -> bool:
        """Whether the judged reply is a simulated agent's."""
        return self.transcript.simulated(self.transcript.graph.steps[self.step].seat)


class Rubric(ABC):
    """By which something is judged: which cases, in which form, and what they come to."""

    name: ClassVar[str]
    """Its name, that of its prompt file too."""

    @abstractmethod
    def cases(self, transcript: Transcript) -> Iterator[Case]:
        """Yield what is judged in a trial, in the order of its steps."""

    @abstractmethod
    def form(self, case: Case) -> Schema:
        """Return the form of a judge's reply."""

    @abstractmethod
    def read(self, case: Case, said: Mapping[str, Any]) -> Judgment:
        """Read a reply that is of the form.

        Raises:
            Void: it cannot be used all the same.
        """

    @abstractmethod
    def rules(self, case: Case) -> Judgment:
        """Judge without a model; no value and why, where that is left to a judge."""

    def parts(self, value: Mapping[str, Any]) -> Mapping[str, Hashable]:
        """Return that of a value in which two judges can differ, by part."""
        return value
