"""Yield point: how many of an agent's planted memories must name the lure before it does too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from socialcircuits.measures._base import Row, by_cell, cell, no_planted, with_seeds
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import Estimate, mean, proportion

__all__ = ["yields"]

AXIS = "lures"
"""The swept setting whose values are the rungs of the ladder."""

Ladder = Mapping[int, TrialSummary]
"""rung, the number of entries that name the lure -> the trial of one seed."""


def yields(summaries: Sequence[TrialSummary]) -> list[Row]:
    """Estimate where agents go over to the lure, over the ladder of each planted condition.

    A seed's yield point is the Spearman-Kaerber estimate over its rungs k = 0..H: the number of
    rungs at which the agent does not name the lure, less 1/2. An agent that goes over between k - 1
    and k lures has k - 1/2; one that names the lure at every rung has -1/2, one that never does
    H + 1/2. These two ends say only that no change was seen within the ladder.

    The estimate needs no model of the curve and no order within a seed: the mean over seeds is
    H + 1/2 less the sum over rungs of the share that names the lure, a fact about the data whatever
    its shape. To read it as *the* number at which agents yield is sound where the chance of naming
    the lure rises with the lures; the levels' ``ladders`` says how many seeds stepped over once,
    never came back, and how many went back and forth. A third country is not the lure: an agent
    that leaves the truth for it has not yielded. Where many never yield, the mean is a lower bound
    of where they would on a longer ladder.

    Args:
        summaries: the completed trials; those without a planted memory, and those of conditions
            in which ``lures`` is not swept, are passed over.

    Returns:
        For each condition (without ``lures``) two rows over the same seeds, those with a valid
        answer at every rung: ``yield_point`` in entries, from -1/2 to H + 1/2, the mean with its t
        interval clipped to these bounds, and ``yielded``, the share of seeds that name the lure at
        rung H. Seeds left out are counted, with why; a seed of which no rung was completed is
        not seen here.

    Raises:
        RunFileError: a cell holds a seed twice.

    Source: Spearman (1908) and Kaerber (1931) for the estimate; Flag Game, section 5.1 and Fig. 10,
    for the ladder.

    >>> def trial(lures, answer):
    ...     return TrialSummary(
    ...         trial=lures, condition={"lures": lures}, seed=1, truth="Peru",
    ...         answers=("Mali", "Peru"), bearers=1, guesses=(), readouts={1: (answer,)}, rounds=1,
    ...         population=False, managed=False, asked=1, invalid=0,
    ...         facts={"planted": {"lure": lures, "of": 2}, "lure": "Mali"})
    >>> row = yields([trial(0, "Peru"), trial(1, "Peru"), trial(2, "Mali")])[0]
    >>> row.measure, row.estimate.value, (row.estimate.low, row.estimate.high)
    ('yield_point', 1.5, (-0.5, 2.5))
    """
    planted = [t for t in summaries if no_planted(t) is None and AXIS in t.condition]
    by_cell(planted)
    groups: dict[tuple[str, int], list[TrialSummary]] = {}
    for trial in planted:
        others = {name: value for name, value in trial.condition.items() if name != AXIS}
        groups.setdefault((cell(others), trial.facts["planted"]["of"]), []).append(trial)
    return [
        row
        for (_, top), trials in groups.items()
        if {trial.facts["planted"]["lure"] for trial in trials} == set(range(top + 1))
        for row in _rows(trials, top)
    ]


def _rows(trials: Sequence[TrialSummary], top: int) -> tuple[Row, Row]:
    ladders: dict[int, dict[int, TrialSummary]] = {}
    for trial in trials:
        ladders.setdefault(trial.seed, {})[trial.facts["planted"]["lure"]] = trial
    whole = [ladder for ladder in ladders.values() if len(ladder) == top + 1]
    valid = [named for ladder in whole if (named := _named(ladder)) is not None]
    reasons = Counter(
        {
            "not completed at every rung": len(ladders) - len(whole),
            "an invalid answer at a rung": len(whole) - len(valid),
        }
    )

    def finish(result: Estimate, what: str) -> Estimate:
        result = with_seeds(result, len(ladders), len(whole), reasons)
        stepped = sum(named == sorted(named) for named in valid)
        shapes = {"stepped over once or never": stepped, "back and forth": len(valid) - stepped}
        levels = {**result.levels, "ladders": shapes}
        return replace(result, method=f"{result.method}; {what}", levels=levels)

    points = [named.count(False) - 0.5 for named in valid]
    spread = (
        f"Spearman-Kaerber, units in entries that name the lure: rungs 0 to {top} at which it is "
        f"not named, less 1/2; -0.5 means named at every rung, {top + 0.5:g} means never"
    )
    condition = {name: value for name, value in trials[0].condition.items() if name != AXIS}
    yielded = proportion(sum(named[-1] for named in valid), len(valid))
    return (
        Row("yield_point", condition, finish(mean(points, (-0.5, top + 0.5)), spread)),
        Row("yielded", condition, finish(yielded, f"names the lure at {top} of {top} entries")),
    )


def _named(ladder: Ladder) -> list[bool] | None:
    """Whether the lure is named at each rung from 0 up; None where an answer is invalid."""
    ends = [(ladder[rung].final[0], ladder[rung].facts["lure"]) for rung in sorted(ladder)]
    return None if any(answer is None for answer, _ in ends) else [a == lure for a, lure in ends]
