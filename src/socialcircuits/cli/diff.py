"""`socialcircuits diff`: what differs between two trials or runs, and how it came about."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.output import Json, print_json

Compared = Annotated[str, typer.Argument(metavar="RUN[:TRIAL]", help="A run file, or a trial.")]


def command(first: Compared, second: Compared, json: Json = False) -> None:
    """Show the difference of two trials, or of the matched trials of two runs."""
    from socialcircuits.analyses.deltas import matched
    from socialcircuits.analyses.differing import Side, differ
    from socialcircuits.report.differing import delta_lines, lines
    from socialcircuits.report.text import console
    from socialcircuits.studies import Run
    from socialcircuits.studies.looks import peeked

    with ExitStack() as opened:
        sides = []
        for name in (first, second):
            path, number = _parsed(name)
            sides.append(Side(opened.enter_context(Run(path)), number))
            if number is None:
                peeked(sides[-1].run.parts[0])
        found = differ(*sides)
        one, two = ({own.trial: own for own in side.run.summaries()} for side in sides)
        pairs = [pair.trials for pair in found.pairs]
        both = [(one[a], two[b]) for a, b in pairs if a in one and b in two]
        rows = matched(both, (first, second)) if len(both) > 1 and not found.same else []
    if json:
        deltas = [row.as_json() for row in rows]
        print_json({"first": first, "second": second, **found.as_json(), "deltas": deltas})
        return
    out = console()
    for line in lines(found):
        out.print(line, soft_wrap=True)
    for line in delta_lines(rows):
        out.print(line, soft_wrap=True)


def _parsed(name: str) -> tuple[str, int | None]:
    path, colon, number = name.rpartition(":")
    # A file may have a colon in its name.
    if path and colon and number.isdecimal() and not Path(name).exists():
        return path, int(number)
    return name, None
