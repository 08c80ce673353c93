"""`socialcircuits patch`: one thing changed in a trial, and only what changes asked anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from socialcircuits.cli.access import Reached, reaching
from socialcircuits.cli.output import Json, RunPath, print_json
from socialcircuits.errors import SettingError, UsageError

if TYPE_CHECKING:
    from socialcircuits.studies import Plan


@reaching
def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    run: RunPath,
    trial: Annotated[int, typer.Option(help="Number of the trial that is changed.")],
    agent: Annotated[
        list[str] | None, typer.Option(help="Agent that sees something else; repeat for more.")
    ] = None,
    evidence: Annotated[
        str | None, typer.Option(help="What it sees: X,Y or COUNTRY X,Y, in cells.")
    ] = None,
    with_: Annotated[
        Path | None, typer.Option("--with", help="TOML file of changes, as [[change]] tables.")
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="NAME=MODEL that a change seats; repeat for more.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Run file of the result.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what can change and stop; nothing is asked.")
    ] = False,
    json: Json = False,
    *,
    reached: Reached,
) -> None:
    """Change one thing in a trial of a run; what it does not change is taken from the record."""
    from socialcircuits.cli.run import models_of, start
    from socialcircuits.studies import Execution, Run, default_path, plan
    from socialcircuits.studies.patching import PATCHED, find, patched

    changes = _changes(agent or [], evidence, with_)
    with Run(run) as origin:
        declared = models_of(model or [])
        laid = plan(patched(origin, find(origin, trial), {PATCHED: changes}, declared))
    path = out or default_path(laid.study)
    if path.resolve() == Path(run).resolve():
        raise UsageError(f"--out: {path} is the run that is patched; choose another file")
    if dry_run or not json:
        _foresee(laid, json=json)
    if not dry_run:
        start(laid, path, Execution(access=reached, start=Path(run)), json=json)
        if not json:
            print(f"See what changed: socialcircuits diff {_sides(laid, path)}")


def _sides(laid: Plan, path: Path) -> str:
    return " ".join(f"{path}:{one.plan.number}" for one in laid.trials)


def _foresee(laid: Plan, *, json: bool) -> None:
    from socialcircuits.studies.patching import foresee

    (bound,) = foresee(laid)
    if json:
        print_json({"reached": bound.reached, "steps": bound.steps})
    else:
        print(f"{bound.reached:,} of {bound.steps:,} steps can change at most", end=", ")
        print("if every reply is valid")


def _changes(agents: list[str], evidence: str | None, file: Path | None) -> list[dict[str, Any]]:
    if bool(agents) != (evidence is not None):
        raise UsageError("--agent and --evidence: give both, or --with FILE.toml")
    changes: list[dict[str, Any]] = []
    if evidence is not None:
        changes.append({"kind": "evidence", "agents": agents, "view": evidence})
    if file is not None:
        changes += _read(file)
    if not changes:
        raise UsageError("nothing to change: give --agent and --evidence, or --with FILE.toml")
    return changes


def _read(file: Path) -> list[dict[str, Any]]:
    import tomllib

    try:
        values = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: not a TOML file: {error}") from None
    changes = values.pop("change", [])
    if values:
        raise SettingError(str(file), next(iter(values)), "[[change]] tables alone")
    if not isinstance(changes, list) or not all(isinstance(one, dict) for one in changes):
        raise SettingError(f"{file}: change", changes, "[[change]] tables")
    return changes
