"""Rivalry: which wrong answer competes with the truth, and how much the evidence supports it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from socialcircuits.errors import SettingError
from socialcircuits.measures._base import Answers, Measure, tallied
from socialcircuits.records.summary import TrialSummary

__all__ = ["MEASURE", "rival"]

KIND = "two-way"
"""Kind of the probes in which only the truth and the rival are allowed."""


def rival(
    guesses: Sequence[str | None],
    truth: str,
    answers: Sequence[str],
    compatible: Sequence[Collection[int]],
) -> str:
    """Return the rival of a trial: the wrong answer most named in the isolated guesses.

    Ties, also that in which no wrong answer was named, go to the answer that is compatible with
    more of the dealt crops, then to the first by name.

    Args:
        guesses: the isolated guesses, None where invalid; these name nothing.
        truth: the right answer.
        answers: the allowed answers.
        compatible: for each dealt crop the numbers, in `answers`, of what it is compatible with.

    Raises:
        SettingError: no answer but the truth is allowed.

    Source: Flag Game, section 5.2, which leaves ties open.

    >>> rival(["Mali", "Peru", "Chad"], "Peru", ("Chad", "Mali", "Peru"), [{1, 2}, {0, 1, 2}])
    'Mali'
    """
    wrong = {answer: number for number, answer in enumerate(answers) if answer != truth}
    if not wrong:
        raise SettingError("answers", list(answers), f"at least one answer beside {truth}")

    def order(answer: str) -> tuple[int, int, str]:
        fits = sum(wrong[answer] in dealt for dealt in compatible)
        return -guesses.count(answer), -fits, answer

    return min(wrong, key=order)


def _undefined(summary: TrialSummary) -> str | None:
    return None if summary.probed.get(KIND) else "no probes between truth and rival were asked for"


def _count(summary: TrialSummary) -> tuple[Fraction, int]:
    right = valid = Fraction(0)
    for tally in summary.probed[KIND]:
        right += tally.get(summary.truth, Fraction(0))
        valid += sum(weight for answer, weight in tally.items() if answer is not None)
    return ((valid - right) / valid, 1) if valid else (valid, 0)


def _answers(summary: TrialSummary) -> Answers:
    return tallied(summary.probed[KIND])


MEASURE = Measure(
    name="rival_share",
    title="Rival evidence share",
    definition=(
        "Of the valid isolated probes between the truth and the trial's rival, the share that "
        "chose the rival, pooled over the trial's crops (odds count by weight); then the mean over "
        "trials. A trial without a valid probe is left out and counted. Flag Game, section 5.2, "
        "Fig. 8."
    ),
    kind="mean",
    bounds=(0.0, 1.0),
    undefined=_undefined,
    count=_count,
    answers=_answers,
    reads="two-way",
)
