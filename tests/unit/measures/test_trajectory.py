"""Shares over t/N."""

from __future__ import annotations

from socialcircuits.measures.trajectory import trajectory
from tests.unit.measures.trials import answers, trial


def test_shares_are_carried_forward_after_a_stop() -> None:
    readouts = {0: answers("TRO-"), 1: answers("TTR-"), 2: answers("TTTT")}
    found = trajectory(trial(readouts=readouts, rounds=5))
    assert found.times == (0, 1, 2, 3, 4, 5)
    assert found.shares == {
        "France": (0.25, 0.25, 0.0, 0.0, 0.0, 0.0),
        "Mali": (0.25, 0.0, 0.0, 0.0, 0.0, 0.0),
        "Peru": (0.25, 0.5, 1.0, 1.0, 1.0, 1.0),
    }
    assert found.invalid == (0.25, 0.25, 0.0, 0.0, 0.0, 0.0)
    assert found.stopped == 2


def test_time_starts_at_the_first_readout() -> None:
    found = trajectory(trial(readouts={1: answers("TT"), 2: answers("TR")}, rounds=2))
    assert (found.times, found.stopped) == ((1, 2), 2)
    assert found.shares["Peru"] == (1.0, 0.5)


def test_rows_add_up_to_all_seats() -> None:
    rows = trajectory(trial(readouts={0: answers("TR-"), 1: answers("TT-")}, rounds=3)).rows()
    for time in range(4):
        assert abs(sum(row["share"] for row in rows if row["time"] == time) - 1) < 1e-12
    assert {row["time"] for row in rows if row["carried"]} == {2, 3}
    assert {row["answer"] for row in rows} == {"France", "Peru", None}
