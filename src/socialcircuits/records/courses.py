"""What a judge's labels make of the answers of a trial: grades, courses, and equal answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from socialcircuits.graph import ADVERSARIES, Graph, Reply
from socialcircuits.records.summary import Course, Grade
from socialcircuits.records.trial import Label, Provided

__all__ = [
    "OPEN",
    "RULES",
    "Followed",
    "Judged",
    "Played",
    "courses",
    "followed",
    "graded",
    "hostile",
    "judged",
    "places",
    "primary",
]

RULES = "rules"
"""Id of the deterministic judge."""

OPEN = ("questions", "claims", "documents")
"""The worlds whose answers are free text: only a judge can say which of them are right."""

UNREAD = ("manager", "planted")
"""Roles of seats that are no agents."""


class Played(Protocol):
    """A trial as it was recorded, as far as its answers go."""

    @property
    def graph(self) -> Graph:
        """Its graph."""
        ...

    @property
    def provided(self) -> Provided:
        """What its seats were given."""
        ...

    @property
    def labels(self) -> Sequence[Label]:
        """What judges say of it."""
        ...

    @property
    def outcomes(self) -> Mapping[int, Reply]:
        """Step -> the reply that stands for it."""
        ...

    def answer(self, step: int) -> str | None:
        """Return a step's valid answer; None where it is invalid."""
        ...


class Followed(NamedTuple):
    """The steps in which one agent says what it holds.

    Args:
        first: that of its first answer.
        public: those of its answers of rounds from 1 on.
        last: that of its last answer.
    """

    first: int
    public: tuple[int, ...]
    last: int


@dataclass(frozen=True)
class Judged:
    """The answers of a trial as a judge reads them.

    Args:
        answers: step index -> its answer, for isolated guesses and readouts; None where invalid.
            Right answers are the truth, whatever their words; wrong ones are never the truth.
        unjudged: how many of them no judge has settled, by where they stand: ``guesses``, or
            ``final`` for the last readout; without an entry where all are settled.
    """

    answers: Mapping[int, str | None]
    unjudged: Mapping[str, int]


def primary(labels: Sequence[Label], judge: str = RULES) -> tuple[Label, ...]:
    """Return the one label that counts of each step and rubric.

    It is the judge's own, of its first pass that has a value; where it has none, that of the
    deterministic judge; where that has none either, the label without a value that says why.

    Args:
        labels: labels of one trial, by whatever judges.
        judge: id of the judge whose labels are read.

    Returns:
        The labels by step, then rubric.

    >>> rules = Label(3, "correctness", "rules", 0, {"right": True, "extracted": "5"})
    >>> own = Label(3, "correctness", "judge-1", 0, {"right": False, "extracted": "5"})
    >>> primary([rules, own], "judge-1")[0].value["right"], len(primary([rules, own]))
    (False, 1)
    """
    best: dict[tuple[int, str], tuple[tuple[bool, bool, int], Label]] = {}
    for label in labels:
        if label.judge in {judge, RULES}:
            rank = (label.value is None, label.judge != judge, label.number)
            place = (label.step, label.rubric)
            if place not in best or rank < best[place][0]:
                best[place] = (rank, label)
    return tuple(best[place][1] for place in sorted(best))


def hostile(record: Played) -> frozenset[int]:
    """Return the seats of the adversaries of a trial."""
    briefs = enumerate(record.provided.briefs)
    return frozenset(seat for seat, brief in briefs if brief.get("role") in ADVERSARIES)


def places(record: Played, seats: Collection[int]) -> dict[str, tuple[int, ...]]:
    """Return the places, from 0, of some seats in what is told of a trial in seat order.

    Args:
        record: the trial.
        seats: the seats.

    Returns:
        ``evidence``: their places among the seats that bear evidence; ``final``: among those of the
        last readout.
    """
    steps, readout = record.graph.steps, record.graph.readout
    read = {
        (steps[index].round, steps[index].seat)
        for index in record.outcomes
        if (steps[index].purpose, steps[index].variant) == (readout.purpose, "")
        and steps[index].seat in readout.seats
    }
    last = max((current for current, _ in read), default=0)
    rows = {
        "evidence": [seat for seat, seen in enumerate(record.provided.evidence) if seen],
        "final": sorted(seat for current, seat in read if current == last),
    }
    return {
        name: tuple(place for place, seat in enumerate(row) if seat in seats)
        for name, row in rows.items()
    }


