"""The command line with a note of every reply that is asked for: the keys go, one a line, to the
file that the variable ASKED names, before the mind is asked. Models of any name are scripted, so
that judging can be disturbed without any server."""

from __future__ import annotations

import asyncio
import json
import os
from hashlib import blake2b
from unittest.mock import patch

from socialcircuits.agents import BackEnd, Character
from socialcircuits.cli import main
from socialcircuits.graph import Observation, Reply
from socialcircuits.judges import JudgeMind
from socialcircuits.models import Capabilities, Completion, Request, ScriptedModel
from socialcircuits.seeds import DIGEST_SIZE, digest

LATENCY = 0.02
"""Seconds that a judge takes."""

_ask, _judge = Character.ask, JudgeMind.ask


async def _noted(self: Character, observation: Observation, draw: bytes) -> Reply:
    _note(digest(self.id) + self.digest(observation) + draw)
    return await _ask(self, observation, draw)


async def _judged(self: JudgeMind, observation: Observation, draw: bytes) -> Reply:
    _note(digest(self.id) + self.digest(observation) + draw)
    return await _judge(self, observation, draw)


def _note(whole: bytes) -> None:
    os.write(_file, blake2b(whole, digest_size=DIGEST_SIZE).hexdigest().encode() + b"\n")


class Scripted(ScriptedModel):
    """A model whose agents say what only a judge can read, and whose judges take their time."""

    def __init__(self, name: str) -> None:
        super().__init__(name, self.reply, Capabilities(schema=True, seed=True))

    async def complete(self, request: Request) -> Completion:
        await asyncio.sleep(LATENCY * ("judge" in self.name))
        return await super().complete(request)

    def reply(self, request: Request) -> Completion:
        assert request.schema is not None
        said = dict.fromkeys(request.schema["required"], f"the words of {request.seed}")
        if "correct" in said:
            text = b"".join(part.data for part in request.segments)
            said["correct"] = "yes" if digest(text)[0] < 128 else "no"
        return Completion(json.dumps(said), "stop")


def _model(self: BackEnd, name: str, where: str) -> ScriptedModel:
    return Scripted(name)


if __name__ == "__main__":
    _file = os.open(os.environ["ASKED"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with (
        patch.object(Character, "ask", _noted),
        patch.object(JudgeMind, "ask", _judged),
        patch.object(BackEnd, "_model", _model),
    ):
        main()
