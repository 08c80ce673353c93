"""`socialcircuits demo`: the main job, offline, in under a minute: a table for each study."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.cli.output import Json, print_json, program, progress


class Shown(NamedTuple):
    """A preset as the demo runs it: smaller than by itself."""

    preset: str
    sets: tuple[str, ...]
    seeds: int | None


STUDIES = (
    Shown("flag-game/population", ("N=[4, 16, 64]",), None),
    Shown("deliberation/scaling", (), 12),
    Shown("chatroom/sybils", (), 6),
)
OUT = Path("runs")


def command(json: Json = False) -> None:
    """Run the three studies small, on simulated agents; print a table of each, and draw figures."""
    from socialcircuits.report.pictures import draw_all
    from socialcircuits.report.text import headline, show
    from socialcircuits.studies import Execution, Run, execute, plan, read

    found: dict[str, dict[str, Any]] = {}
    pictures: list[str] = []
    for shown in STUDIES:
        name = "demo-" + shown.preset.partition("/")[0]
        out = OUT / f"{name}.db"
        study = read(shown.preset, sets=shown.sets, seeds=shown.seeds)
        with progress(name) as tell:
            execute(plan(study), out, Execution(progress=tell))
        with Run(out) as finished:
            written = draw_all(finished, out.with_name(f"{name}-figures")).files
            pictures += [str(path) for path in written if path.suffix == ".png"]
            if json:
                files = [str(path) for path in written]
                found[shown.preset] = {**finished.as_json(), "figures": files}
            elif shown is STUDIES[0]:
                show(finished)
            else:
                print()
                headline(finished)
    if json:
        print_json(found)
        return
    print(f"\nFigures: {', '.join(pictures)}")
    print(f"Next:    {program()} run flag-game/protocols")
