"""Inspect in tests: its stand-in for a model says what we want, without any network."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)

MOCK = "inspect:mockllm/model"

QUIET = pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated")
"""Inspect calls a library of its own in a way that this one warns of."""


def usage(prompt: int = 12, completion: int = 3) -> ModelUsage:
    """What a call took; without it the stand-in would count tokens by a file from the network."""
    return ModelUsage(
        input_tokens=prompt, output_tokens=completion, total_tokens=prompt + completion
    )


def mock(function: Any, **config: Any) -> Model:
    """A model that replies by a function of messages and config."""

    def said(
        messages: list[ChatMessage], tools: Any, choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        found = function(messages, config)
        output = (
            ModelOutput.from_content("model", found) if isinstance(found, str) else found
        )
        output.usage = output.usage or usage()
        return output

    return get_model("mockllm/model", custom_outputs=said, config=GenerateConfig(**config))


def obliging(messages: list[ChatMessage], config: GenerateConfig) -> str:
    """A reply of the form that is asked for; what it says depends on the prompt alone."""
    if config.response_schema is None:
        return "hello"
    told = "".join(message.text for message in messages)
    number = int.from_bytes(hashlib.sha256(told.encode()).digest()[:4], "big")
    properties = config.response_schema.json_schema.properties or {}
    return json.dumps(
        {
            name: form.enum[number % len(form.enum)] if form.enum else f"some {name}"
            for name, form in properties.items()
        }
    )
