"""What a study compares, and how much units differ in it: from the trials of a pilot to spreads.

What is compared follows from the study: the ends of its contrast; else what is done against
nothing; else the trend over the proportion of adversaries; else each rate by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Literal

from socialcircuits.analyses.counting import (
    CHANGES,
    COMPOSITION,
    Change,
    TrialCount,
    adversaries,
    coordinating,
    counted,
    grouped,
    rest,
)
from socialcircuits.analyses.spreads import Changes, Differences, Precision, Slope, Spread
from socialcircuits.analyses.trends import FEWEST, TENTH
from socialcircuits.errors import SettingError
from socialcircuits.measures import CATALOGUE, CONTRASTED, Measure, cell
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import ratio
from socialcircuits.statistics.clustered import linear_on_counts
from socialcircuits.statistics.intervals import EQUAL
from socialcircuits.statistics.power import POWER
from socialcircuits.studies import Plan

__all__ = ["Comparison", "Design", "Wanted", "compared", "design", "measure_of", "value"]

AGAINST_NONE = ("intervention", "defence", "verify", "coordinated")
"""Swept settings that have a value for nothing done: empty, or false."""

_MEASURES: dict[str, Measure] = {measure.name: measure for measure in CATALOGUE}

Kind = Literal["difference", "trend", "rate"]


@dataclass(frozen=True)
class Wanted:
    """What a study is to find.

    Args:
        effect: a difference of rates, above 0 and at most 1; of a trend, the change for each 0.1 of
            the proportion; of a rate by itself, half the width of its interval.
        power: chance to find it, above .5 and below 1.
        measure: name of what is measured; empty: the first of the study's family.
        against: swept setting to compare over; empty: as the study has it.

    Raises:
        SettingError: effect or power are not allowed, or there is no such measure.
    """

    effect: float
    power: float = POWER
    measure: str = ""
    against: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.effect <= 1:
            raise SettingError("--effect", self.effect, "a number above 0 and at most 1")
        if not 0.5 < self.power < 1:
            raise SettingError("--power", self.power, "a number above .5 and below 1")
        if self.measure and self.measure not in _MEASURES:
            expected = "the name of a measure, as in the estimates of a run"
            raise SettingError("--measure", self.measure, expected, among=_MEASURES)


@dataclass(frozen=True)
class Design:
    """What a study compares.

    Args:
        kind: difference on matched seeds, trend over the proportion of adversaries, or the rates
            themselves.
        axis: the swept setting whose values are compared; empty for a trend or rates.
        sides: the pairs of its values, each less the second; none for a trend or rates.
    """

    kind: Kind
    axis: str = ""
    sides: tuple[tuple[Any, Any], ...] = ()


@dataclass(frozen=True)
class Comparison:
    """One number of a study, and how much it varies between the units of a pilot.

    Args:
        condition: the settings it is for; of a difference also the first side's.
        minus: the setting that is subtracted; empty for a trend or a rate.
        n: units of the pilot that it rests on: matched seeds, questions, or seeds.
        spread: how much they differ; None where the pilot does not show it, and
        why: says then why not.
    """

    condition: Mapping[str, Any]
    minus: Mapping[str, Any]
    n: int
    spread: Spread | None
    why: str = ""


def measure_of(laid: Plan, wanted: Wanted, summaries: Sequence[TrialSummary]) -> Measure:
    """Return what is measured: as wanted, else the first measure of the study's family, else
    defection where it has a trend, else the first that is contrasted and has a meaning.

    Raises:
        SettingError: it has no meaning in any trial of the pilot.
    """
    family = [name for test in laid.study.family for name in _named(test)]
    trends = [_MEASURES[name] for name in CHANGES if _trending(laid)]
    able = [one.name for one in (*trends, *CONTRASTED) if _defined(one, summaries)]
    meant = [name for name in (*family, *able) if _defined(_MEASURES[name], summaries)]
    if not wanted.measure and not meant:
        raise SettingError("--measure", "", "the name of a measure: the study declares none")
    found = _MEASURES[wanted.measure or meant[0]]
    if not _defined(found, summaries):
        why = found.undefined(summaries[0]) or found.empty
        expected = f"a measure that has a meaning in this study ({why}): {', '.join(able)}"
        raise SettingError("--measure", found.name, expected, among=able)
    return found


def design(plan: Plan, measure: Measure, against: str = "") -> Design:
    """Return what a study compares.

    Args:
        plan: its plan.
        measure: what is measured; a trend is one of defection or correction.
        against: the swept setting to compare over; empty: as the study has it.

    Raises:
        SettingError: `against` is not swept, or has one value.
    """
    axes = _axes(plan)
    several = {axis: values for axis, values in axes.items() if len(values) > 1}
    if against and against not in several:
        expected = "a setting with several values: " + (", ".join(several) or "the study has none")
        raise SettingError("--against", against, expected, among=several)
    trend = measure.name in CHANGES and _trending(plan)
    if against:
        if against in COMPOSITION and trend:
            return Design("trend")
        return Design("difference", against, _sides(several[against]))
    if plan.study.contrast in several:
        axis = plan.study.contrast
        return Design("difference", axis, _sides(several[axis]))
    for axis in AGAINST_NONE:
        if axis in several and any(not one for one in several[axis]):
            return Design("difference", axis, _sides(several[axis]))
    return Design("trend" if trend else "rate")


def compared(
    found: Design, summaries: Sequence[TrialSummary], measure: Measure
) -> list[Comparison]:
    """Return what the trials of a pilot show of each comparison.

    Differences are taken seed by seed; in deliberations the compositions are first averaged within
    the question. Trials in which the measure has no meaning are left out, and conditions of them
    alone.

    Args:
        found: what is compared.
        summaries: the pilot's completed trials, of the study's conditions only.
        measure: what is measured.
    """
    if found.kind == "trend":
        change = next(change for change in CHANGES if change == measure.name)
        groups = grouped(coordinating(counted(summaries)), lambda one: one.model)
        return [_trend(change, group) for group in groups]
    summaries = [trial for trial in summaries if measure.undefined(trial) is None]
    if found.axis == "coordinated":
        # One deceiver has nobody to coordinate with.
        summaries = [trial for trial in summaries if adversaries(trial) > 1]
    if found.kind == "rate":
        return [_rate(measure, trials) for trials in _by(summaries, ())]
    averaged = COMPOSITION if _deliberations(summaries) and found.axis not in COMPOSITION else ()
    return [
        _difference(measure, trials, found.axis, sides)
        for trials in _by(summaries, (found.axis, *averaged))
        for sides in found.sides
        if _both(trials, found.axis, sides)
    ]


def value(measure: Measure, trial: TrialSummary) -> float | None:
    """Return the value of a measure in one trial; None where it is undefined or zero over zero."""
    if measure.undefined(trial) is not None:
        return None
    exact = measure.value(trial)
    return None if exact is None else float(exact)


def _named(test: str) -> list[str]:
    """The measure that a test of the family is, or of which its name speaks; none, or one."""
    found = [name for name in _MEASURES if test == name or test.endswith(f"_{name}")]
    return sorted(found, key=len)[-1:]


def _defined(measure: Measure, summaries: Sequence[TrialSummary]) -> bool:
    return any(value(measure, trial) is not None for trial in summaries)


def _axes(plan: Plan) -> dict[str, list[Any]]:
    axes: dict[str, list[Any]] = {}
    for one in plan.cells:
        for axis, setting in one.condition.items():
            held = axes.setdefault(axis, [])
            if setting not in held:
                held.append(setting)
    return axes


def _trending(plan: Plan) -> bool:
    """Return whether there are enough proportions and compositions for a trend to be seen."""
    able = {(one.trial.N, one.trial.adversaries) for one in plan.cells}
    return len({k / n for n, k in able}) >= FEWEST


def _sides(values: Sequence[Any]) -> tuple[tuple[Any, Any], ...]:
    """The largest number less the smallest; else each less nothing, or less the first."""
    if all(isinstance(one, int | float) and not isinstance(one, bool) for one in values):
        return ((max(values), min(values)),)
    base = next((one for one in values if not one), values[0])
    return tuple((one, base) for one in values if one != base)


def _by(summaries: Iterable[TrialSummary], names: Sequence[str]) -> list[list[TrialSummary]]:
    """The trials by their settings but those named."""
    groups: dict[str, list[TrialSummary]] = {}
    for trial in summaries:
        groups.setdefault(cell(rest(trial, names)), []).append(trial)
    return list(groups.values())


def _both(trials: Sequence[TrialSummary], axis: str, sides: tuple[Any, Any]) -> bool:
    there = [trial.condition.get(axis) for trial in trials]
    return all(side in there for side in sides)


def _deliberations(summaries: Sequence[TrialSummary]) -> bool:
    return all(trial.protocol == "deliberation" for trial in summaries)


def _difference(
    measure: Measure, trials: Sequence[TrialSummary], axis: str, sides: tuple[Any, Any]
) -> Comparison:
    first, second = sides
    cells: dict[tuple[int, str], dict[Any, float]] = {}
    for trial in trials:
        number = value(measure, trial)
        if number is not None and trial.condition[axis] in sides:
            inner = (trial.seed, cell(rest(trial, (axis,))))
            cells.setdefault(inner, {})[trial.condition[axis]] = number
    differences: dict[int, list[float]] = {}
    for (seed, _), both in cells.items():
        if len(both) == len(sides):
            differences.setdefault(seed, []).append(both[first] - both[second])
    units = [fmean(found) for found in differences.values()]
    names = {axis, *(COMPOSITION if len(_by(trials, (axis,))) > 1 else ())}
    condition = {**rest(trials[0], names), axis: first}
    alone = all(len(found) == 1 for found in differences.values())
    spread, why = _spread(units, measure, yes_no=measure.kind == "proportion" and alone)
    return Comparison(condition, {axis: second}, len(units), spread, why)


def _spread(units: Sequence[float], measure: Measure, *, yes_no: bool) -> tuple[Spread | None, str]:
    if len(units) < 2:
        return None, f"{len(units)} matched seeds in the pilot: no spread is seen"
    if yes_no:
        return Changes(sum(1 for unit in units if unit), len(units)), ""
    deviation, width = stdev(units), measure.bounds[1] - measure.bounds[0]
    if deviation <= EQUAL * width:
        return None, f"all {len(units)} differences of the pilot are equal: no spread is seen"
    return Differences(deviation, len(units), width), ""


def _trend(change: Change, group: Sequence[TrialCount]) -> Comparison:
    judged = [one for one in group if change not in one.unjudged]
    condition = {**group[0].condition, **({"model": group[0].model} if group[0].model else {})}
    able = [one for one in judged if one.of(change)[1]]
    questions = len({one.question for one in able})
    compositions = len({one.composition for one in able})
    why = f"{questions} questions and {compositions} compositions in the pilot: too few for a slope"
    if not able:
        return Comparison(condition, {}, 0, None, why)
    events, sizes = zip(*(one.of(change) for one in judged), strict=True)
    columns = {"proportion": [TENTH * one.proportion for one in judged]}
    ways = [[one.question for one in judged], [one.composition for one in judged]]
    parts = linear_on_counts(events, sizes, columns, ways).parts.get("proportion")
    if parts is None or not sum(parts):
        return Comparison(condition, {}, questions, None, why)
    tenths = columns["proportion"]
    # Over all proportions together a rate changes by 1 at most.
    most = 1 / (max(tenths) - min(tenths))
    slope = Slope(questions * parts[0], parts[1], compositions, questions, most)
    return Comparison(condition, {}, questions, slope)


def _rate(measure: Measure, trials: Sequence[TrialSummary]) -> Comparison:
    kept = [trial for trial in trials if value(measure, trial) is not None]
    condition, n = trials[0].condition, len(kept)
    if n < 2:
        return Comparison(condition, {}, n, None, f"{n} seeds in the pilot: no spread is seen")
    share = None
    if measure.kind == "ratio":
        counts = [measure.count(trial) for trial in kept]
        deviation = _of_ratio([int(part) for part, _ in counts], [whole for _, whole in counts])
    else:
        deviation = stdev(float(value(measure, trial) or 0.0) for trial in kept)
    if measure.kind == "proportion":
        share = fmean(float(value(measure, trial) or 0.0) for trial in kept)
    elif not deviation:
        why = f"all {n} seeds of the pilot are equal: no spread is seen"
        return Comparison(condition, {}, n, None, why)
    width = measure.bounds[1] - measure.bounds[0]
    return Comparison(condition, {}, n, Precision(deviation, n, share, width))


def _of_ratio(events: Sequence[int], sizes: Sequence[int]) -> float:
    """The deviation of one cluster, of which the pooled rate has the error of a mean."""
    n, total = len(sizes), sum(sizes)
    rate = ratio(events, sizes).value or 0.0
    left = sum((hits - rate * size) ** 2 for hits, size in zip(events, sizes, strict=True))
    return n / total * sqrt(left / (n - 1))
