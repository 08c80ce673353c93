"""`socialcircuits theory`: the statistical mechanics of bounded agents, one file a verb."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

__all__ = ["app"]

VERBS = ("outcome", "accuracy", "cohort", "phase", "trajectory", "simulate", "fit")


class _Verbs(TyperGroup):
    """The verbs, each read when it is asked for: `socialcircuits --help` pays for none."""

    def list_commands(self, ctx: object) -> list[str]:
        """Return their names in the order of the help text."""
        return list(VERBS)

    def get_command(self, ctx: object, cmd_name: str) -> Any:
        """Return one verb, None if there is no such verb."""
        if cmd_name not in VERBS:
            return None
        alone = typer.Typer(rich_markup_mode=None, add_completion=False)
        alone.command(cmd_name)(import_module(f"{__name__}.{cmd_name}").command)
        return get_command(alone)


app = typer.Typer(
    cls=_Verbs,
    help="Ask the theory: no agents are run, but by simulate.",
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
)


@app.callback()
def _theory() -> None:
    """Ask the theory: no agents are run, but by simulate."""
