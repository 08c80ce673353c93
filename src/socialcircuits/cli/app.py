"""The verbs put together, and what the process returns."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import TypeVar

import typer

from socialcircuits.cli import (
    attribute,
    check,
    demo,
    diff,
    digest,
    doctor,
    explain,
    export,
    import_,
    items,
    judge,
    models,
    parity,
    patch,
    plan,
    report,
    resume,
    run,
    status,
    theory,
    view,
    worlds,
)
from socialcircuits.errors import Interrupted, SocialCircuitsError

Verb = TypeVar("Verb", bound=Callable[..., None])

app = typer.Typer(
    name="socialcircuits",
    help="A laboratory for how beliefs form, spread and collapse in groups of AI agents.",
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _interruptible(verb: Verb) -> Verb:
    """Let Ctrl-C end a verb with its own exit code; typer would make it an ordinary failure."""

    @functools.wraps(verb)
    def inner(*args: object, **options: object) -> None:
        try:
            verb(*args, **options)
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None

    return inner  # type: ignore[return-value]


for module in (
    demo, plan, run, resume, status, report, explain, judge, parity, diff, patch, attribute, digest,
    export, import_, view, check, doctor,
):  # fmt: skip
    app.command(module.__name__.rpartition(".")[2].rstrip("_"))(_interruptible(module.command))
app.add_typer(worlds.app, name="worlds")
app.add_typer(models.app, name="models")
app.add_typer(theory.app, name="theory")
app.add_typer(items.app, name="items")


def main() -> None:
    """Run the command line and exit: 0 ok, 1 internal, 2 usage, 3 model, 4 some trials failed,
    5 budget reached, 6 a gate failed, 8 a gate is inconclusive, 130 interrupted. A user's mistake
    gives one line on standard error, never a traceback."""
    try:
        app()
    except SocialCircuitsError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader of our output went away; Python would complain again while closing it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
