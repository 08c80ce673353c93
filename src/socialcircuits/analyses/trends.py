"""Trends: how defection and correction depend on the proportion and the number of adversaries.

A trial is a row of counts. Agents of a question move together, and where it is fixed over
questions who deceives, so do those of a composition; every interval and test here allows for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from socialcircuits.analyses.counting import (
    CHANGES,
    Change,
    TrialCount,
    coordinating,
    grouped,
)
from socialcircuits.statistics import Estimate
from socialcircuits.statistics.clustered import composition_means, linear_on_counts
from socialcircuits.statistics.forms import Form, compare_forms
from socialcircuits.statistics.mixed import (
    LikelihoodRatio,
    MixedFit,
    likelihood_ratio,
    logistic_mixed,
)

__all__ = ["FEWEST", "FIXED_SEATING", "Explained", "Trend", "explained", "trends"]

FIXED_SEATING = (
    "Who deceives was drawn once a composition and held over all questions: only the compositions "
    "are replicates of it, and a test that counts trials can be wrong in up to 25 % of cases "
    "where nothing depends on the composition, instead of 5 %."
)
"""What must stand beside results of a study whose seating is that of the composition."""

FEWEST = 3
"""Proportions, and compositions, below which there is no trend: two points lie on any line."""

TENTH = 10
"""Proportions are given in tenths, so that a coefficient is a change for each 0.1."""


@dataclass(frozen=True)
class Trend:
    """How one kind of change depends on the proportion of adversaries, as a straight line.

    Args:
        change: ``honest_defection`` or ``correction``.
        condition: the swept settings but those of composition and models.
        model: as in `TrialCount`.
        intercept: the rate at proportion 0, and
        slope: its change for each 0.1 of the proportion, with errors clustered by question and by
            composition; without value where the method says why.
        middle: the mean proportion of these compositions, where a line turns with its slope; None
            without any.
        means: the slope by least squares on the composition means,
        means_intercept: the rate at proportion 0 of that line, and
        r2: the part of their variance that it explains; see `MeansFit`.
        forms: other forms of the dependence and the straight line, the one that best foretells
            other questions first; none with agents of fewer than two questions.
        questions: number of questions with agents that could change, and
        compositions: number of such compositions.
        counts: the trials, and
        none: how many of them have no agent that could have changed.
    """

    change: Change
    condition: Mapping[str, Any]
    model: str
    intercept: Estimate
    slope: Estimate
    middle: float | None
    means: Estimate
    means_intercept: Estimate
    r2: float | None
    forms: tuple[Form, ...]
    questions: int
    compositions: int
    counts: tuple[TrialCount, ...]
    none: int

    @property
    def group(self) -> str:
        """Name of the line in figures: the model, and whether deceivers coordinate where that was
        swept, parted by a comma."""
        kinds = {True: "coordinated", False: "independent"}
        swept = self.condition.get("coordinated")
        parts = (self.model, "" if swept is None else kinds[bool(swept)])
        return ", ".join(part for part in parts if part)

    def line(self) -> dict[str, Any]:
        """Return what figures draw: the columns group, intercept, slope_per_tenth, low and high
        (of the slope), n_questions and n_compositions."""
        return {
            "group": self.group,
            "intercept": self.intercept.value,
            "slope_per_tenth": self.slope.value,
            "low": self.slope.low,
            "high": self.slope.high,
            "n_questions": self.questions,
            "n_compositions": self.compositions,
        }

    def row(self) -> dict[str, Any]:
        """Return the columns measure, model, slope, low, high, means_slope, means_low, means_high,
        r2, questions, compositions, trials, none and method, behind the swept settings."""
        return {
            **self.condition,
            "measure": self.change,
            "model": self.model,
            "slope": self.slope.value,
            "low": self.slope.low,
            "high": self.slope.high,
            "means_slope": self.means.value,
            "means_low": self.means.low,
            "means_high": self.means.high,
            "r2": self.r2,
            "questions": self.questions,
            "compositions": self.compositions,
            "trials": len(self.counts),
            "none": self.none,
            "method": f"{self.slope.method}; beside it {self.means.method}",
        }

    def form_rows(self) -> list[dict[str, Any]]:
        """Return a row a form with the columns measure, model, form, parameters, score, error,
        behind, behind_error, aic and r2 (of `Form`), behind the swept settings."""
        return [
            {
                **self.condition,
                "measure": self.change,
                "model": self.model,
                "form": form.name,
                "parameters": form.parameters,
                "score": form.score,
                "error": form.error,
                "behind": form.behind,
                "behind_error": form.behind_error,
                "aic": form.aic,
                "r2": form.r2,
            }
            for form in self.forms
        ]


@dataclass(frozen=True)
class Explained:
    """What proportion and number of adversaries each say of defection beyond the other.

    Args:
        condition: the swept settings but those of composition and models.
        models: the models that are pooled, each with its own level.
        proportion: test of the proportion where the number is known.
        count: test of the number where the proportion is known.
        effects: "proportion" -> change of the log-odds for each 0.1 of it, "count" -> for each 10
            adversaries, in the model with both, with these tests; without value where there is no
            fit.
        method: the model of which the tests are.
        data: number of questions, trials, agents and events.
        counts: the trials.
    """

    condition: Mapping[str, Any]
    models: tuple[str, ...]
    proportion: LikelihoodRatio
    count: LikelihoodRatio
    effects: Mapping[str, Estimate]
    method: str
    data: Mapping[str, int]
    counts: tuple[TrialCount, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return two rows with the columns models, tested, given, chi2, degrees, p, why, questions,
        trials, agents, events and method, behind the swept settings."""
        tests = (("proportion", "count", self.proportion), ("count", "proportion", self.count))
        return [
            {
                **self.condition,
                "models": ", ".join(self.models),
                "tested": tested,
                "given": given,
                "chi2": test.statistic,
                "degrees": test.degrees,
                "p": test.p,
                "why": test.why,
                **self.data,
                "method": self.method,
            }
            for tested, given, test in tests
        ]


