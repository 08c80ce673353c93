"""`socialcircuits theory`: the statistical mechanics of bounded agents, one file a verb."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from socialcircuits.errors import SettingError

__all__ = ["app"]

VERBS = ("outcome", "accuracy", "cohort", "phase", "trajectory", "simulate", "fit")

ALSO = {"agents": "--n", "sizes": "--n", "each_side": "--links", "shares[0]": "--slice"}
"""What functions of the theory call what an option sets."""


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
        return _named(get_command(alone))


def _named(verb: Any) -> Any:
    """Let errors about a parameter name the option that set it."""
    options = {one.name: one.opts[0] for one in verb.params if one.opts[0].startswith("--")}
    names = {**ALSO, **options}
    call = verb.callback

    def named(**given: Any) -> Any:
        try:
            return call(**given)
        except SettingError as error:
            where = names.get(error.where, error.where)
            near = [error.nearest] if error.nearest else []
            raise SettingError(where, error.given, error.expected, among=near) from None

    verb.callback = named
    return verb


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
