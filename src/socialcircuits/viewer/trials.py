"""One trial as the page draws it: the shape ``Trial`` of viewer/src/data/types.ts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from socialcircuits.graph import Reply
from socialcircuits.measures import (
    Measure,
    collective_accuracy,
    endpoints,
    manager_accuracy,
    rivalry,
)
from socialcircuits.records import Label, RunFile, TrialRecord, TrialSummary, primary
from socialcircuits.records.courses import OPEN, hostile, judged
from socialcircuits.viewer.rebuilding import Rebuilt
from socialcircuits.viewer.scenery import canvas, evidence

__all__ = ["accuracy", "endpoint", "rival_share", "trial"]

Chunk = dict[str, Any]

NANO = 1_000_000_000

DIGITS = 16
"""How much of a key is shown: whole ones would be half of a chunk, for digests do not compress."""


def endpoint(summary: TrialSummary) -> str:
    """Return the class in which a trial ends; empty where its readout is no population's."""
    if not summary.readouts or endpoints.MEASURES[0].undefined(summary) is not None:
        return ""
    final = summary.final
    counts = {answer: final.count(answer) for answer in dict.fromkeys(final) if answer is not None}
    return endpoints.classify(counts, len(final), summary.truth)


def accuracy(summary: TrialSummary) -> float | None:
    """Return the share of the last readout that is right, or whether a manager's is; None where
    neither has a meaning, or answers are not judged."""
    found = (
        _value(one, summary) for one in (collective_accuracy.MEASURE, manager_accuracy.MEASURE)
    )
    return next((value for value in found if value is not None), None)


def rival_share(summary: TrialSummary) -> float | None:
    """Return the rival evidence share of a trial; None where nothing was probed so."""
    return _value(rivalry.MEASURE, summary)


def _value(measure: Measure, summary: TrialSummary) -> float | None:
    if measure.undefined(summary) is not None:
        return None
    value = measure.value(summary)
    return None if value is None else float(value)


def trial(record: TrialRecord, file: RunFile, rebuilt: Rebuilt, judge: str) -> Chunk:
    """Return a recorded trial.

    What is `said` is what a valid reply says beside its answer; the whole text of one that is
    invalid, states odds, or has neither answer nor reason. Answers to open questions are as the
    judge reads them: right ones are the truth. `reads` and `labels` name steps by their place in
    the columns, which hold the steps that ran; `key` is the beginning of a key.

    Args:
        record: the trial.
        file: the run file that holds it.
        rebuilt: the run's world and setups.
        judge: the judge whose labels are read; all labels are shown.
    """
    summary, facts = record.summary(judge), record.provided.facts
    pieces, seen = evidence(record, file, rebuilt.flags)
    read, doubt = rebuilt.reads(record)
    spoken = _spoken(record, primary(record.labels, judge))
    answers = list(dict.fromkeys([*facts["answers"], *filter(None, spoken.values())]))
    places = {index: place for place, index in enumerate(record.outcomes)}
    readout = record.graph.readout
    return {
        "number": record.plan.number,
        "seed": record.plan.seed,
        "role": record.plan.role,
        "condition": dict(record.plan.condition),
        "protocol": summary.protocol,
        "item": str(facts.get("item", "")),
        "question": _question(facts, pieces),
        "truth": facts["truth"],
        "lure": facts["lure"],
        "answers": answers,
        "seats": _seats(record, seen),
        "evidence": pieces,
        "canvas": canvas(record, rebuilt.flags),
        "rounds": record.graph.rounds,
        "cut": record.cut,
        "endpoint": endpoint(summary),
        "accuracy": accuracy(summary),
        "readout": {"purpose": readout.purpose, "seats": list(readout.seats)},
        "steps": _steps(record, places, read, _numbered(spoken, answers)),
        "labels": [_label(label, places) for label in record.labels if label.step in places],
        "held": _held(summary),
        "intervention": _intervention(facts, doubt),
        "digest": record.digest,
    }


def _question(facts: Mapping[str, Any], pieces: Sequence[Chunk]) -> str:
    """What was asked; empty where nothing but evidence was seen."""
    if "question" in facts:
        return str(facts["question"])
    return str(pieces[0]["text"]) if pieces and facts.get("world") in OPEN else ""


