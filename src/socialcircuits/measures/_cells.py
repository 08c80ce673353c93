"""From summaries to rows: each measure in each cell, and contrasts between cells."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.measures._base import Measure, Row, by_cell, cell, with_seeds
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import (
    Estimate,
    matched_difference,
    matched_proportions,
    mean,
    proportion,
    ratio,
)


def estimate(
    summaries: Sequence[TrialSummary], planned: Mapping[str, int], measures: Iterable[Measure]
) -> list[Row]:
    """Estimate the measures in every cell; see `socialcircuits.measures.estimate`."""
    measures = tuple(measures)
    cells = by_cell(summaries)
    rows = [
        _row(measure, trials, planned.get(key, len(trials)))
        for key, trials in cells.items()
        for measure in measures
        if any(measure.undefined(trial) is None for trial in trials)
    ]
    everywhere = [m for m in measures if all(m.undefined(trial) is None for trial in summaries)]
    rows += [
        Row(measure.name, json.loads(key), with_seeds(mean([]), number, 0, _missing(number)))
        for key, number in planned.items()
        if summaries and key not in cells
        for measure in everywhere
    ]
    return rows


def contrasts(
    summaries: Sequence[TrialSummary], axis: str, measures: Iterable[Measure]
) -> list[Row]:
    """Contrast the ends of an axis; see `socialcircuits.measures.contrasts`."""
    measures = tuple(measures)
    groups: dict[str, list[TrialSummary]] = {}
    for trial in summaries:
        _check_axis(trial, axis)
        others = {name: value for name, value in trial.condition.items() if name != axis}
        groups.setdefault(cell(others), []).append(trial)
    rows = []
    for trials in groups.values():
        values = [trial.condition[axis] for trial in trials]
        low, high = min(values), max(values)
        if low < high:
            first = [trial for trial in trials if trial.condition[axis] == high]
            second = [trial for trial in trials if trial.condition[axis] == low]
            rows += _differences(measures, first, second, {axis: low})
    return rows


def effects(
    summaries: Sequence[TrialSummary],
    axis: str,
    measures: Iterable[Measure],
    besides: Collection[str] = (),
) -> list[Row]:
    """Contrast what is done with nothing done; see `socialcircuits.measures.effects` and `arms`.

    Settings in `besides` belong to what is done.
    """
    measures = tuple(measures)
    groups: dict[str, dict[str, list[TrialSummary]]] = {}
    for trial in summaries:
        if axis in trial.condition:
            done = {name: trial.condition.get(name) for name in (axis, *besides)}
            others = {n: value for n, value in trial.condition.items() if n not in done}
            key = "" if not done[axis] else cell(done)
            groups.setdefault(cell(others), {}).setdefault(key, []).append(trial)
    rows = []
    for values in groups.values():
        plain = values.pop("", [])
        for changed in values.values() if plain else ():
            rows += _differences(measures, changed, plain, {axis: ""})
    return rows


def _differences(
    measures: Sequence[Measure],
    first: list[TrialSummary],
    second: list[TrialSummary],
    minus: Mapping[str, Any],
) -> list[Row]:
    by_cell([*first, *second])
    condition = {**first[0].condition, "minus": dict(minus)}
    return [
        Row(measure.name, condition, _contrast(measure, first, second))
        for measure in measures
        if all(any(measure.undefined(one) is None for one in side) for side in (first, second))
    ]


def _row(measure: Measure, trials: Sequence[TrialSummary], planned: int) -> Row:
    if planned < len(trials):
        where = f"planned[{cell(trials[0].condition)}]"
        raise SettingError(where, planned, f"at least the {len(trials)} completed trials")
    reasons = _missing(planned - len(trials))
    used = []
    for trial in trials:
        reason = _left_out(measure, trial)
        if reason is None:
            used.append(trial)
        else:
            reasons[reason] += 1
    result = with_seeds(_combine(measure, used), planned, len(trials), reasons)
    levels, method = {**result.levels, **_below(measure, used)}, result.method
    if measure.beside is not None:
        beside = measure.beside([trial for trial in trials if measure.undefined(trial) is None])
        levels |= beside.levels
        method += f"; {beside.note}" if beside.note else ""
    result = replace(result, levels=levels, method=method)
    return Row(measure.name, dict(trials[0].condition), result)


def _missing(number: int) -> Counter[str]:
    return Counter({"not completed": number})


def _left_out(measure: Measure, trial: TrialSummary) -> str | None:
    reason = measure.undefined(trial)
    if reason is None and measure.value(trial) is None:
        return measure.empty
    return reason


def _combine(measure: Measure, trials: Sequence[TrialSummary]) -> Estimate:
    counts = [measure.count(trial) for trial in trials]
    if measure.kind == "ratio":
        return ratio([int(part) for part, _ in counts], [whole for _, whole in counts])
    if measure.kind == "proportion":
        return proportion(int(sum(part for part, _ in counts)), len(counts))
    return mean([float(part / whole) for part, whole in counts], measure.bounds)


def _below(measure: Measure, trials: Sequence[TrialSummary]) -> dict[str, dict[str, int]]:
    """Count what lies below the seeds: the answers read, or the parts of a pooled ratio."""
    if measure.kind == "ratio":
        counts = [measure.count(trial) for trial in trials]
        hits, total = sum(int(part) for part, _ in counts), sum(whole for _, whole in counts)
        return {"pooled": {"counted": hits, "of": total}}
    if measure.beside is not None:
        return {}
    answers = [answer for trial in trials for answer in measure.answers(trial)]
    return {"answers": {"read": len(answers), "invalid": answers.count(None)}}


def _check_axis(trial: TrialSummary, axis: str) -> None:
    if axis not in trial.condition:
        names = sorted(trial.condition)
        raise SettingError("axis", axis, f"a swept setting ({', '.join(names)})", among=names)
    value = trial.condition[axis]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SettingError(f"axis {axis}", value, "numbers on the axis of a contrast")


def _contrast(
    measure: Measure, first: Sequence[TrialSummary], second: Sequence[TrialSummary]
) -> Estimate:
    seeds = [{trial.seed for trial in side} for side in (first, second)]
    either, both = seeds[0] | seeds[1], seeds[0] & seeds[1]
    left, right = _by_seed(measure, first), _by_seed(measure, second)
    shared = sorted(left.keys() & right.keys())
    reasons = Counter(
        {
            "completed on one side only": len(either) - len(both),
            "undefined on a side": len(both) - len(shared),
        }
    )
    values = [left[s] for s in shared], [right[s] for s in shared]
    span = measure.bounds[1] - measure.bounds[0]
    found = (
        matched_proportions(*values)
        if measure.kind == "proportion"
        else matched_difference(*values, (-span, span))
    )
    result = with_seeds(found, len(either), len(both), reasons)
    return replace(result, levels={**result.levels, **found.levels})


def _by_seed(measure: Measure, trials: Sequence[TrialSummary]) -> dict[int, float]:
    return {
        trial.seed: float(value)
        for trial in trials
        if measure.undefined(trial) is None and (value := measure.value(trial)) is not None
    }
