"""What figures show of interventions: who held what before and after, and what it changed."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from socialcircuits.agents import BackEnd
from socialcircuits.analyses.attribution import Attribution
from socialcircuits.figures import belief_trace
from socialcircuits.measures import Row
from socialcircuits.records import TrialRecord
from socialcircuits.studies import Builder, Run
from socialcircuits.studies.study import INTERVENTION

MEASURE = "collective_accuracy"


def traces(run: Run, found: Attribution) -> list[belief_trace.Trace]:
    """Return the beliefs of a trial and of its patch with the largest effect (the first of several
    equal ones)."""
    best = max(found.scores, key=lambda score: score.effect)
    key = found.arrivals.graph.seats[best.agent].key
    patched = _patch_of(run, found, key)
    original = _trace(run, run.file.trial(found.trial), "original crops", ())
    return [original, _trace(run, patched, f"agent {best.agent} patched", (best.agent,))]


def _patch_of(run: Run, found: Attribution, key: str) -> TrialRecord:
    for plan, base in ((p.plan, run.plan.bases.get(p.plan.number)) for p in run.plan.trials):
        if base is not None and base.number == found.trial:
            changes = run.study.interventions[str(plan.condition[INTERVENTION])]
            if len(changes) == 1 and changes[0].get("agents") in (key, [key]):
                return run.file.trial(plan.number)
    raise AssertionError("an attribution is read from a run that holds all its patches")


def _trace(
    run: Run, record: TrialRecord, title: str, patched: tuple[int, ...]
) -> belief_trace.Trace:
    planned = next(p for p in run.plan.trials if p.plan.number == record.plan.number)
    back = BackEnd.unreached(run.study.models.values())
    setup, _ = Builder(run.study, back=back).build(planned)
    summary = record.summary()
    beliefs = [
        {"agent": agent, "round": current, "answer": answer}
        for current, answers in summary.readouts.items()
        for agent, answer in enumerate(answers)
    ]
    pictures = {
        agent: _picture(png)
        for agent, seen in enumerate(setup.evidence)
        if seen is not None and (png := seen.image()) is not None
    }
    arrows = pd.DataFrame(_arrows(record, summary.readouts), columns=["agent", "round", "source"])
    frame = pd.DataFrame(beliefs)
    return belief_trace.Trace(title, frame, arrows, pictures, summary.truth, patched)


def _picture(png: bytes) -> Any:
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


def _arrows(
    record: TrialRecord, readouts: Mapping[int, tuple[str | None, ...]]
) -> list[dict[str, int]]:
    """Switches of an answer to that of the message an agent heard last before."""
    graph, found = record.graph, []
    last: dict[int, tuple[int, str | None]] = {}
    before: dict[int, str | None] = {}
    for index, step in enumerate(graph.steps):
        if index not in record.outcomes:
            continue
        if step.purpose == graph.readout.purpose and step.seat in graph.readout.seats:
            now = readouts[step.round][graph.readout.seats.index(step.seat)]
            source, said = last.get(step.seat, (step.seat, None))
            changed = step.seat in before and before[step.seat] != now
            if changed and now is not None and said == now and source != step.seat:
                found.append({"agent": step.seat, "round": step.round, "source": source})
            before[step.seat] = now
        elif record.answer(index) is not None:
            for reader in step.to:
                last[reader] = (step.seat, record.answer(index))
    return found


def effects(run: Run) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the mean effect of interventions over N, and the effect in each seed.

    Columns: N, patched (how many agents see something else), value, low, high, n; and N, change.
    """
    done = {plan.number for plan in run.file.plans()}
    patched, runs = dict[int, int](), []
    for planned in run.plan.trials:
        base = run.plan.bases.get(planned.plan.number)
        if base is None or planned.plan.role != "estimate" or not {
            base.number, planned.plan.number,
        } <= done:  # fmt: skip
            continue
        after, before = (run.file.trial(n) for n in (planned.plan.number, base.number))
        shown = zip(after.provided.evidence, before.provided.evidence, strict=True)
        patched[planned.cell.trial.N] = max(
            patched.get(planned.cell.trial.N, 0), sum(a != b for a, b in shown)
        )
        one, two = after.summary(), before.summary()
        if not (one.readouts and two.readouts):
            continue  # agents that were asked alone
        change = one.final.count(one.truth) / len(one.final)
        change -= two.final.count(two.truth) / len(two.final)
        runs.append({"N": planned.cell.trial.N, "change": change})
    rows = [
        {"N": row.condition["N"], "patched": patched.get(row.condition["N"], 0), **_numbers(row)}
        for row in run.rows()
        if row.measure == MEASURE and INTERVENTION in row.condition.get("minus", {})
    ]
    return pd.DataFrame(rows), pd.DataFrame(runs)


def _numbers(row: Row) -> dict[str, Any]:
    found = row.estimate
    return {"value": found.value, "low": found.low, "high": found.high, "n": found.n}
