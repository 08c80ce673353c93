"""`socialcircuits import`: conversations that happened elsewhere become a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from socialcircuits.cli.access import Reached, reaching
from socialcircuits.cli.output import Json, print_json, program
from socialcircuits.errors import BudgetReached, UsageError

if TYPE_CHECKING:
    from socialcircuits.importing import Imported


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
    model: Annotated[
        str,
        typer.Option("--probe", help="Model that is asked in private in the place of each seat."),
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
    from socialcircuits.importing import FieldMap, Probing, convert, load_map, probe

    if at is not None and not model:
        raise UsageError("--at: nobody is probed; expected --probe MODEL with it")
    path = out or Path("runs") / f"import-{source.stem}{'-probe' if model else ''}.db"
    fields = load_map(map_) if map_ else FieldMap()
    if model:
        asked = Probing(model, at, reached)
        with _resumable():
            found = probe(source, path, asked, fields, skip_bad=skip_bad)
    else:
        found = convert(source, path, fields, skip_bad=skip_bad)
    if json:
        print_json({"run": str(path), **asdict(found)})
    else:
        _say(path, found)


@contextmanager
def _resumable() -> Iterator[None]:
    """Say of a budget that is reached how to go on."""
    try:
        yield
    except BudgetReached as error:
        hint = f"{error}; what was paid for is kept; the same command goes on"
        raise BudgetReached(hint) from None


def _say(path: Path, found: Imported) -> None:
    from socialcircuits.studies.display import typed, visible

    print(
        f"{found.conversations:,} conversations, {found.messages:,} messages, "
        f"{found.speakers:,} seats"
    )
    for line in found.lines:
        print(line)
    print(f"\nRun:    {visible(str(path))}")
    print(f"Report: {program()} report {typed(str(path))}")
    print(f"View:   {program()} view {typed(str(path))}")
