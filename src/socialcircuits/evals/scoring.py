"""Our measures as Inspect's scores: what one trial counts, and the estimate over trials."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from socialcircuits.measures import CATALOGUE, Measure, cell
from socialcircuits.records import TrialSummary
from socialcircuits.report.words import where
from socialcircuits.statistics import Estimate, mean, proportion, ratio

COUNTS = "counts"
"""Under this name a sample's store holds what its trial counts, by measure."""

CONDITION = "condition"
"""Under this name a sample's metadata hold the swept settings of its trial."""

BY_NAME: Mapping[str, Measure] = {measure.name: measure for measure in CATALOGUE}
"""All measures by name."""

Counts = Mapping[str, Any]
"""What one trial adds to a measure: ``counted`` (numerator and denominator of a fraction), ``of``,
and ``why`` it adds nothing, empty where it does."""


def counts(measure: Measure, summary: TrialSummary) -> dict[str, Any]:
    """Return what a trial counts for a measure, as JSON values.

    Args:
        measure: the measure.
        summary: the trial.
    """
    why, counted, whole = measure.undefined(summary), Fraction(0), 0
    if why is None:
        counted, whole = measure.count(summary)
        why = "" if whole else measure.empty
    return {"counted": [counted.numerator, counted.denominator], "of": whole, "why": why}


def score(found: Counts) -> Score:
    """Return the score of one trial; where the measure has no value it is unscored, and says why.

    >>> score({"counted": [3, 1], "of": 4, "why": ""}).value
    0.75
    """
    if found["why"]:
        return Score.unscored(explanation=found["why"], metadata=dict(found))
    value = Fraction(*found["counted"]) / found["of"]
    return Score(value=float(value), metadata=dict(found))


def combine(measure: Measure, found: Sequence[Counts]) -> Estimate:
    """Estimate a measure from what the trials of one condition count, as reports do.

    Args:
        measure: the measure.
        found: the counts of the trials of which it has a value.

    >>> combine(BY_NAME["polarization"], [{"counted": [1, 1], "of": 1, "why": ""}] * 3).value
    1.0
    """
    parts = [Fraction(*one["counted"]) for one in found]
    wholes = [int(one["of"]) for one in found]
    if measure.kind == "ratio":
        return ratio([int(part) for part in parts], wholes)
    if measure.kind == "proportion":
        return proportion(int(sum(parts)), len(parts))
    values = [float(part / whole) for part, whole in zip(parts, wholes, strict=True)]
    return mean(values, measure.bounds)


def numbers(estimate: Estimate, before: str = "") -> dict[str, float]:
    """Return an estimate as Inspect's metrics: ``value``, ``low``, ``high`` and ``n``; of no trials
    only ``n``.

    Args:
        estimate: the estimate.
        before: stands before each name.
    """
    found = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    known = {before + name: value for name, value in found.items() if value is not None}
    return {**known, f"{before}n": float(estimate.n)}


@metric(name="estimate", scores="unreduced")
def estimated(measure: str) -> Metric:
    """Estimate a measure, condition by condition.

    Args:
        measure: its name.
    """

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        groups: dict[str, list[Counts]] = {}
        for one in scores:
            condition = (one.sample_metadata or {}).get(CONDITION, {})
            groups.setdefault(cell(condition), []).append(one.score.metadata or {})
        found: dict[str, float] = {}
        for key, trials in groups.items():
            before = f"{where(json.loads(key))}: " if len(groups) > 1 else ""
            found |= numbers(combine(BY_NAME[measure], trials), before)
        return found

    return compute


def scorers(names: Iterable[str]) -> list[Scorer]:
    """Return a scorer for each of some measures, under its name."""
    return [_scorer(name) for name in names]


def _scorer(name: str) -> Scorer:
    @scorer(name=name, metrics=[estimated(name)])
    def measured() -> Scorer:
        async def read(state: TaskState, _: Target) -> Score:
            return score(state.store.get(COUNTS, {})[name])

        return read

    return measured()
