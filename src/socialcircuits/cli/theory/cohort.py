"""`socialcircuits theory cohort`: the mean truth share over the measured evidence of runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from socialcircuits.cli.output import Json, print_json
from socialcircuits.cli.theory.options import (
    Bias,
    Distinct,
    Rounds,
    Total,
    apart,
    counted,
    same,
    say,
    settings,
    show,
)

if TYPE_CHECKING:
    from socialcircuits.analyses.copying import CopyingTrial
    from socialcircuits.statistics import Estimate
    from socialcircuits.theory.cohort import Cohort


def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    runs: Annotated[Path, typer.Option(help="A run file of pairwise gossip.")],
    shares: Annotated[Path, typer.Option(help="A run file of the same trials' evidence shares.")],
    total: Total = 0.45,
    bias: Bias = 0.3,
    rounds: Rounds = None,
    distinct: Distinct = False,
    json: Json = False,
) -> None:
    """Print the model's mean truth share at each N, each trial at its own measured rival share,
    beside one fixed share for all and beside what was measured."""
    from socialcircuits.analyses.copying import check_condition, observed
    from socialcircuits.studies import Run
    from socialcircuits.theory.cohort import cohort

    alone = apart(rounds, distinct)
    with Run(runs) as run, Run(shares) as probed:
        label, trials = run.label, observed(run, probed)
    check_condition(trials)
    known = [(trial.match.n, trial.share) for trial in trials if trial.share is not None]
    sizes, at = [n for n, _ in known], [share for _, share in known]
    found = cohort(sizes, at, total, bias, rounds, alone)
    measured = [_measured(trials, n) for n in found.sizes.tolist()]
    columns = {
        "n": found.sizes.tolist(),
        "trials": found.runs.tolist(),
        "truth_share": found.truth_share.tolist(),
        "fixed_truth_share": found.fixed_truth_share.tolist(),
    }
    lost = len(trials) - len(known)
    given = {"total": total, "bias": bias, "rounds": rounds, "distinct": distinct}
    if json:
        rows = [{"value": e.value, "low": e.low, "high": e.high, "n": e.n} for e in measured]
        peak = {"peak": found.peak, "fixed_share": found.fixed, "without_share": lost}
        print_json({**given, **columns, **peak, "measured": rows, "agents": label})
        return
    say(settings(given))
    _show(found, measured)
    say(f"{counted(lost, 'trial')} without a share left out.")
    say(f"Theory, and trials of {label}")


def _show(found: Cohort, measured: Sequence[Estimate]) -> None:
    heads = ("N", "trials", "own shares", f"share {found.fixed:.3f}", "measured", "95% from", "to")
    columns = (found.sizes, found.runs, found.truth_share, found.fixed_truth_share)
    lines = zip(*(column.tolist() for column in columns), measured, strict=True)
    show(heads, [(*line, e.value, e.low, e.high) for *line, e in lines])
    say("Mean truth share: model at each trial's own rival share, at their mean, and as measured.")
    if same(found.truth_share.tolist()):
        say("The same at every N over own shares.")
    else:
        say(f"Highest at N = {found.peak:,} over own shares.")


def _measured(trials: Sequence[CopyingTrial], n: int) -> Estimate:
    """Share of right answers at the end of the trials of one size that have a rival share."""
    from socialcircuits.statistics import mean

    ends = [(t.summary.final, t.truth) for t in trials if t.match.n == n and t.share is not None]
    return mean([final.count(truth) / len(final) for final, truth in ends])
