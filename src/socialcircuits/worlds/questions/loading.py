"""Reading questions from the official files of benchmarks, and from files of our own form.

HLE is Humanity's Last Exam (arXiv 2501.14249), MMLU-Pro arXiv 2406.01574, SimpleQA arXiv
2411.04368, TruthfulQA arXiv 2109.07958. Nothing is ever downloaded.
"""

from __future__ import annotations

import csv
import json
import os
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.errors import SettingError
from socialcircuits.worlds._items import WHERE
from socialcircuits.worlds.questions.formats import READERS, Fields, Row, Unusable
from socialcircuits.worlds.questions.item import Ambiguous, Question

_LONGEST_FIELD = 1 << 26
_AMBIGUOUS = (
    "two of its options have the same text",
    "one of its wrong answers is graded as right",
)


class LeftOut(NamedTuple):
    """An item that was read and not taken: its row (from 1; of JSONL the line), id and reason."""

    row: int
    id: str
    why: str


@dataclass(frozen=True)
class Loaded:
    """What was read from one file.

    Args:
        questions: the questions taken, in file order.
        left_out: the items not taken, in file order.
        unmatched: the verified ids that no item has, in the order given.
    """

    questions: tuple[Question, ...]
    left_out: tuple[LeftOut, ...]
    unmatched: tuple[str, ...]


FORMATS = tuple(READERS)
"""Names of the formats that can be read."""


def load(
    path: str | Path,
    format: str | None = None,  # noqa: A002 - the name users expect
    verified: Collection[str] | None = None,
    *,
    shareable: bool = False,
) -> Loaded:
    """Read the questions of one file; what is not taken is named with its reason.

    Args:
        path: a ``.jsonl``, ``.parquet``, ``.csv`` or ``.toml`` file.
        format: one of `FORMATS`; None: recognised from the columns (TOML is our own form).
        verified: take only the items with these ids; None: take all.
        shareable: whether the text of these items may be published; never of HLE.

    Raises:
        SettingError: the file cannot be read or has no question to take, a row is not of the form
            (file, row and field are named), an id is used twice, or a setting is not allowed.

    Notes:
        SimpleQA and TruthfulQA have no ids: they are made from the question's text. Of a HLE
        choice item the options are read from the question's text; an item whose answer is not
        among them is left out. Of MMLU-Pro, empty and N/A options are no options. A TruthfulQA
        answer that is listed as correct and as incorrect counts as correct. An item of a benchmark
        of which two options have the same text, or a wrong answer is graded as right, is left out;
        in a file of our own it is refused.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "mine.csv"
    ...     text = '''metadata,problem,answer
    ... {'topic': 'Sums'},What is 2 + 2?,4'''
    ...     _ = file.write_text(text, encoding="utf-8")
    ...     load(file).questions[0].id
    'simpleqa-5f90e175c1f7'
    """
    if isinstance(verified, str):
        raise SettingError(f"{WHERE}.verified", verified, "a list of ids")
    file = Path(path)
    rows = _rows(file)
    name = _recognised(file, rows[0][1], format)
    if name == "hle" and shareable:
        raise SettingError(f"{WHERE}.shareable", True, "false, for HLE may not be published")
    extra = {"source": f"{file.name} ({name})", "shareable": shareable}
    items: dict[str, Question | LeftOut] = {}
    owners: dict[str, int] = {}
    for number, values in rows:
        row = Row(f"{file.name}: row {number}", values)
        item = _item(row, number, name, extra)
        if item.id in items:
            raise row.refuse("id", item.id, f"an id of its own; row {owners[item.id]} has it")
        items[item.id], owners[item.id] = item, number
    return _sifted(file, items, owners, verified)


def _item(row: Row, number: int, name: str, extra: Fields) -> Question | LeftOut:
    fields: Fields = {"kind": "exact"} | extra
    try:
        fields |= READERS[name].read(row)
        return Question(**fields)
    except Unusable as reason:
        return LeftOut(number, row.text("id"), str(reason))
    except SettingError as error:
        if isinstance(error, Ambiguous) and name != "own":
            return LeftOut(number, fields["id"], _AMBIGUOUS[error.where == "lures"])
        if error.where.startswith(row.where):
            raise
        raise row.refuse(error.where, error.given, error.expected) from None


def _sifted(
    file: Path,
    items: Mapping[str, Question | LeftOut],
    owners: Mapping[str, int],
    verified: Collection[str] | None,
) -> Loaded:
    chosen = set(items if verified is None else verified)
    taken: list[Question] = []
    left_out: list[LeftOut] = []
    for name, item in items.items():
        if name not in chosen:
            left_out.append(LeftOut(owners[name], name, "not in the list of verified ids"))
        elif isinstance(item, LeftOut):
            left_out.append(item)
        else:
            taken.append(item)
    if not taken:
        why = "; ".join(dict.fromkeys(item.why for item in left_out))
        raise SettingError(
            f"{WHERE}.file", file.name, f"a file with a question to take; left out: {why}"
        )
    return Loaded(
        tuple(taken), tuple(left_out), tuple(name for name in verified or () if name not in items)
    )


