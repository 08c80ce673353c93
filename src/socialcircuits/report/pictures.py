"""The figures of a run, drawn from its tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from socialcircuits.analyses.attributing import first_held
from socialcircuits.errors import RunFileError
from socialcircuits.figures import (
    attribution,
    awareness,
    belief_map,
    belief_trace,
    circuit,
    evidence_share,
    gallery,
    grid,
    memory_conflict,
    patch_effect,
    population,
    protocols,
    robustness,
    save,
    single_agent,
)
from socialcircuits.measures import endpoints, rivalry
from socialcircuits.report.patches import effects, traces
from socialcircuits.report.scenes import belief_panels, disagreements, probed_trial
from socialcircuits.studies import Run

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


def _robustness(run: Run) -> Drawn | None:
    import pandas as pd

    sweeps = [sweep for sweep in run.thresholds() if "N" in sweep.condition]
    if not sweeps:
        return None
    ranges = [
        {
            "N": sweep.condition["N"],
            "class": sweep.endpoint,
            "low": sweep.smallest,
            "high": sweep.largest,
            "chosen": sweep.chosen,
            "n": sweep.trials,
        }
        for sweep in sweeps
    ]
    whole = pd.DataFrame([row for sweep in sweeps for row in sweep.rows()])
    return robustness.draw(pd.DataFrame(ranges), run.label), whole


def _awareness(run: Run) -> Drawn | None:
    table = _cells(run)
    if table.empty or "alpha" not in table:
        return None
    return awareness.draw(table, run.label), table


def _grid(run: Run) -> Drawn | None:
    table = _cells(run)
    if table.empty or not {"alpha", "cast"} <= set(table):
        return None
    return grid.draw(table, run.label), table


def _single_agent(run: Run) -> Drawn | None:
    table = _cells(run)
    if table.empty or "cast" not in table:
        return None
    return single_agent.draw(table, run.label), table


def _gallery(run: Run) -> Drawn | None:
    examples = disagreements(run)
    if not examples:
        return None
    shown = examples[: gallery.MOST]
    return gallery.draw(shown, len(examples), run.label), gallery.table(shown)


def _memory_conflict(run: Run) -> Drawn | None:
    table = _cells(run)
    if table.empty or "lures" not in table:
        return None
    climbed = table["measure"].isin(["yield_point", "yielded"])
    points = table[table["measure"] == "yield_point"].drop(columns="lures")
    if points.empty:
        return None
    figure = memory_conflict.draw(table[~climbed], points, run.label, run.study.trial.memory)
    return figure, table


def _evidence_share(run: Run) -> Drawn | None:
    import pandas as pd

    table = _cells(run)
    shown = probed_trial(run)
    if shown is None or table.empty or "N" not in table:
        return None
    shares = [
        {"N": summary.bearers, "share": None if share is None else float(share)}
        for summary in run.summaries()
        for share in [rivalry.MEASURE.value(summary)]
    ]
    given = (shown, pd.DataFrame(shares), table)
    return evidence_share.draw(*given, run.label), evidence_share.table(*given)


def _belief_trace(run: Run) -> Drawn | None:
    found = first_held(run)
    if found is None:
        return None
    panels = traces(run, found)
    return belief_trace.draw(panels, run.label), belief_trace.table(panels)


def _attribution(run: Run) -> Drawn | None:
    found = first_held(run)
    if found is None:
        return None
    table = found.table()
    return attribution.draw(table, run.label), table


def _circuit(run: Run) -> Drawn | None:
    found = first_held(run)
    if found is None:
        return None
    best = max(found.scores, key=lambda score: score.score)
    table = found.tree(best.agent)
    return circuit.draw(table, found.arrivals.graph.rounds, run.label), table


def _patch_effect(run: Run) -> Drawn | None:
    means, runs = effects(run)
    if means.empty or "N" not in means:
        return None
    return patch_effect.draw(means, runs, run.label), patch_effect.table(means, runs)


def _beliefs(run: Run) -> Drawn | None:
    """The belief map of the study's examples, or of the first seed where it has none."""
    panels = belief_panels(run)
    if not panels:
        return None
    thresholds = {
        "consensus": float(endpoints.CONSENSUS),
        "polarization": float(endpoints.POLAR),
    }
    return belief_map.draw(panels, thresholds, run.label), belief_map.table(panels)


_DRAW: dict[str, Callable[[Run], Drawn | None]] = {
    "population": _population,
    "robustness": _robustness,
    "beliefs": _beliefs,
    "protocols": _protocols,
    "awareness": _awareness,
    "grid": _grid,
    "single_agent": _single_agent,
    "gallery": _gallery,
    "memory_conflict": _memory_conflict,
    "evidence_share": _evidence_share,
    "belief_trace": _belief_trace,
    "attribution": _attribution,
    "circuit": _circuit,
    "patch_effect": _patch_effect,
}
