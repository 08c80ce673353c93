"""The writer of a run file: what is committed when, so that nothing is lost and nothing paid twice.

Paid replies are committed before any step that reads them starts; simulated trials commit whole.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from socialcircuits.errors import RunFileError
from socialcircuits.graph import Reply
from socialcircuits.records import schema
from socialcircuits.records.codec import (
    decode_reply,
    deflate,
    encode_attempts,
    encode_graph,
    encode_reply,
    encode_segment,
)
from socialcircuits.records.digests import canonical, differences, public_digest, trial_digest
from socialcircuits.records.lock import WriterLock
from socialcircuits.records.trial import (
    Asking,
    Attempt,
    Label,
    Played,
    Provided,
    TrialPlan,
    segment_digest,
    total,
)
from socialcircuits.seeds import digest


def shared_by(group: int) -> int:
    """Return the number under which the replies shared by a group of trials are kept.

    >>> shared_by(0)
    -1
    """
    return -1 - group


JUDGED = -(1 << 62)
"""The number under which the replies of judges are kept until their label is."""


class RunStore:
    """The one writer of a run file. Use as a context manager; leaving it closes the file.

    Args:
        path: the run file; created if missing, resumed if it holds the same study.
        study: the resolved study (JSON values): it decides whether a file may be resumed.
        notes: provenance (versions, machine, origin): kept, not compared.
        paid: whether replies cost money; commits then reach the disk before they count.

    Raises:
        RunFileError: the file is damaged, locked, unwritable or holds another study.
    """

    def __init__(
        self, path: Path, study: Mapping[str, Any], notes: Mapping[str, Any], *, paid: bool
    ) -> None:
        self.path = path
        _writable(path)
        self._lock = WriterLock(path)
        try:
            with schema.guarded(path):
                if not path.exists():
                    self._create(study, notes)
                self._db = schema.connect(path, write=True)
            self._take_over(study, paid=paid)
        except BaseException:
            self._lock.release()
            raise

    def _take_over(self, study: Mapping[str, Any], *, paid: bool) -> None:
        try:
            with schema.guarded(self.path), schema.reading(self.path):
                self._same(study)
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute(f"PRAGMA synchronous = {'FULL' if paid else 'NORMAL'}")
                self._reopen()
                self._contents = {key for (key,) in self._db.execute("SELECT digest FROM contents")}
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave one plain file behind, readable where nothing may be written."""
        try:
            with schema.guarded(self.path):
                self._db.execute("PRAGMA journal_mode = DELETE")
        except RunFileError:
            # A reader holds the file: it stays in write-ahead form, which loses nothing.
            pass
        finally:
            self._db.close()
            self._lock.release()

    def _create(self, study: Mapping[str, Any], notes: Mapping[str, Any]) -> None:
        # Made under another name and moved, so that a kill leaves no half-made run file.
        draft = self.path.with_name(f"{self.path.name}-new")
        draft.unlink(missing_ok=True)
        database = sqlite3.connect(draft, isolation_level=None)
        try:
            database.executescript(schema.TABLES)
            database.execute(f"PRAGMA application_id = {schema.APPLICATION}")
            database.execute(f"PRAGMA user_version = {schema.VERSION}")
            # The order of a sweep's axes is that of its trials, so it is kept.
            written = json.dumps(study, ensure_ascii=False, allow_nan=False)
            rows = [("study", written), ("notes", canonical(notes))]
            database.executemany("INSERT INTO meta VALUES (?, ?)", rows)
            database.close()
        except BaseException:
            database.close()
            draft.unlink(missing_ok=True)
            raise
        # Left by a file of this name that was deleted: SQLite would replay them into the new one.
        for rest in ("-wal", "-shm"):
            self.path.with_name(self.path.name + rest).unlink(missing_ok=True)
        draft.replace(self.path)

    def _same(self, study: Mapping[str, Any]) -> None:
        (health,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        row = self._db.execute("SELECT value FROM meta WHERE name = 'study'").fetchone()
        if health != "ok" or row is None:
            raise RunFileError(f"{self.path}: damaged: {' '.join(health.split())}")
        with schema.reading(self.path):
            held, now = json.loads(row[0]), json.loads(canonical(study))
        if canonical(held) != canonical(now):
            changes = "; ".join(differences("$", held, now))
            raise RunFileError(f"{self.path} holds another study ({changes}); choose another --out")

    def _reopen(self) -> None:
        """Count what was in flight when an earlier process ended: it will be asked again."""
        with self._transaction():
            self._db.execute("UPDATE trials SET reopened = reopened + 1 WHERE status = 'open'")
            self._db.execute("UPDATE replies SET asked = asked + 1 WHERE reply IS NULL")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with schema.guarded(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def recall(self, name: str) -> Any:
        """Return what was remembered under a name, or None."""
        with schema.guarded(self.path), schema.reading(self.path):
            row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
            return None if row is None else json.loads(row[0])

    def remember(self, name: str, value: Any) -> None:
        """Keep JSON values that later processes need to go on with the run."""
        with self._transaction():
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, canonical(value)))

    def completed(self) -> set[int]:
        """Return the numbers of the trials that need not be run."""
        with schema.guarded(self.path):
            rows = self._db.execute("SELECT trial FROM trials WHERE status = 'completed'")
            return {trial for (trial,) in rows}

    def replies(self, trial: int) -> dict[bytes, Reply]:
        """Return the committed replies of an unfinished trial, or those shared by a group."""
        with schema.guarded(self.path):
            rows = self._db.execute(
                "SELECT key, reply FROM replies WHERE trial = ? AND reply IS NOT NULL", (trial,)
            ).fetchall()
        return {key: decode_reply(json.loads(reply)) for key, reply in rows}

    def begin(self, plan: TrialPlan) -> None:
        """Note durably that a trial has begun."""
        with self._transaction():
            self._db.execute(
                "INSERT INTO trials (trial, condition, seed, role, status) VALUES (?, ?, ?, ?,"
                " 'open') ON CONFLICT (trial) DO UPDATE SET status = 'open', why = ''",
                (plan.number, canonical(dict(plan.condition)), plan.seed, plan.role),
            )

    def commit(
        self,
        trial: int,
        answered: Sequence[tuple[bytes, Reply]],
        asking: Sequence[Asking],
        reused: bool = False,
    ) -> None:
        """Commit replies that came and what is about to be asked, with the prompts that will be
        sent, in one transaction."""
        with self._transaction():
            for segment in {segment for asked in asking for segment in asked.prompt}:
                key = segment_digest(segment)
                if self.lacks(key):
                    self._put(key, encode_segment(segment))
            self._db.executemany(
                "INSERT INTO replies (key, trial, reply, reused) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (trial, key) DO UPDATE SET reply = excluded.reply",
                [(k, trial, json.dumps(encode_reply(r)), int(reused)) for k, r in answered],
            )
            self._db.executemany(
                "INSERT INTO replies (key, trial) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [(asked.key, trial) for asked in asking],
            )

    def forget(self, trial: int, keys: Sequence[bytes]) -> None:
        """Take back keys that were about to be asked and were not: they will not count as asked
        again."""
        with self._transaction():
            self._db.executemany(
                "DELETE FROM replies WHERE trial = ? AND key = ? AND reply IS NULL",
                [(trial, key) for key in keys],
            )

    def finish(
        self,
        plan: TrialPlan,
        played: Played,
        provided: Provided,
        elsewhere: Container[bytes] = (),
    ) -> None:
        """Commit a whole trial.

        Args:
            plan: which trial it is.
            played: what happened.
            provided: what its seats were given.
            elsewhere: keys whose replies were taken from another run; all others were asked for
                by this run, in this process or an earlier one.
        """
        steps = played.graph.steps
        own = [a for a in played.attempts if a.key and not steps[a.step].shared]
        paid = [a.reply for a in own if a.key not in elsewhere]
        made, spent = len(paid), total(paid)
        facts = deflate(canonical(asdict(provided)).encode("utf-8", "surrogatepass"))
        with self._transaction():
            graph = self._content(encode_graph(played.graph))
            self._db.execute(
                "UPDATE trials SET status = 'completed', digest = ?, public = ?, graph = ?,"
                " cut = ?, made = ?, reused = ?, invalid = ?, voided = ?, repeated = ?,"
                " prompt_tokens = ?, completion_tokens = ?, cost = ?, provided = ?, attempts = ?"
                " WHERE trial = ?",
                (
                    trial_digest(played.graph, played.attempts),
                    public_digest(played.graph, played.attempts), graph, played.cut, made,
                    len(own) - made, played.invalid, played.voided,
                    self._repeated(plan.number, made), spent.prompt, spent.completion, spent.cost,
                    facts, encode_attempts(played.attempts),
                    plan.number,
                ),
            )  # fmt: skip
            row = self._db.execute(
                f"SELECT {schema.SEALED} FROM trials WHERE trial = ?",  # noqa: S608 - a constant
                (plan.number,),
            ).fetchone()
            sealed = (schema.seal(row), plan.number)
            self._db.execute("UPDATE trials SET seal = ? WHERE trial = ?", sealed)
            self._db.execute("DELETE FROM replies WHERE trial = ?", (plan.number,))

    def _repeated(self, trial: int, made: int) -> int:
        """Count the replies of a trial that were asked for again after a crash."""
        asked, reopened = self._db.execute(
            "SELECT (SELECT sum(asked - 1) FROM replies WHERE trial = ?1), reopened FROM trials"
            " WHERE trial = ?1",
            (trial,),
        ).fetchone()
        # A simulated trial keeps no journal: all its steps count as asked again (upper bound).
        return int(asked if asked is not None else reopened * made)

    def label(
        self,
        trial: int,
        labels: Iterable[tuple[Label, Sequence[Attempt]]],
        elsewhere: Container[bytes] = (),
    ) -> None:
        """Commit what judges say of a trial, each label with the attempts of its judge.

        Labels that are already held stay as they are.

        Args:
            trial: its number.
            labels: what they say.
            elsewhere: keys whose replies count with another label, or in another run.
        """
        rows, keys = [], []
        for label, attempts in labels:
            own = [attempt.reply for attempt in attempts if attempt.key not in elsewhere]
            packed = encode_attempts(attempts) if attempts else None
            rows.append((trial, label.step, label.rubric, label.judge, label.number,
                         canonical(label.value), label.reason, label.quote, label.why,
                         len(own), *total(own), packed))  # fmt: skip
            keys += [(JUDGED, attempt.key) for attempt in attempts]
        with self._transaction():
            places = ", ".join("?" * 14)
            self._db.executemany(f"INSERT OR IGNORE INTO labels VALUES ({places})", rows)  # noqa: S608 - places only
            self._db.executemany("DELETE FROM replies WHERE trial = ? AND key = ?", keys)

    def labelled(self) -> set[tuple[int, int, str, str, int]]:
        """Return the labels that are held: trial, step, rubric, judge and pass."""
        with schema.guarded(self.path):
            return set(self._db.execute("SELECT trial, step, rubric, judge, pass FROM labels"))

    def fail(self, plan: TrialPlan, why: str) -> None:
        """Note that a trial failed; its replies are kept and it is tried again on resume."""
        with self._transaction():
            self._db.execute(
                "UPDATE trials SET status = 'failed', why = ? WHERE trial = ?", (why, plan.number)
            )

    def lacks(self, key: bytes) -> bool:
        """Whether a content is not yet stored."""
        return key not in self._contents

    def keep(self, contents: Mapping[bytes, bytes]) -> None:
        """Store contents by their keys."""
        if contents:
            with self._transaction():
                for key, data in contents.items():
                    self._put(key, data)

    def _content(self, data: bytes) -> bytes:
        key = digest(data)
        if self.lacks(key):
            self._put(key, data)
        return key

    def _put(self, key: bytes, data: bytes) -> None:
        self._db.execute("INSERT OR IGNORE INTO contents VALUES (?, ?)", (key, deflate(data)))
        self._contents.add(key)


class TrialJournal:
    """The journal of one waiting trial."""

    def __init__(self, store: RunStore, trial: int) -> None:
        self._store, self._trial = store, trial

    def commit(self, answered: Sequence[Attempt], asking: Sequence[Asking]) -> None:
        """Make durable what was answered and what is about to be asked."""
        came = [(attempt.key, attempt.reply) for attempt in answered]
        self._store.commit(self._trial, came, asking)

    def forget(self, keys: Sequence[bytes]) -> None:
        """Take back what was to be asked and came to nothing."""
        self._store.forget(self._trial, keys)


def _writable(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        target = path if path.exists() else path.parent
        usable = os.access(target, os.W_OK) and os.access(path.parent, os.W_OK)
        folder = path.is_dir()
    except OSError as error:
        raise RunFileError(f"{path}: cannot be written: {error.strerror}") from None
    if folder or not usable:
        raise RunFileError(f"{path}: cannot be written")
