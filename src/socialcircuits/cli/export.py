"""`socialcircuits export`: the record as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.output import Json, RunPath, print_json


def command(
    run: RunPath,
    tables: Annotated[Path, typer.Option(help="Folder for the tables (Parquet and CSV).")],
    json: Json = False,
) -> None:
    """Write the tables of a run: trials, steps, messages, calls and others, with the estimates."""
    from socialcircuits.report.tables import export
    from socialcircuits.studies import Run

    with Run(run) as finished:
        written = export(finished, tables)
    if json:
        print_json({"run": run, "files": [str(path) for path in written]})
    else:
        for path in written:
            print(path)
