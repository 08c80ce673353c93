"""The order of calls, limits, and what happens when a run is stopped."""

from __future__ import annotations

import asyncio

import pytest

from socialcircuits.agents import Recorded
from socialcircuits.errors import ReplayError
from socialcircuits.graph import Settings
from socialcircuits.trial import MOST_IN_FLIGHT, play, play_waiting
from tests.support.clock import run, timed
from tests.support.journals import Notebook
from tests.support.minds import Waiting, one_second
from tests.support.trials import Gossip, draws, played_by, recorded, trial


@pytest.mark.parametrize(("in_flight", "seconds"), [(1, 16), (3, 6), (16, 1), (MOST_IN_FLIGHT, 1)])
def test_calls_in_flight_are_bounded_and_the_bound_is_used(in_flight: int, seconds: int) -> None:
    setup = trial("broadcast", 16, Settings(rounds=1)).shared_only()
    mind = Waiting(Gossip(), one_second)
    _, took = timed(play_waiting(played_by(setup, mind), in_flight=in_flight))
    assert mind.highest == min(in_flight, 16)
    assert took == seconds


def test_nothing_beyond_the_horizon_is_asked() -> None:
    setup = trial(
        "pairwise", 6, Settings(rounds=10, stop=3), mind=Gossip(certain=True), unanimous=True
    )
    mind = Waiting(setup.minds[0])
    played = run(play_waiting(played_by(setup, mind)))
    where = draws(setup)
    assert played.cut == 2
    assert max(setup.graph.steps[where[draw][0]].round for draw in mind.asked) == 2


def test_probes_never_hold_the_conversation_up() -> None:
    setup = trial("pairwise", 8, Settings(rounds=6, stop=None))
    where, steps = draws(setup), setup.graph.steps

    def slow_probes(draw: bytes) -> float:
        return 1000.0 if steps[where[draw][0]].purpose == "probe" else 1.0

    mind = Waiting(Gossip(), slow_probes)
    _, took = timed(play_waiting(played_by(setup, mind)))
    assert 1000 < took < 1050
    came = [steps[where[draw][0]].purpose for event, draw in mind.events if event == "came"]
    assert came.index("probe") > max(i for i, purpose in enumerate(came) if purpose == "message")


def test_a_stopped_run_keeps_what_has_come_and_waits_for_nothing() -> None:
    setup = trial("pairwise", 8, Settings(rounds=6, stop=None), mind=Gossip(invalid=100))
    notebook, mind = Notebook(), Waiting(setup.minds[0], one_second)

    async def stopped() -> None:
        work = asyncio.ensure_future(play_waiting(played_by(setup, mind), journal=notebook))
        await asyncio.sleep(3.5)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert asyncio.get_running_loop().time() == 3.5

    run(stopped())
    came = [draw for event, draw in mind.events if event == "came"]
    assert len(notebook.answered) == len(came) > 0
    assert len(notebook.asking) == len(mind.asked) > len(came)

    rest = Waiting(setup.minds[0], one_second)
    kept = dict(notebook.replies)
    resumed = run(play_waiting(played_by(setup, rest), kept.get))
    assert resumed.attempts == play(setup).attempts
    assert not set(rest.asked) & set(came)


def test_the_first_of_several_failures_comes_out() -> None:
    setup = trial("broadcast", 4, Settings(rounds=1))
    where = draws(setup)
    guesses = frozenset(
        draw
        for draw, (step, attempt) in where.items()
        if setup.graph.steps[step].shared and not attempt
    )
    mind = Waiting(Gossip(), one_second, failing=guesses)
    notebook = Notebook()
    with pytest.raises(ConnectionError):
        run(play_waiting(played_by(setup, mind), journal=notebook))
    assert set(mind.asked) >= guesses
    assert len(notebook.answered) == len(mind.asked) - 4


def test_what_is_recorded_is_never_asked() -> None:
    setup = trial("manager", 5, Settings(rounds=3), mind=Gossip(invalid=200))
    plain = play(setup)
    mind = Waiting(setup.minds[0])
    again = run(play_waiting(played_by(setup, mind), recorded(plain.attempts)))
    assert mind.asked == []
    assert (again.made, again.reused) == (0, plain.made)
    assert again.attempts == plain.attempts


def test_a_replay_that_misses_a_reply_is_an_error_that_names_it() -> None:
    setup = trial("manager", 3, Settings(rounds=2))
    plain = play(setup)
    silent = played_by(setup, Recorded(setup.minds[0]))
    with pytest.raises(ReplayError, match=r"no reply of gossip.* to this decision"):
        play(silent, recorded(plain.attempts[:-1]))
