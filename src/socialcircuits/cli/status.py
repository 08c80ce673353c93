"""`socialcircuits status`: how far a run is."""

from __future__ import annotations

from socialcircuits.cli.output import Json, RunPath, print_json


def command(run: RunPath, json: Json = False) -> None:
    """Show how far a run is, what was asked, and what failed."""
    from socialcircuits.report.assembling import status
    from socialcircuits.report.text import show
    from socialcircuits.studies import Run

    with Run(run) as begun:
        if json:
            print_json(begun.as_json())
        else:
            show(status(begun))
