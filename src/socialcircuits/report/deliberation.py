"""What a run with adversaries comes to, as text: items, trends, contrasts, behaviour, judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from socialcircuits.analyses.behaviour import shares, timing
from socialcircuits.analyses.counting import counted
from socialcircuits.analyses.deliberation import coordination, pairings, verification
from socialcircuits.analyses.trends import FIXED_SEATING, explained, trends
from socialcircuits.measures.labelled import MEASURES as LABELLED
from socialcircuits.studies import Run

Shown = Iterator["Table | str"]


def show(run: Run) -> Shown:
    """Yield what is printed of a run in which agents are judged or deceived; nothing for others."""
    yield from _strata(run)
    counts = counted(run.summaries())
    if len({one.proportion for one in counts}) > 1:
        found = trends(counts)
        yield _trends([trend.row() for trend in found])
        yield from _forms([row for trend in found for row in trend.form_rows()])
        yield _explained([row for one in explained(counts) for row in one.rows()])
    if run.study.trial.seating == "composition" and any(one.adversaries for one in counts):
        yield FIXED_SEATING
    yield from _behaviour(run)
    yield from _judges(run)


def _strata(run: Run) -> Shown:
    for found in run.strata():
        rows = list(found.rows())
        for model in found.models:
            mine = [row for row in rows if row["model"] == model]
            kept = sum(int(row["items"]) for row in mine if row["kept"])
            there = ", ".join(f"{row['items']} with {row['right']}" for row in mine)
            whole = sum(int(row["items"]) for row in mine)
            yield (
                f"Items kept for {model}: {kept} of {whole}; answered alone four times, right "
                f"answers: {there}. Kept are those with 1, 2 or 3."
            )


def _trends(rows: Sequence[Mapping[str, Any]]) -> Table:
    caption = (
        "Change for each 0.1 of the proportion of deceivers, in percentage points: straight line "
        "on agents, 95 % interval clustered by question and by composition; beside it the line "
        "through the means of compositions. R2 depends on how noisy the means are, and so on n."
    )
    heads = ("of", "model", "points per 0.1", "through means", "R2", "questions", "compositions")
    table = _table(caption, (*heads, "trials", "with nobody who could"), left=2)
    for row in rows:
        ends = (_points(row, "slope", "low", "high"), _points(row, *_MEANS))
        r2 = "" if row["r2"] is None else f"{row['r2']:.2f}"
        numbers = (str(row[name]) for name in ("questions", "compositions", "trials", "none"))
        table.add_row(_plain(row["measure"]), _which(row), *ends, r2, *numbers)
    return table


_MEANS = ("means_slope", "means_low", "means_high")


def _forms(rows: Sequence[Mapping[str, Any]]) -> Shown:
    rows = [row for row in rows if row["score"] is not None]
    if not rows:
        return
    caption = (
        "Forms of the dependence, the best first: log score on questions that were left out (10 "
        "parts), how far it is behind the best with the error of that difference, AIC second."
    )
    table = _table(caption, ("of", "model", "form", "score", "behind", "AIC", "R2"), left=3)
    for row in rows:
        behind = f"{row['behind']:.2f} +- {row['behind_error']:.2f}" if row["behind"] else ""
        r2 = "" if row["r2"] is None else f"{row['r2']:.2f}"
        numbers = (f"{row['score']:.2f}", behind, f"{row['aic']:.1f}", r2)
        table.add_row(_plain(row["measure"]), _which(row), row["form"], *numbers)
    yield table


def _explained(rows: Sequence[Mapping[str, Any]]) -> Table:
    caption = (
        "What the proportion says of defection where the number of deceivers is known, and the "
        "other way round: likelihood ratio of logistic mixed models with terms of question and "
        "trial, models pooled."
    )
    table = _table(caption, ("tested", "given", "where", "chi2 (1)", "p", "questions"), left=3)
    for row in rows:
        p = row["why"] or f"{row['p']:.2g}"
        chi2 = "" if row["chi2"] is None else f"{row['chi2']:.2f}"
        numbers = (chi2, p, str(row["questions"]))
        table.add_row(row["tested"], row["given"], _which(row), *numbers)
    return table


def _behaviour(run: Run) -> Shown:
    summaries = run.summaries()
    contrasts = [*coordination(summaries), *pairings(summaries), *verification(summaries)]
    if contrasts:
        caption = (
            "Differences on matched questions, with 95 % intervals over questions; p by flipping "
            "signs, not corrected for their number."
        )
        heads = ("measure", "difference", "where", "estimate", "interval", "questions", "p")
        table = _table(caption, heads, left=3)
        for row in (one.row() for one in contrasts):
            if row["value"] is not None:
                p = "" if row["p"] is None else f"{row['p']:.3f}"
                where = ", ".join(f"{n} = {row[n]}" for n in ("N", "deceivers") if n in row)
                what = (_plain(row["measure"]), row["contrast"], where or "all")
                table.add_row(*what, f"{row['value']:+.3f}", _ends(row), str(row["n"]), p)
        yield table
    times = [row for one in timing(summaries) for row in one.rows() if row["value"] is not None]
    if times:
        yield _timing(times)
    labelled = [row for row in shares(summaries, LABELLED) if row.estimate.value is not None]
    if labelled:
        titles = {measure.name: measure.title for measure in LABELLED}
        caption = "What judges found in what was said: share, 95 % interval clustered by question."
        table = _table(caption, ("what", "where", "share", "interval", "questions"), left=2)
        for one in labelled:
            found = one.estimate
            where = ", ".join(f"{n} = {value}" for n, value in one.condition.items()) or "all"
            numbers = (f"{found.value:.3f}", _ends(one.as_json()), str(found.n))
            table.add_row(titles[one.measure], where, *numbers)
        yield table


def _timing(rows: Sequence[Mapping[str, Any]]) -> Table:
    caption = (
        "When honest agents that were right first turned wrong: share of all first defections, "
        "over compositions with deceivers; two-sided test against one half, by question."
    )
    table = _table(caption, ("when", "share", "interval", "agents", "questions", "p"), left=1)
    for row in rows:
        p = "" if row["p"] is None else f"{row['p']:.3g}"
        numbers = (f"{row['value']:.3f}", _ends(row), str(row["agents"]), str(row["n"]), p)
        table.add_row(row["class"], *numbers)
    return table


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


def _points(row: Mapping[str, Any], value: str, low: str, high: str) -> str:
    if row[value] is None:
        return "none"
    return f"{100 * row[value]:.2f} ({100 * row[low]:.2f} to {100 * row[high]:.2f})"


def _ends(row: Mapping[str, Any]) -> str:
    return f"{row['low']:.3f} to {row['high']:.3f}"


def _which(row: Mapping[str, Any]) -> str:
    known = {"measure", "model", "slope", "low", "high", "r2", "questions", "compositions", "form"}
    swept = ("coordinated", "verify", "intervention", "protocol", "seating")
    parts = [f"{name} = {row[name]}" for name in swept if name in row and name not in known]
    models = row.get("model") or row.get("models")
    return ", ".join([*([models] if models else []), *parts]) or "-"


def _plain(name: str) -> str:
    return name.replace("_", " ")
