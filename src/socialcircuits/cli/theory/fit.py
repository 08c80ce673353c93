"""`socialcircuits theory fit`: the theory fitted to a run and tested on other seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import typer

from socialcircuits.cli.output import Json, RunPath, print_json
from socialcircuits.cli.theory.options import SYMBOLS, say, show
from socialcircuits.errors import SettingError

if TYPE_CHECKING:
    from socialcircuits.analyses.copying import CopyingTrial
    from socialcircuits.analyses.prediction import ClassShare, Prediction
    from socialcircuits.theory.fit import Fit, GroupFit, Interval

PARAMETERS = ("truth", "rival", "bias", "slip")


def command(
    run: RunPath,
    holdout: Annotated[
        int | None,
        typer.Option(help="Seeds, the last ones, to predict and not to fit; half unless set."),
    ] = None,
    json: Json = False,
) -> None:
    """Fit a_T, a_R and h_0 to what agents of a run heard and answered, and predict how the trials
    of held-out seeds end."""
    from socialcircuits.analyses.copying import observed
    from socialcircuits.analyses.prediction import predict
    from socialcircuits.studies import Run

    with Run(run) as finished:
        label, trials = finished.label, observed(finished)
    found = predict(trials, _held_out(trials, holdout))
    if json:
        print_json({"run": run, "agents": label, **_as_json(found)})
        return
    seen, seeds = found.alike.seen, len(found.fitted + found.held_out)
    say(
        f"Fitted to {len(found.fitted)} of {seeds} seeds: {seen.agents:,} agents, "
        f"{seen.ambiguous:,.0f} of them ambiguous, {seen.answers:,} answers."
    )
    say("All seeds alike in their evidence:")
    _show(found.alike)
    for what, share in (("answers", seen.other_answers), ("messages heard", seen.other_heard)):
        if share:
            say(f"{share:.1%} of {what} name a third label or none; the theory has no word for it.")
    say("")
    gain = found.groups.log_likelihood - found.alike.log_likelihood
    say(f"Each seed with its own a_T and a_R: log-likelihood higher by {gain:,.1f}.")
    _show(found.groups)
    if found.why:
        say(f"No prediction: {found.why}.")
    else:
        _show_shares(found.shares)
    say(label)


def _held_out(trials: Sequence[CopyingTrial], holdout: int | None) -> list[int]:
    seeds = sorted({trial.summary.seed for trial in trials})
    many = len(seeds) // 2 if holdout is None else holdout
    if not 1 <= many < len(seeds):
        given = f"{many} of {len(seeds)} seeds"
        raise SettingError("holdout", given, "at least one seed to fit and one to predict")
    return seeds[-many:]


def _intervals(found: Fit | GroupFit) -> dict[str, Interval]:
    values = {name: getattr(found, name) for name in PARAMETERS}
    return {name: value for name, value in values.items() if name in found.identified}


def _show(found: Fit | GroupFit) -> None:
    from socialcircuits.statistics import LEVEL

    rows = [
        (SYMBOLS.get(name, name), one.value, one.low, one.high, _reason(found, name))
        for name, one in _intervals(found).items()
    ]
    show(("", "estimate", f"{LEVEL:.0%} from", "to", "identified"), rows)


def _reason(found: Fit | GroupFit, name: str) -> str:
    known, why = found.identified[name]
    return "; ".join(part for part in ("yes" if known else "no", why) if part)


def _show_shares(shares: Sequence[ClassShare]) -> None:
    from socialcircuits.statistics import LEVEL

    say("How the trials of held-out seeds ended, and what the fit said:")
    numbers = ("own", "alike", "measured", f"{LEVEL:.0%} from", "to", "misfit")
    rows = [
        (
            *(one.n, one.rounds, one.endpoint.replace("_", " ")),
            *(one.predicted, one.alike),
            *(one.measured.value, one.measured.low, one.measured.high, one.misfit),
            "outside" if one.inside is False else "",
        )
        for one in shares
    ]
    show(("N", "rounds", "ending", *numbers, ""), rows)
    outside = sum(one.inside is False for one in shares)
    say("own: each seed its evidence; alike: all the same. Misfit: own less measured.")
    say(f"{outside} of {len(shares)} measured shares have intervals that leave the prediction out.")


def _as_json(found: Prediction) -> dict[str, Any]:
    evidence = {"truth": found.groups.truth.tolist(), "rival": found.groups.rival.tolist()}
    return {
        "fitted": found.fitted,
        "held_out": found.held_out,
        "alike": _fit_as_json(found.alike),
        "own": {**_fit_as_json(found.groups), **evidence},
        "prediction": [_share_as_json(one) for one in found.shares],
        "no_prediction": found.why or None,
    }


def _share_as_json(one: ClassShare) -> dict[str, Any]:
    measured = one.measured
    return {
        "n": one.n,
        "rounds": one.rounds,
        "endpoint": one.endpoint,
        "own": one.predicted,
        "alike": one.alike,
        "measured": measured.value,
        "low": measured.low,
        "high": measured.high,
        "trials": measured.n,
        "misfit": one.misfit,
        "inside": one.inside,
    }


def _fit_as_json(found: Fit | GroupFit) -> dict[str, Any]:
    """Return plain values; an end of an interval that is infinite is null."""
    shown: dict[str, Any] = {}
    for name, one in _intervals(found).items():
        known, why = found.identified[name]
        low, high = (at if isfinite(at) else None for at in (one.low, one.high))
        shown[name] = {"value": one.value, "low": low, "high": high, "error": one.error}
        shown[name] |= {"identified": known, "why": why}
    return {**shown, "log_likelihood": found.log_likelihood, **asdict(found.seen)}
