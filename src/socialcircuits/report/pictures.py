"""The figures of a run, drawn from its tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from socialcircuits.analyses.attributing import first_held
from socialcircuits.analyses.attribution import Attribution
from socialcircuits.errors import RunFileError, SettingError
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
from socialcircuits.report import chatrooms, discussions
from socialcircuits.report.patches import effects, traces
from socialcircuits.report.scenes import belief_panels, disagreements, probed_trial
from socialcircuits.report.slices import Drawn, Undrawn, cells, slices
from socialcircuits.studies import Run

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass
class Pictures:
    """What was drawn.

    Args:
        files: PDF, PNG and CSV of each figure.
        left_out: name of each figure that could not be drawn -> why.
    """

    files: list[Path] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def draw_all(run: Run, folder: Path) -> Pictures:
    """Draw the figures that the study names.

    Where a setting is swept that a figure has no axis for, it is drawn once for each value.

    Raises:
        RunFileError: the folder cannot be written.
    """
    found = Pictures()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in run.study.figures:
            try:
                for suffix, figure, table in _DRAW[name](run):
                    found.files += save(figure, table, folder / f"{name}{suffix}")
            except (Undrawn, SettingError) as error:
                found.left_out[name] = str(error)
    except OSError as error:
        raise RunFileError(f"{folder}: cannot be written: {error.strerror}") from None
    return found


def _estimates(draw: Callable[[pd.DataFrame, str], Figure], *own: str) -> Callable[[Run], Drawn]:
    """Return the drawer of a figure that is drawn from estimates over these axes."""

    def drawn(run: Run) -> Drawn:
        for part in slices(run, *own):
            yield part.suffix, draw(part.table, part.label), part.table

    return drawn


def _protocols(run: Run) -> Drawn:
    table = cells(run)
    if table.empty:
        raise Undrawn("no trial that enters estimates is completed")
    yield "", protocols.draw(table, run.label), table


def _robustness(run: Run) -> Drawn:
    import pandas as pd

    sweeps = run.thresholds()
    ranges = [
        {
            **sweep.condition,
            "class": sweep.endpoint,
            "low": sweep.smallest,
            "high": sweep.largest,
            "chosen": sweep.chosen,
            "n": sweep.trials,
        }
        for sweep in sweeps
    ]
    whole = pd.DataFrame([row for sweep in sweeps for row in sweep.rows()])
    for part in slices(run, "N", table=pd.DataFrame(ranges)):
        here = whole
        for name, value in part.settings.items():
            here = here[here[name] == value]
        yield part.suffix, robustness.draw(part.table, part.label), here


def _gallery(run: Run) -> Drawn:
    examples = disagreements(run)
    if not examples:
        raise Undrawn("there is no crop on which two models that were asked alone disagree")
    shown = examples[: gallery.MOST]
    yield "", gallery.draw(shown, len(examples), run.label), gallery.table(shown)


def _memory_conflict(run: Run) -> Drawn:
    for part in slices(run, "evidence", "lure", "lures", "m", "cast"):
        climbed = part.table["measure"].isin(["yield_point", "yielded"])
        points = part.table[part.table["measure"] == "yield_point"].drop(columns="lures")
        if points.empty:
            raise Undrawn("no memory was planted from no lure entry to all of them")
        entries = int(part.settings.get("memory", run.study.trial.memory))
        figure = memory_conflict.draw(part.table[~climbed], points, part.label, entries)
        yield part.suffix, figure, part.table


def _evidence_share(run: Run) -> Drawn:
    import pandas as pd

    summaries = run.summaries()
    for part in slices(run, "N"):
        here = [
            one
            for one in summaries
            if all(one.condition.get(name, "") == value for name, value in part.settings.items())
        ]
        shown = probed_trial(run, part.settings)
        if shown is None:
            raise Undrawn("no crop was probed between the truth and a rival")
        shares = [
            {"N": one.condition.get("N", run.study.trial.N), "share": share and float(share)}
            for one in here
            for share in [rivalry.MEASURE.value(one)]
        ]
        given = (shown, pd.DataFrame(shares), part.table)
        yield part.suffix, evidence_share.draw(*given, part.label), evidence_share.table(*given)


def _beliefs(run: Run) -> Drawn:
    """The belief map of the study's examples, or of the first seed where it has none."""
    panels = belief_panels(run)
    if not panels:
        raise Undrawn("no trial of a group is completed")
    thresholds = {
        "consensus": float(endpoints.CONSENSUS),
        "polarization": float(endpoints.POLAR),
    }
    yield "", belief_map.draw(panels, thresholds, run.label), belief_map.table(panels)


def _attributed(run: Run) -> Attribution:
    found = first_held(run)
    if found is None:
        raise Undrawn("no trial has a patch of every agent and the isolated probes")
    return found


def _belief_trace(run: Run) -> Drawn:
    panels = traces(run, _attributed(run))
    yield "", belief_trace.draw(panels, run.label), belief_trace.table(panels)


def _attribution(run: Run) -> Drawn:
    table = _attributed(run).table()
    yield "", attribution.draw(table, run.label), table


def _circuit(run: Run) -> Drawn:
    found = _attributed(run)
    best = max(found.scores, key=lambda score: score.score)
    table = found.tree(best.agent)
    yield "", circuit.draw(table, found.arrivals.graph.rounds, run.label), table


def _patch_effect(run: Run) -> Drawn:
    means, runs = effects(run)
    if means.empty:
        raise Undrawn("no intervention stands beside the same trials without it")
    yield "", patch_effect.draw(means, runs, run.label), patch_effect.table(means, runs)


_DRAW: dict[str, Callable[[Run], Drawn]] = {
    "population": _estimates(population.draw, "N"),
    "robustness": _robustness,
    "beliefs": _beliefs,
    "protocols": _protocols,
    "awareness": _estimates(awareness.draw, "alpha"),
    "grid": _estimates(grid.draw, "alpha", "cast"),
    "single_agent": _estimates(single_agent.draw, "cast"),
    "gallery": _gallery,
    "memory_conflict": _memory_conflict,
    "evidence_share": _evidence_share,
    "belief_trace": _belief_trace,
    "attribution": _attribution,
    "circuit": _circuit,
    "patch_effect": _patch_effect,
    **discussions.DRAW,
    **chatrooms.DRAW,
}
