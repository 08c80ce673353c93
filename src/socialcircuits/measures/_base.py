"""What a measure is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from socialcircuits.records.summary import TrialSummary

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
    if not summary.population:
        return "the readout is a manager's, not a population's"
    return no_readout(summary)


def no_manager(summary: TrialSummary) -> str | None:
    """Say why there is no manager's final answer, if so."""
    if summary.population:
        return "the readout is a population's, not a manager's"
    return no_readout(summary)


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
