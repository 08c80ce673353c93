"""`socialcircuits plan`: what a study can detect, and what it takes, before anything is paid."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from socialcircuits.cli.access import Reached, reaching
from socialcircuits.cli.output import Json, print_json, progress
from socialcircuits.cli.run import models_of

if TYPE_CHECKING:
    from socialcircuits.agents import Access
    from socialcircuits.analyses.comparisons import Wanted
    from socialcircuits.analyses.sizing import Sizing
    from socialcircuits.studies import Plan


@reaching
def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    study: Annotated[str, typer.Argument(help="A preset (flag-game/population) or a TOML file.")],
    effect: Annotated[
        float, typer.Option(help="Difference to find; slope for each 0.1; half width of a rate.")
    ],
    power: Annotated[float, typer.Option(help="Chance to find it.")] = 0.8,
    pilot: Annotated[
        Path | None, typer.Option(help="Run of this study; without it one is simulated.")
    ] = None,
    measure: Annotated[
        str, typer.Option(help="Name of a measure; the study's first one if not given.")
    ] = "",
    against: Annotated[
        str, typer.Option(help="Swept setting to compare over; as the study has it if not given.")
    ] = "",
    model: Annotated[
        list[str] | None, typer.Option(help="Model of A, or NAME=MODEL; repeat for more.")
    ] = None,
    seeds: Annotated[int | None, typer.Option(help="Replicates a condition.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="SETTING=VALUE, for example N=16; repeat.")
    ] = None,
    json: Json = False,
    *,
    reached: Reached,
) -> None:
    """Say how many seeds an effect needs and what they take; nothing is asked or kept."""
    from socialcircuits.analyses.comparisons import Wanted
    from socialcircuits.report.sizing import show
    from socialcircuits.studies import plan, prepare

    wanted = Wanted(effect, power, measure, against)
    resolved, _ = prepare(study, models_of(model or []), sets=set_ or [], seeds=seeds)
    resolved = resolved.model_copy(update={"models": reached.deployed(resolved.models)})
    found = _sized(plan(resolved), wanted, pilot, reached)
    if json:
        print_json(found.as_json())
    else:
        show(found)


def _sized(laid: Plan, wanted: Wanted, pilot: Path | None, reached: Access) -> Sizing:
    from socialcircuits.analyses.piloting import piloted
    from socialcircuits.analyses.sizing import size
    from socialcircuits.studies import Execution

    with ExitStack() as stack:
        tell = Execution().progress
        if pilot is None:
            # Only a pilot that is simulated takes time.
            tell = stack.enter_context(progress(f"{laid.study.name}, simulated pilot"))
        first = stack.enter_context(piloted(laid, pilot, tell))
        return size(laid, wanted, first, reached)
