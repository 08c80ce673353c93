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

    if _elsewhere(run, trial, json=json):
        return
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


def _elsewhere(run: str, trial: int, *, json: bool) -> bool:
    """Print what lineage alone says of an imported trial, of which nobody can be asked again."""
    from socialcircuits.importing import imported, structure
    from socialcircuits.records import RunFile
    from socialcircuits.studies.display import visible

    with RunFile(run) as file:
        found = imported(file)
        if found is None:
            return False
        rows = structure(file.trial(trial).graph)
    if json:
        print_json({"origin": run, "trial": trial, "structure": [row._asdict() for row in rows]})
        return True
    print(found.lines[0])
    print("Nobody can be patched. What lineage says alone: E at least, unreached at most, so much.")
    print(f"{'agent':24}{'D':>8}{'E':>8}{'unreached':>11}{'says':>6}{'paths':>7}")
    for row in rows:
        mean = "" if row.mean_arrival is None else f"{row.mean_arrival:.2f}"
        said = f"{row.closeness:8.2f}{row.unreached:11}{row.out_degree:6}{row.paths:7}"
        print(f"{visible(row.agent):24}{mean:>8}{said}")
    return True
