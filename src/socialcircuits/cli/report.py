"""`socialcircuits report`: all that a run says, or several runs of one preset, as a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from socialcircuits.cli.output import Json, print_json, program

if TYPE_CHECKING:
    from socialcircuits.report.publishing import Published
    from socialcircuits.studies import Run


def command(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...",
            help="Run files of one preset: those that differ in seeds only are pooled, others "
            "stand side by side.",
        ),
    ],
    mixed: Annotated[
        bool, typer.Option("--mixed", help="Pool runs whose agents were told different things.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the report; beside the first run by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Print a report, and write it as one HTML page and as Markdown, with its figures."""
    from socialcircuits.report.grouping import opened

    with opened(runs, mixed=mixed) as groups:
        from socialcircuits.report.publishing import publish
        from socialcircuits.report.text import show

        published = publish(groups, out or _beside(runs))
        if json:
            print_json(_as_json(groups, published))
            return
    show(published.page)
    _say(published)


def _beside(runs: Sequence[str]) -> Path:
    first, others = Path(runs[0]), len(runs) - 1
    more = f"-and-{others}-more" if others else ""
    return first.with_name(f"{first.stem}{more}-report")


def _as_json(groups: Sequence[Run], published: Published) -> dict[str, Any]:
    from socialcircuits.report.written import numbers

    each = [run.as_json() for run in groups]
    facts = each[0] if len(each) == 1 else {"runs": each}
    return {**facts, **published.as_json(), "numbers": numbers(published.page)}


def _say(published: Published) -> None:
    from socialcircuits.studies.display import typed, visible

    for picture in published.pictures:
        if picture.left_out:
            print(f"{picture.name} not drawn: {picture.left_out}")
    page, text = published.files
    drawn = sum(bool(picture.files) for picture in published.pictures)
    figures, word = page.with_name("figures"), typed(str(page))
    print(f"\nReport:  {visible(str(page))}")
    print(f"         {visible(str(text))}, and {drawn} figures in {visible(str(figures))}")
    print(f"Explain: {program()} explain {word}#ID, where ID names a number in the page")
    print(f"View:    {program()} view {word}")
