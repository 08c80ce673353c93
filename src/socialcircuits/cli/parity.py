"""`socialcircuits parity`: were agents told the same?"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

import typer

from socialcircuits.cli.output import Json, RunPath, print_json


def command(
    run: RunPath,
    other: Annotated[
        str | None,
        typer.Argument(metavar="[RUN_B]", help="A run to compare with; else its conditions."),
    ] = None,
    json: Json = False,
) -> None:
    """Show where two runs, or the conditions of one, tell their agents different things."""
    from socialcircuits.analyses.parity import parity
    from socialcircuits.report.parity import lines
    from socialcircuits.report.text import console
    from socialcircuits.studies import Run

    with ExitStack() as opened:
        first = opened.enter_context(Run(run))
        second = opened.enter_context(Run(other)) if other else None
        found = parity(first, second)
    if json:
        print_json({"runs": [run, *([other] if other else [])], **found.as_json()})
        return
    out = console()
    for line in lines(found):
        out.print(line, soft_wrap=True)
