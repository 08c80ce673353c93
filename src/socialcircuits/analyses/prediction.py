"""Prediction: the theory is fitted to some replicates and foretells how the others end.

Replicates differ in truth and evidence, so each one that is fitted has its own (a_T, a_R); h_0 and
the slip are the agents'. A replicate that was held out is as likely to be like any of those: the
prediction for N agents is the mean over them, after the rounds of the run, without self pairs.
Measured are the endpoint classes, in which a consensus on any wrong answer is a wrong one and
camps of any two answers polarize; the theory knows the truth and one rival only.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from socialcircuits.analyses.copying import CopyingTrial, check_condition
from socialcircuits.errors import SettingError
from socialcircuits.measures import estimate
from socialcircuits.measures.endpoints import MEASURES, Endpoint
from socialcircuits.statistics import Estimate
from socialcircuits.theory.cohort import mean_outcome
from socialcircuits.theory.fit import Fit, GroupFit, Interval, fit, fit_groups
from socialcircuits.theory.histories import Histories, joined
from socialcircuits.theory.outcomes import outcome

__all__ = ["ENDPOINTS", "ClassShare", "Prediction", "by_evidence", "predict"]

ENDPOINTS: dict[str, Endpoint] = {
    "correct": "correct_consensus",
    "wrong": "wrong_consensus",
    "polarized": "polarization",
    "fragmented": "fragmentation",
}
"""Class of the theory -> measured class."""


@dataclass(frozen=True)
class ClassShare:
    """One class at one size: what was foretold and what came.

    Args:
        n: number of agents.
        rounds: rounds after which groups are predicted and were measured.
        endpoint: the class, as measured.
        predicted: probability by the fit in which replicates differ in their evidence.
        alike: probability by the fit in which all agents of all replicates share (a_T, a_R).
        measured: share of the held-out trials, with its interval.

    >>> from socialcircuits.statistics import proportion
    >>> one = ClassShare(8, 20, "polarization", 0.5, 0.75, proportion(5, 20))
    >>> one.misfit, one.inside
    (0.25, False)
    """

    n: int
    rounds: int
    endpoint: Endpoint
    predicted: float
    alike: float
    measured: Estimate

    @property
    def misfit(self) -> float | None:
        """Predicted less measured; None where nothing was measured."""
        return None if self.measured.value is None else self.predicted - self.measured.value

    @property
    def inside(self) -> bool | None:
        """Whether the interval of the measured share holds the prediction; None without one.

        The interval is that of the held-out trials alone. Which replicates were fitted is chance
        too, so few of them may be outside without any fault of the theory.
        """
        if self.measured.low is None or self.measured.high is None:
            return None
        return self.measured.low <= self.predicted <= self.measured.high


@dataclass(frozen=True)
class Prediction:
    """What a fit foretells of the trials that it did not see.

    Args:
        fitted: the replicates that were fitted, seeds of the run.
        held_out: the replicates that were not.
        alike: the fit in which all share (a_T, a_R).
        groups: the fit in which each replicate has its own, in the order of `fitted`.
        shares: by size, then in the order of `ENDPOINTS`; empty where the fit predicts nothing.
        why: why it does not; empty where it does.
    """

    fitted: tuple[int, ...]
    held_out: tuple[int, ...]
    alike: Fit
    groups: GroupFit
    shares: tuple[ClassShare, ...]
    why: str


def by_evidence(trials: Sequence[CopyingTrial]) -> dict[int, Histories]:
    """Return the agents of each replicate as one group; replicates of one seed share evidence.

    Returns:
        Seed of the run -> histories, in order of the seeds.
    """
    seeds = sorted({trial.summary.seed for trial in trials})
    return {
        seed: joined(trial.histories for trial in trials if trial.summary.seed == seed)
        for seed in seeds
    }


def predict(trials: Sequence[CopyingTrial], held_out: Collection[int] | None = None) -> Prediction:
    """Fit the theory to some replicates and compare what it foretells with how the others ended.

    Args:
        trials: of `observed`, in one condition but for N.
        held_out: the replicates that are not fitted, seeds of the run; None takes every second.

    Raises:
        SettingError: conditions differ in more than N, no replicate is left on one side, a seed is
            unknown, or no answer names the truth or the rival.

    Source: Flag Game, section 5.2 and figure 8; the check is ours.
    """
    check_condition(trials)
    seeds = sorted({trial.summary.seed for trial in trials})
    kept = set(seeds[1::2] if held_out is None else held_out)
    if not kept or not kept < set(seeds):
        raise SettingError("held_out", sorted(kept), f"some of the seeds {seeds}, and not all")
    fitted = by_evidence([trial for trial in trials if trial.summary.seed not in kept])
    alike, groups = fit(joined(fitted.values())), fit_groups(list(fitted.values()))
    why = _unknown(alike, groups)
    tests = [] if why else [trial for trial in trials if trial.summary.seed in kept]
    sizes = sorted({trial.match.n for trial in tests})
    shares = [
        share
        for n in sizes
        for share in _shares([trial for trial in tests if trial.match.n == n], alike, groups)
    ]
    return Prediction(tuple(fitted), tuple(sorted(kept)), alike, groups, tuple(shares), why)


def _unknown(alike: Fit, groups: GroupFit) -> str:
    """Say which numbers a prediction lacks; empty if it has all."""
    needed = {
        "a_T": [alike.truth],
        "a_R": [alike.rival],
        "h_0": [alike.bias, groups.bias],
    }
    lost = [name for name, ones in needed.items() if any(one.value is None for one in ones)]
    if not lost:
        return ""
    return f"{' and '.join(lost)} {'is' if len(lost) == 1 else 'are'} not identified"


def _shares(tests: Sequence[CopyingTrial], alike: Fit, groups: GroupFit) -> list[ClassShare]:
    n, rounds = tests[0].match.n, tests[0].summary.rounds
    evidence = list(zip(groups.truth, groups.rival, strict=True))
    expected = mean_outcome(n, evidence, _known(groups.bias), rounds, self_pairs=False)
    one = (_known(alike.truth), _known(alike.rival), _known(alike.bias))
    pooled = outcome(n, *one, rounds, self_pairs=False)
    rows = estimate([trial.summary for trial in tests], {}, MEASURES)
    measured = {row.measure: row.estimate for row in rows}
    return [
        ClassShare(
            n, rounds, endpoint, getattr(expected, name), getattr(pooled, name), measured[endpoint]
        )
        for name, endpoint in ENDPOINTS.items()
    ]


def _known(found: Interval) -> float:
    assert found.value is not None
    return found.value
