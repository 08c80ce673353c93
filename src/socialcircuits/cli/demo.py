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
    """Run the three studies small on simulated agents: a table and a report of each."""
    from socialcircuits.report.assembling import headline
    from socialcircuits.report.publishing import publish
    from socialcircuits.report.text import show
    from socialcircuits.studies import Execution, Run, execute, plan, read

    found: dict[str, dict[str, Any]] = {}
    reports: list[Path] = []
    for shown in STUDIES:
        name = "demo-" + shown.preset.partition("/")[0]
        out = OUT / f"{name}.db"
        study = read(shown.preset, sets=shown.sets, seeds=shown.seeds)
        with progress(name) as tell:
            execute(plan(study), out, Execution(progress=tell))
        with Run(out) as finished:
            published = publish([finished], out.with_name(f"{name}-report"))
            reports.append(published.files[0])
            if json:
                found[shown.preset] = {**finished.as_json(), **published.as_json()}
            elif shown is STUDIES[0]:
                show(published.page)
            else:
                print()
                show(headline(finished))
    if json:
        print_json(found)
        return
    print(f"\nReports: {', '.join(map(str, reports))}")
    print(f"Next:    {program()} run flag-game/protocols")
