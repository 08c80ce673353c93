"""`socialcircuits import`: conversations that happened elsewhere become a run."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.access import Reached, reaching
from socialcircuits.cli.output import Json, print_json, program
from socialcircuits.errors import BudgetReached, UsageError


@reaching
def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    source: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="JSON Lines, one message a line; or an .eval log."),
    ],
    map_: Annotated[
        Path | None,
        typer.Option("--map", help="TOML file that names your columns; by default they are ours."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Run file; by default one in runs/.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave out bad lines.")] = False,
    probe: Annotated[
        str, typer.Option(help="Model that is asked in private in the place of each seat.")
    ] = "",
    at: Annotated[
        int | None, typer.Option(help="With --probe: the last round that is read, not all.")
    ] = None,
    json: Json = False,
    *,
    reached: Reached,
) -> None:
    """Make a run of conversations that happened elsewhere, to be viewed, probed and judged.

    What is unknown, such as who could read a message, is counted and never assumed.
    """
    from socialcircuits import importing
    from socialcircuits.studies.display import typed, visible

    if at is not None and not probe:
        raise UsageError("--at: nobody is probed; expected --probe MODEL with it")
    path = out or Path("runs") / f"import-{source.stem}{'-probe' if probe else ''}.db"
    fields = importing.load_map(map_) if map_ else importing.FieldMap()
    if probe:
        wanted = importing.Probing(probe, at, reached)
        try:
            found = importing.probe(source, path, wanted, fields, skip_bad=skip_bad)
        except BudgetReached as error:
            hint = f"{error}; what was paid for is kept; the same command goes on"
            raise BudgetReached(hint) from None
    else:
        found = importing.convert(source, path, fields, skip_bad=skip_bad)
    if json:
        print_json({"run": str(path), **asdict(found)})
        return
    conversations, messages = (
        f"{found.conversations:,} conversations",
        f"{found.messages:,} messages",
    )
    print(f"{conversations}, {messages}, {found.speakers:,} seats")
    for line in found.lines:
        print(line)
    print(f"\nRun:    {visible(str(path))}")
    print(f"Report: {program()} report {typed(str(path))}")
    print(f"View:   {program()} view {typed(str(path))}")
