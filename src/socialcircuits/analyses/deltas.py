"""Two runs of one study side by side: what changes on the same seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from socialcircuits.errors import RunFileError
from socialcircuits.measures import CONTRASTED, Measure, Row, cell, effects
from socialcircuits.records import TrialSummary
from socialcircuits.records.digests import differences
from socialcircuits.studies.run import Run

RUN = "run"
"""Stands among the settings of a difference between runs: the run that the first is taken from."""


def deltas(first: Run, second: Run, measures: Iterable[Measure] = CONTRASTED) -> list[Row]:
    """Contrast each condition that both runs hold, second minus first, on matched seeds.

    Equal seeds of equal study seeds have the same truth and evidence, whatever the models, so that
    each is compared with itself. The value is the mean over seeds of the difference, with the
    interval, the test and the counts of `measures.contrasts`; seeds that are complete in one run
    only are counted. A measure stands where it has a meaning in either run.

    Returns:
        Rows whose condition holds ``run``, the path of the second, and ``minus`` with that of the
        first.

    Raises:
        RunFileError: the runs have other study seeds or worlds, so that no two trials match, or
            share no condition.
    """
    _comparable(first, second)
    # Of a contrast with none, the empty text is none.
    marked = [*_marked(first.summaries(), ""), *_marked(second.summaries(), str(second.path))]
    rows = effects(marked, RUN, measures)
    if not rows:
        raise RunFileError(
            f"{first.path} and {second.path}: no condition has completed trials in both"
        )
    return [
        replace(row, condition={**row.condition, "minus": {RUN: str(first.path)}}) for row in rows
    ]


def matched(
    pairs: Iterable[tuple[TrialSummary, TrialSummary]],
    runs: tuple[str, str],
    measures: Iterable[Measure] = CONTRASTED,
) -> list[Row]:
    """Contrast the second of each pair of trials with the first, as `deltas` does, by the second's
    condition.

    Args:
        pairs: trials of equal seed; a first may be that of several pairs, as where each
            intervention is compared with the same trial without any.
        runs: the names of both runs.
        measures: what to contrast.
    """
    firsts, seconds = dict[tuple[str, int], TrialSummary](), list[TrialSummary]()
    for one, two in pairs:
        # Where only one side has an intervention, it is the other's trial without any.
        set_there = {name: value for name, value in one.condition.items() if value != ""}
        condition = {**two.condition, **set_there}
        firsts[cell(condition), one.seed] = replace(one, condition={**condition, RUN: ""})
        seconds.append(replace(two, condition={**condition, RUN: runs[1]}))
    rows = effects([*firsts.values(), *seconds], RUN, measures)
    return [replace(row, condition={**row.condition, "minus": {RUN: runs[0]}}) for row in rows]


def _marked(summaries: Sequence[TrialSummary], run: str) -> list[TrialSummary]:
    return [replace(one, condition={**one.condition, RUN: run}) for one in summaries]


def _comparable(first: Run, second: Run) -> None:
    seeds = [[part.study.seed for part in run.parts] for run in (first, second)]
    if seeds[0] != seeds[1]:
        raise RunFileError(
            f"{first.path} and {second.path}: their study seeds ({_listed(seeds[0])} and "
            f"{_listed(seeds[1])}) differ, so that no two trials have the same truth and evidence"
        )
    one, two = first.study.world, second.study.world
    if one != two:
        changes = "; ".join(differences("$.world", one, two))
        raise RunFileError(f"{first.path} and {second.path}: other worlds ({changes})")


def _listed(seeds: Sequence[int]) -> str:
    return ", ".join(map(str, seeds))