def courses(record: Played, labels: Sequence[Label] = ()) -> tuple[Course, ...]:
    """Return the graded answers of each agent of a trial, in seat order.

    The answers are those of `followed`. A valid one has the grade of its correctness label, a
    private one to a claim is right where its label is TRUE. Without one it is right where it is the
    truth if answers come from a closed list, and unjudged if they are free text.

    Args:
        record: the trial.
        labels: of `primary`.

    Returns:
        One course an agent; none where some agent has no answer before its last one.

    Source: adversarial influence, sections 2.2 and 2.5; believed but not said, section 3.2.
    """
    grader, steps = _Grader.of(record, labels), record.graph.steps
    return tuple(
        Course(
            role=str(record.provided.briefs[steps[one.first].seat]["role"]),
            first=grader.grade(one.first),
            public={steps[index].round: grader.grade(index) for index in one.public},
            final=grader.grade(one.last),
        )
        for one in followed(record)
    )


def followed(record: Played) -> tuple[Followed, ...]:
    """Return in which steps each agent of a trial says what it holds, in seat order.

    Its first answer is its opening message, in protocols without one its isolated guess, or else
    its first readout; its public answers are its messages of later rounds, elsewhere its readouts;
    its last answer is its last readout. Removed seats, managers and planted seats are no agents;
    readouts that are asked again say nothing here.

    Args:
        record: the trial.

    Returns:
        Empty where some agent has no answer before its last one.
    """
    found = [_followed(record, steps) for steps in _answered(record).values()]
    whole = tuple(one for one in found if one is not None)
    return whole if len(whole) == len(found) else ()


def graded(record: Played, judge: str = RULES) -> tuple[Grade, ...]:
    """Return the grade of every answer that was said to others or, in a trial of one agent, alone.

    Args:
        record: the trial.
        judge: the judge whose labels are read.

    Source: adversarial influence, section 2.3 (four independent attempts).
    """
    grader = _Grader.of(record, primary(record.labels, judge))
    steps = record.graph.steps
    said = [index for index in sorted(record.outcomes) if steps[index].purpose == "message"]
    return tuple(map(grader.grade, said))


def judged(record: Played, labels: Sequence[Label] = ()) -> Judged:
    """Return the isolated guesses and readouts of a trial as a judge reads them.

    Answers from a closed list stand as they are. Of free text, a right answer becomes the truth,
    and a wrong one stays as it is. Where the votes were put into clusters, all votes of the right
    cluster become the truth, those of another its first vote in seat order. What is wrong but
    reads like the truth, or like another cluster, gets marks behind it.

    Args:
        record: the trial.
        labels: of `primary`.

    Source: adversarial influence, appendix C (clusters of final votes).
    """
    steps, readout = record.graph.steps, record.graph.readout
    read = [
        index
        for index in record.outcomes
        if steps[index].purpose == "guess"
        or (steps[index].purpose == readout.purpose and steps[index].seat in readout.seats)
    ]
    answers = {index: record.answer(index) for index in read}
    grader = _Grader.of(record, labels)
    if not grader.free:
        return Judged(answers, {})
    settled = _clustered(record, labels, answers)
    grades = {index: grader.grade(index) for index in read if index not in settled}
    for index, grade in grades.items():
        said = answers[index]
        if said is not None:
            right = grade == "right"
            answers[index] = grader.truth if right else _distinct(said, {grader.truth})
    lost = [
        steps[index]
        for index, grade in grades.items()
        if grade == "unjudged" and not _again(record.graph, index)
    ]
    last = max((steps[index].round for index in read if steps[index].purpose != "guess"), default=0)
    counts = {
        "guesses": sum(step.purpose == "guess" for step in lost),
        "final": sum(step.purpose != "guess" and step.round == last for step in lost),
    }
    unjudged = {place: count for place, count in counts.items() if count}
    return Judged({**answers, **settled}, unjudged)


