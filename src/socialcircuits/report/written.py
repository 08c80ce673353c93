"""A report on disk, and what it holds for those who ask where one of its numbers comes from."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.errors import UsageError
from socialcircuits.report.html import MARKER, VIEW, html
from socialcircuits.report.markdown import markdown
from socialcircuits.report.page import Page, Picture, Place, Section
from socialcircuits.studies import Run

FORMAT = 1
"""Version of the data in a report."""

NAMES = ("report.html", "report.md")

_BLOCKS = (
    re.compile(rf'<script type="application/json" id="{MARKER}">(.*?)</script>', re.DOTALL),
    re.compile(rf"<!-- {MARKER} (.*?) -->\s*\Z", re.DOTALL),
)
_CODES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}


class Stated(NamedTuple):
    """A number as a report states it: where it stands, and its text."""

    place: Place
    text: str


@dataclass(frozen=True)
class Written:
    """What a report on disk says of itself.

    Args:
        path: the report.
        study: name of its study.
        runs: the run files, in the order in which they were given.
        digests: run and labels digest (hex) of each.
        mixed: whether runs were pooled whose agents were told different things.
        numbers: id -> number.
    """

    path: Path
    study: str
    runs: tuple[Path, ...]
    digests: tuple[Mapping[str, str], ...]
    mixed: bool
    numbers: Mapping[str, Stated]


def write(
    page: Page, runs: Sequence[Run], folder: Path, pictures: Sequence[Picture] = ()
) -> list[Path]:
    """Write a page as HTML and as Markdown into a folder, which is made if need be.

    Args:
        page: what is reported.
        runs: the runs that it is about: one, or several that stand side by side.
        folder: where to; reports that are there are replaced.
        pictures: the figures that were drawn, which follow the results.

    Returns:
        The paths of both files.

    Raises:
        UsageError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        images = {
            _relative(file, folder): file.read_bytes()
            for picture in pictures
            for file in picture.files
            if file.suffix == ".png"
        }
        whole = _with(page, [_beside(picture, folder) for picture in pictures])
        data = _data(whole, runs, folder)
        # Pages of the viewer hold each run file by itself.
        view = VIEW if sum(len(run.parts) for run in runs) == 1 else ""
        texts = (html(whole, images, data, view), f"{markdown(whole)}\n<!-- {MARKER} {data} -->\n")
        written = [folder / name for name in NAMES]
        for path, text in zip(written, texts, strict=True):
            path.write_bytes(text.encode(errors="backslashreplace"))
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror}") from None
    return written


def read(path: str | Path) -> Written:
    """Read what a report says of itself, and find its runs.

    Args:
        path: the HTML or the Markdown file.

    Raises:
        UsageError: it is missing, no report, or damaged; or a run file is neither where it was nor
            beside the report.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: this is no report of socialcircuits") from None
    found = next(filter(None, (block.search(text) for block in _BLOCKS)), None)
    if found is None:
        raise UsageError(f"{path}: this is no report of socialcircuits, or a part of one")
    try:
        return _parsed(path, json.loads(found[1]))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise UsageError(f"{path}: the data in this report is damaged; write it anew") from None


def numbers(page: Page) -> list[dict[str, Any]]:
    """Return all numbers of a page for JSON: id, where they stand, value, interval, n and test."""
    return [
        {
            "id": name,
            "name": number.name,
            "row": place.row,
            "value": number.value,
            "low": number.low,
            "high": number.high,
            "n": number.n,
            "unit": number.unit,
            "p": number.test and number.test.p,
            "adjusted": number.adjusted and number.adjusted.p,
            "declared": number.adjusted and number.adjusted.declared,
            "text": number.text,
        }
        for name, place, number in page.numbers()
    ]


def _relative(path: Path, folder: Path) -> Path:
    return Path(os.path.relpath(path, folder))


def _beside(picture: Picture, folder: Path) -> Picture:
    return replace(picture, files=tuple(_relative(file, folder) for file in picture.files))


def _with(page: Page, pictures: Sequence[Picture]) -> Page:
    if not pictures:
        return page
    titles = [section.title for section in page.sections]
    place = titles.index("Results") + 1 if "Results" in titles else len(titles)
    sections = [*page.sections]
    sections.insert(place, Section("Figures", tuple(pictures)))
    return replace(page, sections=tuple(sections))


def _data(page: Page, runs: Sequence[Run], folder: Path) -> str:
    files = [part.file for run in runs for part in run.parts]
    data = {
        "format": FORMAT,
        "study": runs[0].study.name,
        "mixed": any(run.mixed for run in runs),
        "runs": [
            {"path": _relative(file.path, folder).as_posix(), "digests": _digests(file.digests())}
            for file in files
        ],
        "numbers": {name: [*place, number.text] for name, place, number in page.numbers()},
    }
    return json.dumps(data, separators=(",", ":")).translate(_CODES)


def _digests(found: Mapping[str, str]) -> dict[str, str]:
    return {name: found[name] for name in ("run", "labels")}


def _parsed(path: Path, data: Any) -> Written:
    if data["format"] != FORMAT:
        raise UsageError(
            f"{path}: this report is of another version of socialcircuits; write it anew"
        )
    runs, stated = data["runs"], data["numbers"]
    texts = [data["study"], *(one["path"] for one in runs)]
    texts += [part for number in stated.values() for part in number]
    digests = tuple(_digests(one["digests"]) for one in runs)
    texts += [value for one in digests for value in one.values()]
    if not all(isinstance(text, str) for text in texts) or not isinstance(data["mixed"], bool):
        raise ValueError
    return Written(
        path=path,
        study=data["study"],
        runs=tuple(_found(path, one["path"]) for one in runs),
        digests=digests,
        mixed=data["mixed"],
        numbers={
            name: Stated(Place(block, row, column), text)
            for name, (block, row, column, text) in stated.items()
        },
    )


def _found(report: Path, given: str) -> Path:
    places = list(dict.fromkeys((report.parent / given, report.parent / Path(given).name)))
    for place in places:
        if place.is_file():
            return place
    looked = " and at ".join(os.path.normpath(place) for place in places)
    raise UsageError(f"{report}: its run file {Path(given).name} is not there; looked at {looked}")
