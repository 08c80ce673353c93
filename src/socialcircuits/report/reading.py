"""Which steps of a trial a number reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from socialcircuits.graph import ADVERSARIES
from socialcircuits.measures import READS, Measure
from socialcircuits.records import Label, TrialRecord, primary
from socialcircuits.records.courses import RULES, followed, hostile

__all__ = [
    "Reads",
    "anonymous",
    "courses",
    "everything",
    "first",
    "guesses",
    "labelled",
    "last",
    "of",
    "own",
    "private",
    "probes",
    "public",
    "readout",
    "two_way",
    "utterances",
]

Picks = Callable[[TrialRecord], Iterable[int]]

_GRADES = frozenset({"correctness", "private_answer"})
"""The rubrics by which an answer is right or wrong."""

_ANSWERS = _GRADES | {"clusters"}
"""The rubrics by which answers are read and found equal."""

_WHOLE: Mapping[str, tuple[str, ...]] = {"clusters": ("vote",), "coordination": ("chat", "message")}
"""Rubrics of whole trials: the purposes of the steps that are judged."""


@dataclass(frozen=True)
class Reads:
    """Which steps of a trial a number reads: a function of a record, to be joined by ``|``.

    Args:
        picks: the steps, by their index.
        rubrics: the rubrics whose labels of these steps, or of the whole trial, it reads.
        words: what they are.
        by_all: whether it reads the labels of every judge and pass, not only those that count.
    """

    picks: Picks
    rubrics: frozenset[str]
    words: str
    by_all: bool = False

    def __call__(self, record: TrialRecord) -> tuple[int, ...]:
        """Return the steps that ran, in the order of the graph, each once."""
        return tuple(sorted(set(self.picks(record)) & record.outcomes.keys()))

    def __or__(self, other: Reads) -> Reads:
        """Return what reads both."""
        return Reads(
            lambda record: (*self(record), *other(record)),
            self.rubrics | other.rubrics,
            f"{self.words}; {other.words}",
            self.by_all or other.by_all,
        )

    def labels(self, record: TrialRecord, judge: str = RULES) -> tuple[Label, ...]:
        """Return the labels it reads, by step.

        Args:
            record: the trial.
            judge: the judge whose labels are read; where it has none, those of the rules.
        """
        steps = set(self(record))
        return tuple(
            label
            for label in (record.labels if self.by_all else primary(record.labels, judge))
            if label.rubric in self.rubrics and (label.step in steps or label.rubric in _WHOLE)
        )


def _everything(record: TrialRecord) -> Iterable[int]:
    return record.outcomes


def _guessed(variant: str) -> Picks:
    def picks(record: TrialRecord) -> Iterable[int]:
        for index in record.outcomes:
            step = record.graph.steps[index]
            asked = (step.purpose, step.variant) == ("guess", variant)
            if asked and record.provided.evidence[step.seat]:
                yield index

    return picks


def _guesses(record: TrialRecord) -> Iterable[int]:
    apart, found = hostile(record), dict[int, int]()
    for index in _guessed("")(record):
        step = record.graph.steps[index]
        if step.form == "label" and step.seat not in apart:
            found.setdefault(step.seat, index)
    return found.values()


def _final(record: TrialRecord) -> Iterable[int]:
    steps, readout = record.graph.steps, record.graph.readout
    stated = [
        index
        for index in record.outcomes
        if (steps[index].purpose, steps[index].variant) == (readout.purpose, "")
        and steps[index].seat in readout.seats
    ]
    end = max((steps[index].round for index in stated), default=0)
    return [index for index in stated if steps[index].round == end]


def _honest(picks: Picks) -> Picks:
    def honest(record: TrialRecord) -> Iterable[int]:
        apart = hostile(record)
        return [index for index in picks(record) if record.graph.steps[index].seat not in apart]

    return honest


def _followed(part: Callable[[tuple[int, tuple[int, ...], int]], Iterable[int]]) -> Picks:
    def picks(record: TrialRecord) -> Iterable[int]:
        steps, briefs = record.graph.steps, record.provided.briefs
        for one in followed(record):
            if briefs[steps[one.first].seat]["role"] not in ADVERSARIES:
                yield from part(one)

    return picks


def _probed(variant: str, *, at: Callable[[int], int] | None = None) -> Picks:
    """The probes of benign agents: of all rounds, or of the one that `at` makes of the last."""

    def picks(record: TrialRecord) -> Iterable[int]:
        steps = record.graph.steps
        end = max((steps[index].round for index in _said(record)), default=0)
        for index in _honest(_everything)(record):
            step = steps[index]
            asked = (step.purpose, step.variant) == ("probe", variant)
            if asked and (at is None or step.round == at(end)):
                yield index

    return picks


def _asked(*purposes: str) -> Picks:
    """What the subject of a seat test is asked."""

    def picks(record: TrialRecord) -> Iterable[int]:
        steps, subject = record.graph.steps, record.graph.readout.seats[:1]
        return [
            index
            for index in record.outcomes
            if steps[index].seat in subject and steps[index].purpose in purposes
        ]

    return picks


def _fresh(record: TrialRecord) -> Iterable[int]:
    steps, subjects = record.graph.steps, record.graph.readout.seats
    probes = (index for index in record.outcomes if steps[index].purpose == "probe")
    return [index for index in probes if steps[index].seat not in subjects]


def _said(record: TrialRecord) -> Iterable[int]:
    return [i for i in record.outcomes if record.graph.steps[i].purpose == "message"]


def _reads(word: str, picks: Picks, rubrics: Iterable[str]) -> Reads:
    return Reads(picks, frozenset(rubrics), READS[word])


everything = _reads("everything", _everything, ())
guesses = _reads("guesses", _guesses, _GRADES)
probes = _reads("probes", _guessed(""), _GRADES)
two_way = _reads("two-way", _guessed("two-way"), _GRADES)
readout = _reads("final", _final, _ANSWERS)
first = _reads("first", _followed(lambda one: one[:1]), _GRADES)
public = _reads("public", _followed(lambda one: one[1]), _GRADES)
last = _reads("last", _followed(lambda one: one[2:]), _GRADES)
courses = first | last
private = _reads("private", _probed(""), _GRADES)
own = _reads("own", _probed("own"), _GRADES)
anonymous = _reads("anonymous", _probed("anonymous"), _GRADES)
utterances = _reads("utterances", _said, ("stance",))
subject = _reads("subject", _asked("guess", "probe"), _GRADES)
statement = _reads("statement", _asked("message"), ("stance",))
fresh = _reads("fresh", _fresh, _GRADES)

_WORDS: Mapping[str, Reads] = {
    "everything": everything,
    "guesses": guesses,
    "probes": probes,
    "two-way": two_way,
    "final": readout,
    "honest-final": _reads("honest-final", _honest(_final), _ANSWERS),
    "first": first,
    "public": public,
    "last": last,
    "private": private,
    "private-first": _reads("private-first", _probed("", at=lambda end: 0), _GRADES),
    "private-last": _reads("private-last", _probed("", at=lambda end: end), _GRADES),
    "own": own,
    "own-last": _reads("own-last", _probed("own", at=lambda end: end), _GRADES),
    "anonymous": anonymous,
    "anonymous-last": _reads("anonymous-last", _probed("anonymous", at=lambda end: end), _GRADES),
    "utterances": utterances,
    "subject": subject,
    "statement": statement,
    "fresh": fresh,
}


def labelled(*rubrics: str, current: int | None = None, by_all: bool = False) -> Reads:
    """Return what reads labels: the steps that were judged.

    Args:
        rubrics: names of the rubrics.
        current: the round of the judged steps; None for all.
        by_all: as in `Reads`.

    >>> labelled("tactics").rubrics
    frozenset({'tactics'})
    """

    def picks(record: TrialRecord) -> Iterable[int]:
        steps = record.graph.steps
        for label in record.labels:
            own = label.rubric in rubrics and label.rubric not in _WHOLE
            if own and current in {None, steps[label.step].round}:
                yield label.step
        whole = {purpose for rubric in rubrics for purpose in _WHOLE.get(rubric, ())}
        for index, reply in record.outcomes.items():
            if steps[index].purpose in whole and reply.valid:
                yield index

    when = "" if current is None else f" in round {current}"
    words = f"what is labelled by {', '.join(rubrics)}{when}"
    return Reads(picks, frozenset(rubrics), words, by_all)


def of(measure: Measure) -> Reads:
    """Return what a measure reads.

    >>> from socialcircuits.measures import CATALOGUE
    >>> stance = next(one for one in CATALOGUE if one.name == "public_endorsement")
    >>> of(stance).rubrics
    frozenset({'stance'})
    """
    return reduce(or_, map(_word, measure.reads.split()))


def _word(word: str) -> Reads:
    if word in _WORDS:
        return _WORDS[word]
    rubric, _, current = word.partition(":")
    return labelled(rubric, current=int(current) if current else None)
