"""The kit for models: passes what is sound, and every rule can fail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from socialcircuits.errors import Refused
from socialcircuits.models import Capabilities, Completion, Request, ScriptedModel, Token
from socialcircuits.testing import check_model

SOUND = Completion("four", "stop", prompt_tokens=4, completion_tokens=1)
SCORED = replace(SOUND, tokens=(Token("four", {"four": -0.1}),))


def sound(request: Request) -> Completion:
    return SCORED if request.top_logprobs else SOUND


def model(function: Callable[[Request], Any] = sound, **able: Any) -> ScriptedModel:
    return ScriptedModel("scripted/x", function, Capabilities(**able))


def test_a_sound_model_passes() -> None:
    check_model(model(logprobs=5))
    check_model(model(lambda request: Completion("", "length", "cut while thinking")))


def always(completion: Completion) -> ScriptedModel:
    return model(lambda request: completion)


def fails(error: Exception) -> ScriptedModel:
    def fail(request: Request) -> Completion:
        raise error

    return model(fail)


BROKEN: dict[str, ScriptedModel] = {
    "one printable word: 'my model'": ScriptedModel("my model", sound),
    "hold no address": ScriptedModel("http://host/m", sound),
    "must be True or False": model(seed=1),
    "logprobs must be a whole number": model(logprobs=True),
    "must return a Completion": model(lambda request: "four"),
    "a text or a fault": always(Completion("")),
    "whole characters": always(Completion("\ud83d")),
    "whole numbers from 0$": always(replace(SOUND, prompt_tokens=-1)),
    "cached tokens": always(replace(SOUND, cached_tokens=-1)),
    "seconds must be finite": always(replace(SOUND, seconds=float("inf"))),
    "only where asked for": always(SCORED),
    "where they are offered": model(lambda request: SOUND, logprobs=5),
    "at most 0": model(
        lambda request: replace(SOUND, tokens=(Token("a", {"a": 0.5}),) * request.top_logprobs),
        logprobs=1,
    ),
    "must be a ModelError, not ValueError": fails(ValueError("no")),
}


@pytest.mark.parametrize("sentence", BROKEN)
def test_a_broken_model_is_refused(sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_model(BROKEN[sentence])


def test_a_model_that_cannot_be_reached_says_so_itself() -> None:
    with pytest.raises(Refused, match="no such model"):
        check_model(fails(Refused("no such model")))


def test_a_model_that_renames_itself_is_refused() -> None:
    names = count()
    renamed = model()

    def rename(request: Request) -> Completion:
        renamed.name = f"scripted/{next(names)}"
        return SOUND

    renamed._function = rename
    with pytest.raises(AssertionError, match="must not change"):
        check_model(renamed)


def test_the_model_is_closed_whatever_happens() -> None:
    closed = []

    class Closing(ScriptedModel):
        async def close(self) -> None:
            await asyncio.sleep(0)
            closed.append(self.name)

    with pytest.raises(AssertionError):
        check_model(Closing("scripted/x", lambda request: Completion("")))
    assert closed == ["scripted/x"] * 2
