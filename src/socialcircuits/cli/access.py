"""The options that say how real models are reached and how much may be spent."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from socialcircuits.errors import SettingError

if TYPE_CHECKING:
    from socialcircuits.agents import Access

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
InFlight = Annotated[int, typer.Option(help="Calls at once.")]

NANO = 1_000_000_000


def access(
    base_url: str | None,
    key_env: str | None,
    gguf: Path | None,
    limits: tuple[int | None, float | None, int],
    prices: Path | None,
) -> Access:
    """Return how models are reached; `limits` are calls, US dollars and calls at once.

    Raises:
        SettingError: a limit is not positive.
    """
    from socialcircuits.agents import Access

    calls, dollars, in_flight = limits
    for name, value in (("calls", calls), ("cost", dollars), ("in-flight", in_flight)):
        if value is not None and not 0 < value < math.inf:
            option = f"--{name}" if name == "in-flight" else f"--max-{name}"
            raise SettingError(option, value, "more than 0")
    cost = None if dollars is None else round(dollars * NANO)
    return Access(base_url, key_env, gguf, calls, cost, in_flight, prices)
