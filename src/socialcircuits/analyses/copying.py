"""From a run to what a fit reads: what every agent heard and answered, as truth, rival or neither.

The rival is chosen by the recorded rule: the wrong answer most named in the isolated guesses (see
`socialcircuits.measures.rivalry`). A trial needs isolated guesses, a world that records which
answers each agent's evidence fits, and speakers with one listener each, as in pairwise gossip.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.measures import rivalry
from socialcircuits.records import TrialRecord, TrialSummary
from socialcircuits.studies.pooling import offsets
from socialcircuits.studies.run import Run
from socialcircuits.theory.histories import (
    GAVE_OTHER,
    GAVE_RIVAL,
    GAVE_TRUTH,
    HEARD_OTHER,
    HEARD_RIVAL,
    HEARD_TRUTH,
    Histories,
)

__all__ = ["CopyingTrial", "Match", "Probed", "check_condition", "observed", "probed"]


class Match(NamedTuple):
    """What trials on the same evidence have in common, also in different runs.

    Args:
        study_seed: seed of the study.
        seed: the replicate, from 1.
        n: number of agents that bear evidence.
    """

    study_seed: int
    seed: int
    n: int


class Probed(NamedTuple):
    """What the two-way probes of one trial's evidence say.

    Args:
        truth: the right answer.
        rival: the other answer that was allowed.
        share: rival share, from 0 to 1; None where no probe was valid.
    """

    truth: str
    rival: str
    share: float | None


@dataclass(frozen=True)
class CopyingTrial:
    """One trial as the theory of copying sees it.

    Args:
        match: study seed, replicate and N.
        truth: the right answer.
        rival: the rival.
        histories: what each agent heard and answered, in seat order. Answers are its probes and its
            own messages; isolated guesses, which chose the rival, are left out. A message that is
            invalid or was cut off was not heard.
        share: rival share by two-way probes of the same evidence; None where it is not known.
        summary: the trial for measures, with its last readout only; seeds of pooled runs are kept
            apart.
    """

    match: Match
    truth: str
    rival: str
    histories: Histories
    share: float | None
    summary: TrialSummary


def observed(run: Run, shares: Run | None = None) -> list[CopyingTrial]:
    """Return the completed trials that enter estimates, as the theory of copying sees them.

    Args:
        run: a run of a protocol whose speakers have one listener each.
        shares: a run of two-way probes; its trials are matched by study seed, replicate and N. A
            trial that it does not hold has no share.

    Returns:
        Trials in the order of the run.

    Raises:
        SettingError: the protocol has no speakers with one listener, or `shares` no two-way probes.
        RunFileError: a file is damaged, matched trials differ in truth or rival, or `shares` has no
            share for any trial.

    Source: Flag Game, section 5.2.
    """
    known = {} if shares is None else probed(shares)
    added = offsets(run.parts)
    trials = []
    for part, offset in zip(run.parts, added, strict=True):
        trials += [
            _trial(record, part.study.seed, offset, known)
            for record in part.file.trials()
            if record.plan.role == "estimate"
        ]
    if shares is not None and all(trial.share is None for trial in trials):
        raise RunFileError(
            f"none of the {len(trials)} trials of {_paths(run)} has a share in {_paths(shares)}; "
            "both need the same study seed, seeds and N, and valid probes"
        )
    return trials


def check_condition(trials: Sequence[CopyingTrial]) -> None:
    """Refuse trials that differ in more than N and seed.

    Raises:
        SettingError: they do; it names the axes and their values.
    """
    conditions = [trial.summary.condition for trial in trials]
    axes = sorted({axis for condition in conditions for axis in condition} - {"N"})
    varied = {axis: {str(one.get(axis, "unset")): None for one in conditions} for axis in axes}
    given = [f"{axis} = {', '.join(held)}" for axis, held in varied.items() if len(held) > 1]
    if given:
        raise SettingError("run", "; ".join(given), "one value of each axis but for N")


def _paths(run: Run) -> str:
    return " and ".join(str(part.file.path) for part in run.parts)


def probed(run: Run) -> dict[Match, Probed]:
    """Return what the two-way probes of each trial's evidence say, but for examples.

    Raises:
        SettingError: the run holds no two-way probes, or several conditions of one N.
        RunFileError: a file is damaged.

    Source: Flag Game, section 5.2, rival evidence share.
    """
    found = {}
    for part in run.parts:
        for record in part.file.trials():
            summary = record.summary()
            if record.plan.role != "estimate":
                continue
            why = rivalry.MEASURE.undefined(summary)
            if why is not None:
                raise SettingError("shares", str(part.file.path), f"two-way probes; {why}")
            share = rivalry.MEASURE.value(summary)
            match = Match(part.study.seed, record.plan.seed, summary.bearers)
            if match in found:
                twice = f"{part.file.path}: seed {match.seed} at N = {match.n} more than once"
                raise SettingError("shares", twice, "one value of each axis but for N")
            found[match] = Probed(
                summary.truth, _rival(summary), None if share is None else float(share)
            )
    return found


def _rival(summary: TrialSummary) -> str:
    if "compatible" not in summary.facts or not summary.guesses:
        raise SettingError(
            "run", f"trial {summary.trial}", "isolated guesses and compatible sets, to tell a rival"
        )
    compatible = summary.facts["compatible"]
    return rivalry.rival(summary.guesses, summary.truth, summary.answers, compatible)


def _trial(
    record: TrialRecord, study_seed: int, offset: int, known: Mapping[Match, Probed]
) -> CopyingTrial:
    summary = record.summary()
    rival = _rival(summary)
    histories = _histories(record, summary.truth, rival)
    match = Match(study_seed, record.plan.seed, summary.bearers)
    found = known.get(match, Probed(summary.truth, rival, None))
    if (found.truth, found.rival) != (summary.truth, rival):
        raise RunFileError(
            f"seed {match.seed} at N = {match.n} is about {summary.truth} and {rival}, but its "
            f"two-way probes about {found.truth} and {found.rival}: not the same evidence or agents"
        )
    last = max(summary.readouts)
    kept = replace(summary, readouts={last: summary.readouts[last]}, seed=record.plan.seed + offset)
    return CopyingTrial(match, summary.truth, rival, histories, found.share, kept)


def _histories(record: TrialRecord, truth: str, rival: str) -> Histories:
    """The events of each seat, in the order in which the graph puts its steps."""
    steps, cuts = record.graph.steps, record.graph.cuts
    gave = {truth: GAVE_TRUTH, rival: GAVE_RIVAL}
    heard = {truth: HEARD_TRUTH, rival: HEARD_RIVAL}
    events: list[list[int]] = [[] for _ in record.graph.seats]
    spoken = False
    for index in sorted(record.outcomes):
        step, answer = steps[index], record.answer(index)
        if step.purpose not in {"probe", "message"}:
            continue
        if step.kind == "model":
            events[step.seat].append(GAVE_OTHER if answer is None else gave.get(answer, GAVE_OTHER))
        if step.purpose == "message":
            spoken = spoken or len(step.to) == 1
            for listener in step.to:
                if answer is not None and (index, listener) not in cuts:
                    events[listener].append(heard.get(answer, HEARD_OTHER))
    if not spoken:
        raise SettingError(
            "run",
            f"trial {record.plan.number}",
            "a protocol in which a speaker has one listener, such as pairwise: broadcast and "
            "managed groups read many reports at once, which copying does not describe",
        )
    offsets = np.cumsum([0, *map(len, events)])
    return Histories(np.concatenate([np.array(own, np.int8) for own in events]), offsets)
