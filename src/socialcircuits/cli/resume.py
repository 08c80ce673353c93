"""`socialcircuits resume`: go on with an interrupted run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.access import Reached, reaching
from socialcircuits.cli.output import Json, RunPath
from socialcircuits.cli.run import start


@reaching
def command(
    run: RunPath,
    sequential: Annotated[bool, typer.Option("--sequential", help="Ask one at a time.")] = False,
    json: Json = False,
    *,
    reached: Reached,
) -> None:
    """Go on with a run; what it holds is not asked again."""
    from socialcircuits.studies import Execution, Run

    with Run(run) as begun:
        laid, notes = begun.plan, begun.file.notes
    past = Path(notes["origin"]) if notes["origin"] else None
    replayed, changed = (past, None) if notes["replay"] else (None, past)
    how = Execution(sequential, replayed, reached, start=changed)
    start(laid, Path(run), how, json=json)
