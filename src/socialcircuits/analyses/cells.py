"""Averages over models and data sets: each cell alike (macro), or each turn alike (micro)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any

from socialcircuits.analyses.counting import question, rest
from socialcircuits.measures import CATALOGUE, Measure, cell
from socialcircuits.measures.hidden_belief import MEASURES
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import Estimate, ratio
from socialcircuits.statistics.macro import macro_ratio

__all__ = ["TABLE", "cells"]

TABLE: tuple[str, ...] = tuple(measure.name for measure in MEASURES)
"""What is averaged unless something else is asked for: agents, turns and the joint table."""


def cells(
    summaries: Sequence[TrialSummary],
    over: Collection[str] = ("cast",),
    measures: Collection[str] = TABLE,
) -> list[dict[str, Any]]:
    """Return pooled ratios averaged over cells, by the other settings.

    A cell is one combination of the settings that are averaged over and of the items' source. Macro
    is the mean of the cells' rates, micro the rate of all their trials together; they differ where
    cells have different numbers of items or turns.

    Args:
        summaries: the completed trials.
        over: swept settings that tell cells apart.
        measures: names of measures of kind ratio; those that are defined nowhere give no row.

    Returns:
        Rows with the columns measure, average (``macro``, ``micro``), value, low, high, n (items),
        cells (with trials that count), left_out (cells without) and method, behind the settings.

    Source: believed but not said, sections 3.5 and 4.1 and Table 3.
    """
    chosen = [measure for measure in CATALOGUE if measure.name in measures]
    groups: dict[str, list[TrialSummary]] = {}
    for summary in summaries:
        groups.setdefault(cell(rest(summary, over)), []).append(summary)
    return [
        {**rest(trials[0], over), "measure": measure.name, **row}
        for trials in groups.values()
        for measure in chosen
        for row in _averages(measure, trials, over)
    ]


def _averages(
    measure: Measure, trials: Iterable[TrialSummary], over: Collection[str]
) -> list[dict[str, Any]]:
    found: dict[tuple[Hashable, ...], Counter[tuple[str, bool]]] = {}
    for trial in trials:
        if measure.undefined(trial) is None:
            name = (*(str(trial.condition.get(axis)) for axis in over), trial.facts.get("source"))
            part, whole = measure.count(trial)
            counts = found.setdefault(name, Counter())
            counts[question(trial), True] += int(part)
            counts[question(trial), False] += whole
    parts = [_parts(counts) for counts in found.values()]
    kept = [each for each in parts if each]
    if not parts:
        return []
    both = Counter[tuple[str, bool]]()
    for counts in found.values():
        both.update(counts)
    pooled = list(_parts(both).values())
    micro = ratio([hits for hits, _ in pooled], [size for _, size in pooled])
    return [
        _row(average, estimate, len(kept), len(parts) - len(kept))
        for average, estimate in (("macro", macro_ratio(kept)), ("micro", micro))
    ]


def _parts(counts: Mapping[tuple[str, bool], int]) -> dict[Hashable, tuple[int, int]]:
    """Item -> its counts, without items that have nothing to count."""
    items = dict.fromkeys(item for item, _ in counts)
    return {i: (counts[i, True], counts[i, False]) for i in items if counts[i, False]}


def _row(average: str, found: Estimate, kept: int, left_out: int) -> dict[str, Any]:
    return {
        "average": average,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "cells": kept,
        "left_out": left_out,
        "method": found.method,
    }
