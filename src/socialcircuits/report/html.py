"""A page as one HTML file that asks nobody for anything: no script, no address outside itself."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from socialcircuits.report.layout import Grid, laid, sentence
from socialcircuits.report.page import Line, Number, Page, Picture, Place, Section, Table
from socialcircuits.report.words import address, plain
from socialcircuits.studies.display import visible

if TYPE_CHECKING:
    from jinja2 import Environment

MARKER = "socialcircuits-report"
"""The name of the block of data in a report."""

EXPLAIN = "socialcircuits explain report.html"
VIEW = "socialcircuits view report.html"


def html(
    page: Page,
    images: Mapping[Path, bytes],
    data: str,
    view: str = "",
    explain: str = EXPLAIN,
) -> str:
    """Return a page as HTML.

    Every number is an element with its id. All text is shown as text, whatever it holds; control
    and format characters as their codes.

    Args:
        page: what it says; the files of its pictures relative to the folder that it is written to.
        images: the bytes of each PNG that is to be seen in it, by its file; other pictures have
            their caption and links only.
        data: JSON that is kept in the page for programs, in which ``<`` is escaped.
        view: the command that shows a number in the viewer, without its id; empty where no view
            has these numbers.
        explain: the command that leads from a number to its replies, without its id; empty where
            no run file is behind the page.

    >>> text = html(Page("mine <1>", "simulated agents", (), ()), {}, "{}")
    >>> text.count("<h1>mine &lt;1&gt;</h1>"), "http:" in text
    (1, False)
    """
    from markupsafe import Markup

    numbers = {name: (place, number) for name, place, number in page.numbers()}
    sections = [
        _section(f"section-{place}", section, images)
        for place, section in enumerate(page.sections, 1)
    ]
    template = _environment().get_template("page.html")
    return template.render(
        page=page,
        head=[_spoken(line) for line in page.head],
        sections=sections,
        trails={name: _trail(*found) for name, found in numbers.items()},
        explain=explain,
        view=view,
        address=address,
        marker=MARKER,
        data=Markup(data),  # noqa: S704 - its `<` are escaped
    )


class _Spoken(NamedTuple):
    loud: bool
    parts: tuple[tuple[str, str], ...]
    kind: str = "line"


class _Definition(NamedTuple):
    name: str
    definition: str
    methods: tuple[str, ...]


class _Laid(NamedTuple):
    title: str
    under: str
    grid: Grid
    heading: int
    definitions: tuple[_Definition, ...]
    folded: bool
    kind: str = "table"


class _Pictured(NamedTuple):
    title: str
    slug: str
    left_out: str
    image: str
    links: tuple[tuple[str, str], ...]
    kind: str = "picture"


class _Trail(NamedTuple):
    what: str
    where: str
    lines: tuple[str, ...]
    behind: str


@dataclass(frozen=True)
class _Section:
    id: str
    title: str
    blocks: tuple[_Spoken | _Laid | _Pictured, ...]

    @property
    def entries(self) -> list[tuple[str, str]]:
        """The tables that have a title of their own, with their ids."""
        tables = [block for block in self.blocks if isinstance(block, _Laid)]
        return [
            (table.title, table.grid.name) for table in tables if not (table.under or table.folded)
        ]


def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("socialcircuits.report", "template"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_as_text,
    )


def _as_text(value: object) -> object:
    return visible(value) if type(value) is str else value


def _section(name: str, section: Section, images: Mapping[Path, bytes]) -> _Section:
    tables = sum(isinstance(block, Table) for block in section.blocks)
    # A table that is alone in its section is named by it.
    under = name if tables == 1 else ""
    blocks: list[_Spoken | _Laid | _Pictured] = []
    for block in section.blocks:
        if isinstance(block, Table):
            blocks.append(_laid(block, "" if section.folded else under, folded=section.folded))
        elif isinstance(block, Picture):
            blocks.append(_pictured(block, images))
        else:
            blocks.append(_spoken(block))
    return _Section(name, section.title, tuple(blocks))


def _laid(table: Table, under: str, *, folded: bool) -> _Laid:
    grid = laid(table)
    heading = sum(1 for _ in takewhile(lambda column: not column.numeric, grid.columns))
    if heading == len(grid.columns):
        heading = 1
    definitions = tuple(_definitions(table))
    return _Laid(_title(table.name), under, grid, heading, definitions, folded)


def _spoken(line: Line) -> _Spoken:
    return _Spoken(line.loud, sentence(line))


def _title(name: str) -> str:
    words = plain(name)
    return words[:1].upper() + words[1:]


def _pictured(picture: Picture, images: Mapping[Path, bytes]) -> _Pictured:
    shown = [images[file] for file in picture.files if file in images]
    links = tuple((file.suffix[1:].upper(), quote(file.as_posix())) for file in picture.files)
    image = b64encode(shown[0]).decode() if shown else ""
    return _Pictured(_title(picture.name), picture.name, picture.left_out, image, links)


def _definitions(table: Table) -> Iterator[_Definition]:
    """What the numbers of a table are, each kind once, with the ways in which they were made."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for number in _numbers(table):
        methods = found.setdefault((number.name, number.trail.definition), {})
        if number.trail.method:
            methods[number.trail.method] = None
    for (name, definition), methods in found.items():
        yield _Definition(_title(name), definition, tuple(methods))


def _numbers(table: Table) -> Iterable[Number]:
    return (cell for row in table.rows for cell in row.cells if isinstance(cell, Number))


def _trail(place: Place, number: Number) -> _Trail:
    lines = []
    for level, counts in number.trail.levels.items():
        lines.append(
            f"{plain(level)}: " + ", ".join(f"{plain(what)} {n:,}" for what, n in counts.items())
        )
    if number.trail.trials:
        count = len(number.trail.trials)
        lines.append(f"rests on {count:,} {'trial' if count == 1 else 'trials'}")
    return _Trail(_title(number.name), place.row, tuple(lines), number.trail.behind)
