"""`socialcircuits resume`: go on with an interrupted run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from socialcircuits.cli.access import (
    BaseUrl,
    Gguf,
    InFlight,
    KeyEnv,
    MaxCalls,
    MaxCost,
    Prices,
    access,
)
from socialcircuits.cli.output import Json, RunPath
from socialcircuits.cli.run import start


def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    run: RunPath,
    sequential: Annotated[bool, typer.Option("--sequential", help="Ask one at a time.")] = False,
    base_url: BaseUrl = None,
    key_env: KeyEnv = None,
    gguf: Gguf = None,
    max_calls: MaxCalls = None,
    max_cost: MaxCost = None,
    in_flight: InFlight = 64,
    prices: Prices = None,
    json: Json = False,
) -> None:
    """Go on with a run; what it holds is not asked again."""
    from socialcircuits.studies import Execution, Run

    with Run(run) as begun:
        laid, origin = begun.plan, begun.file.notes["origin"]
    reached = access(base_url, key_env, gguf, (max_calls, max_cost, in_flight), prices)
    how = Execution(sequential, Path(origin) if origin else None, reached)
    start(laid, Path(run), how, json=json)
