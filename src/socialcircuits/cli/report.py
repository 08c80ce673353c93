"""`socialcircuits report`: tables and figures of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.output import Json, RunPath, print_json


def command(
    run: RunPath,
    figures: Annotated[
        Path | None, typer.Option(help="Folder for the figures; beside the run by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Print the tables of a run and draw its figures (PDF, PNG and their data as CSV)."""
    from socialcircuits.report.pictures import draw_all
    from socialcircuits.report.text import show
    from socialcircuits.studies import Run

    with Run(run) as finished:
        folder = figures or finished.path.with_name(finished.path.stem + "-figures")
        written = draw_all(finished, folder)
        if json:
            print_json({**finished.as_json(), "figures": [str(path) for path in written]})
            return
        show(finished)
        print("\nFigures")
        for path in written:
            print(f"  {path}")