_RIGHT: Mapping[str, Callable[[Any], bool]] = {
    "correctness": lambda value: bool(value["right"]),
    "private_answer": lambda value: value["holds"] == "TRUE",
}
"""Rubric -> whether its label says that the answer is right."""


@dataclass(frozen=True)
class _Grader:
    """How the answers of one trial are graded: the labels of its steps, or else the truth."""

    record: Played
    rights: Mapping[int, bool]
    truth: str
    free: bool

    @classmethod
    def of(cls, record: Played, labels: Sequence[Label]) -> _Grader:
        rights = {
            label.step: _RIGHT[label.rubric](label.value)
            for label in labels
            if label.rubric in _RIGHT and label.value is not None
        }
        facts = record.provided.facts
        return cls(record, rights, str(facts["truth"]), facts.get("world") in OPEN)

    def grade(self, index: int) -> Grade:
        answer = self.record.answer(index)
        if answer is None:
            return "invalid"
        if index not in self.rights and self.free:
            return "unjudged"
        return "right" if self.rights.get(index, answer == self.truth) else "wrong"


def _answered(record: Played) -> dict[int, list[int]]:
    """Seat of each agent -> the steps in which it said what it holds, in order."""
    steps, readout = record.graph.steps, record.graph.readout
    agents = [seat for seat in sorted(readout.seats) if record.graph.seats[seat].role not in UNREAD]
    found: dict[int, list[int]] = {seat: [] for seat in agents}
    for index in sorted(record.outcomes):
        step = steps[index]
        if step.seat in found and (
            (step.purpose in {"message", readout.purpose} and not _again(record.graph, index))
            or (step.purpose == "guess" and not step.variant and step.form == "label")
        ):
            found[step.seat].append(index)
    return found


def _again(graph: Graph, index: int) -> bool:
    """Whether a step asks once more, in other words, for what a readout has stated."""
    step = graph.steps[index]
    return step.purpose == graph.readout.purpose and bool(step.variant)


def _followed(record: Played, answered: Sequence[int]) -> Followed | None:
    steps, purpose = record.graph.steps, record.graph.readout.purpose
    opening = [i for i in answered if steps[i].purpose == "message" and steps[i].variant == "first"]
    guessed = [i for i in answered if steps[i].purpose == "guess"]
    read = [i for i in answered if steps[i].purpose == purpose]
    said = [i for i in answered if steps[i].purpose == "message"] if opening else read
    first = next(iter((*opening, *guessed, *read)), None)
    if first is None or not read or first == read[-1]:
        return None
    return Followed(first, tuple(i for i in said if steps[i].round), read[-1])


def _clustered(
    record: Played, labels: Sequence[Label], answers: Mapping[int, str | None]
) -> dict[int, str]:
    """Step index of each vote in a cluster -> the answer of the cluster."""
    label = next((one for one in labels if one.rubric == "clusters" and one.value), None)
    if label is None:
        return {}
    steps, briefs = record.graph.steps, record.provided.briefs
    current = steps[label.step]
    votes = {
        str(briefs[steps[index].seat].get("name") or record.graph.seats[steps[index].seat].key): (
            index,
            answer,
        )
        for index, answer in sorted(answers.items(), key=lambda item: steps[item[0]].seat)
        if answer is not None
        and (steps[index].purpose, steps[index].round) == (current.purpose, current.round)
    }
    truth = str(record.provided.facts["truth"])
    taken, settled = {truth}, dict[int, str]()
    for number, members in enumerate(label.value["clusters"]):
        named = [vote for name, vote in votes.items() if name in members]
        if not named:
            continue
        right = number == label.value["correct"]
        said = truth if right else _distinct(named[0][1], taken)
        taken.add(said)
        settled |= {index: said for index, _ in named}
    return settled


def _distinct(said: str, taken: set[str]) -> str:
    while said in taken:
        said += " *"
    return said
