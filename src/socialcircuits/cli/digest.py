"""`socialcircuits digest`: is this the same result as yours?"""

from __future__ import annotations

from socialcircuits.cli.output import Json, RunPath, print_json


def command(run: RunPath, json: Json = False) -> None:
    """Print the digests of a run: everything, labels, and what was said in public."""
    from socialcircuits.records import RunFile

    with RunFile(run) as file:
        digests = file.digests()
    if json:
        print_json(digests)
    else:
        for name, value in digests.items():
            print(f"{name:7}{value}")
