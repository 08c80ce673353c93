"""Observations as text: whatever a simulated agent observes, it replies to the text as to it."""

from __future__ import annotations

import pytest

from socialcircuits.agents import load
from socialcircuits.errors import UsageError
from socialcircuits.evals.observing import read, write
from socialcircuits.graph import Observation, Reply
from socialcircuits.studies.planning import Builder, plan
from socialcircuits.studies.reading import read as read_study
from socialcircuits.trial import play


class Overheard:
    """A mind that keeps what it is asked."""

    def __init__(self, model: str) -> None:
        self.mind, self.waits = load(model), False
        self.id, self.digest, self.segments = self.mind.id, self.mind.digest, self.mind.segments
        self.asked: list[tuple[Observation, bytes, Reply]] = []

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        reply = self.mind.answer(observation, draw)
        self.asked.append((observation, draw, reply))
        return reply

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        raise AssertionError("it replies at once")


@pytest.mark.parametrize(
    ("study", "model", "sets"),
    [
        ("flag-game/population", "simulated/literal", ["N=4", "trial.rounds=2"]),
        ("flag-game/evidence-share", "simulated/compatibility", []),
        (
            "deliberation/coordination",
            "simulated/deliberating",
            ["N=6", "deceivers=1/3", "strata=false"],
        ),
        ("chatroom/sybils", "simulated/quiet", ["cast=A", "deceivers=1", "trial.rounds=2"]),
        ("card/seat", "simulated/fair", ["peers=3 wrong"]),
    ],
)
def test_a_text_is_replied_to_as_the_observation(study: str, model: str, sets: list[str]) -> None:
    laid = plan(read_study(study, sets=sets, models={"A": model}, seeds=1))
    overheard = Overheard(model)
    builder = Builder(laid.study)
    planned = next(one for one in laid.trials if one.plan.role == "estimate")
    setup, _ = builder.build(planned)
    minds = tuple(overheard if mind is builder.minds["A"] else mind for mind in setup.minds)
    from dataclasses import replace

    play(replace(setup, minds=minds))
    assert overheard.asked
    again = load(model)
    for observation, draw, reply in overheard.asked:
        seen, drawn = read(write(observation, draw))
        assert seen.digest() == observation.digest()
        assert drawn == draw
        assert again.answer(seen, drawn) == reply


@pytest.mark.parametrize("text", ["", "Which country?", "[]", "{}", '{"form": "another"}'])
def test_a_prompt_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="read observations, no prompts"):
        read(text)
