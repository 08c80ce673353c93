"""`socialcircuits export`: runs as one page, or the record as tables or lines."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.output import Json, print_json
from socialcircuits.errors import UsageError

EXPECTED = "--out PAGE.html, --tables FOLDER, or both; or --jsonl FILE"


def command(
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Run files; of tables or lines, one.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="File for the page (HTML), which works offline."),
    ] = None,
    tables: Annotated[
        Path | None, typer.Option(help="Folder for the tables (Parquet and CSV).")
    ] = None,
    jsonl: Annotated[
        Path | None, typer.Option(help="File for what was said in public, one message a line.")
    ] = None,
    json: Json = False,
) -> None:
    """Write runs as one page to be opened or mailed, the tables of a run (trials, steps, messages,
    calls and others, with the estimates), or what was said in it, as `import` reads it.

    Of questions that may not be published, no question, answer, reply or quote is written; ids,
    labels and numbers are.
    """
    if not (out or tables or jsonl):
        raise UsageError(f"nothing to write: expected {EXPECTED}")
    if (tables or jsonl) and len(runs) > 1:
        option = "--tables" if tables else "--jsonl"
        raise UsageError(f"{option}: {len(runs)} runs given; expected one")
    from socialcircuits import importing, viewer
    from socialcircuits.records.tables import withheld
    from socialcircuits.report.tables import export
    from socialcircuits.studies import Run

    with ExitStack() as opened:
        found = [opened.enter_context(Run(path)) for path in runs]
        written = export(found[0], tables) if tables else []
        written += [viewer.export(found, out)] if out else []
        written += [importing.write(found[0].file, jsonl).path] if jsonl else []
        private = sum(withheld(run.file) for run in found)
    if json:
        files = [str(path) for path in written]
        print_json({"runs": runs, "files": files, "withheld": private})
        return
    for path in written:
        print(path)
    if private:
        print(f"Texts withheld in {private:,} trials: their questions are not marked shareable.")
