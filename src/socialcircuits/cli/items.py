"""`socialcircuits items`: claim items from the official files of question sets, and what recorded
guests say of claims."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from socialcircuits.cli.access import Reached, reaching
from socialcircuits.cli.output import Json, print_json, progress
from socialcircuits.errors import BudgetReached, Interrupted, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from socialcircuits.studies.packing import Made, Writing
    from socialcircuits.studies.screening import Screened, Screening
    from socialcircuits.worlds.claims import Built, Claim, Step

app = typer.Typer(
    help="Make and screen claim items, and packs of what guests say of them.",
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
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
    """Make and screen claim items, and packs of what guests say of them."""


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

    _check_out(out, files)
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


def _check_out(out: Path, files: list[Path]) -> None:
    if out.suffix != ".jsonl":
        raise UsageError(f"--out: {out} does not end in .jsonl")
    if out.resolve() in {file.resolve() for file in files}:
        raise UsageError(f"--out: {out} is one of the files that are read; choose another file")


def _show(built: Built) -> None:
    for entry in built.inputs:
        print(f"{entry.name}: {entry.rows:,} rows")
    _show_steps(built.steps)
    _show_items(built.claims)


def _show_steps(steps: Iterable[Step]) -> None:
    print(f"\n{'step':12}{'before':>8}{'dropped':>9}{'left':>8}  why")
    for step in steps:
        print(f"{step.name:12}{step.before:8,}{step.dropped:9,}{step.left:8,}  {step.why}")


def _show_items(claims: tuple[Claim, ...]) -> None:
    relations = len({claim.relation for claim in claims})
    print(f"\nitems: {len(claims):,}, relations: {relations:,}")


@app.command("screen")
@reaching
def screen(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    items: Annotated[Path, typer.Argument(metavar="ITEMS", help="A file of claim items.")],
    model: Annotated[str, typer.Option(help="Model that answers each claim alone.")],
    out: Out,
    stages: Annotated[
        Path | None, typer.Option(help="TOML file of [[stage]] tables. Default: by data set.")
    ] = None,
    judge: Annotated[
        str, typer.Option(help="Model that judges, where a stage says so; rules asks none.")
    ] = "",
    seed: Seed = 0,
    json: Json = False,
    *,
    reached: Reached,
) -> None:
    """Keep the items that a model answers rightly, and never with the false answer.

    Called again, it goes on: what the run files beside the output hold is not asked again.
    """
    from socialcircuits.studies.screening import Screening, read_stages, save

    _check_out(out, [items])
    what = Screening(items, model, judge, seed, read_stages(stages) if stages else None)
    screened = _screened(what, out, reached)
    if not json:
        _show_screened(what, screened)
    if not screened.claims:
        raise UsageError(f"no item is left of {items.name}")
    save(screened, out)
    if not json:
        print(f"written to {out}")
        return
    print_json(
        {
            **screened.provenance["screenings"][-1],
            "items": len(screened.claims),
            "relations": len({claim.relation for claim in screened.claims}),
            "out": str(out),
        }
    )


def _screened(what: Screening, out: Path, reached: Reached) -> Screened:
    from socialcircuits.studies.screening import screen as run

    return _kept(lambda: run(what, out, reached, progress))


T = TypeVar("T")


def _kept(work: Callable[[], T]) -> T:
    """Do what is paid for; say, where it ends too early, how to go on."""
    try:
        return work()
    except KeyboardInterrupt:
        raise Interrupted("interrupted; the same command goes on") from None
    except BudgetReached as error:
        kept = "what was paid for is kept; the same command goes on"
        raise BudgetReached(f"{error}; {kept}") from None


def _show_screened(what: Screening, screened: Screened) -> None:
    if what.simulated:
        from socialcircuits.agents import LABEL

        print(LABEL)
    print(f"{what.items.name}, answered by {what.asked}")
    if screened.drawn:
        _show_steps([screened.drawn])
    for number, passage in enumerate(screened.passages, 1):
        stage = passage.stage
        by = f"judged by {what.judge}" if stage.method == "judge" else "read by strings"
        print(f"\nstage {number}: {stage.samples:,} samples a claim, {by}; {passage.run}")
        print(", ".join(f"{name} {count:,}" for name, count in passage.samples.items()), end="")
        _show_steps(passage.steps)
    _show_items(screened.claims)


BUNDLED = "bundled"


@app.command("pack")
@reaching
def write_pack(
    claims: Annotated[
        str, typer.Argument(metavar="CLAIMS", help="CSV of your own claims, or: bundled.")
    ],
    model: Annotated[str, typer.Option(help="Model that writes the messages.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="File of the pack (JSON Lines).")],
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave faulty rows of CLAIMS out.")
    ] = False,
    json: Json = False,
    *,
    reached: Reached,
) -> None:
    """Have a model write what recorded guests say of the claims that `check` asks.

    Called again, it goes on: what the run file beside the output holds is not asked again.
    """
    from socialcircuits.packs import save
    from socialcircuits.studies.packing import Writing, write

    own = None if claims == BUNDLED else Path(claims)
    _check_out(out, [own] if own else [])
    what = Writing(_asked_in_a_test(own, model, skip_bad=skip_bad), model)
    made = _kept(lambda: write(what, out, reached, progress))
    save(made.pack, out)
    if json:
        print_json(
            {
                "pack": made.pack.name,
                "digest": made.pack.digest,
                "provenance": made.pack.provenance,
                "left_out": [
                    {**left._asdict(), "claims": [claim.id for claim in left.claims]}
                    for left in made.left
                ],
                "run": str(made.run),
                "out": str(out),
            }
        )
    else:
        _show_pack(what, made, out)


def _asked_in_a_test(own: Path | None, model: str, *, skip_bad: bool) -> tuple[Claim, ...]:
    """The claims and documents of the largest test, of which every smaller one asks a part."""
    from socialcircuits.cards.plans import Test, plans
    from socialcircuits.studies.packing import claims_of

    test = Test(model, "full", claims=own, skip_bad=skip_bad)
    return claims_of(plan.study.world for _, plan in plans(test).all())


def _show_pack(what: Writing, made: Made, out: Path) -> None:
    counts = made.counts
    print(f"written by {made.pack.provenance['mind']}; {made.run}")
    print(
        f"replies: {counts['asked']:,}, invalid {counts['invalid']:,}, "
        f"refused {counts['refused']:,}"
    )
    lacking = made.pack.provenance["claims_left_out"]
    print(f"claims and documents: {len(what.claims):,}, left out {lacking:,}")
    for left in made.left:
        ids = ", ".join(claim.id for claim in left.claims)
        print(f"  {ids}, {left.answer!r}: {left.why}")
    if lacking:
        print("no test can ask what is left out: take it out of your claims, or let another model")
        print("write the whole pack")
    print(f"written to {out}; digest {made.pack.digest}")