def _spoken(record: TrialRecord, labels: Sequence[Label]) -> dict[int, str | None]:
    """Step -> its answer, None where it has none: as a judge reads it where it is free text."""
    if record.provided.facts.get("world") not in OPEN:
        return {index: record.answer(index) for index in record.outcomes}
    read, truth = judged(record, labels).answers, str(record.provided.facts["truth"])
    rights = {
        label.step: bool(label.value["right"])
        for label in labels
        if label.rubric == "correctness" and label.value is not None
    }
    found: dict[int, str | None] = {}
    for index in record.outcomes:
        answer = record.answer(index)
        if index in read:
            answer = read[index]
        elif answer is not None and rights.get(index):
            answer = truth
        elif answer == truth and rights.get(index) is False:
            answer += " *"
        found[index] = answer
    return found


def _numbered(spoken: Mapping[int, str | None], answers: Sequence[str]) -> dict[int, int]:
    places = {answer: place for place, answer in enumerate(answers)}
    return {index: -1 if said is None else places[said] for index, said in spoken.items()}


def _seats(record: TrialRecord, seen: Sequence[int | None]) -> list[Chunk]:
    apart, given = hostile(record), record.provided
    return [
        {
            "key": seat.key,
            "role": str(given.briefs[number].get("role", "")),
            "name": str(given.briefs[number].get("name", "")),
            "mind": given.minds[number],
            "adversary": number in apart,
            "evidence": seen[number],
        }
        for number, seat in enumerate(record.graph.seats)
    ]


def _steps(
    record: TrialRecord,
    places: Mapping[int, int],
    read: Mapping[int, Sequence[int]],
    answers: Mapping[int, int],
) -> Chunk:
    graph, said = record.graph, record.outcomes
    steps = [graph.steps[index] for index in said]
    tried, tokens, cost = (dict.fromkeys(said, 0) for _ in range(3))
    keys, cuts = dict.fromkeys(said, b""), graph.cuts
    for one in record.attempts:
        tried[one.step] += 1
        keys[one.step] = one.key
        if one.reply.usage is not None:
            tokens[one.step] += (one.reply.usage.prompt or 0) + (one.reply.usage.completion or 0)
            cost[one.step] += one.reply.usage.cost
    return {
        "id": [graph.step_id(index) for index in said],
        "purpose": [step.purpose for step in steps],
        "variant": [step.variant for step in steps],
        "kind": [step.kind for step in steps],
        "seat": [step.seat for step in steps],
        "round": [step.round for step in steps],
        "to": [
            [reader for reader in step.to if not cuts or (index, reader) not in cuts]
            for index, step in zip(said, steps, strict=True)
        ],
        "reads": [[places[source] for source in read[index]] for index in said],
        "answer": [answers[index] for index in said],
        "valid": [reply.valid for reply in said.values()],
        "why": [reply.why for reply in said.values()],
        "said": [
            reply.text if step.form == "odds" else _words(reply)
            for reply, step in zip(said.values(), steps, strict=True)
        ],
        "attempts": list(tried.values()),
        "key": [key.hex()[:DIGITS] for key in keys.values()],
        "tokens": list(tokens.values()),
        "costUsd": [nano / NANO for nano in cost.values()],
    }


def _words(reply: Reply) -> str:
    plain = reply.valid and (reply.answer is not None or reply.reason)
    return reply.reason if plain else reply.text


def _label(label: Label, places: Mapping[int, int]) -> Chunk:
    return {
        "step": places[label.step],
        "rubric": label.rubric,
        "judge": label.judge,
        "pass": label.number,
        "value": label.value,
        "reason": label.reason,
        "quote": label.quote,
        "why": label.why,
    }


def _held(summary: TrialSummary) -> dict[str, list[str]]:
    """Seat of each benign agent of a chatroom -> what it holds before round 1 and after each."""
    if summary.room is None:
        return {}
    rounds = range(summary.room.rounds + 1)
    return {str(one.seat): [one.held(r) for r in rounds] for one in summary.room.members}


def _intervention(facts: Mapping[str, Any], doubt: str) -> Chunk | None:
    """What was changed, what was delivered in place of what was said, and why `reads` may not be
    what was read; empty where it is."""
    if not facts.get("intervention"):
        return None
    return {
        "changes": facts["intervention"],
        "delivered": facts.get("delivered", {}),
        "doubt": doubt,
    }
