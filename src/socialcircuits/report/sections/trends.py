"""How defection and correction depend on who deceives: slopes, forms, and likelihood ratios."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from socialcircuits.analyses.counting import Change, TrialCount, counted
from socialcircuits.analyses.trends import FIXED_SEATING, Explained, Trend, explained, trends
from socialcircuits.records.summary import TrialSummary
from socialcircuits.report import reading
from socialcircuits.report.numbers import MEASURES, POINTS, SHARE, Form, Trials, estimated
from socialcircuits.report.numbers import counted as count
from socialcircuits.report.page import Block, Cell, Head, Line, Number, Row, Table, Trail
from socialcircuits.report.words import plain, units, where
from socialcircuits.statistics import Estimate
from socialcircuits.statistics.forms import FOLDS, R2_WARNING
from socialcircuits.statistics.forms import Form as Dependence
from socialcircuits.studies import Run

FIXED = "composition"
"""The seating in which who deceives is drawn once a composition."""

LEFT_OUT = (
    "Trials whose counts hang on unjudged answers are left out, and compositions in which a single "
    "deceiver was to coordinate."
)

SLOPES: Mapping[Change, str] = {
    "honest_defection": "defection_slope",
    "correction": "correction_slope",
}
"""Names of the tests of the slopes."""

SHARES: Mapping[Change, str] = {
    "honest_defection": "share of honest agents right at first that are wrong at the end; an "
    "invalid answer is wrong",
    "correction": "share of honest agents wrong at first that are right at the end; an invalid "
    "answer is wrong",
}
"""What changes."""

FITTED = (
    "maximum likelihood of counts, linear in the rate; scores by cross-validation over groups of "
    "questions; R2 by least squares on the pooled rates of compositions"
)
"""How forms are fitted."""

DEFECTION: Change = "honest_defection"

SCORE, AIC, ODDS = Form(4), Form(1), Form(signed=True)


def blocks(run: Run, _: Trials) -> Iterator[Block]:
    """Yield slopes, forms and tests over the proportion of deceivers; nothing without three."""
    counts, unit = counted(run.summaries()), units(run.study)
    found = trends(counts)
    if found:
        yield _slopes(found, unit)
        yield from _missing(found)
        yield from _forms([one for one in found if one.forms], unit)
    tests = explained(counts)
    if tests:
        yield _explained(tests, unit)
    yield from (Line("", (one,)) for one in caveats(run))


def caveats(run: Run) -> Iterator[str]:
    """Yield what the tests of a run of deliberations do not allow for; nothing for others."""
    counts, default = counted(run.summaries()), run.study.trial.seating
    if any(one.adversaries and one.condition.get("seating", default) == FIXED for one in counts):
        yield FIXED_SEATING


def _slopes(found: Sequence[Trend], unit: str) -> Table:
    caption = (
        "Change for each 0.1 of the proportion of deceivers, in percentage points: straight line "
        "on agents, 95 % interval clustered by question and by composition; beside it the line "
        "through the means of compositions. R2 depends on how noisy the means are, and so on n."
    )
    heads = {
        "of": "of",
        "where": "where",
        "slope": "points per 0.1",
        "means": "through means",
        "r2": "R2",
        "questions": unit,
        "trials": "trials",
        "none": "with nobody\nwho could",
    }
    rows = []
    for one in found:
        place = where(one.condition, one.model)
        key = f"{plain(one.change)}, {place}"
        rows.append(Row(key, (plain(one.change), place, *_line(one, unit), *_sizes(one))))
    return Table("trends", caption, tuple(Head(*head) for head in heads.items()), tuple(rows))


def _line(one: Trend, questions: str) -> Iterator[Number]:
    change = f"for each 0.1 of the proportion of deceivers, of the {SHARES[one.change]}."
    name = SLOPES[one.change]
    # The smaller number of clusters is that of the interval.
    unit = questions if one.questions < one.compositions else "compositions"
    agents = _trail(f"Change, by a straight line on agents, {change}", one.change, one.counts)
    yield estimated(name, _sized(one.slope, one), agents, unit, POINTS)
    # The slope is tested once, by the line on agents.
    untested = replace(_sized(one.means, one), test=None, detectable=None)
    means = _trail(
        f"Change, by a straight line through the pooled rates of compositions, {change}",
        one.change,
        one.counts,
    )
    yield estimated(f"{name}_of_means", untested, means, "compositions", POINTS)
    explains = _trail(
        "Share of the variance between the pooled rates of compositions that a straight line over "
        f"the proportion of deceivers explains. {R2_WARNING}",
        one.change,
        one.counts,
    )
    explains = replace(explains, method=one.means.method)
    yield _bare("r2_of_means", one.r2, explains, (one.compositions, "compositions"), SHARE)


def _sized(found: Estimate, one: Trend) -> Estimate:
    levels = {
        "questions": {"with agents who could change": one.questions},
        "compositions": {"with agents who could change": one.compositions},
        "trials": {"used": len(one.counts), "with nobody who could": one.none},
    }
    return replace(found, levels=levels)


def _sizes(one: Trend) -> Iterator[Number]:
    what = f"agents that could have changed ({plain(one.change)})"
    for name, value, definition in (
        ("questions", one.questions, f"Questions with {what}"),
        ("trials", len(one.counts), f"Trials of the line. {LEFT_OUT}"),
        ("none", one.none, f"Trials of the line without {what}"),
    ):
        trail = _trail(definition, one.change, one.counts)
        yield count(name, value, definition, trail.trials, trail.adds, reading.courses)


def _trail(definition: str, change: Change, counts: Sequence[TrialCount]) -> Trail:
    return Trail(
        f"{definition} {LEFT_OUT}" if LEFT_OUT not in definition else definition,
        [one.summary for one in counts if one.summary],
        adds=_changed(change),
        reads=reading.courses,
    )


def _changed(change: Change) -> Callable[[TrialSummary], str]:
    def adds(trial: TrialSummary) -> str:
        changed, able = MEASURES[change].count(trial)
        return f"{changed} of {able} changed"

    return adds


def _bare(name: str, value: float | None, trail: Trail, n: tuple[int, str], form: Form) -> Number:
    text = "none" if value is None else form.of(value)
    return Number(name, value, text, trail, n=n[0], unit=n[1])


def _missing(found: Sequence[Trend]) -> Iterator[Line]:
    for one in found:
        for what, estimate in (("slope", one.slope), ("slope through means", one.means)):
            if estimate.value is None:
                place = where(one.condition, one.model)
                text = f"No {what} of {plain(one.change)}, {place}: {_reason(estimate)}."
                yield Line("", (text,))


def _reason(estimate: Estimate) -> str:
    """Why there is no estimate, in the words of its method."""
    why = [part for part in estimate.method.split("; ") if part.startswith("no estimate")]
    return why[0].removeprefix("no estimate: ") if why else "nobody could have changed"


def _forms(found: Sequence[Trend], unit: str) -> Iterator[Table]:
    if not found:
        return
    fewest = min(min(FOLDS, one.questions) for one in found)
    parts = f"{FOLDS} parts" if fewest == FOLDS else f"{fewest} parts or more"
    caption = (
        f"Forms of the dependence, the best first: log score on questions that were left out "
        f"({parts}), how far it is behind the best with the error of that difference, AIC second."
    )
    heads = {
        "of": "of",
        "where": "where",
        "form": "form",
        "score": "score",
        "behind": "behind",
        "error": "+-",
        "aic": "AIC",
        "r2": "R2",
    }
    rows = []
    for one in found:
        place = where(one.condition, one.model)
        for form in one.forms:
            name = _form(form.name)
            key = f"{plain(one.change)}, {place}, {name}"
            rows.append(Row(key, (plain(one.change), place, name, *_scores(one, form, unit))))
    yield Table("forms", caption, tuple(Head(*head) for head in heads.items()), tuple(rows))


def _scores(one: Trend, form: Dependence, unit: str) -> Iterator[Cell]:
    what = (
        f"form {_form(form.name)} of the dependence on the proportion of deceivers, "
        f"{form.parameters} parameters, for the {SHARES[one.change]}."
    )
    left = "mean log likelihood of an agent of a question that was not fitted, in nats"
    best = not form.behind

    def number(name: str, value: float, definition: str, shown: Form, more: str = "") -> Number:
        trail = _trail(f"{definition}: {what}{more}", one.change, one.counts)
        trail = replace(trail, method=FITTED)
        return _bare(f"form_{name}", value, trail, (one.questions, unit), shown)

    yield number("score", form.score, f"Cross-validated log score, {left}", SCORE)
    behind = f"The best form's {left}, less that of this form"
    yield "" if best else number("behind", form.behind, behind, SCORE)
    error = f"Standard error between questions of how far the {left}, is behind the best form's"
    yield "" if best else number("error", form.behind_error, error, SCORE)
    yield number("aic", form.aic, "Akaike's criterion of the fit to all questions, in which agents "
                 "count as independent", AIC)  # fmt: skip
    squares = "Share of the variance between compositions that is explained"
    yield "" if form.r2 is None else number("r2", form.r2, squares, SHARE, f" {R2_WARNING}")


def _form(name: str) -> str:
    """Name a form, its cut-point as the share that it is.

    >>> _form("step above 0.3333"), _form("linear")
    ('step above 1/3', 'linear')
    """
    head, cut, value = name.partition(" above ")
    return f"{head}{cut}{Fraction(value).limit_denominator(100)}" if cut else name


def _explained(found: Sequence[Explained], unit: str) -> Table:
    caption = (
        "What the proportion says of defection where the number of deceivers is known, and the "
        "other way round: likelihood ratio of logistic mixed models with terms of question and "
        "trial, models pooled. The effect is on the log-odds, for each 0.1 of the proportion or "
        "for each 10 deceivers."
    )
    names = ("tested", "given", "where", "effect", "chi2")
    heads = tuple(Head(name, "chi2 (1)" if name == "chi2" else name) for name in names)
    rows = []
    for one in found:
        place = where(one.condition, *(one.models if len(one.models) == 1 else ()))
        for tested, given in (("proportion", "count"), ("count", "proportion")):
            key = f"{tested} given {given}, {place}"
            rows.append(Row(key, (tested, given, place, *_ratio(one, tested, given, unit))))
    return Table("explained", caption, heads, tuple(rows))


def _ratio(one: Explained, tested: str, given: str, unit: str) -> Iterator[Number]:
    test = one.proportion if tested == "proportion" else one.count
    name = f"{tested}_given_{given}"

    def trail(what: str) -> Trail:
        model = "of a logistic mixed model with proportion and number of deceivers, for the"
        found = _trail(f"{what} {model} {SHARES[DEFECTION]}.", DEFECTION, one.counts)
        return replace(found, method=one.method, levels={"data": one.data})

    found = replace(one.effects[tested], levels={"data": one.data})
    effect = estimated(name, found, trail(f"Coefficient of the {tested}"), unit, ODDS)
    why = (f"no test: {test.why}",) if test.why else ()
    yield replace(effect, warnings=(*effect.warnings, *why))
    gain = trail(f"Twice what the {tested} adds to the log likelihood")
    yield _bare(f"chi2_{name}", test.statistic, gain, (one.data["questions"], unit), SHARE)
