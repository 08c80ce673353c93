"""What a measure is, and what measures share: cells, rows, reasons, and counting of answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, Literal, NamedTuple

from socialcircuits.errors import RunFileError
from socialcircuits.graph import ADVERSARIES
from socialcircuits.records.summary import Course, Grade, Tally, TrialSummary
from socialcircuits.statistics import Estimate

Answers = tuple[str | None, ...]

Outcome = bool | None
"""What one agent is to a share: counted, counted among the others, or outside (None)."""


READS = {
    "everything": "all that was asked",
    "guesses": "isolated guesses of honest agents",
    "probes": "isolated probes",
    "two-way": "isolated probes between truth and rival",
    "final": "the last readout",
    "honest-final": "the last readout of honest agents",
    "first": "first answers of honest agents",
    "public": "answers of honest agents in rounds",
    "last": "last answers of honest agents",
    "private": "private answers of benign agents",
    "private-first": "their private answers before the talk",
    "private-last": "their private answers after the last round",
    "own": "their private answers when asked for their own view",
    "own-last": "the same after the last round",
    "anonymous": "their private answers when their messages are unsigned",
    "anonymous-last": "the same after the last round",
    "utterances": "messages",
    "subject": "private answers of the subject of a seat test",
    "statement": "what it says",
    "fresh": "private answers of the fresh seats that heard it",
}
"""What a measure may read of a trial, in words."""


class Beside(NamedTuple):
    """What stands beside an estimate: counts below the seeds, and a note on its method."""

    levels: Mapping[str, Mapping[str, int]]
    note: str = ""


@dataclass(frozen=True)
class Measure:
    """One quantity that is calculated from the record of a trial.

    Args:
        name: the key in tables.
        title: the name in figures and reports.
        definition: what is counted, over what, with the treatment of invalid answers and the
            source (paper section or equation).
        kind: how trials combine: `mean` of their values, `proportion` of trials of which something
            holds, or `ratio` pooled over trials, which are its clusters.
        bounds: smallest and largest possible value.
        undefined: why the measure has no meaning for a trial, or None where it has.
        count: numerator and denominator of one trial; asked only where it is defined.
        answers: the answers that the measure reads, None where invalid; empty where it reads the
            record's own counts.
        reads: the steps of a trial whose replies or labels the value rests on: words of `READS`, or
            names of rubrics, with ``:1`` where only labels of round 1 count.
        empty: what zero over zero means.
        beside: what stands beside the estimate of the trials for which the measure has a meaning.

    >>> from socialcircuits.measures import CATALOGUE
    >>> [measure.bounds for measure in CATALOGUE if measure.name == "uplift"]
    [(-1.0, 1.0)]
    """

    name: str
    title: str
    definition: str
    kind: Literal["mean", "proportion", "ratio"]
    bounds: tuple[float, float]
    undefined: Callable[[TrialSummary], str | None]
    count: Callable[[TrialSummary], tuple[Fraction, int]]
    answers: Callable[[TrialSummary], Answers]
    reads: str = "everything"
    empty: str = "zero over zero"
    beside: Callable[[Sequence[TrialSummary]], Beside] | None = None

    def value(self, summary: TrialSummary) -> Fraction | None:
        """Return the exact value of one trial, or None where it is zero over zero."""
        numerator, denominator = self.count(summary)
        return numerator / denominator if denominator else None


def guesses(summary: TrialSummary) -> Answers:
    """Return the isolated guesses of the honest seats that bear evidence."""
    return summary.guesses


def final(summary: TrialSummary) -> Answers:
    """Return the last readout's answers."""
    return summary.final


def no_guesses(summary: TrialSummary) -> str | None:
    """Say why there is no isolated guess, if so."""
    if summary.unjudged.get("guesses"):
        return "isolated guesses were not judged"
    return None if summary.guesses else "no isolated guesses were asked for"


def no_population(summary: TrialSummary) -> str | None:
    """Say why there is no final distribution over seats, if so."""
    if summary.population or not summary.readouts:
        return no_readout(summary)
    return f"the readout is {_whose(summary)}, not a population's"


