"""The record as tables: pandas frames, Parquet and CSV.

An answer that is missing is an empty text with `valid` false and the reason in `why`, a label
without a value has an empty one, and tokens that nobody counted have `counted` false: nothing is
NaN. What is written for others holds no text of a question that may not be published.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.graph import Reply
from socialcircuits.graph.vocabulary import Usage
from socialcircuits.records.digests import canonical, is_public
from socialcircuits.records.odds import read_odds
from socialcircuits.records.reader import RunFile
from socialcircuits.records.record import TrialRecord

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, Any]


def _trials(trial: TrialRecord) -> Iterator[Row]:
    facts = trial.provided.facts
    yield {
        **_name(trial),
        "condition": canonical(dict(trial.plan.condition)),
        "seed": trial.plan.seed,
        "role": trial.plan.role,
        "item": facts.get("item", ""),
        "truth": facts["truth"],
        "lure": facts["lure"],
        "last_round": trial.cut,
        "planned_rounds": trial.graph.rounds,
        **{_COUNTS.get(name, name): count for name, count in trial.counts.items()},
        "digest": trial.digest,
    }


def _steps(trial: TrialRecord) -> Iterator[Row]:
    tries: dict[int, int] = {}
    for attempt in trial.attempts:
        tries[attempt.step] = tries.get(attempt.step, 0) + 1
    for index, reply in trial.outcomes.items():
        step = trial.graph.steps[index]
        yield {
            **_name(trial),
            "step": index,
            "id": trial.graph.step_id(index),
            "seat": trial.graph.seats[step.seat].key,
            "role": trial.provided.briefs[step.seat].get("role", ""),
            "name": trial.provided.briefs[step.seat].get("name", ""),
            "purpose": step.purpose,
            "kind": step.kind,
            "round": step.round,
            "to": " ".join(trial.graph.seats[reader].key for reader in step.to),
            "answer": reply.answer or "",
            "reason": reply.reason,
            "valid": reply.valid,
            "why": reply.why,
            "attempts": tries[index],
        }


def _messages(trial: TrialRecord) -> Iterator[Row]:
    for row in _steps(trial):
        if is_public(trial.graph, row["step"]):
            yield row


def _probes(trial: TrialRecord) -> Iterator[Row]:
    for row in _steps(trial):
        if not is_public(trial.graph, row["step"]):
            yield row


def _calls(trial: TrialRecord) -> Iterator[Row]:
    for step, attempt, key, reply, _ in trial.attempts:
        if key:
            yield {
                **_name(trial),
                "step": step,
                "id": trial.graph.step_id(step),
                "attempt": attempt,
                "mind": trial.provided.minds[trial.graph.steps[step].seat],
                "key": key.hex(),
                "text": reply.text,
                "valid": reply.valid,
                "why": reply.why,
                "shared": trial.graph.steps[step].shared,
                **_used(reply),
            }


def _used(reply: Reply) -> Row:
    usage = reply.usage or Usage()
    return {
        "counted": None not in (usage.prompt, usage.completion),
        "prompt_tokens": usage.prompt or 0,
        "completion_tokens": usage.completion or 0,
        "cached_tokens": usage.cached,
        "cost_nano_usd": usage.cost,
        "seconds": usage.seconds,
        "finish": usage.finish,
        "reasoning": usage.reasoning,
    }


def _labels(trial: TrialRecord) -> Iterator[Row]:
    for label in trial.labels:
        yield {
            **_name(trial),
            "step": label.step,
            "rubric": label.rubric,
            "judge": label.judge,
            "pass": label.number,
            "value": "" if label.value is None else canonical(label.value),
            "reason": label.reason,
            "quote": label.quote,
            "why": label.why,
        }


def _evidence(trial: TrialRecord) -> Iterator[Row]:
    given, answers = trial.provided, trial.provided.facts["answers"]
    compatible = iter(given.facts.get("compatible", ()))
    places = iter(given.facts.get("positions", ()))
    for seat, key in enumerate(given.evidence):
        if key:
            yield {
                **_name(trial),
                "seat": trial.graph.seats[seat].key,
                "mind": given.minds[seat],
                "evidence": key,
                "position": canonical(next(places, [])),
                "compatible": canonical([answers[number] for number in next(compatible, ())]),
            }


def _odds(trial: TrialRecord) -> Iterator[Row]:
    for index, reply in trial.outcomes.items():
        step = trial.graph.steps[index]
        if step.form == "odds" and reply.valid:
            for answer, probability in read_odds(reply.text).items():
                yield {
                    **_name(trial),
                    "step": index,
                    "id": trial.graph.step_id(index),
                    "seat": trial.graph.seats[step.seat].key,
                    "answer": answer,
                    "probability": probability,
                    "valid_mass": json.loads(reply.text).get("valid_mass", 1.0),
                }


def _name(trial: TrialRecord) -> Row:
    return {"trial": trial.plan.number}


_ROWS: dict[str, Callable[[TrialRecord], Iterator[Row]]] = {
    "trials": _trials,
    "steps": _steps,
    "messages": _messages,
    "probes": _probes,
    "labels": _labels,
    "calls": _calls,
    "evidence": _evidence,
    "odds": _odds,
}

TABLES = tuple(_ROWS)
"""Names of the tables that the record itself holds."""

_COLUMNS = {
    "trials": (
        "trial:int condition seed:int role item truth lure last_round:int planned_rounds:int "
        "made:int reused:int invalid:int voided:int repeated:int prompt_tokens:int "
        "completion_tokens:int cost_nano_usd:int digest"
    ),
    "steps": (
        "trial:int step:int id seat role name purpose kind round:int to answer reason valid:bool "
        "why attempts:int"
    ),
    "evidence": "trial:int seat mind evidence position compatible",
    "odds": "trial:int step:int id seat answer probability:float valid_mass:float",
    "labels": "trial:int step:int rubric judge pass:int value reason quote why",
    "calls": "trial:int step:int id attempt:int mind key text valid:bool why shared:bool "
    "counted:bool prompt_tokens:int completion_tokens:int cached_tokens:int cost_nano_usd:int "
    "seconds:float finish reasoning",
}
_COLUMNS["messages"] = _COLUMNS["probes"] = _COLUMNS["steps"]
_TYPES = {"int": "int64", "float": "float64", "bool": "bool", "": "str"}
_COUNTS = {
    "prompt": "prompt_tokens",
    "completion": "completion_tokens",
    "cost": "cost_nano_usd",
}

WITHHELD = "(withheld)"
"""Stands in exports for a text that may not be published."""

_TEXTS = {
    "trials": "truth lure",
    "steps": "answer reason",
    "messages": "answer reason",
    "probes": "answer reason",
    "labels": "reason quote",
    "calls": "text reasoning",
    "evidence": "compatible",
    "odds": "answer",
}
"""table -> its columns that may hold or restate a question or an answer."""

CODES = {
    "clusters": "clusters",
    "reflection_audit": "holds",
    "tactics": "tactics",
    "defection_reason": "reason",
}
"""rubric -> the part of its value that holds codes or names of seats; all other texts may quote."""


def table(run: RunFile, name: str) -> pd.DataFrame:
    """Return one table of a run, a row a trial, step, message, private answer, label or call; or a
    piece of evidence that was dealt (compatible: the answers that it fits; JSON), or an answer
    whose probability a model gave (valid_mass: how probable it is that it gives any of them).

    Args:
        run: the run.
        name: one of `TABLES`. `steps` name the role that a seat was told, and the name by which
            others know it, as labels do (empty where messages are unsigned). `messages` are the
            steps that another seat can read, `probes` the private rest: guesses, probes, and
            decisions that a seat keeps to itself. `calls` has a row for each attempt, in every
            trial that uses a reply.

    Raises:
        SettingError: there is no such table.
    """
    if name not in _ROWS:
        raise SettingError("table", name, "one of " + ", ".join(TABLES), among=TABLES)
    return _frame(name, (row for trial in run.trials() for row in _ROWS[name](trial)))


def withheld(run: RunFile) -> int:
    """Return of how many trials an export withholds the texts: those whose question is not marked
    shareable."""
    return sum(map(is_private, run.trials()))


def export(run: RunFile, folder: Path) -> list[Path]:
    """Write all tables as Parquet and CSV, trial by trial, and return the files.

    Of a trial whose question may not be published no question, answer, reply, reason or quote is
    written, but `WITHHELD`; ids, labels, numbers and digests stay.

    Raises:
        RunFileError: the folder cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in TABLES:
            parquet, csv = folder / f"{name}.parquet", folder / f"{name}.csv"
            empty = _frame(name, iter(()))
            empty.to_csv(csv, index=False)
            with pq.ParquetWriter(parquet, pa.Schema.from_pandas(empty)) as writer:
                for trial in run.trials():
                    rows = _ROWS[name](trial)
                    if is_private(trial):
                        rows = (_withhold(name, row) for row in rows)
                    part = _frame(name, rows)
                    part.to_csv(csv, mode="a", header=False, index=False)
                    writer.write_table(pa.Table.from_pandas(part, schema=writer.schema))
            written += [parquet, csv]
    except OSError as error:
        raise RunFileError(f"{folder}: cannot be written: {error.strerror}") from None
    return written


