"""`socialcircuits resume`: go on with an interrupted run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.output import Json, RunPath
from socialcircuits.cli.run import start


def command(
    run: RunPath,
    sequential: Annotated[bool, typer.Option("--sequential", help="Ask one at a time.")] = False,
    json: Json = False,
) -> None:
    """Go on with a run; what it holds is not asked again."""
    from socialcircuits.studies import Run

    with Run(run) as begun:
        laid, origin = begun.plan, begun.file.notes["origin"]
    start(laid, Path(run), Path(origin) if origin else None, sequential=sequential, json=json)
