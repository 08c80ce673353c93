"""What a run with adversaries comes to, as text: items, trends, contrasts, behaviour, judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.box import SIMPLE_HEAD
from rich.table import Table

from socialcircuits.analyses.behaviour import Timing, shares, timing
from socialcircuits.analyses.counting import CHANGES, TrialCount, counted
from socialcircuits.analyses.deliberation import Contrast, coordination, pairings, verification
from socialcircuits.analyses.trends import FIXED_SEATING, Explained, Trend, explained, trends
from socialcircuits.measures import CATALOGUE, Row
from socialcircuits.measures.labelled import MEASURES as LABELLED
from socialcircuits.report import hardness
from socialcircuits.report.words import p_text, where
from socialcircuits.statistics import Estimate
from socialcircuits.statistics.forms import FOLDS
from socialcircuits.studies import Run

Shown = Iterator["Table | str"]

RATIOS = frozenset(measure.name for measure in CATALOGUE if measure.kind == "ratio")
"""Measures that are pooled over agents in tables, and have a mean over questions in contrasts."""


def show(run: Run) -> Shown:
    """Yield what is printed of a run in which agents are judged or deceived; nothing for others."""
    yield from hardness.show(run)
    counts = counted(run.summaries())
    yield from _lone(counts)
    yield from _unjudged(counts)
    found = trends(counts)
    if found:
        yield from _trends(found)
        yield from _forms(found)
    tests = explained(counts)
    if tests:
        yield _explained(tests)
    default = run.study.trial.seating
    if any(one.adversaries and one.condition.get("seating", default) == FIXED for one in counts):
        yield FIXED_SEATING
    yield from _behaviour(run)
    yield from _judges(run)


FIXED = "composition"
"""The seating in which who deceives is drawn once a composition."""


def _lone(counts: Sequence[TrialCount]) -> Shown:
    for size, trials in sorted(Counter(one.agents for one in counts if one.lone).items()):
        yield (
            f"N = {size}, coordinated: one deceiver, nobody to coordinate with, {trials} trials. "
            "Slopes, tests and paired differences leave this composition out."
        )


def _unjudged(counts: Sequence[TrialCount]) -> Shown:
    hanging = {
        change: number
        for change in CHANGES
        if (number := sum(change in one.unjudged for one in counts))
    }
    if hanging:
        said = ", ".join(f"{number} for {_plain(change)}" for change, number in hanging.items())
        yield (
            "Left out of slopes, forms, tests and paired differences, as they hang on answers that "
            f"were not judged: of {len(counts)} trials {said}."
        )


def _trends(found: Sequence[Trend]) -> Shown:
    caption = (
        "Change for each 0.1 of the proportion of deceivers, in percentage points: straight line "
        "on agents, 95 % interval clustered by question and by composition; beside it the line "
        "through the means of compositions. R2 depends on how noisy the means are, and so on n."
    )
    heads = ("of", "where", "points per 0.1", "through means", "R2", "questions", "compositions")
    table = _table(caption, (*heads, "trials", "with nobody who could"), left=2)
    for one in found:
        r2 = "" if one.r2 is None else f"{one.r2:.2f}"
        numbers = (one.questions, one.compositions, one.trials, one.none)
        place = where(one.condition, one.model)
        ends = (_points(one.slope), _points(one.means))
        table.add_row(_plain(one.change), place, *ends, r2, *map(str, numbers))
    yield table
    for one in found:
        for what, estimate in (("slope", one.slope), ("slope through means", one.means)):
            if estimate.value is None:
                yield (
                    f"No {what} of {_plain(one.change)}, {where(one.condition, one.model)}: "
                    f"{_reason(estimate)}."
                )


def _reason(estimate: Estimate) -> str:
    """Why there is no estimate, in the words of its method."""
    why = [part for part in estimate.method.split("; ") if part.startswith("no estimate")]
    return why[0].removeprefix("no estimate: ") if why else "nobody could have changed"


def _forms(found: Sequence[Trend]) -> Shown:
    found = [one for one in found if one.forms]
    if not found:
        return
    fewest = min(min(FOLDS, one.questions) for one in found)
    parts = f"{FOLDS} parts" if fewest == FOLDS else f"{fewest} parts or more"
    caption = (
        f"Forms of the dependence, the best first: log score on questions that were left out "
        f"({parts}), how far it is behind the best with the error of that difference, AIC second."
    )
    table = _table(caption, ("of", "where", "form", "score", "behind", "AIC", "R2"), left=3)
    for one in found:
        for form in one.forms:
            behind = f"{form.behind:.4f} +- {form.behind_error:.4f}" if form.behind else ""
            r2 = "" if form.r2 is None else f"{form.r2:.2f}"
            numbers = (f"{form.score:.4f}", behind, f"{form.aic:.1f}", r2)
            place = where(one.condition, one.model)
            table.add_row(_plain(one.change), place, _form(form.name), *numbers)
    yield table


def _form(name: str) -> str:
    """Name a form, its cut-point as the share that it is.

    >>> _form("step above 0.3333"), _form("linear")
    ('step above 1/3', 'linear')
    """
    head, cut, value = name.partition(" above ")
    return f"{head}{cut}{Fraction(value).limit_denominator(100)}" if cut else name


def _explained(found: Sequence[Explained]) -> Table:
    caption = (
        "What the proportion says of defection where the number of deceivers is known, and the "
        "other way round: likelihood ratio of logistic mixed models with terms of question and "
        "trial, models pooled."
    )
    table = _table(caption, ("tested", "given", "where", "chi2 (1)", "p", "questions"), left=3)
    for one in found:
        for row in one.rows():
            p = row["why"] or f"{row['p']:.2g}"
            chi2 = "" if row["chi2"] is None else f"{row['chi2']:.2f}"
            place = where(one.condition, ", ".join(one.models))
            table.add_row(row["tested"], row["given"], place, chi2, p, str(row["questions"]))
    return table


def _behaviour(run: Run) -> Shown:
    summaries = run.summaries()
    contrasts = [*coordination(summaries), *pairings(summaries), *verification(summaries)]
    if contrasts:
        yield _contrasts(contrasts)
    times = [one for one in timing(summaries) if one.vote.value is not None or one.unjudged]
    if times:
        yield _timing(times)
    labelled = [row for row in shares(summaries, LABELLED) if row.estimate.value is not None]
    if labelled:
        yield _labelled(labelled)


def _contrasts(found: Sequence[Contrast]) -> Table:
    caption = (
        "Differences on matched questions, each question once, with 95 % intervals over questions; "
        "p by flipping signs, not corrected for their number. Unjudged are the trials left out."
    )
    heads = ("measure", "difference", "where", "estimate", "interval", "questions", "unjudged", "p")
    table = _table(caption, heads, left=3)
    for one in found:
        row = one.row()
        if row["value"] is not None:
            mean = ", mean over questions" if one.measure in RATIOS else ""
            # The contrasted setting stands under difference.
            axis = one.contrast.partition(":")[0]
            place = where({n: v for n, v in one.condition.items() if n != axis})
            numbers = (str(row["n"]), str(row["unjudged"]), p_text(row["p"], row["exact"]))
            value = f"{row['value']:+.3f}"
            what = (_plain(one.measure) + mean, one.contrast, place)
            table.add_row(*what, value, _ends(one.estimate), *numbers)
    return table


def _timing(found: Sequence[Timing]) -> Table:
    caption = (
        "When honest agents that were right first turned wrong: share of all first defections, "
        "over compositions with deceivers; two-sided test against one half, by question. Unjudged "
        "are the trials left out."
    )
    heads = ("when", "where", "share", "interval", "agents", "questions", "unjudged", "p")
    table = _table(caption, heads, left=2)
    for one in found:
        for row in one.rows():
            shown = ("none", "nobody defected")
            if row["value"] is not None:
                shown = (f"{row['value']:.3f}", f"{row['low']:.3f} to {row['high']:.3f}")
            numbers = (row["agents"], row["n"], row["unjudged"])
            p = "" if row["value"] is None else p_text(row["p"], row["exact"])
            table.add_row(row["class"], where(one.condition), *shown, *map(str, numbers), p)
    return table


def _labelled(rows: Sequence[Row]) -> Table:
    titles = {measure.name: measure.title for measure in LABELLED}
    caption = (
        "What judges found in what was said: share, 95 % interval clustered by question; how many "
        "things were judged. Unjudged ones count as not found; the ends say between what the share "
        "would lie if they were judged."
    )
    heads = ("what", "where", "share", "interval", "questions", "judged", "unjudged", "ends")
    table = _table(caption, heads, left=2)
    for one in rows:
        found, labels = one.estimate, one.estimate.levels["labels"]
        numbers = (found.n, labels["judged"], labels["unjudged"])
        ends = unjudged(found).partition(": ")[2].removesuffix(" however they are judged")
        share = (f"{found.value:.3f}", _ends(found))
        table.add_row(titles[one.measure], where(one.condition), *share, *map(str, numbers), ends)
    return table


def unjudged(estimate: Estimate) -> str:
    """Return what the method of an estimate says of unjudged answers, empty where all are judged.

    >>> unjudged(Estimate(0.2, 0.1, 0.3, 9, "a share; 2 unjudged, not counted: 0.200 to 0.400"))
    '2 unjudged, not counted: 0.200 to 0.400'
    """
    parts = estimate.method.split("; ")
    return next((part for part in parts if " unjudged, not counted: " in part), "")


def _judges(run: Run) -> Shown:
    for judge, counts in run.judging().items():
        who = f"Judged by {judge}"
        if judge == "rules":
            who += " (the deterministic judge)"
        asked = f", {counts['calls']:,} replies asked for" if counts["calls"] else ""
        if counts["cost"]:
            asked += f", {counts['cost'] / 1e9:.4f} USD besides the cost of agents"
        yield f"{who}: {counts['labels']:,} labels, {counts['unjudged']:,} without a value{asked}."


def _table(caption: str, heads: Sequence[str], left: int) -> Table:
    table = Table(caption=caption, caption_justify="left", box=SIMPLE_HEAD)
    for place, head in enumerate(heads):
        table.add_column(head, justify="left" if place < left else "right")
    return table


def _points(found: Estimate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "none"
    return f"{100 * found.value:.2f} ({100 * found.low:.2f} to {100 * found.high:.2f})"


def _ends(found: Estimate) -> str:
    return f"{found.low:.3f} to {found.high:.3f}"


def _plain(name: str) -> str:
    return name.replace("_", " ")
