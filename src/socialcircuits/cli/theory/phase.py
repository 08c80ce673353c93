"""`socialcircuits theory phase`: which ending is the most probable where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from socialcircuits.cli.output import Json, print_json
from socialcircuits.cli.theory.options import (
    Bias,
    Classes,
    Distinct,
    Rounds,
    Sizes,
    Total,
    apart,
    compared,
    counted,
    numbers,
    refuse,
    say,
    settings,
    show,
    write,
)
from socialcircuits.errors import SettingError

if TYPE_CHECKING:
    import pandas as pd

    from socialcircuits.records import TrialSummary
    from socialcircuits.theory.outcomes import PhaseMap

Stem = Annotated[
    Path | None, typer.Option(metavar="STEM", help="Draw STEM.pdf, STEM.png and STEM.csv.")
]

MOST_POINTS = 10_001

OF_THE_THEORY = ("n", "total", "bias", "rounds", "classes", "points", "cut", "distinct")
"""Parameters that mean nothing where runs are shown."""


def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    context: typer.Context,
    n: Sizes = "2,4,8,16,32,64,128",
    total: Total = 0.45,
    bias: Bias = 0.3,
    rounds: Rounds = None,
    classes: Classes = 4,
    points: Annotated[int, typer.Option(help="Rival shares from 0 to 1.")] = 101,
    cut: Annotated[
        float | None, typer.Option("--slice", help="One rival share: all classes over N.")
    ] = None,
    runs: Annotated[
        Path | None, typer.Option(help="A run file: how its trials ended, in place of the theory.")
    ] = None,
    shares: Annotated[
        Path | None, typer.Option(help="A run file of the same trials' evidence shares.")
    ] = None,
    distinct: Distinct = False,
    figure: Stem = None,
    json: Json = False,
) -> None:
    """Print the most probable ending over N and rival share, a slice of it, or runs on it."""
    if (runs is None) != (shares is None):
        raise SettingError("--runs, --shares", str(runs or shares), "both run files or neither")
    if runs and shares:
        refuse(context, OF_THE_THEORY, "nothing with --runs: trials are shown as they ended")
        _of_runs(runs, shares, figure, json=json)
        return
    from socialcircuits.theory.outcomes import phase_map

    compared(classes)
    if cut is not None:
        refuse(context, ["points"], "nothing with --slice, which is one rival share")
    at = _grid(points) if cut is None else [cut]
    found = phase_map(numbers("n", n, int), at, total, bias, rounds, apart(rounds, distinct))
    given = {"total": total, "bias": bias, "rounds": rounds, "distinct": distinct}
    if cut is None:
        _whole(found, classes, given, figure, json=json)
    else:
        _slice(found, classes, given, figure, json=json)


def _grid(points: int) -> list[float]:
    from socialcircuits.theory._checks import whole

    whole("points", points, 2, MOST_POINTS)
    return [i / (points - 1) for i in range(points)]


def _whole(
    found: PhaseMap, classes: int, given: dict[str, Any], figure: Path | None, *, json: bool
) -> None:
    from socialcircuits.figures import phase
    from socialcircuits.theory.outcomes import CLASSES

    table, words = _table(found), settings(given)
    most = [[CLASSES[place] for place in row] for row in found.most_likely(classes).tolist()]
    drawn = write(figure, lambda: phase.draw(table, phase.NO_AGENTS, words, classes), table)
    if json:
        matrices = {name: getattr(found, name).tolist() for name in (*CLASSES, "truth_share")}
        axes = {"n": found.sizes.tolist(), "shares": found.shares.tolist()}
        shown = {**given, "classes": classes, **axes, **matrices, "most_likely": most}
        print_json({**shown, "figure": drawn})
        return
    say(words)
    heads = ("N", f"most probable of {compared(classes)}, from rival share 0 to 1")
    rows = zip(found.sizes.tolist(), most, strict=True)
    show(heads, [(size, _stretches(found.shares.tolist(), names)) for size, names in rows])
    _end(phase.NO_AGENTS, drawn)


def _slice(
    found: PhaseMap, classes: int, given: dict[str, Any], figure: Path | None, *, json: bool
) -> None:
    from socialcircuits.figures import phase, phase_slice
    from socialcircuits.theory.outcomes import CLASSES

    table = _table(found)
    given = {"share": float(found.shares[0]), **given}
    words = settings(given)
    drawn = write(figure, lambda: phase_slice.draw(table, phase.NO_AGENTS, words), table)
    most = [CLASSES[place] for [place] in found.most_likely(classes).tolist()]
    columns = {name: table[name].tolist() for name in (*CLASSES, "truth_share")}
    sizes = found.sizes.tolist()
    if json:
        shown = {**given, "classes": classes, "n": sizes}
        print_json({**shown, **columns, "most_likely": most, "figure": drawn})
        return
    say(words)
    heads = ("N", *(phase.PARTS[name].title for name in CLASSES), "mean truth share")
    show(heads, zip(sizes, *columns.values(), strict=True))
    _end(phase.NO_AGENTS, drawn)


def _of_runs(runs: Path, shares: Path, figure: Path | None, *, json: bool) -> None:
    import pandas as pd

    from socialcircuits.analyses.copying import check_condition, observed
    from socialcircuits.figures import phase, phase_runs
    from socialcircuits.studies import Run

    with Run(runs) as run, Run(shares) as probed:
        label, trials = run.label, observed(run, probed)
    check_condition(trials)
    lost = sum(trial.share is None for trial in trials)
    rows = [
        {"N": t.match.n, "seed": t.match.seed, "share": t.share, "endpoint": _ending(t.summary)}
        for t in sorted(trials, key=lambda trial: (trial.match.n, trial.summary.seed))
    ]
    table = pd.DataFrame(rows)
    drawn = write(figure, lambda: phase_runs.draw(table, label), table)
    if json:
        print_json({"agents": label, "trials": rows, "without_share": lost, "figure": drawn})
        return
    heads = ("N", "trials", *(phase.PARTS[name].title for name in phase.PARTS), "shares")
    show(heads, [_counts(size, trials) for size, trials in table.groupby("N")])
    say("Trials by how they ended, and least and largest rival share among them.")
    say(f"{counted(lost, 'trial')} without a share.")
    _end(label, drawn)


def _ending(summary: TrialSummary) -> str:
    from socialcircuits.figures.phase import MEASURES
    from socialcircuits.measures import endpoints

    counts = Counter(answer for answer in summary.final if answer is not None)
    ending = endpoints.classify(counts, len(summary.final), summary.truth)
    return next(name for name, measure in MEASURES.items() if measure == ending)


def _counts(size: Any, trials: pd.DataFrame) -> tuple[Any, ...]:
    from socialcircuits.figures.phase import PARTS

    counts = [int((trials["endpoint"] == name).sum()) for name in PARTS]
    known = trials["share"].dropna()
    span = f"{known.min():.2f} to {known.max():.2f}" if len(known) else None
    return size, len(trials), *counts, span


def _table(found: PhaseMap) -> pd.DataFrame:
    """One row for each N and rival share."""
    import pandas as pd

    from socialcircuits.theory.outcomes import CLASSES

    places = {
        "N": found.sizes.repeat(len(found.shares)),
        "share": found.shares.tolist() * len(found.sizes),
    }
    values = {name: getattr(found, name).ravel() for name in (*CLASSES, "truth_share")}
    return pd.DataFrame({**places, **values})


def _stretches(shares: Sequence[float], names: Sequence[str]) -> str:
    cells = groupby(zip(names, shares, strict=True), key=lambda cell: cell[0])
    stretches = [(name, [share for _, share in group]) for name, group in cells]
    return ", ".join(f"{name} {held[0]:.2f}-{held[-1]:.2f}" for name, held in stretches)


def _end(label: str, drawn: Sequence[str]) -> None:
    say(label)
    for path in drawn:
        say(path)