def no_manager(summary: TrialSummary) -> str | None:
    """Say why there is no manager's final answer, if so."""
    if summary.managed or not summary.readouts:
        return no_readout(summary)
    return f"the readout is {_whose(summary)}, not a manager's"


def _whose(summary: TrialSummary) -> str:
    if summary.population:
        return "a population's"
    return "a manager's" if summary.managed else "one agent's"


def no_compatible(summary: TrialSummary) -> str | None:
    """Say that it is not known which answers the evidence leaves open, if so."""
    known = "compatible" in summary.facts
    return None if known else "the record holds no compatible sets of the evidence"


def no_planted(summary: TrialSummary) -> str | None:
    """Say why there is no answer to a planted memory, if so."""
    if "planted" not in summary.facts:
        return "no memory was planted"
    return no_readout(summary) if summary.bearers == 1 else "more than one agent has the memory"


def no_readout(summary: TrialSummary) -> str | None:
    """Say why there is no final readout, if so."""
    if summary.unjudged.get("final"):
        return "answers of the last readout were not judged"
    return None if summary.readouts else "no round was read out"


def honest(summary: TrialSummary) -> tuple[Course, ...]:
    """Return the courses of the agents that are no adversaries, in seat order."""
    return tuple(course for course in summary.courses if course.role not in ADVERSARIES)


def no_courses(summary: TrialSummary) -> str | None:
    """Say why honest agents are not followed from their first to their last answer, if so.

    They are followed in deliberations, and wherever a study has adversaries: then also in its
    conditions without any.
    """
    agents = honest(summary)
    hostile = len(agents) < len(summary.courses) or "deceivers" in summary.condition
    if not hostile and summary.protocol != "deliberation":
        return "no adversaries are among the agents"
    if not agents:
        return "no first and last answers of honest agents"
    judged = any(course.first != "unjudged" for course in agents)
    return None if judged else "no first answers were judged"


def no_answers(_: TrialSummary) -> Answers:
    """Return no answers: the measure reads courses or labels."""
    return ()


def resolutions(course: Course) -> Iterator[Course]:
    """Yield the course with its unjudged answers judged in each possible way.

    >>> len(list(resolutions(Course("observer", "right", {1: "unjudged"}, "unjudged"))))
    4
    """

    def ways(grade: Grade) -> tuple[Grade, ...]:
        return ("right", "wrong") if grade == "unjudged" else (grade,)

    rounds = sorted(course.public)
    grades = (course.first, *(course.public[current] for current in rounds), course.final)
    for first, *public, final in product(*map(ways, grades)):
        yield Course(course.role, first, dict(zip(rounds, public, strict=True)), final)


def bounded(possible: Iterable[Set[Outcome]]) -> tuple[Fraction | None, Fraction | None]:
    """Return the smallest and the largest share over all ways in which agents could come out.

    Args:
        possible: what each agent can be.

    Returns:
        Both None where all agents can be outside.

    >>> low, high = bounded([{True}, {False}, {True, False}, {None, True}])
    >>> str(low), str(high)
    ('1/3', '3/4')
    """
    agents = list(possible)
    shares = []
    for order in ((False, None, True), (True, None, False)):
        chosen = [next(outcome for outcome in order if outcome in agent) for agent in agents]
        inside = [outcome for outcome in chosen if outcome is not None]
        shares.append(Fraction(sum(inside), len(inside)) if inside else None)
    return shares[0], shares[1]


def either_way(unjudged: int, bounds: tuple[Fraction | None, Fraction | None]) -> str:
    """Return the note on what is unjudged: the ends between which the estimate would lie.

    >>> either_way(2, (Fraction(1, 4), Fraction(1, 2)))
    '2 unjudged, not counted: 0.250 to 0.500 however they are judged'
    """
    low, high = bounds
    if not unjudged or low is None or high is None:
        return ""
    between = f"{float(low):.3f} to {float(high):.3f}"
    return f"{unjudged} unjudged, not counted: {between} however they are judged"


