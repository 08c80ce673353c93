"""`socialcircuits view`: runs as a page, on this machine only."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from socialcircuits.cli.output import Json, print_json


def command(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN...", help="Run files; the others are compared with the first."),
    ],
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any that is free.")
    ] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    json: Json = False,
) -> None:
    """Show runs in the browser, also while they are going; Ctrl-C ends it.

    The server answers this machine alone, and changes nothing. A page for others is written by
    `export RUN --out page.html`.
    """
    from socialcircuits.viewer.server import Server

    with Server(runs, port) as server:
        if json:
            print_json({"address": server.address, "runs": server.names})
        else:
            print(f"{server.address}  (Ctrl-C ends it)")
        # A reader of a pipe must not wait for what it needs to begin.
        sys.stdout.flush()
        if browser:
            import webbrowser

            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print(file=sys.stderr)
