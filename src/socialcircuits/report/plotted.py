"""What a figure of a report is drawn from."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from importlib import import_module
from inspect import cleandoc
from itertools import dropwhile, islice, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.errors import SettingError

__all__ = ["Data", "Plotted", "plotted"]

PREFIX = "figure."
"""What the ids of figures begin with."""

_MODULES = {"beliefs": "belief_map"}
"""Figures that are named otherwise than the file that draws them."""


class Data(NamedTuple):
    """A file with the numbers of a figure.

    Args:
        path: the file.
        columns: the names of its columns.
        rows: how many rows it has.
    """

    path: str
    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True)
class Plotted:
    """What a figure is drawn from.

    Args:
        id: its id, such as ``figure.population``.
        about: what it shows.
        made: how its numbers are made: what a row of its table is.
        data: the files that hold them; none where it was not drawn.
    """

    id: str
    about: str
    made: str
    data: tuple[Data, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {**asdict(self), "data": [one._asdict() for one in self.data]}

    def lines(self) -> Iterator[str]:
        """Yield it as text."""
        yield f"{self.id}: {self.about}"
        yield f"  drawn from {self.made}"
        for one in self.data:
            yield f"  {one.path}: {one.rows:,} rows of {', '.join(one.columns)}"
        if not self.data:
            yield "  not drawn here: socialcircuits report RUN draws it and writes its numbers"


def plotted(name: str, figures: Iterable[str], folders: Iterable[Path]) -> Plotted:
    """Return what a figure is drawn from.

    Args:
        name: its id, ``figure.`` and the name in the study.
        figures: the names of the study's figures.
        folders: where its data may lie, in folders below too.

    Raises:
        SettingError: the study has no such figure.

    >>> plotted("figure.population", ["population"], []).about
    'Accuracy and endpoint classes over population size.'
    """
    ids = {PREFIX + one: one for one in figures}
    if name not in ids:
        expected = f"one of {', '.join(ids)}" if ids else "no figure: the study names none"
        raise SettingError("id", name, expected, among=ids)
    own = ids[name]
    module = import_module(f"socialcircuits.figures.{_MODULES.get(own, own)}")
    files = sorted({file for folder in folders for file in folder.rglob(f"{own}*.csv")})
    mine = (file for file in files if file.stem == own or file.stem.startswith(f"{own}-"))
    return Plotted(name, cleandoc(str(module.__doc__)), _made(module), tuple(map(_data, mine)))


def _made(module: Any) -> str:
    """What the file that draws a figure says of its table: what it returns, or is given first."""
    if hasattr(module, "table"):
        return _told(module.table, "Returns:")
    return _told(module.draw, "Args:").partition(": ")[2]


def _told(function: Any, head: str) -> str:
    """The first entry of a section of a docstring."""
    lines = iter(cleandoc(str(function.__doc__)).splitlines())
    found = list(takewhile(bool, islice(dropwhile(lambda line: line != head, lines), 1, None)))
    entry = found[:1] + list(takewhile(lambda line: line.startswith(8 * " "), found[1:]))
    return " ".join(line.strip() for line in (entry if head == "Args:" else found))


def _data(path: Path) -> Data:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        return Data(str(path), tuple(next(reader, ())), sum(1 for _ in reader))
