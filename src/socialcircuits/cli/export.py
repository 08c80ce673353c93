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
    """Write the tables of a run: trials, steps, messages, calls and others, with the estimates.

    Of questions that may not be published, no question, answer, reply or quote is written; ids,
    labels and numbers are.
    """
    from socialcircuits.records.tables import withheld
    from socialcircuits.report.tables import export
    from socialcircuits.studies import Run

    with Run(run) as finished:
        written = export(finished, tables)
        private = withheld(finished.file)
    if json:
        print_json({"run": run, "files": [str(path) for path in written], "withheld": private})
        return
    for path in written:
        print(path)
    if private:
        print(f"Texts withheld in {private:,} trials: their questions are not marked shareable.")
