"""`socialcircuits demo`: the main job, offline, in under a minute."""

from __future__ import annotations

from pathlib import Path

from socialcircuits.cli.output import Json, print_json, program, progress

SIZES = "N=[4, 16, 64]"
OUT = Path("runs/demo.db")


def command(json: Json = False) -> None:
    """Let groups of 4, 16 and 64 simulated agents find a hidden flag; print and draw the result."""
    from socialcircuits.report.pictures import draw_all
    from socialcircuits.report.text import show
    from socialcircuits.studies import Execution, Run, execute, plan, read

    study = read("flag-game/population", sets=[SIZES])
    with progress("demo") as tell:
        execute(plan(study), OUT, Execution(progress=tell))
    with Run(OUT) as finished:
        written = draw_all(finished, OUT.with_name("demo-figures")).files
        if json:
            print_json({**finished.as_json(), "figures": [str(path) for path in written]})
            return
        show(finished)
    pictures = [str(path) for path in written if path.suffix == ".png"]
    print(f"\nFigures: {', '.join(pictures)}")
    print(f"Next:    {program()} run flag-game/protocols")
