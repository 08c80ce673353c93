"""`socialcircuits run`: run a study."""

from __future__ import annotations

import shlex
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from socialcircuits.cli.access import Reached, reaching
from socialcircuits.cli.output import Json, print_json, program, progress
from socialcircuits.errors import BudgetReached, Interrupted, SettingError, TrialsFailed

if TYPE_CHECKING:
    from socialcircuits.agents import Access
    from socialcircuits.studies import Execution, Plan
    from socialcircuits.studies.costs import Range


@reaching
def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    study: Annotated[str, typer.Argument(help="A preset (flag-game/population) or a TOML file.")],
    model: Annotated[
        list[str] | None,
        typer.Option(help="Model of A, or NAME=MODEL; repeat for more. replay/RUN asks nobody."),
    ] = None,
    seeds: Annotated[int | None, typer.Option(help="Replicates a condition.")] = None,
    seed: Annotated[int | None, typer.Option(help="Study seed (1 by default).")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="SETTING=VALUE, for example N=16; repeat.")
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="Model that judges free text; rules (default) asks none.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Run file; the same study is resumed.")] = None,
    sequential: Annotated[bool, typer.Option("--sequential", help="Ask one at a time.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count the steps and stop; nothing is asked.")
    ] = False,
    json: Json = False,
    *,
    reached: Reached,
) -> None:
    """Run a study: a preset by name, or a TOML file."""
    from socialcircuits.studies import Execution, default_path, plan, prepare

    resolved, origin = prepare(
        study, models_of(model or []), sets=set_ or [], seeds=seeds, seed=seed, judge=judge
    )
    resolved = resolved.model_copy(update={"models": reached.deployed(resolved.models)})
    laid = plan(resolved)
    if dry_run:
        _show_count(laid, reached, json=json)
        return
    how = Execution(sequential, origin, reached)
    start(laid, out or default_path(resolved, origin), how, json=json)


def start(laid: Plan, path: Path, how: Execution, *, json: bool = False) -> None:
    """Run a plan into a run file and print its results.

    Raises:
        TrialsFailed: some trials failed; the others are kept and shown.
        Interrupted: the user stopped it; says how to go on.
        BudgetReached: a limit is reached; says how to go on.
    """
    from socialcircuits.report.assembling import page
    from socialcircuits.report.text import show
    from socialcircuits.studies import Run, execute

    try:
        with progress(laid.study.name) as tell:
            execute(laid, path, replace(how, progress=tell))
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; go on with: {_resume(path, how)}") from None
    except BudgetReached as error:
        hint = f"{error}; what was paid for is kept; go on with: {_resume(path, how)}"
        raise BudgetReached(hint) from None
    with Run(path) as finished:
        if json:
            print_json(finished.as_json())
        else:
            show(page(finished))
            print(f"\nNext: {program()} report {shlex.quote(str(path))}")
        failed = finished.trials()["failed"]
        if failed:
            plan, why = finished.file.failures()[0]
            raise TrialsFailed(f"{failed} trials failed; first, trial {plan.number}: {why}")


def _resume(path: Path, how: Execution) -> str:
    return f"socialcircuits resume {shlex.quote(str(path))}{how.access.again()}"


def models_of(given: list[str]) -> dict[str, str]:
    """Return name in casts -> model from the options `--model`."""
    models: dict[str, str] = {}
    for text in given:
        name, equals, model = text.partition("=")
        if not equals or "/" in name:
            name, model = "A", text
        if name in models or not model:
            raise SettingError("--model", text, "MODEL or NAME=MODEL, each name once")
        models[name] = model
    return models


def _show_count(laid: Plan, reached: Access, *, json: bool) -> None:
    from socialcircuits.report.sections.counts import lacking
    from socialcircuits.studies import costs, count, targets_left_out
    from socialcircuits.studies.patching import foresee

    counted, spend, foreseen = count(laid), costs(laid, reached), foresee(laid)
    value: dict[str, Any] = {
        "study": laid.study.model_dump(mode="json"),
        "conditions": len(laid.cells),
        "dropped": [dict(condition) for condition in laid.dropped],
        "left_out": targets_left_out(laid),
        "interventions": [asdict(one) for one in foreseen],
        **counted.as_json(),
        "tokens": {"prompt": list(spend.prompt), "completion": list(spend.completion)},
        "cost_usd": spend.cost_usd if spend.cost_usd and spend.cost_usd[1] else 0,
    }
    if spend.cost_usd is None:
        value["cost_usd"] = None
    if json:
        print_json(value)
        return
    for name, setting in value["study"].items():
        print(f"{name} = {setting}")
    print(f"\n{counted.trials} trials in {len(laid.cells)} conditions")
    # Where rivals of two sizes of group turn out the same, their probes are asked once; and which
    # items are kept is not known.
    shared = any(cell.trial.protocol == "two-way" for cell in laid.cells)
    most = "at most " if shared or laid.strata else ""
    print(f"{most}{counted.steps:,} steps before early stop", end="")
    print(f", and {counted.example_steps:,} of examples")
    if laid.strata:
        print(f"before them {counted.stratum_steps:,} steps that decide which items are kept")
    _show_spend(spend)
    if laid.dropped:
        print(f"{len(laid.dropped)} conditions dropped: they need a model that was not named")
    for line in lacking(value["left_out"]):
        print(line)
    for one in foreseen:
        print(f"{one.intervention}: at most {one.reached:,} of {one.steps:,} steps are asked anew")


def _show_spend(spend: Range) -> None:
    if not spend.prompt[1]:
        return
    print(f"{spend.prompt[0]:,} to {spend.prompt[1]:,} prompt tokens, ", end="")
    low, high = spend.completion
    print(f"{low:,} to {high:,} of replies, before retries and early stop")
    cost = spend.cost_usd
    print("price unknown" if cost is None else f"{cost[0]:.2f} to {cost[1]:.2f} USD")
