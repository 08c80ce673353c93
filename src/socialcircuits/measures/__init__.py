"""Measures: pure functions of the record, and their estimates with intervals.

A new measure is one file that exports a `Measure`, one line in `CATALOGUE` and one test.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from socialcircuits.measures import (
    _cells,
    collective_accuracy,
    defection,
    endpoints,
    first_defection,
    group_accuracy,
    hidden_belief,
    honest_accuracy,
    infection_time,
    initial_accuracy,
    invalid_share,
    isolated_errors,
    labelled,
    majority_accuracy,
    majority_ties,
    manager_accuracy,
    memory_conflict,
    pairings,
    probe_accuracy,
    reasks,
    rivalry,
    seat,
    uplift,
)
from socialcircuits.measures._base import READS, Measure, Row, cell, honest, no_courses
from socialcircuits.measures.endpoints import robustness
from socialcircuits.measures.yield_point import yields
from socialcircuits.records.summary import TrialSummary

__all__ = [
    "CATALOGUE",
    "CONTRASTED",
    "READS",
    "Measure",
    "Row",
    "arms",
    "cell",
    "contrasts",
    "effects",
    "estimate",
    "honest",
    "no_courses",
    "robustness",
    "yields",
]

CATALOGUE: tuple[Measure, ...] = (
    initial_accuracy.MEASURE,
    *isolated_errors.MEASURES,
    probe_accuracy.MEASURE,
    majority_accuracy.MEASURE,
    majority_ties.MEASURE,
    rivalry.MEASURE,
    collective_accuracy.MEASURE,
    manager_accuracy.MEASURE,
    uplift.MEASURE,
    *endpoints.MEASURES,
    *memory_conflict.MEASURES,
    *defection.MEASURES,
    *honest_accuracy.MEASURES,
    *group_accuracy.MEASURES,
    *first_defection.MEASURES,
    *labelled.MEASURES,
    *hidden_belief.MEASURES,
    *infection_time.MEASURES,
    *pairings.MEASURES,
    *reasks.MEASURES,
    *seat.MEASURES,
    invalid_share.MEASURE,
)
"""All measures, in the order of tables."""

CONTRASTED: tuple[Measure, ...] = (
    collective_accuracy.MEASURE,
    manager_accuracy.MEASURE,
    *endpoints.MEASURES,
    *(one for one in defection.MEASURES if one.kind == "mean"),
    *(one for one in honest_accuracy.MEASURES if one.name != "honest_initial_accuracy"),
    *(one for one in group_accuracy.MEASURES if one.kind == "mean"),
    *hidden_belief.CONTRASTED,
)
"""The measures that are contrasted between the ends of an axis: each has a value for every matched
seed. For a ratio that is pooled over trials its mean over questions stands, or, in a chatroom, its
value in each trial."""


def estimate(
    summaries: Sequence[TrialSummary],
    planned: Mapping[str, int],
    measures: Iterable[Measure] = CATALOGUE,
) -> list[Row]:
    """Estimate every measure in every cell in which it is defined.

    A cell is the trials of equal condition; its unit of evidence is the seed. Each row's levels
    say under ``seeds`` how many were planned and completed and how many are excluded from the
    estimate (planned = n + excluded), under ``excluded`` why, and under ``answers`` how many
    answers were read and how many of them were invalid (``pooled``: both parts of a ratio).

    Args:
        summaries: the completed trials.
        planned: key of the condition (`cell`) -> number of planned seeds; a cell that is not named
            counts as planned as completed. A planned cell of which no trial was completed gives
            rows without a value for the measures that are defined throughout the other cells.
        measures: what to estimate.

    Returns:
        Rows by cell in order of first appearance (then planned cells without trials, as planned),
        within a cell in the order of the measures.

    Raises:
        RunFileError: a cell holds a seed twice.
        SettingError: fewer seeds are planned than completed.

    >>> trial = TrialSummary(
    ...     trial=0, condition={"N": 2}, seed=1, truth="Peru", answers=("Mali", "Peru"), bearers=2,
    ...     guesses=("Mali", "Peru"), readouts={1: ("Peru", "Peru")}, rounds=1, population=True,
    ...     managed=False, asked=4, invalid=0, facts={})
    >>> row = estimate([trial], {cell({"N": 2}): 2})[0]
    >>> row.measure, row.estimate.value, row.estimate.levels["excluded"]
    ('initial_accuracy', 0.5, {'not completed': 1})
    """
    return _cells.estimate(summaries, planned, measures)


def contrasts(
    summaries: Sequence[TrialSummary],
    axis: str,
    measures: Iterable[Measure] = CONTRASTED,
) -> list[Row]:
    """Contrast the largest with the smallest value of a numeric axis on matched seeds.

    The value is the mean over seeds of the difference, largest minus smallest, with the paired t
    interval. The method also gives the test: McNemar's mid-p (exact beside it) for measures that
    hold or not, the sign-flip permutation p for shares. Only seeds complete on both sides enter;
    the rest are counted. The other axes are kept apart: one contrast for each of their
    combinations; none where the axis has one value.

    Args:
        summaries: the completed trials.
        axis: name of a swept setting with numeric values, for example ``N``.
        measures: what to contrast.

    Raises:
        RunFileError: a cell holds a seed twice.
        SettingError: the axis is not swept or not numeric.

    >>> def trial(size, *final):
    ...     return TrialSummary(
    ...         trial=size, condition={"N": size}, seed=1, truth="Peru", answers=("Mali", "Peru"),
    ...         bearers=size, guesses=final, readouts={1: final}, rounds=1, population=True,
    ...         managed=False, asked=2 * size, invalid=0, facts={})
    >>> row = contrasts([trial(2, "Mali", "Peru"), trial(3, "Peru", "Peru", "Peru")], "N")[0]
    >>> row.measure, row.condition, row.estimate.value
    ('collective_accuracy', {'N': 3, 'minus': {'N': 2}}, 0.5)
    """
    return _cells.contrasts(summaries, axis, measures)


def effects(
    summaries: Sequence[TrialSummary],
    axis: str = "intervention",
    measures: Iterable[Measure] = CONTRASTED,
) -> list[Row]:
    """Contrast each intervention with the same trials without any, on matched seeds.

    The value is the mean over seeds of the difference, changed minus unchanged: the effect of the
    intervention, all else held fixed. Interval, test and counts are those of `contrasts`. None
    where nothing unchanged stands beside an intervention.

    Args:
        summaries: the completed trials.
        axis: the swept setting that names the intervention; empty text stands for none.
        measures: what to contrast.

    Raises:
        RunFileError: a cell holds a seed twice.

    Source: Flag Game, section 5.1 and Fig. 7.
    """
    return _cells.effects(summaries, axis, measures)


def arms(summaries: Sequence[TrialSummary]) -> list[Row]:
    """Contrast each arm of a seat test with the same claims at dose 0, where nobody has spoken.

    The value is the share of claims after the guests minus that after being asked once more, so
    that what a subject changes of itself is no effect of theirs. Interval, test and counts are
    those of `contrasts`; claims that do not belong to the line on both sides are left out.

    Args:
        summaries: the completed trials.

    Raises:
        RunFileError: a cell holds a seed twice.
    """
    tested = [trial for trial in summaries if trial.seat]
    return _cells.effects(tested, "peers", seat.CONTRASTED, ("said", "wordings", "N"))
