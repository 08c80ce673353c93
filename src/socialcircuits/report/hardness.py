"""How hard items are for each model alone: which are kept, and how it answers those again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.table import Table

from socialcircuits.records.courses import graded
from socialcircuits.statistics import ratio
from socialcircuits.studies import Run

ALONE = "stratum"
"""The protocol in which one agent answers an item four times."""


def show(run: Run) -> Iterator[Table | str]:
    """Yield how often each model alone is right, before items are kept and after."""
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
    yield from _again(run)


def _again(run: Run) -> Iterator[Table | str]:
    """Answers of agents alone in trials that enter estimates: of no use to choose items."""
    answers = _answers(run)
    if not answers:
        return
    caption = (
        "Answers alone that chose no item: share right, 95 % interval clustered by item. Items "
        "with an answer that is not judged are left out."
    )
    table = Table(caption=caption, caption_justify="left", box=SIMPLE_HEAD)
    for head in ("model", "right", "interval", "answers", "items", "left out"):
        table.add_column(head, justify="left" if head == "model" else "right")
    for model, items in answers.items():
        known = [grades for grades in items if not grades["unjudged"]]
        found = ratio([one["right"] for one in known], [one.total() for one in known])
        shown = ("none", "none is judged")
        if found.value is not None:
            shown = (f"{found.value:.3f}", f"{found.low:.3f} to {found.high:.3f}")
        said = sum(one.total() for one in known)
        table.add_row(model, *shown, str(said), str(len(known)), str(len(items) - len(known)))
    yield table


def _answers(run: Run) -> dict[str, list[Counter[str]]]:
    """Model -> the grades of its answers to each item."""
    answers: dict[str, list[Counter[str]]] = {}
    for part in run.parts:
        done = {one.number for one in part.file.plans()}
        for planned in part.plan.trials:
            trial, number = planned.cell.trial, planned.plan.number
            if planned.cell.role == "estimate" and trial.protocol == ALONE and number in done:
                grades = Counter(graded(part.file.trial(number), run.study.judge))
                answers.setdefault(trial.cast, []).append(Counter[str](grades))
    return dict(sorted(answers.items()))
