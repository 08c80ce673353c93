"""What verbs of the theory share: options, the words for them, plain tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from socialcircuits.errors import RunFileError, SettingError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

ROUNDING = 1e-12
"""Numbers that differ by less are equal."""

Number = TypeVar("Number", int, float)

SYMBOLS = {
    "n": "N",
    "share": "rival share",
    "truth": "a_T",
    "rival": "a_R",
    "total": "a_T + a_R",
    "bias": "h_0",
}
"""The theory's symbols for what options set."""

Size = Annotated[int, typer.Option("--n", help="Number of agents N.")]
Sizes = Annotated[str, typer.Option("--n", metavar="N,...", help="Numbers of agents N.")]
Truth = Annotated[
    float, typer.Option(help="a_T: probability that an agent's evidence decides for the truth.")
]
Rival = Annotated[float, typer.Option(help="a_R: the same for the rival; a_T + a_R <= 1.")]
Total = Annotated[float, typer.Option(help="a_T + a_R: probability that evidence decides at all.")]
Bias = Annotated[
    float, typer.Option(help="h_0: above 0, a heard truth is taken over more readily.")
]
Rounds = Annotated[
    int | None,
    typer.Option(help="After so many rounds of N interactions; without it as t goes to infinity."),
]
Last = Annotated[int, typer.Option(help="Rounds of N interactions.")]
Classes = Annotated[
    int, typer.Option(help="4, or 3 to leave fragmentation out of what is the most probable.")
]
Distinct = Annotated[
    bool,
    typer.Option(
        "--distinct",
        help="With rounds: speaker and listener are always two agents, as in the game's protocol.",
    ),
]


def numbers(where: str, given: str, kind: Callable[[str], Number]) -> list[Number]:
    """Read numbers that are parted by commas, each once, in ascending order.

    Raises:
        SettingError: a part is no number.

    >>> numbers("n", "8,2,128", int)
    [2, 8, 128]
    """
    try:
        return sorted({kind(part) for part in given.split(",")})
    except ValueError:
        raise SettingError(where, given, "numbers parted by commas, such as 2,8,32") from None


def compared(classes: int) -> str:
    """Say among which classes the most probable one is named.

    Raises:
        SettingError: there are neither three nor four.

    >>> compared(4)
    'four classes'
    """
    words = {3: "three classes, fragmentation left out", 4: "four classes"}
    if classes not in words:
        raise SettingError("classes", classes, "3 or 4")
    return words[classes]


def refuse(context: typer.Context, names: Iterable[str], why: str) -> None:
    """Refuse options that were given and mean nothing.

    Args:
        context: the call.
        names: parameters of the verb.
        why: what is expected in their place.

    Raises:
        SettingError: one was given.
    """
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise SettingError(name, context.params[name], why)


def apart(rounds: int | None, distinct: bool) -> bool:
    """Return whether a speaker may be its own listener.

    Raises:
        SettingError: it may not, and t goes to infinity, where that means nothing.

    >>> apart(10, True)
    False
    """
    if distinct and rounds is None:
        raise SettingError("distinct", distinct, "--rounds too: ends at infinity are the same")
    return not distinct


def same(values: Sequence[float]) -> bool:
    """Return whether there are several values and all are equal but for rounding.

    >>> same([0.5, 0.5 + 1e-15]), same([0.5])
    (True, False)
    """
    return len(values) > 1 and max(values) - min(values) <= ROUNDING


def settings(given: Mapping[str, Any]) -> str:
    """Write what was asked in words: the symbols that are there, how long, who meets whom.

    >>> settings({"n": 8, "total": 0.45, "bias": 0.3, "rounds": None, "distinct": False})
    'N = 8, a_T + a_R = 0.45, h_0 = 0.3, t to infinity'
    """
    parts = [
        f"{symbol} = {_plain(given[name])}" for name, symbol in SYMBOLS.items() if name in given
    ]
    rounds = given["rounds"]
    parts.append("t to infinity" if rounds is None else f"after {counted(rounds, 'round')}")
    if given["distinct"] and rounds is not None:
        parts.append("speaker and listener distinct")
    return ", ".join(parts)


def counted(many: int, what: str) -> str:
    """Write a number of things.

    >>> counted(1, "round"), counted(2000, "group")
    ('1 round', '2,000 groups')
    """
    return f"{many:,} {what}" if many == 1 else f"{many:,} {what}s"


def _plain(value: float) -> str:
    whole = float(value).is_integer() and abs(value) < 1e15
    return f"{int(value):,}" if whole else repr(float(value))


def show(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table: floats with four digits, what is missing as a dash."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from socialcircuits.report.text import console

    lines, table = list(rows), Table(box=SIMPLE_HEAD)
    for place, head in enumerate(heads):
        words = any(isinstance(line[place], str) for line in lines)
        table.add_column(head, justify="left" if words else "right")
    for line in lines:
        table.add_row(*(_cell(value) for value in line))
    console().print(table)


def say(text: str) -> None:
    """Print a line that is not broken, however long."""
    from socialcircuits.report.text import console

    console().print(text, soft_wrap=True)


def write(stem: Path | None, draw: Callable[[], Figure], table: pd.DataFrame) -> list[str]:
    """Draw a figure, write it and its table and return the paths; nothing where no stem is given.

    Raises:
        SettingError: the stem has no name.
        RunFileError: they cannot be written.
    """
    from socialcircuits.figures import save

    if stem is None:
        return []
    if stem.name in {"", ".."}:
        raise SettingError("figure", str(stem), "a path that ends in a name, such as figures/map")
    figure = draw()
    try:
        stem.parent.mkdir(parents=True, exist_ok=True)
        return [str(path) for path in save(figure, table, stem)]
    except OSError as error:
        raise RunFileError(f"{stem}: cannot be written: {error.strerror}") from None


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    # Adding zero turns a rounded -0.0000 into 0.0000.
    return f"{round(value, 4) + 0.0:.4f}" if isinstance(value, float) else str(value)
