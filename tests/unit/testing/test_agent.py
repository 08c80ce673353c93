"""The kit for agents: passes what is sound, and every rule can fail."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from socialcircuits.agents import CHARACTERS, Scripted, load
from socialcircuits.graph import Observation, Reply
from socialcircuits.testing import check_agent

Script = Callable[[Observation], Reply]


def sound(observation: Observation) -> Reply:
    reason = "I think so." if observation.with_reason else ""
    return Reply("the first", observation.answers[0], reason)


class Broken(Scripted):
    """A scripted mind whose parts can be replaced."""

    def __init__(self, script: Script = sound, **parts: Any) -> None:
        super().__init__("broken", script)
        self.__dict__.update(parts)


def test_a_sound_mind_passes() -> None:
    check_agent(Broken())
    check_agent(Broken(lambda observation: Reply("?", valid=False, why="cannot be read")))


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("traits", ["", "?latency=1&invalid=300"])
def test_our_own_characters_pass(character: str, traits: str) -> None:
    check_agent(load(f"simulated/{character}{traits}"))


def test_a_stand_in_that_never_replies_is_refused() -> None:
    with pytest.raises(AssertionError, match="must name an allowed answer, not None"):
        check_agent(Broken(lambda observation: Reply("...")))


def growing() -> Script:
    calls = count()
    return lambda observation: Reply(
        str(next(calls)), observation.answers[0], "So." if observation.with_reason else ""
    )


async def other(observation: Observation, draw: bytes) -> Reply:
    return Reply("the last", observation.answers[-1], "So." if observation.with_reason else "")


serial = count()

BROKEN: dict[str, Broken] = {
    "one printable word: 'my mind'": Broken(id="my mind"),
    "one printable word: ''": Broken(id=""),
    "True or False": Broken(waits=None),
    "equal observations must have equal digests": Broken(
        digest=lambda observation: next(serial).to_bytes(4, "big")
    ),
    "digests must be bytes": Broken(digest=lambda observation: "same"),
    "must depend on all": Broken(digest=lambda observation: observation.frame),
    "must name an allowed answer, not 'Atlantis'": Broken(lambda seen: Reply("x", "Atlantis")),
    "must have a reason where one is asked for": Broken(lambda seen: Reply("x", seen.answers[0])),
    "no reason where none": Broken(lambda seen: Reply("x", seen.answers[0], "So.")),
    "must say why": Broken(lambda seen: Reply("?", valid=False)),
    "must give the same reply$": Broken(growing()),
    "the same reply as answer": Broken(ask=other),
}


@pytest.mark.parametrize("sentence", BROKEN)
def test_a_broken_mind_is_refused(sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_agent(BROKEN[sentence])


def test_a_mind_that_renames_itself_is_refused() -> None:
    class Renamed(Broken):
        def digest(self, observation: Observation) -> bytes:
            self.id = "scripted/other"
            return super().digest(observation)

    with pytest.raises(AssertionError, match="must not change"):
        check_agent(Renamed())
