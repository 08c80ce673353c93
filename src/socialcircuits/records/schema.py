"""The tables of a run file, its version, and the care with which a file is opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from socialcircuits.errors import RunFileError
from socialcircuits.seeds import digest

APPLICATION = 0x53434952
"""SQLite's application_id of a run file: the letters SCIR."""

VERSION = 1
"""Version of the tables below; a file of another version is refused or migrated, never guessed."""

TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE contents (digest BLOB PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE trials (
    trial INTEGER PRIMARY KEY, condition TEXT NOT NULL, seed INTEGER NOT NULL, role TEXT NOT NULL,
    status TEXT NOT NULL, why TEXT NOT NULL DEFAULT '', digest BLOB, public BLOB, graph BLOB,
    cut INTEGER, made INTEGER NOT NULL DEFAULT 0, reused INTEGER NOT NULL DEFAULT 0,
    invalid INTEGER NOT NULL DEFAULT 0, voided INTEGER NOT NULL DEFAULT 0,
    repeated INTEGER NOT NULL DEFAULT 0, reopened INTEGER NOT NULL DEFAULT 0,
    prompt_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0,
    cost INTEGER NOT NULL DEFAULT 0,
    provided BLOB, attempts BLOB, seal BLOB);
CREATE TABLE replies (
    trial INTEGER NOT NULL, key BLOB NOT NULL, reply TEXT, reused INTEGER NOT NULL DEFAULT 0,
    asked INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (trial, key)) WITHOUT ROWID;
CREATE TABLE labels (
    trial INTEGER NOT NULL, step INTEGER NOT NULL, rubric TEXT NOT NULL, judge TEXT NOT NULL,
    pass INTEGER NOT NULL, value TEXT NOT NULL, reason TEXT NOT NULL, quote TEXT NOT NULL,
    why TEXT NOT NULL, calls INTEGER NOT NULL DEFAULT 0, prompt_tokens INTEGER NOT NULL DEFAULT 0,
    completion_tokens INTEGER NOT NULL DEFAULT 0, cost INTEGER NOT NULL DEFAULT 0, attempts BLOB,
    PRIMARY KEY (trial, step, rubric, judge, pass)) WITHOUT ROWID;
"""
"""`replies` holds shared replies (a negative trial, one a group) and those of unfinished waiting
trials; a reply that is NULL has been asked for and has not come."""


DAMAGES = (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError)
"""What the values of a damaged file can lead to."""

SEALED = (
    "condition, seed, role, digest, public, graph, cut, made, reused, invalid, voided, repeated,"
    " prompt_tokens, completion_tokens, cost, provided, attempts"
)
"""The columns of a completed trial that its seal covers."""


def seal(row: Sequence[Any]) -> bytes:
    """Return the digest over the sealed columns of a trial, in their order."""
    return digest(*(part if isinstance(part, bytes) else str(part) for part in row))


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn whatever the values of a damaged file lead to into one clear error.

    Raises:
        RunFileError: the file is damaged.
    """
    try:
        yield
    except DAMAGES as error:
        raise RunFileError(f"{path}: damaged: {' '.join(str(error).split())}") from None


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Turn what SQLite says about a file into one clear error.

    Raises:
        RunFileError: the file is damaged, unwritable, full or locked.
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        raise RunFileError(f"{path}: {error}; what was committed is kept") from None
    except sqlite3.DatabaseError as error:
        raise RunFileError(f"{path}: not a usable run file: {error}") from None


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open a run file, trusting nothing in it: no triggers, no views, no functions in its schema.

    Raises:
        RunFileError: it is missing, damaged, no run file, or of another version.
    """
    if not path.is_file():
        raise RunFileError(f"{path}: there is no such run file")
    mode = "rw" if write else "ro"
    with guarded(path), reading(path):
        database = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None,
            check_same_thread=False,
        )  # fmt: skip
        try:
            database.execute("PRAGMA trusted_schema = OFF")
            check(database, path)
        except BaseException:
            database.close()
            raise
    return database


def check(database: sqlite3.Connection, path: Path) -> None:
    """Refuse a database that is no run file of this version.

    Raises:
        RunFileError: it is none.
    """
    (application,) = database.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        raise RunFileError(f"{path}: this is not a run file of socialcircuits")
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        raise RunFileError(
            f"{path}: run file of version {version}; this program reads version {VERSION}"
        )
    strange = database.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')"
    ).fetchall()
    if strange:
        raise RunFileError(f"{path}: a run file has no triggers or views, this one has {strange}")
