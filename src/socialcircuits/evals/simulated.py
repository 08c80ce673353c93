"""Simulated agents as a model of Inspect, and such a model in a seat."""

from __future__ import annotations

import asyncio
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from socialcircuits.agents import LABEL, SIMULATED, Character, load
from socialcircuits.errors import ModelError, UsageError
from socialcircuits.evals.observing import read, reply_json, write
from socialcircuits.graph import Observation, Reply
from socialcircuits.graph.vocabulary import Segment

PROVIDER = "socialcircuits"
"""Inspect's name of the provider."""

MOST_CONNECTIONS = 4096


class SimulatedAPI(ModelAPI):
    """Simulated agents: ``socialcircuits/CHARACTER``, optionally with ``?trait=value&...``.

    They do not read prompts. The last message has to be an observation, as our tasks send it; any
    other is refused. What they say checks the software and is no finding about any model.

    Args:
        model_name: the character.
        base_url: no address is used.
        api_key: no key is used.
        config: no parameter changes a reply.

    Raises:
        SettingError: there is no such character or trait.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - it is not changed
        **_: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._mind = load(f"{SIMULATED}/{model_name}", "--model")

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - named by Inspect
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        """Reply to the observation in the last message.

        Raises:
            UsageError: there is none.
        """
        observation, draw = read(input[-1].text if input else "")
        reply = self._mind.answer(observation, draw)
        output = ModelOutput.from_content(self.model_name, reply.text)
        output.usage = ModelUsage()
        output.metadata = {"reply": reply_json(reply), "agents": LABEL}
        return output

    def max_connections(self) -> int:
        """Nothing is connected to."""
        return MOST_CONNECTIONS


def character_of(model: Model) -> str:
    """Return our name of one of our simulated agents, ``simulated/...``; empty for any other
    model."""
    provider, _, name = str(model).partition("/")
    return f"{SIMULATED}/{name}" if provider == PROVIDER else ""


class Reached:
    """A simulated mind that replies through Inspect, so that its replies stand in the log.

    Args:
        mind: the character; its id and digests are those of this mind.
        model: the same character as Inspect's model.
    """

    waits = True

    def __init__(self, mind: Character, model: Model) -> None:
        self.id = mind.id
        self._mind, self._model = mind, model

    def digest(self, observation: Observation) -> bytes:
        """The observation is all that determines the reply."""
        return self._mind.digest(observation)

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """It reads no prompt."""
        return self._mind.segments(observation)

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        """Refuse: the reply has to be waited for.

        Raises:
            ModelError: always.
        """
        raise ModelError(f"{self.id} cannot answer at once: it is asked through Inspect")

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Send the observation and take the reply as it was meant.

        Raises:
            UsageError: the model is none of our simulated agents.
        """
        message = ChatMessageUser(content=write(observation, draw))
        output = await asyncio.create_task(self._model.generate([message]))
        found = (output.metadata or {}).get("reply")
        if found is None:
            raise UsageError(f"{self._model} is no simulated agent")
        return Reply(**found)
