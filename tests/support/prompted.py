"""Runs of prompted minds without any server: their models are scripted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from socialcircuits.agents import BackEnd, rendering
from socialcircuits.models import Capabilities, Completion, Request, ScriptedModel
from socialcircuits.prompts import Place, Prompt, find

TEXT = "openai/model-one?sees=text"
IMAGE = "openai/model-two"


def agreeable(request: Request) -> Completion:
    """Name the first country that the schema allows."""
    assert request.schema is not None
    said = {key: f"some {key}" for key in request.schema["required"]}
    if "country" in said:
        said["country"] = request.schema["properties"]["country"].get("enum", ["France"])[0]
    return Completion(json.dumps(said), "stop")


def script_models(patch: pytest.MonkeyPatch) -> None:
    """Let every model be a scripted one."""
    able = Capabilities(schema=True, images=True)

    def model(self: BackEnd, name: str, where: str) -> ScriptedModel:
        return ScriptedModel(name, agreeable, able)

    patch.setattr(BackEnd, "_model", model)


def change_prompts(patch: pytest.MonkeyPatch, section: str, words: str) -> None:
    """Add words to the prompts of one section."""

    def changed(name: str, place: Place) -> Prompt | None:
        found = find(name, place)
        if found is None or name != section:
            return found
        return replace(found, body=found.body + words)

    patch.setattr(rendering, "find", changed)
