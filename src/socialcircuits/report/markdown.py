"""A report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

from socialcircuits.report.layout import Grid, laid, sentence
from socialcircuits.report.page import Block, Line, Page, Picture, Table
from socialcircuits.studies.display import visible

_SIGNS = re.compile(r"([\\`*_{}\[\]<>|~])")
_FIRST = re.compile(r"^(\d*)((?<=\d)[.)]|(?<!\d)[#+-])")


def markdown(page: Page) -> str:
    """Return a page as Markdown with tables as GitHub has them.

    All text is shown as text, whatever it holds; control and format characters as their codes.

    Args:
        page: the page; the files of its pictures relative to where the text is to stand.

    >>> print(markdown(Page("a study", "simulated agents", (Line("", ("Trials: 3.",)),), ())))
    # a study
    <BLANKLINE>
    simulated agents
    <BLANKLINE>
    Trials: 3.
    <BLANKLINE>
    """
    parts = [f"# {_begun(page.title)}", _begun(page.label)]
    parts += [_line(line) for line in page.head]
    for section in page.sections:
        if section.folded:
            continue
        parts.append(f"## {_begun(section.title)}")
        for block in section.blocks:
            parts += _block(block)
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Table):
        grid = laid(block)
        yield "\n".join(_table(grid))
        yield _begun(grid.caption)
        if grid.notes:
            yield "\n".join(f"- {_plain(note)}" for note in grid.notes)
    elif isinstance(block, Line):
        yield _line(block)
    else:
        yield _picture(block)


def _table(grid: Grid) -> Iterator[str]:
    heads = [" ".join(column.lines) for column in grid.columns]
    yield _cells("#", *heads)
    yield "| --- | " + " | ".join("--:" if one.numeric else "---" for one in grid.columns) + " |"
    for row in grid.rows:
        yield _cells(row.id, *("\n".join(cell.lines) for cell in row.cells))


def _cells(*cells: str) -> str:
    texts = ("<br>".join(map(_plain, cell.split("\n"))) for cell in cells)
    return f"| {' | '.join(texts)} |"


def _line(line: Line) -> str:
    text = "".join(part for part, _ in sentence(line))
    if "\n" in text:
        text = "\n".join(map(visible, text.split("\n")))
        fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=2))
        return f"{fence}\n{text}\n{fence}"
    return f"**{_plain(text)}**" if line.loud else _begun(text)


def _picture(picture: Picture) -> str:
    name = _begun(picture.name)
    if picture.left_out:
        return f"{name} not drawn: {_plain(picture.left_out)}"
    links = {file.suffix: quote(file.as_posix()) for file in picture.files}
    shown = f"![{name}]({links['.png']})\n\n" if ".png" in links else ""
    files = (f"[{kind[1:].upper()}]({link})" for kind, link in links.items())
    return f"{shown}{name}: {', '.join(files)}"


def _begun(text: str) -> str:
    """Text at the beginning of a block, where it must not start a list or a title."""
    return _FIRST.sub(r"\1\\\2", _plain(text))


def _plain(text: str) -> str:
    """Text in which nothing is taken for a sign of Markdown."""
    return _SIGNS.sub(r"\\\1", visible(text))
