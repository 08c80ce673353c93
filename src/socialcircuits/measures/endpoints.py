"""Endpoint classes: how a population's trial ends.

The thresholds live here and nowhere else, as exact fractions: a threshold made by adding 0.05 in
floating point ends at 1.0000000000000002 and loses unanimous runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

from socialcircuits.errors import SettingError
from socialcircuits.measures._base import (
    Measure,
    by_cell,
    final,
    no_compatible,
    no_population,
    tally,
)
from socialcircuits.records.summary import TrialSummary

__all__ = [
    "CONSENSUS",
    "MEASURES",
    "PAIRS",
    "POLAR",
    "Endpoint",
    "ThresholdSweep",
    "check_thresholds",
    "classify",
    "robustness",
]

Endpoint = Literal["correct_consensus", "wrong_consensus", "polarization", "fragmentation"]

CLASSES: tuple[Endpoint, ...] = get_args(Endpoint)

CONSENSUS = Fraction(17, 20)
"""Least share of the top answer in a consensus."""

POLAR = Fraction(1, 4)
"""Least share of each camp in a polarized group."""

PAIRS = tuple(
    (Fraction(consensus, 20), Fraction(polar, 20))
    for consensus in range(15, 21)
    for polar in range(3, 8)
)
"""The (consensus, polar) thresholds of a sweep: 0.75 to 1.00 with 0.15 to 0.35, steps of 0.05."""


def check_thresholds(consensus: Fraction, polar: Fraction) -> None:
    """Check that thresholds are exact and in order: 0 < polar <= 1/2 < consensus <= 1.

    A consensus at half or below could be held by two answers at once; camps above half could not
    be two.

    Raises:
        SettingError: a threshold is not an exact number or out of order.
    """
    for name, given in (("consensus", consensus), ("polar", polar)):
        if not isinstance(given, Fraction | int):
            raise SettingError(name, given, "an exact fraction such as Fraction(17, 20)")
    if not Fraction(1, 2) < consensus <= 1:
        raise SettingError("consensus", str(consensus), "a fraction above 1/2 and at most 1")
    if not 0 < polar <= Fraction(1, 2):
        raise SettingError("polar", str(polar), "a fraction above 0 and at most 1/2")


def classify(
    counts: Mapping[str, int],
    n: int,
    truth: str,
    consensus: Fraction = CONSENSUS,
    polar: Fraction = POLAR,
) -> Endpoint:
    """Return the endpoint class of a final distribution of answers.

    Args:
        counts: answer -> number of seats that hold it; invalid answers are no answer.
        n: number of all seats, invalid ones included; shares divide by it.
        truth: the right answer.
        consensus: least share of the top answer in a consensus.
        polar: least share of each of at least two camps in a polarized group.

    Raises:
        SettingError: a threshold is not exact or out of order, or the counts do not fit n.

    Source: Flag Game, section 3.3; thresholds from its appendix D.

    >>> classify({"France": 39, "Peru": 25}, 64, "France")
    'polarization'
    >>> classify({"Peru": 17, "France": 3}, 20, "France")
    'wrong_consensus'
    """
    check_thresholds(consensus, polar)
    if n < 1 or sum(counts.values()) > n or min(counts.values(), default=0) < 0:
        raise SettingError("counts", dict(counts), f"counts from 0 that add up to at most n = {n}")
    for answer, count in counts.items():
        if count >= consensus * n:
            return "correct_consensus" if answer == truth else "wrong_consensus"
    return "polarization" if len(_camps(counts, n, polar)) >= 2 else "fragmentation"


def _camps(counts: Mapping[str, int], n: int, polar: Fraction) -> set[str]:
    return {answer for answer, count in counts.items() if count >= polar * n}


@dataclass(frozen=True)
class ThresholdSweep:
    """How the share of one endpoint class depends on the thresholds, in one condition.

    Its range is a sensitivity to a convention, not an uncertainty: the trials are the same for all
    pairs of thresholds, and there is no interval.

    Args:
        condition: the swept settings of the cell.
        endpoint: the class.
        trials: number of trials, the denominator of every share, at least 1.
        counts: (consensus, polar) of each of `PAIRS` -> number of trials in the class.
    """

    condition: Mapping[str, Any]
    endpoint: Endpoint
    trials: int
    counts: Mapping[tuple[Fraction, Fraction], int]

    @property
    def chosen(self) -> float:
        """The share at `CONSENSUS` and `POLAR`."""
        return self.counts[CONSENSUS, POLAR] / self.trials

    @property
    def smallest(self) -> float:
        """The smallest share over the pairs."""
        return min(self.counts.values()) / self.trials

    @property
    def largest(self) -> float:
        """The largest share over the pairs."""
        return max(self.counts.values()) / self.trials

    def rows(self) -> list[dict[str, Any]]:
        """Return one row a pair of thresholds, for a table; numbers as decimals."""
        return [
            {
                **self.condition,
                "endpoint": self.endpoint,
                "consensus": float(consensus),
                "polar": float(polar),
                "share": count / self.trials,
                "trials": self.trials,
            }
            for (consensus, polar), count in self.counts.items()
        ]


def robustness(summaries: Sequence[TrialSummary]) -> list[ThresholdSweep]:
    """Classify the ends of trials anew under each pair of thresholds.

    Args:
        summaries: the completed trials; those whose readout is not a population's are passed over.

    Returns:
        For each condition, in order of first appearance, the four classes in the order of tables.
        Under one pair the four shares add up to 1.

    Raises:
        RunFileError: a cell holds a seed twice.

    Source: Flag Game, appendix D, Table 3.

    >>> trial = TrialSummary(
    ...     trial=0, condition={"N": 4}, seed=1, truth="Peru", answers=("Mali", "Peru"), bearers=4,
    ...     guesses=(), readouts={1: ("Peru", "Peru", "Peru", "Mali")}, rounds=1, population=True,
    ...     managed=False, asked=4, invalid=0, facts={})
    >>> correct = robustness([trial])[0]
    >>> correct.smallest, correct.chosen, correct.largest, len(correct.rows())
    (0.0, 0.0, 1.0, 30)
    """
    sweeps = []
    for trials in by_cell(t for t in summaries if no_population(t) is None).values():
        found = {pair: Counter(_class(trial, *pair) for trial in trials) for pair in PAIRS}
        sweeps += [
            ThresholdSweep(
                condition=dict(trials[0].condition),
                endpoint=endpoint,
                trials=len(trials),
                counts={pair: classes[endpoint] for pair, classes in found.items()},
            )
            for endpoint in CLASSES
        ]
    return sweeps


def _class(
    summary: TrialSummary, consensus: Fraction = CONSENSUS, polar: Fraction = POLAR
) -> Endpoint:
    return classify(tally(summary.final), len(summary.final), summary.truth, consensus, polar)


def _truth_rival(summary: TrialSummary) -> bool:
    if _class(summary) != "polarization":
        return False
    camps = _camps(tally(summary.final), len(summary.final), POLAR)
    plausible = {summary.answers[index] for dealt in summary.facts["compatible"] for index in dealt}
    return summary.truth in camps and bool((camps - {summary.truth}) & plausible)


def _no_rivals(summary: TrialSummary) -> str | None:
    return no_compatible(summary) or no_population(summary)


def _measure(name: Endpoint, title: str, rule: str) -> Measure:
    def count(summary: TrialSummary) -> tuple[Fraction, int]:
        return Fraction(_class(summary) == name), 1

    return Measure(
        name=name,
        title=title,
        definition=(
            f"Share of trials in which, at the end, {rule}; shares divide by all seats and an "
            "invalid answer is never a country. Population protocols only. Flag Game, section 3.3."
        ),
        kind="proportion",
        bounds=(0.0, 1.0),
        undefined=no_population,
        count=count,
        answers=final,
        reads="final",
    )


MEASURES = (
    _measure(
        "correct_consensus", "Correct consensus", f"the truth has a share of at least {CONSENSUS}"
    ),
    _measure(
        "wrong_consensus",
        "Wrong consensus",
        f"an answer other than the truth has a share of at least {CONSENSUS} (collective belief "
        "collapse)",
    ),
    _measure(
        "polarization",
        "Polarization",
        f"no answer has a share of {CONSENSUS} and at least two have {POLAR} or more",
    ),
    Measure(
        name="truth_rival_polarization",
        title="Truth-rival polarization",
        definition=(
            "Share of trials that end in polarization, counted there too, where the truth is one "
            f"camp (share {POLAR} or more) and an answer compatible with some dealt evidence is "
            "another. Needs the record's compatible sets. Population protocols only. Flag Game, "
            "section 3.3."
        ),
        kind="proportion",
        bounds=(0.0, 1.0),
        undefined=_no_rivals,
        count=lambda summary: (Fraction(_truth_rival(summary)), 1),
        answers=final,
        reads="final",
    ),
    _measure(
        "fragmentation",
        "Fragmentation",
        f"no answer has a share of {CONSENSUS} and fewer than two have {POLAR} or more",
    ),
)
"""The four exclusive classes and, after polarization, its sub-class; in this order in tables."""
