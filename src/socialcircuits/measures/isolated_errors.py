"""Isolated errors: whether a wrong first guess at least agrees with what the agent saw."""

from __future__ import annotations

from fractions import Fraction

from socialcircuits.measures._base import Measure, guesses, no_compatible, no_guesses
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURES"]


def _undefined(summary: TrialSummary) -> str | None:
    return no_guesses(summary) or no_compatible(summary)


def _measure(name: str, title: str, rule: str, fits: bool) -> Measure:
    def count(summary: TrialSummary) -> tuple[Fraction, int]:
        errors, apart = 0, summary.adversaries.get("evidence", ())
        seen = [d for place, d in enumerate(summary.facts["compatible"]) if place not in apart]
        for guess, dealt in zip(summary.guesses, seen, strict=True):
            if guess is not None and guess != summary.truth:
                errors += (summary.answers.index(guess) in dealt) == fits
        return Fraction(errors), len(summary.guesses)

    return Measure(
        name=name,
        title=title,
        definition=(
            "Share of the seats that bear evidence whose isolated guess is wrong and names a "
            f"country whose flag {rule}. An invalid guess is no error of either kind and stays in "
            "the denominator: accuracy, both kinds and the invalid share add up to 1. Adversaries "
            "are not counted. Flag Game, section 4 and Fig. 4b."
        ),
        kind="mean",
        bounds=(0.0, 1.0),
        undefined=_undefined,
        count=count,
        answers=guesses,
        reads="guesses",
    )


MEASURES = (
    _measure(
        "compatible_errors",
        "Compatible errors",
        "holds the agent's own crop at some position",
        fits=True,
    ),
    _measure(
        "incompatible_errors",
        "Incompatible errors",
        "holds the agent's own crop nowhere",
        fits=False,
    ),
)
"""What an agent could have believed, and what its own evidence rules out."""
