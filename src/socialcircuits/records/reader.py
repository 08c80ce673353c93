"""Reading a run file: read only, trusting nothing in it."""

from __future__ import annotations

import functools
import json
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from socialcircuits.errors import RunFileError
from socialcircuits.graph import Graph, Reply
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.records import schema
from socialcircuits.records.codec import (
    decode_attempts,
    decode_graph,
    decode_reply,
    decode_segment,
    inflate,
)
from socialcircuits.records.digests import run_digest
from socialcircuits.records.record import TrialRecord
from socialcircuits.records.store import JUDGED, shared_by
from socialcircuits.records.trial import Attempt, Label, Provided, Spent, TrialPlan, total
from socialcircuits.seeds import digest

_KEPT_GRAPHS = 8
_LABEL = "step, rubric, judge, pass, value, reason, quote, why"
_ORDER = "step, rubric, judge, pass"

P = ParamSpec("P")
R = TypeVar("R")


@functools.lru_cache(maxsize=4096)
def _kept(text: str) -> Reply:
    """The reply that a text in a run file is. Isolated probes have few answers, many times each."""
    return decode_reply(json.loads(text))


def _reading(method: Callable[P, R]) -> Callable[P, R]:
    """Let a method of RunFile say that the file is damaged, whatever value it stumbles over."""

    @functools.wraps(method)
    def inner(*args: P.args, **options: P.kwargs) -> R:
        with schema.reading(args[0].path):  # type: ignore[attr-defined]
            return method(*args, **options)

    return inner


