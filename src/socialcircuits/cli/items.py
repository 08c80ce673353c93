"""`socialcircuits items`: claim items from the official files of question sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from socialcircuits.cli.output import Json, print_json
from socialcircuits.errors import UsageError

if TYPE_CHECKING:
    from socialcircuits.worlds.claims import Built

app = typer.Typer(
    help="Make claim items.", rich_markup_mode=None, no_args_is_help=True, add_completion=False
)
_building = typer.Typer(
    help="Build items from your copy of a data set.",
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
)
app.add_typer(_building, name="build")

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files, read as one.")]
Out = Annotated[Path, typer.Option("--out", "-o", help="File of the items (JSON Lines).")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of what is drawn.")]
Size = Annotated[
    int | None, typer.Option(min=1, help="At most so many items, from each relation in turn.")
]


@app.callback()
def _items() -> None:
    """Make claim items."""


@_building.command("counterfact")
def counterfact(
    files: Files, out: Out, seed: Seed = 0, size: Size = None, json: Json = False
) -> None:
    """Build items from CounterFact (JSON in the shape of ROME or of EasyEdit)."""
    _build("counterfact", files, out, (seed, size), json=json)


@_building.command("popqa")
def popqa(files: Files, out: Out, seed: Seed = 0, size: Size = None, json: Json = False) -> None:
    """Build items from PopQA (the official TSV, the hub's JSON, or FlashRAG's JSON Lines)."""
    _build("popqa", files, out, (seed, size), json=json)


@_building.command("simpleqa")
def simpleqa(files: Files, out: Out, seed: Seed = 0, size: Size = None, json: Json = False) -> None:
    """Build items from SimpleQA (the official CSV, or a copy with other column names)."""
    _build("simpleqa", files, out, (seed, size), json=json)


def _build(
    dataset: str, files: list[Path], out: Path, drawn: tuple[int, int | None], *, json: bool
) -> None:
    from socialcircuits.worlds.claims import build, save

    if out.suffix != ".jsonl":
        raise UsageError(f"--out: {out} does not end in .jsonl")
    if out.resolve() in {file.resolve() for file in files}:
        raise UsageError(f"--out: {out} is one of the files that are read; choose another file")
    seed, size = drawn
    built = build(dataset, files, seed=seed, size=size)
    if not json:
        _show(built)
    if not built.claims:
        raise UsageError(f"no item is left of {', '.join(file.name for file in files)}")
    save(built, out)
    if json:
        print_json(
            {
                "dataset": dataset,
                "files": [entry._asdict() for entry in built.inputs],
                "steps": [step._asdict() | {"left": step.left} for step in built.steps],
                "items": len(built.claims),
                "relations": len({claim.relation for claim in built.claims}),
                "out": str(out),
            }
        )
    else:
        print(f"written to {out}; {built.source.licence}")


def _show(built: Built) -> None:
    for entry in built.inputs:
        print(f"{entry.name}: {entry.rows:,} rows")
    print(f"\n{'step':12}{'before':>8}{'dropped':>9}{'left':>8}  why")
    for step in built.steps:
        print(f"{step.name:12}{step.before:8,}{step.dropped:9,}{step.left:8,}  {step.why}")
    relations = len({claim.relation for claim in built.claims})
    print(f"\n{len(built.claims):,} items over {relations:,} relations")
