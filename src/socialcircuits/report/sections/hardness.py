"""How hard items are for each model alone: which are kept, and how it answers those again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from socialcircuits.measures.strata import FEWEST, MOST
from socialcircuits.records.courses import graded
from socialcircuits.records.summary import TrialSummary
from socialcircuits.report import reading
from socialcircuits.report.numbers import FINE, Trials, counted, estimated
from socialcircuits.report.page import Block, Head, Number, Row, Table, Trail
from socialcircuits.statistics import ratio
from socialcircuits.studies import Run

ALONE = "stratum"
"""The protocol in which one agent answers an item four times."""

READS = reading.utterances | reading.labelled("correctness")

WRONG = "An invalid answer is wrong, an unjudged one neither right nor wrong."

Grades = Callable[[TrialSummary], Counter[str]]


def blocks(run: Run, _: Trials) -> Iterator[Block]:
    """Yield how often each model alone is right, before items are kept and after."""
    yield from _strata(run)
    yield from _again(run)


def _grades(run: Run) -> Grades:
    return lambda trial: Counter[str](graded(run.record(trial), run.study.judge))


def _right(grades: Grades) -> Callable[[TrialSummary], str]:
    def adds(trial: TrialSummary) -> str:
        found = grades(trial)
        unjudged = f", {found['unjudged']} unjudged" if found["unjudged"] else ""
        return f"{found['right']} of {found.total()} right{unjudged}"

    return adds


def _strata(run: Run) -> Iterator[Table]:
    """Of pooled runs, the items of all."""
    items = Counter[tuple[str, str]]()
    kept = Counter[str]()
    for row in (row for found in run.strata() for row in found.rows()):
        items[row["model"], str(row["right"])] += row["items"]
        kept[row["model"]] += row["items"] if row["kept"] else 0
    classes = list(dict.fromkeys(right for _, right in items))
    grades, alone = _grades(run), run.alone()
    rows = []
    for model, chosen in kept.items():
        asked = [one for one in alone if one.condition["stratum"] == model]
        mine = {f"right_{right}": items[model, right] for right in classes}
        definition = f"Items that {model} answered alone four times"
        wanted = {"items": sum(mine.values()), "kept": chosen, **mine}
        cells = (
            counted(name, n, f"{definition}{_which(name)}. {WRONG}", asked, _right(grades), READS)
            for name, n in wanted.items()
        )
        rows.append(Row(model, (model, *cells)))
    if rows:
        caption = (
            "Items by the right answers of a model that was asked alone, four times each. Kept are "
            f"those with {FEWEST} to {MOST}; one with an answer that is not judged is not kept."
        )
        heads = (Head("model", "model"), Head("items", "items"), Head("kept", "kept"))
        right = (Head(f"right_{one}", f"{one} right" if one.isdigit() else one) for one in classes)
        yield Table("strata", caption, (*heads, *right), tuple(rows))


def _which(name: str) -> str:
    """Say which items are counted."""
    special = {
        "items": "",
        "kept": f", with {FEWEST} to {MOST} right answers and none that is not judged",
        "right_unjudged": ", with an answer that is not judged",
    }
    right = name.removeprefix("right_")
    return special.get(name, f", with {right} right answers and none that is not judged")


def _again(run: Run) -> Iterator[Table]:
    """Answers of agents alone in trials that enter estimates: of no use to choose items."""
    by_model: dict[str, list[TrialSummary]] = {}
    for trial in run.summaries():
        settings = trial.condition
        if settings.get("protocol", run.study.trial.protocol) == ALONE:
            model = str(settings.get("cast", run.study.trial.cast))
            by_model.setdefault(model, []).append(trial)
    if not by_model:
        return
    caption = (
        "Answers alone that chose no item: share right, 95 % interval clustered by item. Items "
        "with an answer that is not judged are left out."
    )
    heads = tuple(Head(*head) for head in (
        ("model", "model"), ("right", "right"), ("answers", "answers"), ("left_out", "left out"),
    ))  # fmt: skip
    rows = (
        Row(model, (model, *_answered(trials, _grades(run))))
        for model, trials in sorted(by_model.items())
    )
    yield Table("alone_again", caption, heads, tuple(rows))


def _answered(trials: Sequence[TrialSummary], grades: Grades) -> Iterator[Number]:
    found = {id(trial): grades(trial) for trial in trials}
    known = [trial for trial in trials if not found[id(trial)]["unjudged"]]
    said = [found[id(trial)].total() for trial in known]
    share = ratio([found[id(trial)]["right"] for trial in known], said)
    adds = _right(grades)
    definition = (
        "Share of an agent's answers alone that are right, of trials that chose no item, pooled "
        "with the item as the cluster. An invalid answer is wrong; items with an unjudged one are "
        "left out."
    )
    trail = Trail(definition, known or trials, adds=adds, reads=READS)
    yield estimated("right_alone", share, trail, "items", FINE)
    yield counted(
        "answers", sum(said), "Answers that the share is of", known or trials, adds, READS
    )
    left_out = len(trials) - len(known)
    yield counted("left_out", left_out, "Items with an unjudged answer", trials, adds, READS)
