"""Trajectories: how the shares of the answers move over a trial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from socialcircuits.records.summary import TrialSummary

__all__ = ["Trajectory", "trajectory"]


@dataclass(frozen=True)
class Trajectory:
    """Shares of the answers over normalized time.

    Args:
        times: t/N, interactions (pairwise) or decisions of a seat (broadcast) per seat; one entry
            a round, ascending.
        shares: answer -> share of all seats at each time, in [0, 1]; only answers that were held
            at some time, in the order of the allowed answers.
        invalid: share of seats without a valid answer at each time, in [0, 1].
        stopped: the last time that was read out; later entries repeat its shares.
    """

    times: tuple[int, ...]
    shares: dict[str, tuple[float, ...]]
    invalid: tuple[float, ...]
    stopped: int

    def rows(self) -> list[dict[str, Any]]:
        """Return one row a time and answer (None for invalid), for a table of shares.

        >>> Trajectory((0, 1), {"Peru": (0.5, 1.0)}, (0.5, 0.0), stopped=1).rows()[0]
        {'time': 0, 'answer': 'Peru', 'share': 0.5, 'carried': False}
        """
        return [
            {"time": time, "answer": answer, "share": share, "carried": time > self.stopped}
            for answer, shares in (*self.shares.items(), (None, self.invalid))
            for time, share in zip(self.times, shares, strict=True)
        ]


def trajectory(summary: TrialSummary) -> Trajectory:
    """Return the shares of each answer over t/N, the last ones carried forward after a stop.

    A round is N interactions, so the number of rounds is t/N. Shares divide by all seats of the
    readout; an invalid answer is no answer.

    Args:
        summary: one trial with at least one readout.

    Source: Flag Game, section 3.1 and Fig. 3d.

    >>> trial = TrialSummary(
    ...     trial=0, condition={}, seed=1, truth="Peru", answers=("Mali", "Peru"), bearers=2,
    ...     guesses=("Mali", None), readouts={0: ("Mali", None), 1: ("Peru", "Peru")}, rounds=3,
    ...     population=True, managed=False, asked=6, invalid=2, facts={})
    >>> trajectory(trial).shares["Peru"]
    (0.0, 1.0, 1.0, 1.0)
    """
    first, stopped = min(summary.readouts), max(summary.readouts)
    times = tuple(range(first, max(summary.rounds, stopped) + 1))
    readouts = [summary.readouts[min(time, stopped)] for time in times]
    shares = {
        answer: tuple(readout.count(answer) / len(readout) for readout in readouts)
        for answer in summary.answers
        if any(answer in readout for readout in readouts)
    }
    invalid = tuple(readout.count(None) / len(readout) for readout in readouts)
    return Trajectory(times=times, shares=shares, invalid=invalid, stopped=stopped)