class RunFile:
    """A run file, opened for reading.

    Args:
        path: the file.

    Raises:
        RunFileError: it is missing, damaged, no run file, or of another version.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._db = schema.connect(self.path, write=False)
        self._graphs: OrderedDict[bytes, Graph] = OrderedDict()
        self._digests: tuple[int, dict[str, str]] | None = None

    def __enter__(self) -> RunFile:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with schema.guarded(self.path):
            return self._db.execute(query, values).fetchall()

    def _meta(self, name: str) -> Any:
        rows = self._rows("SELECT value FROM meta WHERE name = ?", name)
        return json.loads(rows[0][0])

    @property
    @_reading
    def study(self) -> dict[str, Any]:
        """The resolved study."""
        return dict(self._meta("study"))

    @property
    @_reading
    def notes(self) -> dict[str, Any]:
        """Provenance: versions, machine, origin."""
        return dict(self._meta("notes"))

    @_reading
    def recall(self, name: str) -> Any:
        """Return what the run remembered under a name, or None."""
        rows = self._rows("SELECT value FROM meta WHERE name = ?", name)
        return json.loads(rows[0][0]) if rows else None

    @_reading
    def plans(self, status: str = "completed") -> list[TrialPlan]:
        """Return which trials there are, by number."""
        rows = self._rows(
            "SELECT trial, condition, seed, role FROM trials WHERE status = ? ORDER BY trial",
            status,
        )
        return [self._plan(*row) for row in rows]

    def _plan(self, number: int, condition: str, seed: int, role: str) -> TrialPlan:
        return TrialPlan(number, json.loads(condition), seed, role)

    @_reading
    def trial(self, number: int) -> TrialRecord:
        """Return one completed trial.

        Raises:
            RunFileError: the trial is not there or not completed, or its data are damaged.
        """
        for row in self._sealed("trial = ?", number):
            return self._record(row)
        raise RunFileError(f"{self.path}: there is no completed trial {number}")

    def _sealed(self, where: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the sealed columns of completed trials, behind their number.

        Raises:
            RunFileError: a trial differs from its seal.
        """
        query = f"SELECT trial, seal, {schema.SEALED} FROM trials WHERE status = 'completed' AND "  # noqa: S608 - a constant
        with schema.guarded(self.path):
            for number, own, *row in self._db.execute(query + where, values):
                if schema.seal(row) != own:
                    raise RunFileError(f"{self.path}: damaged: trial {number} is not as sealed")
                yield (number, *row)

    def trials(self) -> Iterator[TrialRecord]:
        """Yield the completed trials by number, one in memory at a time."""
        for plan in self.plans():
            yield self.trial(plan.number)

    def _record(self, row: tuple[Any, ...]) -> TrialRecord:
        (number, condition, seed, role, own, _, graph, cut, made, reused, invalid, voided,
         repeated, *spent, provided, attempts) = row  # fmt: skip
        given = json.loads(inflate(provided))
        steps, tried = self._graph(graph), decode_attempts(attempts)
        counts = {"made": made, "reused": reused, "invalid": invalid, "voided": voided,
                  "repeated": repeated, **Spent(*spent)._asdict()}  # fmt: skip
        return TrialRecord(
            self._plan(number, condition, seed, role),
            own.hex(),
            cut,
            counts,
            steps,
            tried,
            Provided(
                tuple(given["minds"]), tuple(given["briefs"]), tuple(given["evidence"]),
                given["facts"],
            ),
            self._labels(number),
        )  # fmt: skip

    def _labels(self, trial: int) -> list[Label]:
        rows = self._rows(
            f"SELECT {_LABEL} FROM labels WHERE trial = ? ORDER BY {_ORDER}",  # noqa: S608 - constants
            trial,
        )
        return [
            Label(step, rubric, judge, number, json.loads(value), reason, quote, why)
            for step, rubric, judge, number, value, reason, quote, why in rows
        ]

    @_reading
    def judged(self, trial: int, label: Label) -> list[Attempt]:
        """Return the attempts of the judge behind a label; empty where no model was asked."""
        rows = self._rows(
            "SELECT attempts FROM labels WHERE trial = ? AND step = ? AND rubric = ? AND judge = ?"
            " AND pass = ?",
            trial, label.step, label.rubric, label.judge, label.number,
        )  # fmt: skip
        return decode_attempts(rows[0][0]) if rows and rows[0][0] is not None else []

    @_reading
    def judgments(self) -> dict[bytes, Reply]:
        """Return the replies of judges by key: equal prompts are judged once."""
        blobs = self._rows("SELECT attempts FROM labels WHERE attempts IS NOT NULL")
        return {a.key: a.reply for (blob,) in blobs for a in decode_attempts(blob)}

    @_reading
    def judging(self) -> dict[str, dict[str, int]]:
        """Count what each judge was asked and said: labels, those without a value (unjudged), the
        replies it was asked for, tokens, and cost in billionths of a US dollar."""
        rows = self._rows(
            "SELECT judge, count(*), total(why != ''), total(calls), total(prompt_tokens),"
            " total(completion_tokens), total(cost) FROM labels GROUP BY judge ORDER BY judge"
        )
        names = ("labels", "unjudged", "calls", "prompt_tokens", "completion_tokens", "cost")
        return {judge: dict(zip(names, map(int, counts), strict=True)) for judge, *counts in rows}

    def _graph(self, key: bytes) -> Graph:
        if key not in self._graphs:
            data = self.content(key)
            if digest(data) != key:
                raise RunFileError(f"{self.path}: damaged: a graph differs from its digest")
            self._graphs[key] = decode_graph(data)
            while len(self._graphs) > _KEPT_GRAPHS:
                self._graphs.popitem(last=False)
        return self._graphs[key]

    def content(self, key: bytes) -> bytes:
        """Return a stored content by its key, for example the text of an agent's evidence.

        Raises:
            RunFileError: there is none.
        """
        rows = self._rows("SELECT data FROM contents WHERE digest = ?", key)
        if not rows:
            raise RunFileError(f"{self.path}: damaged: content {key.hex()} is missing")
        return inflate(rows[0][0])

    @_reading
    def shared(self, group: int) -> dict[bytes, Reply]:
        """Return the replies of a group's shared steps by key."""
        rows = self._rows(
            "SELECT key, reply FROM replies WHERE trial = ? AND reply IS NOT NULL",
            shared_by(group),
        )
        return {key: _kept(reply) for key, reply in rows}

    @_reading
    def digests(self) -> dict[str, str]:
        """Return the run, labels and public digests (hex)."""
        # Grows with what another connection commits, and only then.
        version = self._rows("PRAGMA data_version")[0][0]
        if self._digests is None or self._digests[0] != version:
            self._digests = (version, self._digested())
        return dict(self._digests[1])

    def _digested(self) -> dict[str, str]:
        plans = [(self._plan(*row[:4]), row[4], row[5]) for row in self._sealed("1")]
        labels = self._rows(f"SELECT trial, {_LABEL} FROM labels ORDER BY trial, {_ORDER}")  # noqa: S608 - constants
        return {
            "run": run_digest((plan, own) for plan, own, _ in plans),
            "labels": digest(*(part for row in labels for part in row)).hex(),
            "public": run_digest((plan, said) for plan, _, said in plans),
        }

    @_reading
    def prompt(self, attempt: Attempt) -> tuple[Segment, ...]:
        """Return the prompt that was sent for an attempt; empty for a mind that reads none.

        Raises:
            RunFileError: a part of it is missing or damaged.
        """
        return tuple(decode_segment(self.content(key)) for key in attempt.prompt)

    @_reading
    def spent(self) -> Spent:
        """Add up the tokens and the cost of all replies that this run asked agents for; see
        `judging` for those of judges."""
        sums = self._rows(
            "SELECT sum(prompt_tokens), sum(completion_tokens), sum(cost) FROM trials"
            " WHERE status = 'completed'"
        )[0]
        rows = self._rows(
            "SELECT reply FROM replies WHERE reply IS NOT NULL AND NOT reused AND trial != ?",
            JUDGED,
        )
        rest = total(_kept(reply) for (reply,) in rows)
        return Spent(*(int(a or 0) + b for a, b in zip(sums, rest, strict=True)))

    @_reading
    def calls(self) -> dict[str, int]:
        """Count the replies of the run: made, repeated, reused, invalid, voided.

        A shared step counts once; given and computed steps never. `repeated` are those asked again
        after a crash: exactly for minds that wait, at most so many for simulated trials.
        """
        sums = self._rows(
            "SELECT total(made), total(repeated), total(reused), total(invalid), total(voided)"
            " FROM trials WHERE status = 'completed'"
        )[0]
        names = ("made", "repeated", "reused", "invalid", "voided")
        counts = {name: int(value) for name, value in zip(names, sums, strict=True)}
        query = "SELECT reply, reused, asked FROM replies WHERE trial != ?"
        for text, reused, asked in self._rows(query, JUDGED):
            counts["repeated"] += asked - 1
            if text is not None:
                counts["reused" if reused else "made"] += 1
                counts["invalid"] += not _kept(text).valid
        return counts

    def statuses(self) -> dict[str, int]:
        """Count the trials by status."""
        rows = self._rows("SELECT status, count(*) FROM trials GROUP BY status")
        return dict(rows)

    @_reading
    def failures(self) -> list[tuple[TrialPlan, str]]:
        """Return the failed trials with the reason of each."""
        rows = self._rows(
            "SELECT trial, condition, seed, role, why FROM trials WHERE status = 'failed'"
        )
        return [(self._plan(*row[:4]), row[4]) for row in rows]