def trends(counts: Sequence[TrialCount]) -> list[Trend]:
    """Fit defection, then correction, over the proportion, by other settings and model.

    Args:
        counts: the trials, as `counted` gives them. Those of which the counts hang on unjudged
            answers are left out, and compositions in which a single deceiver was to coordinate.

    Returns:
        None for fewer than three proportions or compositions.

    Source: adversarial influence, section 3.1 and Fig. 3; the two-way errors are ours.

    >>> from socialcircuits.analyses.counting import TrialCount
    >>> sizes = [(5, 0), (5, 1), (5, 2), (10, 0), (10, 2), (10, 4)]
    >>> counts = [
    ...     TrialCount({}, "A", q, n, k, 4, k * 4 // n + (q == "q1"), 0, 0)
    ...     for q in ("q1", "q2", "q3", "q4") for n, k in sizes]
    >>> round(trends(counts)[0].slope.value, 3)
    0.062
    """
    return [
        _trend(change, judged)
        for group in grouped(coordinating(counts), lambda one: one.model)
        for change in CHANGES
        if _enough(judged := [one for one in group if change not in one.unjudged])
    ]


def explained(counts: Sequence[TrialCount]) -> list[Explained]:
    """Test the proportion given the number of adversaries, and the number given the proportion, by
    other settings; models are pooled, each with its own level. Trials are left out as in `trends`.

    Logistic mixed models of defection with random intercepts of questions and trials, compared by
    likelihood ratios. Where they cannot be fitted the tests say why.

    Source: adversarial influence, section 3.1 (pooled tests).
    """
    judged = [one for one in coordinating(counts) if "honest_defection" not in one.unjudged]
    return [_explained(group) for group in grouped(judged, lambda _: "") if _enough(group)]


def _enough(counts: Sequence[TrialCount]) -> bool:
    able = {(one.proportion, one.composition) for one in counts}
    return min(len({part[place] for part in able}) for place in (0, 1)) >= FEWEST


def _trend(change: Change, group: Sequence[TrialCount]) -> Trend:
    events, sizes = zip(*(one.of(change) for one in group), strict=True)
    columns = {"proportion": [TENTH * one.proportion for one in group]}
    questions = [one.question for one in group]
    compositions = [one.composition for one in group]
    fit = linear_on_counts(events, sizes, columns, [questions, compositions])
    means = composition_means(events, sizes, columns, compositions)
    able = [one for one in group if one.of(change)[1]]
    shown = len({one.question for one in able})
    proportions = [one.proportion for one in group]
    forms = compare_forms(events, sizes, proportions, questions, compositions) if shown > 1 else ()
    return Trend(
        change=change,
        condition=group[0].condition,
        model=group[0].model,
        intercept=fit.coefficients["intercept"],
        slope=fit.coefficients["proportion"],
        middle=_middle(able),
        means=means.coefficients["proportion"],
        means_intercept=means.coefficients["intercept"],
        r2=means.r2,
        forms=forms,
        questions=shown,
        compositions=len({one.composition for one in able}),
        counts=tuple(group),
        none=len(group) - len(able),
    )


def _middle(able: Sequence[TrialCount]) -> float | None:
    found = {one.composition: one.proportion for one in able}
    return sum(found.values()) / len(found) if found else None


def _explained(group: Sequence[TrialCount]) -> Explained:
    models = list(dict.fromkeys(one.model for one in group))
    levels = {f"model {name}": [float(one.model == name) for one in group] for name in models[1:]}
    proportion = {"proportion": [TENTH * one.proportion for one in group]}
    count = {"count": [one.adversaries / TENTH for one in group]}

    def fit(columns: Mapping[str, Sequence[float]]) -> MixedFit:
        events, sizes = [one.defected for one in group], [one.right for one in group]
        return logistic_mixed(events, sizes, columns, [one.question for one in group])

    both = fit({**proportion, **count, **levels})
    tests = {
        "proportion": likelihood_ratio(both, fit({**count, **levels})),
        "count": likelihood_ratio(both, fit({**proportion, **levels})),
    }
    return Explained(
        condition=group[0].condition,
        models=tuple(models),
        proportion=tests["proportion"],
        count=tests["count"],
        effects={
            name: replace(both.coefficients[name], test=test.significance)
            for name, test in tests.items()
        },
        method=both.method,
        data=both.data,
        counts=tuple(group),
    )
