"""`socialcircuits import`: conversations that happened elsewhere become a run."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.output import Json, print_json, program


def command(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines: one message a line.")],
    map_: Annotated[
        Path | None,
        typer.Option("--map", help="TOML file that names your columns; by default they are ours."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Run file; by default one in runs/.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave out bad lines.")] = False,
    json: Json = False,
) -> None:
    """Make a run of conversations that happened elsewhere, to be viewed, judged and attributed.

    What is unknown, such as who could read a message, is counted and never assumed.
    """
    from socialcircuits.importing import FieldMap, convert, load_map
    from socialcircuits.studies.display import typed, visible

    path = out or Path("runs") / f"import-{source.stem}.db"
    fields = load_map(map_) if map_ else FieldMap()
    found = convert(source, path, fields, skip_bad=skip_bad)
    if json:
        print_json({"run": str(path), **asdict(found)})
        return
    print(
        f"{found.conversations:,} conversations, {found.messages:,} messages, "
        f"{found.speakers:,} seats"
    )
    for line in found.lines:
        print(line)
    print(f"\nRun:    {visible(str(path))}")
    print(f"Report: {program()} report {typed(str(path))}")
    print(f"View:   {program()} view {typed(str(path))}")
