"""The public part of a run as lines: what was said to others, and who could read it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.errors import UsageError
from socialcircuits.graph.vocabulary import PRIVATE_TO_ALL
from socialcircuits.importing.building import LINEAGE
from socialcircuits.importing.lines import views_as_json
from socialcircuits.records import RunFile, TrialRecord
from socialcircuits.records.courses import OPEN
from socialcircuits.records.digests import is_public
from socialcircuits.records.tables import is_private

__all__ = ["Written", "write"]


class Written(NamedTuple):
    """What was written: the file, conversations, their lines, and trials whose texts may not be
    published and which were left out."""

    path: Path
    conversations: int
    lines: int
    withheld: int


def write(run: RunFile, path: str | Path) -> Written:
    """Write what was said in a run to others as JSON Lines that can be imported.

    Of what seats answered or noted in private, only that they did is written, when, and what they
    could read; no text, answer, evidence, prompt or key. What the speakers' seats held is written:
    role, name and model. Trials whose questions may not be published are left out.

    Args:
        run: the run.
        path: the file.

    Raises:
        UsageError: the file cannot be written.
    """
    conversations = lines = withheld = 0
    try:
        with Path(path).open("w", encoding="utf-8", newline="\n") as file:
            for record in run.trials():
                if is_private(record):
                    withheld += 1
                    continue
                conversations += 1
                for row in _rows(record, run):
                    # ASCII escapes keep texts that are no valid Unicode, which models do send.
                    file.write(json.dumps(row) + "\n")
                    lines += 1
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror})") from None
    return Written(Path(path), conversations, lines, withheld)


def _rows(record: TrialRecord, run: RunFile) -> Iterator[dict[str, Any]]:
    facts = record.provided.facts
    unknown = set(facts.get(LINEAGE, {}).get("unknown", ()))
    name = facts["item"] if LINEAGE in facts else str(record.plan.number)
    shown = {
        "question": _question(record, run),
        "truth": facts["truth"],
        "lure": facts["lure"],
    }
    for index in range(len(record.graph.steps)):
        # Steps after the end of the trial were never taken.
        if index in record.outcomes or (LINEAGE in facts and index not in unknown):
            row = {
                "conversation": name,
                **_step(record, index, known=index not in unknown),
                **shown,
            }
            yield {part: value for part, value in row.items() if value or part not in _EMPTY}
            shown = {}


_EMPTY = frozenset("variant role name why question truth lure".split())
"""Fields of which an empty text says as much as none."""


def _question(record: TrialRecord, run: RunFile) -> str:
    facts, seen = record.provided.facts, next(filter(None, record.provided.evidence), "")
    if "question" in facts or facts.get("world") not in OPEN or not seen:
        return str(facts.get("question", ""))
    return run.content(bytes.fromhex(seen)).decode("utf-8", "surrogatepass")


def _step(record: TrialRecord, index: int, *, known: bool) -> dict[str, Any]:
    graph, step = record.graph, record.graph.steps[index]
    brief, keys = record.provided.briefs[step.seat], [seat.key for seat in graph.seats]
    row: dict[str, Any] = {
        "speaker": keys[step.seat],
        "round": step.round,
        "purpose": step.purpose,
        "variant": step.variant,
        "role": brief.get("role", ""),
        "name": brief.get("name", ""),
        "model": record.provided.minds[step.seat],
        "reads": views_as_json(step.views),
    }
    if step.kind != "model":
        row["kind"] = step.kind
    if known:
        row["to"] = [keys[reader] for reader in step.to]
    lost = [keys[reader] for reader in step.to if (index, reader) in graph.cuts]
    if lost:
        row["undelivered"] = lost
    if is_public(graph, index) or not (known or step.purpose in PRIVATE_TO_ALL):
        row |= _said(record, index)
    return row


def _said(record: TrialRecord, index: int) -> dict[str, Any]:
    reply = record.outcomes[index]
    row: dict[str, Any] = {"text": reply.text, "why": reply.why}
    if reply.answer is not None:
        row["answer"] = reply.answer
    if reply.reason != reply.text:
        row["reason"] = reply.reason
    return row if reply.valid else {**row, "valid": False}
