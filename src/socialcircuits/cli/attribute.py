"""`socialcircuits attribute`: which agent of a trial matters, predicted and measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.access import Reached, reaching
from socialcircuits.cli.output import Json, RunPath, print_json, progress
from socialcircuits.errors import BudgetReached


@reaching
def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    run: RunPath,
    trial: Annotated[int, typer.Option(help="Number of the trial, one without intervention.")],
    view: Annotated[
        str, typer.Option(help="Informative evidence: X,Y or COUNTRY X,Y; else chosen by a rule.")
    ] = "",
    direct: Annotated[
        bool, typer.Option("--direct", help="Split effects into direct and relayed parts.")
    ] = False,
    shapley: Annotated[
        int, typer.Option(help="Orders of agents for Shapley values, even, from 4; 0: none.")
    ] = 0,
    every_seed: Annotated[
        bool, typer.Option("--every-seed", help="All replicates of its condition, pooled.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Run file for what must be asked.")] = None,
    json: Json = False,
    *,
    reached: Reached,
) -> None:
    """Predict which agent matters, and measure it by patching each agent alone."""
    from socialcircuits.analyses.attributing import Question, attribute
    from socialcircuits.analyses.ranking import rank
    from socialcircuits.report.attribution import show
    from socialcircuits.studies import Execution

    question = Question(trial, view, direct, shapley, every_seed)
    try:
        with progress("attribution") as tell:
            found = attribute(run, question, out, Execution(access=reached, progress=tell))
    except BudgetReached as error:
        hint = f"{error}; what was paid for is kept; the same command goes on"
        raise BudgetReached(hint) from None
    ranked = rank(found.found) if every_seed else None
    if json:
        pooled = {"ranked": ranked.as_json()} if ranked else {}
        print_json({"origin": run, **found.as_json(), **pooled})
    else:
        show(found, ranked)