def _recognised(file: Path, first: Mapping[str, Any], given: str | None) -> str:
    if given is not None and given not in READERS:
        raise SettingError(f"{WHERE}.format", given, "one of " + ", ".join(FORMATS), among=FORMATS)
    own = file.suffix.lower() == ".toml"
    if given is not None and own != (given == "own"):
        raise SettingError(f"{WHERE}.format", given, "own for a .toml file, and only for one")
    if own or given is not None:
        return given or "own"
    for name, kind in READERS.items():
        if name != "own" and set(kind.required) <= set(first):
            return name
    forms = "; ".join(f"{name}: {', '.join(k.required)}" for name, k in READERS.items())
    raise SettingError(f"{file.name}: columns", ", ".join(first), f"those of a format ({forms})")


def _rows(file: Path) -> list[tuple[int, Mapping[str, Any]]]:
    readers = {
        ".jsonl": _jsonl_rows,
        ".parquet": _parquet_rows,
        ".csv": _csv_rows,
        ".toml": _toml_rows,
    }
    suffix = file.suffix.lower()
    if suffix not in readers:
        raise SettingError(f"{WHERE}.file", str(file), "a file that ends in " + ", ".join(readers))
    try:
        rows = list(readers[suffix](file))
    except (OSError, ValueError, csv.Error) as error:
        raise SettingError(
            f"{WHERE}.file", str(file), f"a file that can be read ({error})"
        ) from error
    for number, values in rows:
        if not isinstance(values, dict):
            raise SettingError(f"{file.name}: row {number}", type(values).__name__, "named fields")
    if not rows:
        raise SettingError(
            f"{WHERE}.file", str(file), "a file with at least one question; it has none"
        )
    return rows


def _jsonl_rows(file: Path) -> Iterator[tuple[int, Any]]:
    with file.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"row {number} is not JSON: {error}") from error


def _parquet_rows(file: Path) -> Iterator[tuple[int, Any]]:
    parquet: Any = import_module("pyarrow.parquet")
    known = {column for kind in READERS.values() for column in kind.columns}
    with parquet.ParquetFile(file) as table:
        names = table.schema_arrow.names
        told = any(set(kind.required) <= set(names) for kind in READERS.values())
        # HLE holds every picture twice and those of its solutions; only what is used is decoded.
        columns = [name for name in names if name in known] if told else names
        yield from enumerate(table.read(columns=columns).to_pylist(), 1)


def _csv_rows(file: Path) -> Iterator[tuple[int, Any]]:
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            for number, row in enumerate(csv.DictReader(lines, strict=True), 1):
                if None in row or None in row.values():
                    raise ValueError(f"row {number} has not as many fields as the first line")
                yield number, row
    finally:
        csv.field_size_limit(before)


def _toml_rows(file: Path) -> Iterator[tuple[int, Any]]:
    data = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    rows = data.get("question")
    if set(data) != {"question"} or not isinstance(rows, list):
        raise ValueError("it holds [[question]] tables and nothing else")
    yield from enumerate(rows, 1)


def cached_hle() -> Path:
    """Return the file of HLE in the user's Hugging Face cache; nothing is downloaded.

    The cache is `HF_HUB_CACHE`, else `hub` in `HF_HOME`, else `huggingface/hub` in the user's cache
    folder. Of several revisions the one is taken that `main` names.

    Raises:
        SettingError: there is no such file, or there is more than one.

    >>> from tempfile import TemporaryDirectory
    >>> from unittest.mock import patch
    >>> with TemporaryDirectory() as hub, patch.dict(os.environ, HF_HUB_CACHE=hub):
    ...     data = Path(hub, "datasets--cais--hle", "snapshots", "1f2e", "data")
    ...     data.mkdir(parents=True)
    ...     (data / "test-00000-of-00001.parquet").touch()
    ...     cached_hle().name
    'test-00000-of-00001.parquet'
    """
    home = os.environ.get("HF_HOME") or _user_cache() / "huggingface"
    hub = Path(os.environ.get("HF_HUB_CACHE") or Path(home) / "hub").expanduser()
    folder = hub / "datasets--cais--hle"
    try:
        revision = (folder / "refs" / "main").read_text(encoding="utf-8").strip()
    except OSError:
        revision = "*"
    found = sorted(folder.glob(f"snapshots/{revision}/data/test-*.parquet"))
    if len(found) != 1:
        expected = "exactly one test file of cais/hle in this folder, in your own gated copy of it"
        raise SettingError(f"{WHERE}.file", [str(file) for file in found] or str(folder), expected)
    return found[0]


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


__all__ = ["FORMATS", "LeftOut", "Loaded", "cached_hle", "load"]
