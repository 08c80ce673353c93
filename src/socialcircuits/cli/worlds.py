"""`socialcircuits worlds`: what the worlds hold."""

from __future__ import annotations

from typing import Annotated

import typer

from socialcircuits.cli.output import Json, print_json

app = typer.Typer(
    help="Look into the worlds.", rich_markup_mode=None, no_args_is_help=True, add_completion=False
)


@app.callback()
def _worlds() -> None:
    """Look into the worlds."""


@app.command("flags")
def flags(
    pool: Annotated[str, typer.Option(help="A pool (paper28, stripe24) or a TOML file.")] = (
        "paper28"
    ),
    json: Json = False,
) -> None:
    """Count what crops of a pool's flags can tell, on the cell grid and on the pixel raster."""
    from socialcircuits.worlds.flags import from_settings

    world = from_settings({"pool": pool})
    found = world.statistics()
    if json:
        print_json(found)
        return
    print(f"{pool}: {len(world.answers)} flags")
    for name, counts in found.items():
        print(
            f"{name:7}{counts['crops']:,} crops, {counts['unique_share']:.2%} fit one flag only, "
            f"{counts['mean_compatible']:.3f} fit on average (at any position)"
        )
        print(f"       without a crop of its own: {', '.join(counts['without_unique']) or 'none'}")
