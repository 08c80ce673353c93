from __future__ import annotations

import pytest

from socialcircuits.graph import Graph, Readout, Seat, Step, build
from socialcircuits.trial.stopping import StopTracker


def probes(rounds: int, seats: int = 2, stop: int | None = 2) -> Graph:
    """All seats are probed in each round, from round 0 on; there are `rounds` of them."""
    cast = [Seat(str(seat)) for seat in range(seats)]
    steps = [Step(seat, "probe", r) for r in range(rounds) for seat in range(seats)]
    return build(cast, steps, Readout("probe", tuple(range(seats)), 0), stop)


def settled(tracker: StopTracker, *answers: str | None) -> tuple[int | None, int]:
    for index, answer in enumerate(answers):
        tracker.settle(index, answer)
    return tracker.cut, tracker.horizon


def test_at_first_the_earliest_possible_stop_is_the_horizon() -> None:
    assert settled(StopTracker(probes(6, stop=5))) == (None, 4)


@pytest.mark.parametrize("stop", [None, 7])
def test_a_rule_that_cannot_be_met_sends_everything(stop: int | None) -> None:
    assert settled(StopTracker(probes(6, stop=stop))) == (None, 5)


@pytest.mark.parametrize(
    ("answers", "cut", "horizon"),
    [
        ("PPPP", 1, 1),
        ("PPP", None, 1),  # not yet decided, but nothing later may be sent
        ("PC", None, 2),
        ("P-", None, 2),
        ("--", None, 2),
        ("PPCC", None, 2),
        ("PPCCCC", 2, 2),
        ("PPPC", None, 3),
        ("PCPCPCPCPCPC", None, 5),
    ],
)
def test_cut_and_horizon(answers: str, cut: int | None, horizon: int) -> None:
    names = {"P": "Peru", "C": "Chad", "-": None}
    tracker = StopTracker(probes(6))
    assert settled(tracker, *(names[letter] for letter in answers)) == (cut, horizon)


def test_one_dissenter_far_ahead_moves_the_horizon_at_once() -> None:
    tracker = StopTracker(probes(8, stop=3))
    assert tracker.horizon == 2
    tracker.settle(2, "Peru")
    tracker.settle(3, "Chad")
    assert tracker.horizon == 4


def test_only_the_readout_counts() -> None:
    cast = [Seat("0"), Seat("1"), Seat("manager", "manager")]
    steps = [Step(0, "guess", 0, shared=True)]
    for r in (1, 2, 3):
        steps += [Step(0, "decision", r), Step(2, "decision", r), Step(2, "report", r)]
    tracker = StopTracker(build(cast, steps, Readout("decision", (2,), 1), stop=2))
    others = [i for i, step in enumerate(steps) if (step.seat, step.purpose) != (2, "decision")]
    for index in others:
        tracker.settle(index, "Chad")
    assert (tracker.cut, tracker.horizon) == (None, 2)
    for index in set(range(len(steps))) - set(others):
        tracker.settle(index, "Peru")
    assert tracker.cut == 2
