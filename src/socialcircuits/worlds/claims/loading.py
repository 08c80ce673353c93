"""Claims in files: built items written and read again, and claims of the user's own.

A file of items is JSON Lines in canonical form. Its first line says where the items come from; an
own file may lack it, and may be CSV or TOML as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.errors import SettingError, UsageError
from socialcircuits.records.digests import canonical
from socialcircuits.worlds.claims.building import Built
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.own import is_own, read_own, refuse
from socialcircuits.worlds.claims.rows import Row, read_rows

__all__ = ["Fault", "Read", "claim_of_row", "load", "read", "save"]

_PROVENANCE = "provenance"
_UNREAD = "why"
_LISTS = ("aliases", "lure_aliases")
_COLUMNS = tuple(field.name for field in fields(Claim))
_REQUIRED = tuple(field.name for field in fields(Claim) if field.default is MISSING)
_FLAGS = {"true": True, "false": False, "": False}


class Fault(NamedTuple):
    """A row that is no claim: its number, from 1 (of JSON Lines the line), and the reason."""

    row: int
    why: str


@dataclass(frozen=True)
class Read:
    """What was read from one file.

    Args:
        claims: the claims of the sound rows, in file order.
        faults: the other rows, each with one reason, in file order.
        provenance: the first line of built items; empty for others.
    """

    claims: tuple[Claim, ...]
    faults: tuple[Fault, ...]
    provenance: Mapping[str, Any]


def save(built: Built, path: str | Path) -> None:
    """Write built items, one a line; the first line says where they come from.

    Raises:
        UsageError: the file cannot be written.
    """
    origin = {
        "dataset": built.source.name,
        "licence": built.source.licence,
        "files": [entry._asdict() for entry in built.inputs],
        "seed": built.wanted.seed,
        "size": built.wanted.size,
        "steps": [step._asdict() | {"left": step.left} for step in built.steps],
    }
    lines = [canonical({_PROVENANCE: origin}), *(canonical(asdict(item)) for item in built.claims)]
    try:
        Path(path).write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror})") from error


def read(path: str | Path) -> Read:
    """Return the claims of a file, and every row that is none.

    Args:
        path: a ``.jsonl``, ``.json``, ``.csv``, ``.tsv`` or ``.toml`` file (tables ``[[claim]]``).
            Columns are the fields of `Claim`; aliases are a list, in CSV with a semicolon between
            two; ``source`` is filled in where it is missing, and ``why`` is not read.

    Raises:
        SettingError: the file cannot be read at all or has no rows.
    """
    rows = read_rows(path)
    provenance: Mapping[str, Any] = {}
    if rows[0].has(_PROVENANCE) and isinstance(rows[0].values[_PROVENANCE], dict):
        provenance = rows.pop(0).values[_PROVENANCE]
    claims: dict[str, Claim] = {}
    owners: dict[str, int] = {}
    faults = []
    for row in rows:
        try:
            claim = claim_of_row(row)
            if claim.id in claims:
                raise SettingError(
                    "id", claim.id, f"an id of its own; row {owners[claim.id]} has it"
                )
        except SettingError as error:
            faults.append(Fault(row.number, str(error).removeprefix(f"{row.where}: ")))
        else:
            claims[claim.id], owners[claim.id] = claim, row.number
    return Read(tuple(claims.values()), tuple(faults), provenance)


def load(path: str | Path, *, skip_bad: bool = False) -> tuple[Claim, ...]:
    """Return the claims of a file, all of whose rows must be claims.

    Args:
        path: as for `read`, or a table of questions of your own as for `read_own`.
        skip_bad: whether faulty rows are left out.

    Raises:
        UsageError: the file cannot be read or has no claims, or rows are faulty; each has a line.

    >>> from tempfile import TemporaryDirectory
    >>> text = '''id,question,truth,lure,truth_statement,false_statement,relation,aliases
    ... peru,What is the capital of Peru?,Lima,Cusco,It is Lima.,It is Cusco.,capital,Ciudad; Rey
    ... '''
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "mine.csv"
    ...     _ = file.write_text(text, encoding="utf-8")
    ...     load(file)[0].aliases
    ('Ciudad', 'Rey')
    """
    if is_own(path):
        own = read_own(path)
        refuse(own, path, skip_bad=skip_bad)
        return own.claims
    found = read(path)
    name = Path(path).name
    if found.faults and not skip_bad:
        lines = [f"{name}: rows that are no claims: {len(found.faults)}"]
        raise UsageError("\n  ".join([*lines, *(f"row {row}: {why}" for row, why in found.faults)]))
    if not found.claims:
        raise SettingError("file", str(path), "a file with at least one claim; it has none")
    return found.claims


def claim_of_row(row: Row) -> Claim:
    """Return the claim of a row that has the fields of `Claim`.

    Raises:
        SettingError: the row is faulty, or a field is missing, unknown or not allowed.
    """
    if row.fault:
        raise SettingError("row", row.fault, "named fields")
    known = (*_COLUMNS, _UNREAD)
    for name in row.values:
        if name not in known:
            raise SettingError("columns", name, "one of " + ", ".join(known), among=known)
    found: dict[str, Any] = {name: row.text(name) for name in _REQUIRED}
    found["source"] = row.text("source") if row.values.get("source") else f"{row.file} (own)"
    found |= {name: _aliases(row, name) for name in _LISTS if row.values.get(name)}
    return Claim(**found, shareable=_flag(row))


def _aliases(row: Row, name: str) -> tuple[str, ...]:
    value = row.values[name]
    if isinstance(value, str):
        return tuple(part for part in map(str.strip, value.split(";")) if part)
    return tuple(row.texts(name))


def _flag(row: Row) -> bool:
    value = row.values.get("shareable", False)
    flag = _FLAGS.get(value.strip().lower()) if isinstance(value, str) else value
    if not isinstance(flag, bool):
        raise row.refuse("shareable", value, "true or false")
    return flag
