"""A report as text."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from socialcircuits.agents import LABEL
from socialcircuits.report.layout import Grid, laid, sentence
from socialcircuits.report.page import Block, Line, Page, Picture
from socialcircuits.report.page import Table as Model
from socialcircuits.studies.display import visible

WIDTH = 170
"""Columns of text where the output is no terminal."""

WORD = 20
"""A word that is longer may break."""


def console() -> Console:
    """Return the console for results; wide enough for the tables where it is no terminal."""
    width = None if sys.stdout.isatty() else WIDTH
    return Console(highlight=False, markup=False, emoji=False, width=width)


def show(page: Page) -> None:
    """Print a report."""
    out = console()
    out.print(visible(page.title), soft_wrap=True)
    out.print(visible(page.label).replace(LABEL, LABEL.upper()), soft_wrap=True)
    for line in page.head:
        _print(out, line)
    for section in page.sections:
        if section.folded:
            continue
        out.print(f"\n{section.title}", style="bold", soft_wrap=True)
        for block in section.blocks:
            _print(out, block)


def show_apart(blocks: Iterable[Block]) -> None:
    """Print what stands in no report: its numbers have no ids."""
    out = console()
    for block in blocks:
        if isinstance(block, Model):
            grid = laid(block)
            rows = tuple(row._replace(id="") for row in grid.rows)
            _print_grid(out, replace(grid, rows=rows))
        else:
            _print(out, block)


def _print(out: Console, block: Block) -> None:
    if isinstance(block, Model):
        _print_grid(out, laid(block))
    elif isinstance(block, Line):
        text = "".join(part for part, _ in sentence(block))
        # A text with line breaks is to be typed as it stands.
        text = "\n".join(map(visible, text.split("\n")))
        out.print(text, style="bold" if block.loud else "", soft_wrap=True)
    else:
        out.print(_picture(block), soft_wrap=True)


def _print_grid(out: Console, grid: Grid) -> None:
    out.print(_table(grid))
    for note in grid.notes:
        out.print(f"  {visible(note)}", soft_wrap=True)


def _table(grid: Grid) -> Table:
    table = Table(
        caption=grid.caption,
        caption_justify="left",
        box=SIMPLE_HEAD,
        show_lines=any(len(cell.lines) > 1 for row in grid.rows for cell in row.cells),
    )
    ids = any(row.id for row in grid.rows)
    if ids:
        table.add_column("#", style="dim", no_wrap=True)
    for place, column in enumerate(grid.columns):
        justify: JustifyMethod = "right" if column.numeric else "left"
        # A long condition may break between words; a number or an interval may not.
        words = [
            word for row in grid.rows for line in row.cells[place].lines for word in line.split()
        ]
        table.add_column(
            "\n".join(column.lines),
            justify=justify,
            no_wrap=column.numeric,
            overflow="fold",
            min_width=min(WORD, max(map(len, words), default=1)),
        )
    for row in grid.rows:
        cells = (Text("\n".join(map(visible, cell.lines))) for cell in row.cells)
        table.add_row(*([row.id] if ids else []), *cells)
    return table


def _picture(picture: Picture) -> str:
    if picture.left_out:
        return f"{picture.name} not drawn: {picture.left_out}"
    return "\n".join(f"{picture.name}: {file}" for file in picture.files)
