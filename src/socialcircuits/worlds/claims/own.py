"""Claims of the user's own field: a table of questions, each with a true and a false answer.

The table is CSV as RFC 4180 has it, in UTF-8. Everything that is wrong with it is found in one
reading.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from socialcircuits.errors import SettingError, UsageError
from socialcircuits.seeds import digest
from socialcircuits.worlds.claims.building import fill
from socialcircuits.worlds.claims.item import Claim, Document
from socialcircuits.worlds.claims.words import plain, stands_in

__all__ = ["LONGEST", "Fault", "Own", "as_cell", "is_own", "read_own", "refuse"]

LONGEST = {"question": 4_000, "true": 4_000, "false": 4_000, "passage": 50_000}
LONGEST |= {"true_aliases": 4_000, "false_aliases": 4_000}
"""Column -> most characters of a cell; the first three columns are needed."""

_NEEDED = ("question", "true", "false")
_COLUMN_OF = {
    "truth": "true",
    "lure": "false",
    "aliases": "true_aliases",
    "lure_aliases": "false_aliases",
}
"""Field of a claim -> its column, where they have different names."""

_ID_LENGTH = 12
_BOM = b"\xef\xbb\xbf"
_QUOTED = re.compile(r'"((?:[^"]++|"")*+)"')
_BARE = re.compile(r"[^,\r\n]*+")
_BREAK = re.compile(r"\r\n|\r|\n")
_BAD_BYTE = re.compile("[\udc80-\udcff]")
_RUN = re.compile(r"[=+\-@\t\r]")
_KEPT = re.compile(r"\A'(?=[=+\-@\t\r])")


class Fault(NamedTuple):
    """One thing that is wrong with a table.

    Args:
        row: from 1, below the first line; 0 for the first line itself. Empty lines do not count.
        line: of the file, from 1, in which the row starts.
        column: name of the column; empty where it is the whole row.
        why: what is wrong.

    >>> print(Fault(3, 5, "true", "it is empty"))
    row 3 (line 5), true: it is empty
    """

    row: int
    line: int
    column: str
    why: str

    def __str__(self) -> str:
        row = f"row {self.row} (line {self.line})" if self.row else f"line {self.line}"
        column = self.column if self.column.isprintable() else ascii(self.column)
        return f"{row}, {column}: {self.why}" if column else f"{row}: {self.why}"


@dataclass(frozen=True)
class Own:
    """What was read from a table.

    Args:
        claims: one of each sound row, in file order.
        documents: one of each sound row with a passage, in file order.
        faults: all that is wrong, in file order.
    """

    claims: tuple[Claim, ...]
    documents: tuple[Document, ...]
    faults: tuple[Fault, ...]


class _Record(NamedTuple):
    """One row of cells: the line in which it starts, and why it cannot be split, if it cannot."""

    line: int
    cells: list[str]
    why: str


def read_own(path: str | Path) -> Own:
    r"""Return the claims of a table, its documents, and everything that is wrong with it.

    Args:
        path: a CSV file in UTF-8, with or without a byte order mark. Its first line names the
            columns, in any order and case: question, true, false; passage, true_aliases and
            false_aliases may be missing or empty. Others are not read. ``|`` stands between two
            aliases. Questions, answers and aliases have up to 4,000 characters, passages 50,000.

    Raises:
        SettingError: the file cannot be read at all.

    Notes:
        A row is faulty if a needed cell is empty, a cell is too long or holds NUL or bytes that are
        not UTF-8, the number of cells is wrong, a quote is not closed, the answers are equal or one
        is part of the other, an answer stands in the question (as whole words), or a row before it
        has the question. After a row that cannot be split reading goes on in the next line. The id
        is made of the texts, so it follows a row wherever it stands. An apostrophe before ``=``,
        ``+``, ``-`` or ``@`` is that of `as_cell`, and no part of the text.

    >>> from tempfile import TemporaryDirectory
    >>> text = 'question,true,false\nName the capital of Peru.,Lima,\n"Which\nday?",May 1,may 1\n'
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "mine.csv"
    ...     _ = file.write_text(text, encoding="utf-8")
    ...     for fault in read_own(file).faults:
    ...         print(fault)
    row 1 (line 2), false: it is empty
    row 2 (line 3), false: it is the same as the true answer
    """
    records = _records(_text(path))
    first = next(records, _Record(1, [], ""))
    table = _Table(Path(path).name, [name.strip().lower() for name in first.cells])
    table.check_columns(first)
    for number, record in enumerate(records, 1):
        table.read(number, record)
    return Own(tuple(table.claims), tuple(table.documents), tuple(table.faults))


def refuse(own: Own, path: str | Path, *, skip_bad: bool) -> None:
    """Refuse a table that has faults, or no claim.

    Args:
        own: what was read.
        path: where it was read.
        skip_bad: whether faulty rows are left out; a table without a needed column is refused all
            the same.

    Raises:
        UsageError: the table is refused; each fault has a line.
    """
    name = Path(path).name
    if own.faults and not (skip_bad and own.claims):
        lines = [f"{name}: faults: {len(own.faults)}", *map(str, own.faults)]
        raise UsageError("\n  ".join(lines))
    if not own.claims:
        raise SettingError("file", str(path), "a file with at least one claim; it has none")


def is_own(path: str | Path) -> bool:
    """Return whether a file is such a table: CSV with a column ``true`` or ``false``, which files
    with the fields of a claim do not have. A file that cannot be read is none.
    """
    if Path(path).suffix.lower() != ".csv":
        return False
    try:
        first = next(_records(_text(path)), None)
    except SettingError:
        return False
    names = {name.strip().lower() for name in first.cells} if first else set()
    return not names.isdisjoint(_NEEDED[1:])


def as_cell(text: str) -> str:
    r"""Return a text as a quoted cell of a CSV file that no spreadsheet runs as a formula.

    An apostrophe stands before what would start one, as OWASP recommends (CSV Injection); a
    spreadsheet shows the rest, and `read_own` takes it off again.

    >>> as_cell('=SUM("A")'), as_cell("Lima")
    ('"\'=SUM(""A"")"', '"Lima"')
    """
    safe = f"'{text}" if _RUN.match(text) else text
    return '"' + safe.replace('"', '""') + '"'


@dataclass
class _Table:
    """A table that is being read: what was found so far."""

    name: str
    columns: list[str]
    claims: list[Claim] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=dict)

    def check_columns(self, first: _Record) -> None:
        """Note what is wrong with the first line."""
        if first.why:
            self.faults.append(Fault(0, first.line, "", first.why))
        for name in LONGEST:
            number = self.columns.count(name)
            near = get_close_matches(name, set(self.columns) - set(LONGEST), n=1, cutoff=0.75)
            if number > 1:
                self.faults.append(Fault(0, first.line, name, "there are two such columns"))
            elif not number and name in _NEEDED:
                self.faults.append(Fault(0, first.line, name, "this column is missing"))
            elif not number and near:
                self.faults.append(Fault(0, first.line, near[0], f"is the column {name} meant?"))

    def read(self, row: int, record: _Record) -> None:
        """Take a row, or note everything that is wrong with it."""
        if record.why or len(record.cells) != len(self.columns):
            cells, wanted = len(record.cells), len(self.columns)
            why = record.why or f"it has {cells} cells, the first line {wanted}"
            place = self.columns[cells] if record.why and cells < wanted else ""
            self.faults.append(Fault(row, record.line, place, why))
            return
        texts = {
            name: _KEPT.sub("", cell.strip())
            for name, cell in zip(self.columns, record.cells, strict=True)
        }
        found = [*_cell_faults(texts), *_answer_faults(texts), *self._again(row, texts)]
        if not found and all(name in texts for name in _NEEDED):
            found = self._take(texts)
        self.faults += [Fault(row, record.line, *one) for one in found]

    def _again(self, row: int, cells: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        question = cells.get("question", "")
        before = self.asked.setdefault(plain(question) or question, row)
        if question and before != row:
            yield "question", f"it is that of row {before} too"

    def _take(self, cells: Mapping[str, str]) -> list[tuple[str, str]]:
        passage = cells.get("passage", "")
        try:
            claim = self._claim(cells)
            document = Document(self._claim(cells, passage), passage) if passage else None
        except SettingError as error:
            return [(_COLUMN_OF.get(error.where, error.where), f"expected {error.expected}")]
        self.claims.append(claim)
        self.documents += [document] if document else []
        return []

    def _claim(self, cells: Mapping[str, str], *more: str) -> Claim:
        """The claim of a row; a document's has an id of its own."""
        question, truth, lure = (cells[name] for name in _NEEDED)
        given = _given()
        told, told_false = (
            fill(given["statement"], question=question, answer=answer) for answer in (truth, lure)
        )
        return Claim(
            id="own-" + digest("own claim", question, truth, lure, *more).hex()[:_ID_LENGTH],
            question=question,
            truth_statement=told,
            false_statement=told_false,
            truth=truth,
            lure=lure,
            relation=given["relation"],
            aliases=_aliases(cells.get("true_aliases", "")),
            lure_aliases=_aliases(cells.get("false_aliases", "")),
            source=f"{self.name} (own)",
        )


