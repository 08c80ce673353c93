"""Deliberations compared: matched conditions, and pairings of models.

The unit of evidence is the question. Matched trials of one question differ in one setting only;
their differences are first averaged within the question, then estimated over questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from typing import Any

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
from socialcircuits.statistics import Estimate, SignFlip, paired_difference, sign_flip

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
        estimate: the mean difference over questions with its paired t interval; its levels count
            questions, pairs of trials, and the trials that are left out because their value hangs
            on unjudged answers.
        test: sign-flip test of the questions' differences; None where none is matched.
    """

    measure: str
    contrast: str
    condition: Mapping[str, Any]
    estimate: Estimate
    test: SignFlip | None

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
            "unjudged": found.levels["trials"]["unjudged"],
            "p": self.test.p if self.test else None,
            "exact": self.test.exact if self.test else None,
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
        Coordinated less independent: with all compositions averaged, then for each.

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
    parts: dict[str, dict[str, float]] = {}
    for axis in MODELS:
        for first, second in combinations(dict.fromkeys(s.condition[axis] for s in kept), 2):
            matched, pairs = _differences(kept, _setting(axis), (first, second), (axis,), measure)
            if matched:
                found = _estimate(measure, f"{axis}: {first} - {second}", {}, matched, pairs)
                effects.setdefault(axis, []).append(found)
                parts[axis] = matched
    results = [found for axis in MODELS for found in effects.get(axis, [])]
    proportions = sorted({_proportion(s) for s in kept})
    if len(proportions) > 1:
        ends = (proportions[-1], proportions[0])
        matched, pairs = _differences(kept, _proportion, ends, COMPOSITION, measure)
        what = f"proportion: {ends[0]:.3f} - {ends[1]:.3f}"
        results += [_estimate(measure, what, {}, matched, pairs)] if matched else []
    if all(len(effects.get(axis, [])) == 1 for axis in MODELS):
        results.append(_larger(measure, *(parts[axis] for axis in MODELS)))
    return results


def _larger(measure: str, models: Mapping[str, float], deceivers: Mapping[str, float]) -> Contrast:
    """The honest models' effect less the deceivers', each in its own direction."""
    signs = [1 if fmean(effect.values()) >= 0 else -1 for effect in (models, deceivers)]
    both = [name for name in models if name in deceivers]
    matched = {name: signs[0] * models[name] - signs[1] * deceivers[name] for name in both}
    either = len(models.keys() | deceivers.keys())
    what = "effect of cast - effect of deceiver"
    return _estimate(measure, what, {}, matched, Counter(matched=len(both), questions=either))


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
        if len(groups) == 1 and len(names) == 1 and found:
            break
        for trials in groups.values():
            for measure in measures:
                matched, pairs = _differences(
                    trials, _setting(axis), (first, second), (axis,), measure
                )
                if matched:
                    condition = {**rest(trials[0], names), axis: first}
                    found.append(_estimate(measure, what, condition, matched, pairs))
    return found


def _differences(
    trials: Iterable[TrialSummary],
    side: Side,
    sides: tuple[Hashable, Hashable],
    varied: Collection[str],
    measure: str,
) -> tuple[dict[str, float], Counter[str]]:
    """Question -> mean difference over its matched settings; and how many pairs, questions and
    unjudged trials."""
    values: dict[str, dict[str, dict[Hashable, list[float]]]] = {}
    unjudged = 0
    for trial in trials:
        if side(trial) in sides:
            value = _value(_MEASURES[measure], trial)
            unjudged += value is None and _unjudged(_MEASURES[measure], trial)
            cells = values.setdefault(question(trial), {})
            if value is not None:
                matched = cells.setdefault(cell(rest(trial, varied)), {})
                matched.setdefault(side(trial), []).append(value)
    differences = {
        name: [
            fmean(found[sides[0]]) - fmean(found[sides[1]])
            for found in cells.values()
            if len(found) == len(sides)
        ]
        for name, cells in values.items()
    }
    whole = {name: fmean(found) for name, found in differences.items() if found}
    pairs = sum(map(len, differences.values()))
    return whole, Counter(matched=pairs, questions=len(values), unjudged=unjudged)


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


def _estimate(
    measure: str,
    what: str,
    condition: Mapping[str, Any],
    matched: Mapping[str, float],
    pairs: Counter[str],
) -> Contrast:
    differences = list(matched.values())
    span = _MEASURES[measure].bounds[1] - _MEASURES[measure].bounds[0]
    wide = 2 * span if what.startswith("effect of") else span
    result = paired_difference(differences, [0.0] * len(differences), (-wide, wide))
    levels = {
        "questions": {
            "matched": len(matched),
            "without a pair": pairs["questions"] - len(matched),
        },
        "pairs of trials": {"matched": pairs["matched"]},
        "trials": {"unjudged": pairs["unjudged"]},
    }
    flips = sign_flip(differences) if differences else None
    return Contrast(measure, what, condition, replace(result, levels=levels), flips)
