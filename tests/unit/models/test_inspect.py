"""Models behind Inspect: what is sent, what comes back, what goes wrong."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from typing import Any

import pytest

from socialcircuits.errors import Refused, SettingError, Unavailable
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models.inspect import InspectModel, OwnInspectModel
from socialcircuits.models.interface import Capabilities, Completion, Request

pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ContentImage,
    ContentReasoning,
    ContentText,
    Logprob,
    Logprobs,
    ModelOutput,
    ModelUsage,
    TopLogprob,
)
from inspect_ai.util import LimitExceededError

from tests.support.inspecting import MOCK, QUIET, mock

pytestmark = [pytest.mark.extra("inspect"), QUIET]

ASKED = Request((Segment("user", "text", b"Where?"),), 8)


def complete(function: Any, request: Request = ASKED) -> Completion:
    return asyncio.run(InspectModel(MOCK, mock(function)).complete(request))


def output(content: Any, stop: Any = "stop", **more: Any) -> ModelOutput:
    message = ChatMessageAssistant(content=content)
    return ModelOutput(
        model="model", choices=[ChatCompletionChoice(message=message, stop_reason=stop, **more)]
    )


def test_all_of_a_request_is_sent() -> None:
    seen: list[Any] = []

    def said(messages: Any, config: Any) -> str:
        seen.append((messages, config))
        return "Peru"

    request = Request(
        (
            Segment("system", "text", b"You see "),
            Segment("system", "text", b"a crop."),
            Segment("user", "text", b"Look:"),
            Segment("user", "image", b"\x89PNG"),
        ),
        max_tokens=20,
        temperature=0.2,
        top_p=0.9,
        seed=7,
        schema={"type": "object", "properties": {"c": {"type": "string", "enum": ["Peru"]}}},
        prefill='{"c"',
        top_logprobs=5,
        extra={"reasoning_effort": "low", "min_p": 0.1},
    )
    complete(said, request)
    messages, config = seen[0]
    assert [message.role for message in messages] == ["system", "user", "assistant"]
    assert messages[0].content == "You see a crop."
    text, image = messages[1].content
    assert isinstance(text, ContentText)
    assert text.text == "Look:"
    assert isinstance(image, ContentImage)
    assert image.image == "data:image/png;base64,iVBORw=="
    assert messages[2].text == '{"c"'
    assert (config.max_tokens, config.temperature, config.top_p, config.seed) == (20, 0.2, 0.9, 7)
    assert (config.logprobs, config.top_logprobs) == (True, 5)
    assert config.response_schema.json_schema.properties["c"].enum == ["Peru"]
    assert config.reasoning_effort == "low"
    assert config.extra_body == {"min_p": 0.1}


def test_what_comes_back_is_taken_over() -> None:
    found = output(
        [ContentReasoning(reasoning="red and white"), ContentText(text="Peru")],
        logprobs=Logprobs(
            content=[
                Logprob(
                    token="Peru",
                    logprob=-0.25,
                    top_logprobs=[
                        TopLogprob(token="Peru", logprob=-0.25),
                        TopLogprob(token="Mali", logprob=float("-inf")),
                    ],
                )
            ]
        ),
    )
    found.usage = ModelUsage(
        input_tokens=10, input_tokens_cache_read=30, output_tokens=4, total_cost=0.002
    )
    said = complete(lambda messages, config: found)
    assert (said.text, said.finish, said.fault) == ("Peru", "stop", "")
    assert said.reasoning == "red and white"
    assert (said.prompt_tokens, said.cached_tokens, said.completion_tokens) == (40, 30, 4)
    assert said.billed == 2_000_000
    assert said.tokens[0].top == {"Peru": -0.25}


@pytest.mark.parametrize(
    ("found", "finish", "fault"),
    [
        (output("Per", "max_tokens"), "length", ""),
        (output("", "max_tokens"), "length", "cut while thinking"),
        (output("I will not.", "content_filter"), "content_filter", "refusal"),
        (output(""), "stop", "empty"),
        (output([ContentReasoning(reasoning="hm")]), "stop", "reasoning only"),
        (ModelOutput(model="model"), "", "no choices"),
    ],
)
def test_what_is_no_reply_says_why(found: ModelOutput, finish: str, fault: str) -> None:
    said = complete(lambda messages, config: found)
    assert (said.finish, said.fault) == (finish, fault)


def test_a_fault_that_passes_may_be_sent_again() -> None:
    def fails(messages: Any, config: Any) -> str:
        raise RuntimeError("[bold]overloaded[/bold]\nnow")

    model = mock(fails, max_retries=0)
    with pytest.raises(Refused, match="^inspect:mockllm/model: overloaded now$"):
        asyncio.run(InspectModel(MOCK, model).complete(ASKED))
    model.api.should_retry = lambda error: True  # type: ignore[method-assign]
    with pytest.raises(Unavailable, match="overloaded now"):
        asyncio.run(InspectModel(MOCK, model).complete(ASKED))


def test_a_limit_of_the_evaluation_is_left_to_inspect() -> None:
    def fails(messages: Any, config: Any) -> str:
        raise LimitExceededError("token", value=2, limit=1)

    with pytest.raises(LimitExceededError):
        complete(fails)


def test_a_parameter_that_inspect_does_not_know_so_is_refused() -> None:
    with pytest.raises(Refused, match="extra"):
        complete(lambda messages, config: "Peru", Request((), 8, extra={"top_k": "many"}))


def test_what_is_refused_is_found_out_before_a_run() -> None:
    def blind(messages: Any, config: Any) -> str:
        if not isinstance(messages[-1].content, str):
            raise ValueError("no images here")
        return "one"

    def plain(messages: Any, config: Any) -> str:
        if config.response_schema is not None:
            raise ValueError("no schema here")
        return blind(messages, config)

    for function, schema in ((blind, True), (plain, False)):
        found = asyncio.run(InspectModel(MOCK, mock(function, max_retries=0)).probe())
        assert found == Capabilities(schema=schema, seed=True, images=False)


def test_a_provider_that_is_not_there_is_said_in_one_line() -> None:
    with pytest.raises(SettingError, match="Model API nowhere of model") as caught:
        OwnInspectModel("inspect:nowhere/model", "$.models.A")
    assert "\n" not in str(caught.value)


def test_calls_outside_of_an_evaluation_leave_nothing_behind() -> None:
    request = Request((Segment("user", "text", b"a" * 2000),), 8)

    async def grown(calls: int) -> float:
        model = InspectModel(MOCK, mock(lambda messages, config: "Peru"))
        for _ in range(20):
            await model.complete(request)
        gc.collect()
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(calls):
            await model.complete(request)
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        return (after - before) / calls

    # Eleven thousand bytes a call where all calls are made in one task.
    assert asyncio.run(grown(100)) < 2000