def _cell_faults(cells: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, text in cells.items():
        bad = _BAD_BYTE.search(text)
        if bad:
            yield name, f"the byte 0x{ord(bad[0]) - 0xDC00:02X} is not UTF-8"
        if "\0" in text:
            yield name, "it holds NUL"
        if name in _NEEDED and not text:
            yield name, "it is empty"
        if len(text) > LONGEST.get(name, len(text)):
            most = f"at most {LONGEST[name]:,} are allowed"
            yield name, f"it has {len(text):,} characters; {most}"


def _answer_faults(cells: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    question, truth, lure = (cells.get(name, "") for name in _NEEDED)
    if truth and (truth == lure or plain(truth) == plain(lure) != ""):
        yield "false", "it is the same as the true answer"
    elif stands_in(lure, truth):
        yield "false", "it is part of the true answer"
    elif stands_in(truth, lure):
        yield "true", "it is part of the false answer"
    for name, answer in (("true", truth), ("false", lure)):
        if stands_in(answer, question):
            yield name, "it stands in the question"


def _aliases(cell: str) -> tuple[str, ...]:
    return tuple(part for part in map(str.strip, cell.split("|")) if part)


@cache
def _given() -> Mapping[str, str]:
    text = files("socialcircuits.worlds.claims").joinpath("own.toml").read_text("utf-8")
    found: dict[str, str] = tomllib.loads(text)
    return found


def _text(path: str | Path) -> str:
    """The text of a file; a byte that is not UTF-8 becomes a lone surrogate."""
    try:
        return Path(path).read_bytes().removeprefix(_BOM).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise SettingError("file", str(path), f"a file that can be read ({error})") from error


def _records(text: str) -> Iterator[_Record]:
    place, line = 0, 1
    while place < len(text):
        cells, end, why = _split(text, place)
        if why:
            # The next row may begin in any line of what a stray quote has taken in.
            broken = _BREAK.search(text, place)
            end = broken.end() if broken else len(text)
        if why or cells != [""]:
            yield _Record(line, cells, why)
        line += len(_BREAK.findall(text, place, end))
        place = end


def _split(text: str, place: int) -> tuple[list[str], int, str]:
    """The cells of the row at a place, where it ends, and why it cannot be split."""
    cells: list[str] = []
    while True:
        quoted = text.startswith('"', place)
        found = (_QUOTED if quoted else _BARE).match(text, place)
        if found is None:
            return cells, place, "its quote is not closed"
        cells.append(found[1].replace('""', '"') if quoted else found[0])
        place = found.end()
        ends = _BREAK.match(text, place)
        if ends or place == len(text):
            return cells, ends.end() if ends else place, ""
        if text[place] != ",":
            return cells[:-1], place, "text follows its closing quote"
        place += 1
