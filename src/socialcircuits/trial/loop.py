"""One at a time: the loop for minds that reply at once."""

from __future__ import annotations

from socialcircuits.graph import Observation
from socialcircuits.graph.walk import Blocked
from socialcircuits.records import NO_KEY, Attempt, Played, segment_digest
from socialcircuits.trial.setup import Setup
from socialcircuits.trial.state import Known, State


def unknown(key: bytes) -> None:
    """The empty record: no reply is known."""
    return


def play(setup: Setup, known: Known = unknown) -> Played:
    """Run a trial in graph order, one step after the other.

    Args:
        setup: the trial; no mind may wait.
        known: where replies that need not be asked for again are found.
    """
    state = State(setup, known)
    for index, step in enumerate(setup.graph.steps):
        if step.round > state.stop.horizon:
            break
        observation = state.observe(index)
        assert not isinstance(observation, Blocked), "graph order resolves all that is read"
        state.settle(index, answer_now(state, index, observation))
    return state.finish()


def answer_now(state: State, index: int, observation: Observation) -> list[Attempt]:
    """Ask a step's mind, which replies at once, until its reply is valid or retries are used up."""
    setup = state.setup
    step = setup.graph.steps[index]
    if step.kind != "model":
        return [Attempt(index, 0, NO_KEY, state.fixed(index, observation))]
    mind = setup.minds[step.seat]
    seen = mind.digest(observation)
    sent = tuple(segment_digest(segment) for segment in mind.segments(observation))
    attempts: list[Attempt] = []
    for number in range(setup.retries + 1):
        key, bits = state.ticket(index, seen, number)
        reply = state.known(key)
        state.count(index, found=reply is not None)
        if reply is None:
            reply = mind.answer(observation, bits)
        attempts.append(Attempt(index, number, key, reply, sent))
        if reply.valid:
            break
    return attempts
