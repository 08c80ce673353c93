"""Endpoint classes: how a population's trial ends.

The thresholds live here and nowhere else, as exact fractions: a threshold made by adding 0.05 in
floating point ends at 1.0000000000000002 and loses unanimous runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from socialcircuits.errors import SettingError
from socialcircuits.measures._base import Measure, final, no_population, tally
from socialcircuits.records.summary import TrialSummary

__all__ = ["CONSENSUS", "MEASURES", "POLAR", "Endpoint", "check_thresholds", "classify"]

Endpoint = Literal["correct_consensus", "wrong_consensus", "polarization", "fragmentation"]

CONSENSUS = Fraction(17, 20)
"""Least share of the top answer in a consensus."""

POLAR = Fraction(1, 4)
"""Least share of each camp in a polarized group."""


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


def _class(summary: TrialSummary) -> Endpoint:
    return classify(tally(summary.final), len(summary.final), summary.truth)


def _truth_rival(summary: TrialSummary) -> bool:
    if _class(summary) != "polarization":
        return False
    camps = _camps(tally(summary.final), len(summary.final), POLAR)
    plausible = {summary.answers[index] for dealt in summary.facts["compatible"] for index in dealt}
    return summary.truth in camps and bool((camps - {summary.truth}) & plausible)


def _no_compatible(summary: TrialSummary) -> str | None:
    if "compatible" not in summary.facts:
        return "the record holds no compatible sets of the evidence"
    return no_population(summary)


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
        undefined=_no_compatible,
        count=lambda summary: (Fraction(_truth_rival(summary)), 1),
        answers=final,
    ),
    _measure(
        "fragmentation",
        "Fragmentation",
        f"no answer has a share of {CONSENSUS} and fewer than two have {POLAR} or more",
    ),
)
"""The four exclusive classes and, after polarization, its sub-class; in this order in tables."""
