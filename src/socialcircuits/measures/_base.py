"""What a measure is, and what measures share: cells, rows, reasons, and counting of answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from socialcircuits.errors import RunFileError
from socialcircuits.records.summary import Tally, TrialSummary
from socialcircuits.statistics import Estimate

Answers = tuple[str | None, ...]


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

    def value(self, summary: TrialSummary) -> Fraction | None:
        """Return the exact value of one trial, or None where it is zero over zero."""
        numerator, denominator = self.count(summary)
        return numerator / denominator if denominator else None


def guesses(summary: TrialSummary) -> Answers:
    """Return the isolated guesses of the seats that bear evidence."""
    return summary.guesses


def final(summary: TrialSummary) -> Answers:
    """Return the last readout's answers."""
    return summary.final


def no_guesses(summary: TrialSummary) -> str | None:
    """Say why there is no isolated guess, if so."""
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
    return None if summary.readouts else "no round was read out"


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
        """Return the row as JSON values; value, low and high are None where n is 0."""
        return {
            "measure": self.measure,
            "condition": dict(self.condition),
            "value": self.estimate.value,
            "low": self.estimate.low,
            "high": self.estimate.high,
            "n": self.estimate.n,
            "levels": {name: dict(counts) for name, counts in self.estimate.levels.items()},
            "method": self.estimate.method,
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
