"""What judges said and where they disagree, as text and as JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from socialcircuits.judges import RUBRICS, agreement
from socialcircuits.report.text import console
from socialcircuits.studies import Run


def disagreements(run: Run) -> list[dict[str, Any]]:
    """Return how far each two judges of a run agree, a row for each part of a rubric.

    Columns: judges, rubric, part, pairs (things that both judged), agreed, share (missing without a
    pair), alone (things to which only one gave a value).
    """
    return list(_rows(run))


def _rows(run: Run) -> Iterator[dict[str, Any]]:
    judges = list(run.file.judging())
    labels = [(r.plan.number, label) for r in run.file.trials() for label in r.labels]
    for one, other in combinations(judges, 2):
        for rubric in RUBRICS.values():
            for found in agreement(rubric, labels, one, other):
                yield {
                    "judges": [one, other],
                    "rubric": found.rubric,
                    "part": found.part,
                    "pairs": len(found.pairs),
                    "agreed": found.agreed,
                    "share": found.share,
                    "alone": found.alone,
                }


def show(run: Run) -> None:
    """Print what each judge said, and where judges disagree."""
    out = console()
    for judge, counts in run.file.judging().items():
        out.print(
            f"{judge}: {counts['labels']:,} labels, {counts['unjudged']:,} without a value, "
            f"{counts['calls']:,} replies asked for, {counts['cost'] / 1e9:.4f} USD.",
            soft_wrap=True,
        )
    rows = disagreements(run)
    if not rows:
        return
    heads = ("judges", "rubric", "part", "both", "agree", "one only")
    table = Table(caption="Where two judges agree.", caption_justify="left", box=SIMPLE_HEAD)
    for head in heads:
        table.add_column(head, justify="right" if head in heads[3:] else "left")
    for row in rows:
        share = "" if row["share"] is None else f"{row['share']:.3f}"
        names = " and ".join(row["judges"])
        numbers = (str(row["pairs"]), share, str(row["alone"]))
        table.add_row(names, row["rubric"], row["part"], *numbers)
    out.print(table)
