"""From runs to all files of their report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.report.assembling import page, together
from socialcircuits.report.page import Page, Picture
from socialcircuits.report.pictures import draw_all
from socialcircuits.report.written import write
from socialcircuits.studies import Run

FIGURES = "figures"
"""Folder of the figures, below that of the report."""


class Published(NamedTuple):
    """A report that was written.

    Args:
        page: what it says.
        pictures: its figures.
        files: the HTML and the Markdown file.
    """

    page: Page
    pictures: tuple[Picture, ...]
    files: tuple[Path, ...]

    def as_json(self) -> dict[str, Any]:
        """Return its files, its figures and why others were not drawn."""
        return {
            "report": [str(path) for path in self.files],
            "figures": [str(file) for picture in self.pictures for file in picture.files],
            "not_drawn": {one.name: one.left_out for one in self.pictures if one.left_out},
        }


def publish(runs: Sequence[Run], folder: Path) -> Published:
    """Write the report of runs of one preset, side by side if there are several, with its figures.

    Args:
        runs: the runs, at least one.
        folder: where to; what is there of the same name is replaced.

    Raises:
        RunFileError: a run file is damaged, or the folder cannot be written.
        UsageError: the folder cannot be written.
    """
    whole = page(runs[0]) if len(runs) == 1 else together(runs)
    pictures = tuple(_draw(runs, folder / FIGURES))
    return Published(whole, pictures, tuple(write(whole, runs, folder, pictures)))


def _draw(runs: Sequence[Run], folder: Path) -> Iterator[Picture]:
    """Draw the figures of each run; of several, into a folder each."""
    if len(runs) == 1:
        drawn = draw_all(runs[0], folder)
        yield from _grouped(drawn.files, drawn.left_out)
        return
    for place, run in enumerate(runs, 1):
        drawn = draw_all(run, folder / f"{place}-{run.path.stem}")
        yield from _grouped(drawn.files, drawn.left_out, f"{run.path.stem}: ")


def _grouped(
    files: Iterable[Path], left_out: Mapping[str, str], before: str = ""
) -> Iterator[Picture]:
    named: dict[str, list[Path]] = {}
    for file in files:
        named.setdefault(file.stem, []).append(file)
    for name, found in named.items():
        yield Picture(before + name, tuple(found))
    for name, why in left_out.items():
        yield Picture(before + name, left_out=why)
