"""The options that say how real models are reached and how much may be spent."""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from socialcircuits.errors import SettingError

if TYPE_CHECKING:
    from socialcircuits.agents import Access
    from socialcircuits.agents.deployment import SystemPrompt

    Reached = Access
else:
    # The verbs' annotations are read at run time, when the agents must not be loaded yet.
    Reached = object

BaseUrl = Annotated[
    str | None,
    typer.Option(help="Address of an OpenAI-compatible server, for openai-compatible/NAME."),
]
KeyEnv = Annotated[
    str | None, typer.Option(help="Environment variable that holds the key for --base-url.")
]
Gguf = Annotated[Path | None, typer.Option(help="Weights file for local/NAME.")]
MaxCalls = Annotated[int | None, typer.Option(help="Stop before more calls than this.")]
MaxCost = Annotated[float | None, typer.Option(help="Stop before more US dollars than this.")]
Prices = Annotated[Path | None, typer.Option(help="A file of prices in place of our own.")]
System = Annotated[
    list[str] | None,
    typer.Option(help="FILE with a system prompt for model A, or NAME=FILE; repeat for more."),
]
Batch = Annotated[
    bool,
    typer.Option("--batch", help="Ask judges in batches of the provider: cheaper, within a day."),
]
InFlight = Annotated[int, typer.Option(help="Calls at once.")]

NANO = 1_000_000_000


def reaching(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the options by which models are reached.

    Args:
        verb: takes, besides its own options, the keyword `reached`: how models are reached.
    """
    own, common = (
        [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for parameter in inspect.signature(function, eval_str=True).parameters.values()
            if parameter.name != "reached"
        ]
        for function in (verb, _access)
    )
    names = [parameter.name for parameter in common]

    @functools.wraps(verb)
    def inner(**options: object) -> None:
        reached = _access(**{name: options.pop(name) for name in names})  # type: ignore[arg-type]
        verb(**options, reached=reached)

    inner.__signature__ = inspect.Signature(own + common)  # type: ignore[attr-defined]
    inner.__annotations__ = {parameter.name: parameter.annotation for parameter in own + common}
    return inner


def _access(  # noqa: PLR0913, PLR0917 - one parameter an option
    base_url: BaseUrl = None,
    key_env: KeyEnv = None,
    gguf: Gguf = None,
    max_calls: MaxCalls = None,
    max_cost: MaxCost = None,
    in_flight: InFlight = 64,
    prices: Prices = None,
    system: System = None,
    batch: Batch = False,
) -> Reached:
    from socialcircuits.agents import Access

    limits = {"--max-calls": max_calls, "--max-cost": max_cost, "--in-flight": in_flight}
    for option, value in limits.items():
        if value is not None and not 0 < value < math.inf:
            raise SettingError(option, value, "more than 0")
    cost = None if max_cost is None else round(max_cost * NANO)
    systems = systems_of(system or [])
    given = (base_url, key_env, gguf, max_calls, cost, in_flight, prices, systems)
    return Access(*given, batch=batch, tell=_say)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def systems_of(given: list[str]) -> dict[str, SystemPrompt]:
    """Return name in casts -> system prompt from the options `--system`.

    Raises:
        SettingError: a name stands twice, or a file cannot be used.
    """
    from socialcircuits.agents.deployment import read_system

    systems: dict[str, SystemPrompt] = {}
    for text in given:
        name, equals, file = text.partition("=")
        if not equals or "/" in name:
            name, file = "A", text
        if name in systems:
            raise SettingError("--system", text, "FILE or NAME=FILE, each name once")
        systems[name] = read_system(Path(file))
    return systems
