"""The figures of a run, drawn from its tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from socialcircuits.errors import RunFileError
from socialcircuits.figures import belief_map, population, protocols, save
from socialcircuits.measures import endpoints
from socialcircuits.measures.trajectory import trajectory
from socialcircuits.records import TrialRecord
from socialcircuits.studies import Builder, Run

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Drawn = tuple["Figure", "pd.DataFrame"]


def draw_all(run: Run, folder: Path) -> list[Path]:
    """Draw the figures that the study names and return the files: PDF, PNG, CSV of each.

    Raises:
        RunFileError: the folder cannot be written.
    """
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in run.study.figures:
            drawn = _DRAW[name](run)
            if drawn is not None:
                written += save(*drawn, folder / name)
    except OSError as error:
        raise RunFileError(f"{folder}: cannot be written: {error.strerror}") from None
    return written


def _population(run: Run) -> Drawn | None:
    table = _cells(run)
    if table.empty or "N" not in table:
        return None
    return population.draw(table, run.label), table


def _protocols(run: Run) -> Drawn | None:
    table = _cells(run)
    if table.empty:
        return None
    return protocols.draw(table, run.label), table


def _cells(run: Run) -> pd.DataFrame:
    """The estimates of the cells, without contrasts."""
    table = run.estimates()
    if table.empty:
        return table
    return table[table["minus"] == ""].drop(columns="minus")


def _beliefs(run: Run) -> Drawn | None:
    """The belief map of the study's examples, or of the first seed where it has none."""
    trials = run.examples() or [
        run.file.trial(plan.number) for plan in run.file.plans() if plan.seed == 1
    ]
    panels = [_panel(run, trial) for trial in trials if trial.summary().population]
    if not panels:
        return None
    thresholds = {
        "consensus": float(endpoints.CONSENSUS),
        "polarization": float(endpoints.POLAR),
    }
    return belief_map.draw(panels, thresholds, run.label), belief_map.table(panels)


def _panel(run: Run, trial: TrialRecord) -> belief_map.Panel:
    import pandas as pd

    summary, facts = trial.summary(), trial.provided.facts
    counts = {a: summary.final.count(a) for a in summary.answers if a in summary.final}
    endpoint = endpoints.classify(counts, len(summary.final), summary.truth)
    wrong = {a: n for a, n in counts.items() if a != summary.truth}
    rival = max(sorted(wrong), key=wrong.__getitem__) if wrong else None
    (width, height), (crop_width, crop_height) = facts["canvas"], facts["crop"]
    dots = [
        {"x": (x + crop_width / 2) / width, "y": (y + crop_height / 2) / height, "answer": answer}
        for (x, y), answer in zip(facts["positions"], summary.final, strict=True)
    ]
    world = Builder(run.study).world
    return belief_map.Panel(
        title=f"N = {summary.bearers}: {endpoint.replace('_', ' ')}",
        picture=world.picture(summary.truth),
        dots=pd.DataFrame(dots),
        shares=pd.DataFrame(trajectory(summary).rows()),
        truth=summary.truth,
        rival=rival,
    )


_DRAW: dict[str, Callable[[Run], Drawn | None]] = {
    "population": _population,
    "protocols": _protocols,
    "beliefs": _beliefs,
}
