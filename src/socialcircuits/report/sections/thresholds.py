"""How the classes of endings move with the thresholds that define them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from socialcircuits.measures import robustness
from socialcircuits.measures.endpoints import PAIRS, ThresholdSweep
from socialcircuits.records import TrialSummary
from socialcircuits.report.numbers import MEASURES, SHARE, Trials
from socialcircuits.report.page import Block, Cell, Head, Number, Row, Table, Trail
from socialcircuits.report.words import plain, units, where
from socialcircuits.studies import Run

CAPTION = (
    f"Smallest and largest share over {len(PAIRS)} pairs of thresholds (consensus .75 to 1.00, "
    "camps .15 to .35): a sensitivity, not an uncertainty."
)


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield the range of each class over the pairs of thresholds, where the study asks for it."""
    sweeps, unit = run.thresholds(), units(run.study)
    if not sweeps:
        return
    rows: dict[str, list[Cell]] = {}
    for sweep in sweeps:
        key = where(sweep.condition)
        rows.setdefault(key, [key]).append(_range(sweep, trials, unit))
    classes = dict.fromkeys(sweep.endpoint for sweep in sweeps)
    heads = (Head("condition", "condition"), *(Head(name, plain(name)) for name in classes))
    yield Table(
        "thresholds", CAPTION, heads, tuple(Row(key, tuple(cells)) for key, cells in rows.items())
    )


def _range(sweep: ThresholdSweep, trials: Trials, unit: str) -> Number:
    measure = MEASURES[sweep.endpoint]
    used = [one for one in trials.within(sweep.condition) if measure.undefined(one) is None]
    trail = Trail(
        f"{measure.definition} Here the smallest and the largest share over all pairs.",
        used,
        adds=_counts(sweep.endpoint),
    )
    return Number(
        name=sweep.endpoint,
        value=sweep.chosen,
        text=f"{SHARE.of(sweep.smallest)} to {SHARE.of(sweep.largest)}",
        trail=trail,
        n=sweep.trials,
        unit=unit,
    )


def _counts(endpoint: str) -> Callable[[TrialSummary], str]:
    def adds(trial: TrialSummary) -> str:
        (found,) = [one for one in robustness([trial]) if one.endpoint == endpoint]
        return f"of this class under {sum(found.counts.values())} of {len(PAIRS)} pairs"

    return adds
