"""`socialcircuits report`: tables and figures of a run, or of several as one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.output import Json, print_json


def command(
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Run files; several are pooled.")
    ],
    mixed: Annotated[
        bool, typer.Option("--mixed", help="Pool runs whose agents were told different things.")
    ] = False,
    figures: Annotated[
        Path | None, typer.Option(help="Folder for the figures; beside the run by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Print the tables of a run and draw its figures (PDF, PNG and their data as CSV)."""
    from socialcircuits.report.pictures import draw_all
    from socialcircuits.report.text import show
    from socialcircuits.studies import Run

    with Run(*runs, mixed=mixed) as finished:
        kind = "pooled-figures" if len(runs) > 1 else "figures"
        folder = figures or finished.path.with_name(f"{finished.path.stem}-{kind}")
        drawn = draw_all(finished, folder)
        if json:
            files = [str(path) for path in drawn.files]
            print_json({**finished.as_json(), "figures": files, "not_drawn": drawn.left_out})
            return
        show(finished)
        print("\nFigures")
        for path in drawn.files:
            print(f"  {path}")
        for name, why in drawn.left_out.items():
            print(f"  {name} not drawn: {why}")
