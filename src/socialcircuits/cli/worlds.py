"""`socialcircuits worlds`: what the worlds hold."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

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


@app.command("questions")
def questions(
    file: Annotated[
        str, typer.Option(help="A file of questions, or hub:hle; without it the bundled ones.")
    ] = "",
    verified: Annotated[str, typer.Option(help="A text file with one verified id a line.")] = "",
    pictures: Annotated[bool, typer.Option(help="Take questions with a picture.")] = False,
    json: Json = False,
) -> None:
    """Count the questions of a set by kind and category, and what is left out and why."""
    from socialcircuits.worlds.questions import from_settings

    world = from_settings({"file": file, "verified": verified, "pictures": pictures})
    found: dict[str, Any] = {
        "questions": len(world.questions),
        "shareable": all(question.shareable for question in world.questions),
        "kinds": Counter(question.kind for question in world.questions),
        "categories": Counter(question.category for question in world.questions),
        "without_lure": sum(not question.lures for question in world.questions),
        "left_out": world.left_out,
        "verified_ids_without_question": len(world.unmatched),
    }
    if json:
        print_json(found)
        return
    texts = "their texts may be" if found["shareable"] else "exports withhold texts that may not be"
    print(f"questions: {found['questions']:,}; {texts} published")
    for name in ("kinds", "categories", "left_out"):
        print(f"{name.replace('_', ' ')}:")
        for what, count in found[name].items() or {"none": 0}.items():
            print(f"  {count:6,}  {what or '(not named)'}")
    print(f"without a wrong answer for simulated agents to choose: {found['without_lure']:,}")
    print(f"verified ids that no question has: {found['verified_ids_without_question']:,}")


@app.command("claims")
def claims(
    file: Annotated[str, typer.Option(help="A file of claims; without it the bundled ones.")] = "",
    json: Json = False,
) -> None:
    """Count the claims of a set by relation."""
    from socialcircuits.worlds.claims import from_settings

    world = from_settings({"file": file})
    found: dict[str, Any] = {
        "claims": len(world.claims),
        "shareable": sum(claim.shareable for claim in world.claims),
        "relations": Counter(claim.relation for claim in world.claims),
    }
    if json:
        print_json(found)
        return
    print(f"claims: {found['claims']:,}; texts of {found['shareable']:,} may be published")
    print(f"relations: {len(found['relations']):,}")
    for relation, count in found["relations"].most_common():
        print(f"  {count:6,}  {relation}")
