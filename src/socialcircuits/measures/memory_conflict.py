"""Memory conflict: what one agent answers when its planted memory speaks against its evidence."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from socialcircuits.measures._base import Measure, final, no_compatible, no_planted
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURES", "Choice", "choice"]

Choice = Literal["private_target", "social", "other_compatible", "incompatible", "no_answer"]


def choice(summary: TrialSummary) -> Choice:
    """Return the class of the agent's answer: one of five that exclude each other.

    The lure counts as social also where it is compatible with the crop.

    Args:
        summary: a trial with a planted memory and a readout, of whose facts ``lure`` and (for
            other answers than truth and lure) ``compatible`` are read.

    Source: Flag Game, section 5.1 and Fig. 5.

    >>> trial = TrialSummary(
    ...     trial=0, condition={"lures": 5}, seed=1, truth="Peru", answers=("Chad", "Mali", "Peru"),
    ...     bearers=1, guesses=(), readouts={1: ("Chad",)}, rounds=1, population=False,
    ...     managed=False, asked=1, invalid=0,
    ...     facts={"planted": {"lure": 5, "of": 8}, "lure": "Mali", "compatible": [[0, 2]]})
    >>> choice(trial)
    'other_compatible'
    """
    answer = summary.final[0]
    if answer is None:
        return "no_answer"
    if answer == summary.truth:
        return "private_target"
    if answer == summary.facts["lure"]:
        return "social"
    fits = summary.answers.index(answer) in summary.facts["compatible"][0]
    return "other_compatible" if fits else "incompatible"


def _undefined(summary: TrialSummary) -> str | None:
    return no_planted(summary) or no_compatible(summary)


def _count(of: Choice) -> Callable[[TrialSummary], tuple[Fraction, int]]:
    return lambda summary: (Fraction(choice(summary) == of), 1)


def _measure(of: Choice, title: str, rule: str) -> Measure:
    return Measure(
        name=f"{of}_share",
        title=title,
        definition=(
            f"Share of trials in which the agent with a planted memory {rule}. The five shares add "
            "up to 1; an invalid answer is a class of its own. Planted memories only. Flag Game, "
            "section 5.1, Fig. 5 and 10, appendix C."
        ),
        kind="proportion",
        bounds=(0.0, 1.0),
        undefined=_undefined,
        count=_count(of),
        answers=final,
        reads="final",
    )


MEASURES = (
    _measure("private_target", "Private target", "names the truth, which its crop supports"),
    _measure(
        "social", "Social answer", "names the lure of its memory, whether it fits the crop or not"
    ),
    _measure(
        "other_compatible", "Other compatible", "names a third country that fits its own crop"
    ),
    _measure("incompatible", "Incompatible", "names a third country that its own crop rules out"),
    _measure("no_answer", "No answer", "gives no valid answer"),
)
"""The five exclusive classes of an answer, in this order in tables."""
