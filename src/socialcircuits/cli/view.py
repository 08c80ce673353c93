"""`socialcircuits view`: runs as a page, on this machine only."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.explain import parsed, report_of
from socialcircuits.cli.output import Json, print_json
from socialcircuits.errors import UsageError


def command(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...[#ID]|REPORT[#ID]",
            help="Run files, the others compared with the first, or a report; with the id of a "
            "number, the page opens there.",
        ),
    ],
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any that is free.")
    ] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    json: Json = False,
) -> None:
    """Show runs in the browser, also while they are going; Ctrl-C ends it.

    The server answers this machine alone, and changes nothing. A page for others is written by
    `export RUN --out page.html`.
    """
    from socialcircuits.viewer.server import Server

    files, number, of = _asked(runs)
    with Server(files, port) as server:
        where = server.address + _place(number, server.names[of])
        if json:
            print_json({"address": where, "runs": server.names})
        else:
            print(f"{where}  (Ctrl-C ends it)")
        # A reader of a pipe must not wait for what it needs to begin.
        sys.stdout.flush()
        if browser:
            import webbrowser

            webbrowser.open(where)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print(file=sys.stderr)


def _asked(sources: Sequence[str]) -> tuple[tuple[Path, ...], str, int]:
    """The run files, the id of a number, and of which file it is."""
    paths, number = parsed(sources)
    report = report_of(paths)
    if report is None:
        named = [one != path for one, path in zip(sources, paths, strict=True)]
        return tuple(map(Path, paths)), number, named.index(True) if number else 0
    several = len(report.runs)
    if number and several > 1:
        raise UsageError(f"{paths[0]}: {number} is of {several} runs together; expected a run file")
    return report.runs, number, 0


def _place(number: str, run: str) -> str:
    from socialcircuits.report.words import address

    return address(number, run) if number else ""
