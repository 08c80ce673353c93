"""`socialcircuits judge`: the trials of a run judged again, by another model or once more."""

from __future__ import annotations

from typing import Annotated

import typer

from socialcircuits.cli.access import Reached, reaching
from socialcircuits.cli.output import Json, RunPath, print_json
from socialcircuits.errors import BudgetReached


@reaching
def command(  # noqa: PLR0913 - one parameter an option of the verb
    run: RunPath,
    with_: Annotated[str, typer.Option("--with", help="Model that judges, or rules.")],
    rubric: Annotated[
        list[str] | None, typer.Option(help="Rubric; repeat for more. By default those of the run.")
    ] = None,
    pass_: Annotated[int, typer.Option("--pass", help="Number of the pass, from 0.")] = 0,
    everything: Annotated[
        bool, typer.Option("--all", help="Ask the model about what rules settle, too.")
    ] = False,
    json: Json = False,
    *,
    reached: Reached,
) -> None:
    """Judge a run again without running its trials again, and say where judges disagree."""
    from socialcircuits.report.judging import disagreements, judged
    from socialcircuits.report.text import show
    from socialcircuits.studies import Run, judge

    try:
        judge(run, with_, rubric or [], pass_, everything=everything, access=reached)
    except BudgetReached as error:
        hint = f"{error}; what was paid for is kept; the same command goes on"
        raise BudgetReached(hint) from None
    with Run(run) as finished:
        if json:
            print_json({"judging": finished.file.judging(), "agreement": disagreements(finished)})
        else:
            show(judged(finished))
