"""Deliberations compared: matched conditions, and pairings of models.

The unit of evidence is the question. Matched trials of one question differ in one setting only;
their differences are first averaged within the question, then estimated over questions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

from socialcircuits.analyses.counting import (
    COMPOSITION,
    MODELS,
    adversaries,
    followed,
    question,
    rest,
)
from socialcircuits.measures import CATALOGUE, Measure, cell
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import Estimate, matched_difference

__all__ = ["KEPT", "Contrast", "coordination", "pairings", "verification"]

DEFECTION = "honest_defection"

KEPT = (
    DEFECTION,
    "correction",
    "honest_final_accuracy",
    "collective_accuracy",
    "group_accuracy",
    "honest_group_accuracy",
)
"""What verification should lower, and what it should keep."""

_MEASURES: dict[str, Measure] = {measure.name: measure for measure in CATALOGUE}

Side = Callable[[TrialSummary], Hashable]


@dataclass(frozen=True)
class Contrast:
    """The difference of one measure between two values of one setting, on matched questions.

    Args:
        measure: name of the measure; a ratio has its value in each trial.
        contrast: what is subtracted from what, for example ``coordinated: True - False``.
        condition: the settings that are held apart, and the setting that is contrasted with its
            first value; all other matched settings are averaged.
        estimate: the mean difference over questions with its paired t interval and the sign-flip
            test of the questions' differences; its levels count questions, pairs of trials, and the
            trials that are left out because their value hangs on unjudged answers.
        trials: the matched trials, and
        left_out: those that are left out because their value hangs on unjudged answers.
    """

    measure: str
    contrast: str
    condition: Mapping[str, Any]
    estimate: Estimate
    trials: tuple[TrialSummary, ...] = field(repr=False)
    left_out: tuple[TrialSummary, ...] = field(repr=False)

    def row(self) -> dict[str, Any]:
        """Return the columns measure, contrast, value, low, high, n (questions), pairs (of trials),
        left_out (questions without a matched pair), unjudged (trials left out), p, exact and
        method, behind the settings that are held apart."""
        found = self.estimate
        return {
            **self.condition,
            "measure": self.measure,
            "contrast": self.contrast,
            "value": found.value,
            "low": found.low,
            "high": found.high,
            "n": found.n,
            "pairs": found.levels["pairs of trials"]["matched"],
            "left_out": found.levels["questions"]["without a pair"],
            "unjudged": len(self.left_out),
            "p": found.test.p if found.test else None,
            "exact": found.test.exact if found.test else None,
            "method": found.method,
        }


def coordination(
    summaries: Sequence[TrialSummary], measures: Sequence[str] = (DEFECTION, "correction")
) -> list[Contrast]:
    """Contrast coordinated with independent deceivers, over all compositions and at each.

    Trials with fewer than two deceivers are passed over: one has nobody to coordinate with.

    Args:
        summaries: the completed trials; without the swept setting ``coordinated`` there is nothing.
        measures: names of the measures.

    Returns:
        Coordinated less independent: with all compositions averaged, then for each; of a single
        composition there is no average.

    Source: adversarial influence, section 3.2 and Fig. 5.
    """
    kept = [s for s in _having(summaries, "coordinated") if adversaries(s) > 1]
    return _both_ways(kept, ("coordinated", True, False), measures)


def verification(
    summaries: Sequence[TrialSummary], measures: Sequence[str] = KEPT
) -> list[Contrast]:
    """Contrast each way of verification with none, over all compositions and at each.

    A negative difference of defection is defection avoided; those of correction and accuracy say
    what it costs.

    Args:
        summaries: the completed trials; without the swept setting ``verify`` there is nothing.
        measures: names of the measures.

    Source: adversarial influence, section 5 (proposed there as future work).
    """
    kept = _having(summaries, "verify")
    ways = [way for way in dict.fromkeys(s.condition["verify"] for s in kept) if way]
    return [found for way in ways for found in _both_ways(kept, ("verify", way, ""), measures)]


def pairings(summaries: Sequence[TrialSummary], measure: str = DEFECTION) -> list[Contrast]:
    """Estimate what defection owes to the honest model, the deceivers' model and the proportion.

    Each main effect is paired by question, over equal values of all other settings. Where two
    models of each kind were run, the last contrast is the difference of the two model effects, the
    honest one less the deceivers', each taken in the direction in which it came out positive; two
    effects that are only noise then differ by noise.

    Args:
        summaries: the completed trials; honest and deceiving models are named by the swept settings
            ``cast`` and ``deceiver``.
        measure: name of the measure.

    Returns:
        Honest models, deceivers' models, largest less smallest proportion, difference of effects;
        contrasts without a matched pair are left out.

    Source: adversarial influence, section 3.3 and Fig. 6; the difference of effects is ours.
    """
    kept = [s for s in _having(_having(summaries, "cast"), "deceiver") if adversaries(s)]
    effects: dict[str, list[Contrast]] = {}
    parts: dict[str, _Matched] = {}
    for axis in MODELS:
        for first, second in combinations(sorted({s.condition[axis] for s in kept}), 2):
            matched = _match(kept, _setting(axis), (first, second), (axis,), measure)
            if matched.differences:
                found = _estimate(measure, f"{axis}: {first} - {second}", {}, matched)
                effects.setdefault(axis, []).append(found)
                parts[axis] = matched
    results = [found for axis in MODELS for found in effects.get(axis, [])]
    proportions = sorted({_proportion(s) for s in kept})
    if len(proportions) > 1:
        ends = (proportions[-1], proportions[0])
        matched = _match(kept, _proportion, ends, COMPOSITION, measure)
        what = f"proportion: {ends[0]:.3f} - {ends[1]:.3f}"
        results += [_estimate(measure, what, {}, matched)] if matched.differences else []
    if all(len(effects.get(axis, [])) == 1 for axis in MODELS):
        results.append(_larger(measure, *(parts[axis] for axis in MODELS)))
    return results


class _Matched(NamedTuple):
    """Matched trials.

    Args:
        differences: question -> mean difference over its matched settings.
        pairs: how many settings are matched, over all questions.
        questions: number of questions, matched or not.
        trials: the matched trials, and
        left_out: those that cannot be matched because their value hangs on unjudged answers.
    """

    differences: Mapping[str, float]
    pairs: int
    questions: int
    trials: tuple[TrialSummary, ...]
    left_out: tuple[TrialSummary, ...]


def _larger(measure: str, models: _Matched, deceivers: _Matched) -> Contrast:
    """The honest models' effect less the deceivers', each in its own direction."""
    one, other = models.differences, deceivers.differences
    signs = [1 if fmean(effect.values()) >= 0 else -1 for effect in (one, other)]
    both = [name for name in one if name in other]
    matched = _Matched(
        differences={name: signs[0] * one[name] - signs[1] * other[name] for name in both},
        pairs=len(both),
        questions=len(one.keys() | other.keys()),
        trials=_either(models.trials, deceivers.trials),
        left_out=_either(models.left_out, deceivers.left_out),
    )
    return _estimate(measure, "effect of cast - effect of deceiver", {}, matched)


def _either(*groups: Iterable[TrialSummary]) -> tuple[TrialSummary, ...]:
    return tuple({id(trial): trial for group in groups for trial in group}.values())


def _having(summaries: Iterable[TrialSummary], axis: str) -> list[TrialSummary]:
    return [s for s in summaries if axis in s.condition and followed(s)]


def _setting(axis: str) -> Side:
    return lambda summary: summary.condition[axis]


def _proportion(summary: TrialSummary) -> float:
    return adversaries(summary) / len(summary.courses)


def _both_ways(
    kept: Sequence[TrialSummary], sides: tuple[str, Any, Any], measures: Sequence[str]
) -> list[Contrast]:
    """The contrast with all compositions averaged, then at each composition."""
    axis, first, second = sides
    what = f"{axis}: {first} - {str(second) or 'none'}"
    found: list[Contrast] = []
    for names in ((axis, *COMPOSITION), (axis,)):
        groups: dict[str, list[TrialSummary]] = {}
        for summary in kept:
            groups.setdefault(cell(rest(summary, names)), []).append(summary)
        for trials in groups.values():
            for measure in measures:
                matched = _match(trials, _setting(axis), (first, second), (axis,), measure)
                compositions = {cell(rest(trial, (axis,))) for trial in matched.trials}
                # The average of one composition is what stands there for the composition.
                if len(compositions) > 1 or (compositions and len(names) == 1):
                    condition = {**rest(trials[0], names), axis: first}
                    found.append(_estimate(measure, what, condition, matched))
    return found


def _match(
    trials: Iterable[TrialSummary],
    side: Side,
    sides: tuple[Hashable, Hashable],
    varied: Collection[str],
    measure: str,
) -> _Matched:
    values: dict[str, dict[str, dict[Hashable, list[float]]]] = {}
    valued, left_out = list[TrialSummary](), list[TrialSummary]()
    for trial in (trial for trial in trials if side(trial) in sides):
        value = _value(_MEASURES[measure], trial)
        cells = values.setdefault(question(trial), {})
        if value is not None:
            valued.append(trial)
            found = cells.setdefault(cell(rest(trial, varied)), {})
            found.setdefault(side(trial), []).append(value)
        elif _unjudged(_MEASURES[measure], trial):
            left_out.append(trial)
    matched = {
        name: {place: found for place, found in cells.items() if len(found) == len(sides)}
        for name, cells in values.items()
    }
    return _Matched(
        differences={
            name: fmean(fmean(found[sides[0]]) - fmean(found[sides[1]]) for found in cells.values())
            for name, cells in matched.items()
            if cells
        },
        pairs=sum(map(len, matched.values())),
        questions=len(values),
        trials=tuple(t for t in valued if cell(rest(t, varied)) in matched[question(t)]),
        left_out=tuple(left_out),
    )


def _value(measure: Measure, trial: TrialSummary) -> float | None:
    if measure.undefined(trial) is not None or _unjudged(measure, trial):
        return None
    value = measure.value(trial)
    return None if value is None else float(value)


def _unjudged(measure: Measure, trial: TrialSummary) -> bool:
    """Whether the value of a trial hangs on answers that were not judged."""
    reason = measure.undefined(trial)
    if reason is None:
        return bool(measure.beside and measure.beside([trial]).note)
    return "judged" in reason


def _estimate(measure: str, what: str, condition: Mapping[str, Any], matched: _Matched) -> Contrast:
    differences = list(matched.differences.values())
    span = _MEASURES[measure].bounds[1] - _MEASURES[measure].bounds[0]
    wide = 2 * span if what.startswith("effect of") else span
    result = matched_difference(differences, [0.0] * len(differences), (-wide, wide))
    levels = {
        "questions": {
            "matched": len(differences),
            "without a pair": matched.questions - len(differences),
        },
        "pairs of trials": {"matched": matched.pairs},
        "trials": {"unjudged": len(matched.left_out)},
    }
    found = replace(result, levels=levels)
    return Contrast(measure, what, condition, found, matched.trials, matched.left_out)
