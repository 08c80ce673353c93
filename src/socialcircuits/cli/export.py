"""`socialcircuits export`: runs as one page, or the record as tables."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.output import Json, print_json
from socialcircuits.errors import UsageError


def command(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Run files; of tables, one.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="File for the page (HTML), which works offline."),
    ] = None,
    tables: Annotated[
        Path | None, typer.Option(help="Folder for the tables (Parquet and CSV).")
    ] = None,
    json: Json = False,
) -> None:
    """Write runs as one page to be opened or mailed, or the tables of a run: trials, steps,
    messages, calls and others, with the estimates.

    Of questions that may not be published, no question, answer, reply or quote is written; ids,
    labels and numbers are.
    """
    if not out and not tables:
        raise UsageError("nothing to write: expected --out PAGE.html, --tables FOLDER, or both")
    if tables and len(runs) > 1:
        raise UsageError(f"--tables: {len(runs)} runs given; expected one")
    from socialcircuits import viewer
    from socialcircuits.records.tables import withheld
    from socialcircuits.report.tables import export
    from socialcircuits.studies import Run

    with ExitStack() as opened:
        found = [opened.enter_context(Run(path)) for path in runs]
        written = export(found[0], tables) if tables else []
        written += [viewer.export(found, out)] if out else []
        private = sum(withheld(run.file) for run in found)
    if json:
        files = [str(path) for path in written]
        print_json({"runs": runs, "files": files, "withheld": private})
        return
    for path in written:
        print(path)
    if private:
        print(f"Texts withheld in {private:,} trials: their questions are not marked shareable.")