def is_private(trial: TrialRecord) -> bool:
    """Return whether the texts of a trial are withheld: its question is not marked shareable."""
    return trial.provided.facts.get("shareable", True) is not True


def _withhold(name: str, row: Row) -> Row:
    texts = {column: hidden(row[column]) for column in _TEXTS[name].split()}
    if "why" in row:
        # What stands after a colon may quote the reply that was at fault.
        said, colon, quoted = row["why"].partition(": ")
        texts["why"] = said + colon + hidden(quoted)
    if name == "labels" and row["value"]:
        texts["value"] = canonical(coded(json.loads(row["value"]), CODES.get(row["rubric"])))
    return {**row, **texts}


def coded(value: Any, code: str | None) -> Any:
    """Return the value of a label without its texts, but with the part that holds codes."""
    shown = hidden(value)
    return {**shown, code: value[code]} if isinstance(value, dict) and code in value else shown


def hidden(value: Any) -> Any:
    """Return a value without its texts; an empty one says that there is none, and stays."""
    if isinstance(value, dict):
        return {name: hidden(part) for name, part in value.items()}
    if isinstance(value, list):
        return [hidden(part) for part in value]
    return WITHHELD if isinstance(value, str) and value else value


def _clean(row: Row) -> Row:
    """Replace what is no valid Unicode: neither CSV nor Parquet can hold it; the record does."""
    return {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for name, value in row.items()
    }


def _frame(name: str, rows: Iterator[Row]) -> pd.DataFrame:
    import pandas as pd

    columns = [column.partition(":") for column in _COLUMNS[name].split()]
    frame = pd.DataFrame.from_records(
        [_clean(row) for row in rows], columns=[column for column, _, _ in columns]
    )
    return frame.astype({column: _TYPES[kind] for column, _, kind in columns})