def tally(answers: Iterable[str | None]) -> dict[str, int]:
    """Count the valid answers by name, in order of first appearance.

    >>> tally(["France", None, "Peru", "France"])
    {'France': 2, 'Peru': 1}
    """
    counts: dict[str, int] = {}
    for answer in answers:
        if answer is not None:
            counts[answer] = counts.get(answer, 0) + 1
    return counts


def leaders(answers: Answers) -> tuple[str, ...]:
    """Return the answers that share the highest count; empty where none is valid.

    >>> leaders(("France", None, "Peru", "France", "Peru", "Mali"))
    ('France', 'Peru')
    """
    counts = tally(answers)
    top = max(counts.values(), default=0)
    return tuple(answer for answer, count in counts.items() if count == top)


def tallied(tallies: Iterable[Tally]) -> Answers:
    """Return the answers of probes, None for each invalid one.

    The probabilities that one reply gives to many answers stand for one answer.

    >>> tallied([{"Peru": Fraction(2), None: Fraction(1)}])
    ('Peru', 'Peru', None)
    >>> len(tallied([{"Peru": Fraction(1, 3), "Mali": Fraction(1, 3), "Chad": Fraction(1, 3)}]))
    1
    """
    read: list[str | None] = []
    for tally in tallies:
        seen, start = Fraction(0), len(read)
        for answer, weight in tally.items():
            seen += weight
            read += [answer] * (start + round(seen) - len(read))
    return tuple(read)


@dataclass(frozen=True)
class Row:
    """One measure in one cell, or its difference between two cells.

    Args:
        measure: name of the measure.
        condition: the swept settings of the cell; a difference holds the side that is subtracted
            under ``minus``.
        estimate: the number with its interval, counts and method.

    >>> from socialcircuits.statistics import proportion
    >>> Row("polarization", {"N": 4}, proportion(9, 38)).as_json()["n"]
    38
    """

    measure: str
    condition: Mapping[str, Any]
    estimate: Estimate

    def as_json(self) -> dict[str, Any]:
        """Return the row as JSON values; value, low and high are None where n is 0; p, test and
        detectable where nothing is tested."""
        test = self.estimate.test
        return {
            "measure": self.measure,
            "condition": dict(self.condition),
            "value": self.estimate.value,
            "low": self.estimate.low,
            "high": self.estimate.high,
            "n": self.estimate.n,
            "levels": {name: dict(counts) for name, counts in self.estimate.levels.items()},
            "method": self.estimate.method,
            "p": None if test is None else test.p,
            "test": None if test is None else test.test,
            "detectable": self.estimate.detectable,
            "warnings": list(self.estimate.warnings),
        }


def cell(condition: Mapping[str, Any]) -> str:
    """Return the key of a condition: its canonical JSON (sorted keys, no spaces).

    >>> cell({"protocol": "pairwise", "N": 16})
    '{"N":16,"protocol":"pairwise"}'
    """
    return json.dumps(condition, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def by_cell(summaries: Iterable[TrialSummary]) -> dict[str, list[TrialSummary]]:
    """Return the trials of each condition by its key, in order of first appearance.

    Raises:
        RunFileError: a cell holds a seed twice.
    """
    cells: dict[str, list[TrialSummary]] = {}
    seen = set()
    for trial in summaries:
        key = cell(trial.condition)
        if (key, trial.seed) in seen:
            # Two trials of one seed are one unit of evidence and must not be counted as two.
            raise RunFileError(
                f"trial {trial.trial}: seed {trial.seed} occurs twice in cell {key}; "
                "a cell holds each seed once"
            )
        seen.add((key, trial.seed))
        cells.setdefault(key, []).append(trial)
    return cells


def with_seeds(result: Estimate, planned: int, completed: int, reasons: Counter[str]) -> Estimate:
    """Add how many seeds were planned, completed and excluded, and why."""
    reasons = +reasons
    seeds = {"planned": planned, "completed": completed, "excluded": reasons.total()}
    levels = {"seeds": seeds} | ({"excluded": dict(reasons)} if reasons else {})
    return replace(result, levels=levels)
