"""`socialcircuits explain`: where a number of a report comes from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from socialcircuits.cli.output import Json, print_json
from socialcircuits.errors import UsageError

if TYPE_CHECKING:
    from socialcircuits.report.page import Place
    from socialcircuits.report.written import Written
    from socialcircuits.studies import Run

REPORTS = (".html", ".md")


def command(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="REPORT#ID|RUN...#ID",
            help="A report or run files, with the id of a number, row or figure: none lists all.",
        ),
    ],
    trial: Annotated[
        str, typer.Option(metavar="[RUN:]N", help="The trial that is shown in full.")
    ] = "",
    prompts: Annotated[
        bool, typer.Option("--prompts", help="Show the prompts of that trial's steps.")
    ] = False,
    mixed: Annotated[
        bool, typer.Option("--mixed", help="Pool runs whose agents were told different things.")
    ] = False,
    json: Json = False,
) -> None:
    """Walk from a number to its estimate, its trials, and the replies behind it."""
    from socialcircuits.report.explained import lines, listed
    from socialcircuits.report.explaining import Explainer
    from socialcircuits.report.grouping import opened
    from socialcircuits.report.plotted import PREFIX
    from socialcircuits.report.text import console

    paths, name = parsed(sources)
    report = report_of(paths)
    files = report.runs if report else tuple(map(Path, paths))
    with opened(files, mixed=report.mixed if report else mixed) as runs:
        if name.startswith(PREFIX):
            _show_figure(name, runs, [*map(Path, paths), *files], json=json)
            return
        explainer = Explainer(runs, report)
        below = explainer.below(name)
        found = None if below else explainer.explain(name, trial, prompts=prompts)
    if json:
        print_json(_listing(below) if found is None else found.as_json())
        return
    for line in listed(explainer, name) if found is None else lines(found):
        console().print(line, soft_wrap=isinstance(line, str))


def parsed(sources: Sequence[str]) -> tuple[list[str], str]:
    """Return the paths, and the id behind one of them; empty where there is none.

    >>> parsed(["a.db", "b.db#accuracy.1.uplift"])
    (['a.db', 'b.db'], 'accuracy.1.uplift')

    Raises:
        UsageError: there are several ids.
    """
    paths, names = [], []
    for source in sources:
        path, sign, name = source.rpartition("#")
        # A file may have such a sign in its name.
        if sign and not Path(source).exists():
            source = path
            names.append(name)
        paths.append(source)
    if len(names) > 1:
        raise UsageError(f"one number at a time, not {' and '.join(names)}")
    return paths, "".join(names)


def report_of(paths: Sequence[str]) -> Written | None:
    """Return the report that is named; None where run files are.

    Raises:
        UsageError: it is not alone, is no report, or its runs are not there.
    """
    from socialcircuits.report.written import read

    given = [path for path in paths if Path(path).suffix in REPORTS]
    if given and len(paths) > 1:
        raise UsageError(f"{given[0]}: a report is explained alone; it knows its runs")
    if not given:
        return None
    found = read(given[0])
    return replace(found, runs=tuple(map(_tidy, found.runs)))


def _tidy(path: Path) -> Path:
    """The same path without ``..``, unless that leads through a link."""
    short = Path(os.path.normpath(path))
    return short if short.is_file() and short.samefile(path) else path


def _listing(below: Mapping[str, tuple[Place, str]]) -> dict[str, Any]:
    return {
        "numbers": [
            {"id": name, **place._asdict(), "text": text} for name, (place, text) in below.items()
        ]
    }


def _show_figure(name: str, runs: Sequence[Run], near: Sequence[Path], *, json: bool) -> None:
    from socialcircuits.report.plotted import plotted

    beside = [path.with_name(f"{path.stem}-report") for path in near]
    folders = {one / "figures" for one in (*beside, *(path.parent for path in near))}
    found = plotted(name, runs[0].study.figures, folders)
    if json:
        print_json(found.as_json())
    else:
        print("\n".join(found.lines()))
