"""Replies in all the forms that servers send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.models import Completion
from socialcircuits.models.openai_reply import completion, decode


def read(message: Any, finish: Any = "stop", **fields: Any) -> Completion:
    return completion({"choices": [{"message": message, "finish_reason": finish}], **fields})


CONTENTS = {
    "plain": "Peru",
    "parts": [{"type": "text", "text": "Pe"}, {"type": "output_text", "text": "ru"}],
    "texts": ["Pe", "ru"],
    "one part": {"type": "text", "text": "Peru"},
    "with other parts": ["Peru", None, 7, {"type": "image"}, {"text": None}],
}


@pytest.mark.parametrize("form", CONTENTS)
def test_forms_of_content(form: str) -> None:
    assert read({"content": CONTENTS[form]}) == Completion("Peru", "stop")


def test_an_old_completion() -> None:
    assert completion({"choices": [{"text": "Peru", "finish_reason": "stop"}]}).text == "Peru"


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_apart(name: str) -> None:
    assert read({"content": "Peru", name: "Red."}).reasoning == "Red."
    assert read({"content": None, name: "Red."}) == Completion(
        "", "stop", "reasoning only", reasoning="Red."
    )
    cut = read({"content": "", name: "Red."}, "length")
    assert cut == Completion("", "length", "cut while thinking", reasoning="Red.")


def test_reasoning_in_parts_is_kept_apart() -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Red."}]}
    found = read({"content": [thinking, {"type": "text", "text": "Peru"}]})
    assert (found.text, found.reasoning) == ("Peru", "Red.")


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        ({"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]}, "empty"),
        ({"choices": [{"message": {}, "finish_reason": None}]}, "empty"),
        ({"choices": [{}]}, "empty"),
        ({"choices": [{"message": {"tool_calls": [{}]}}]}, "tool calls only"),
        ({"choices": [{"message": {"function_call": {"name": "f"}}}]}, "tool calls only"),
        ({"choices": [{"message": {}, "finish_reason": "length"}]}, "cut while thinking"),
        ({"choices": [{"message": None, "error": {"message": "x"}}]}, "error object"),
        ({"choices": []}, "no choices"),
        ({"choices": None}, "no choices"),
        ({"choices": ["x"]}, "no choices"),
        ({"status": "ok"}, "no choices"),
        ([], "no choices"),
        ("ok", "no choices"),
        (None, "no choices"),
        ({"error": "x"}, "error object"),
        ({"error": {"message": "x"}}, "error object"),
        ({"errors": ["x"]}, "error object"),
        ([{"error": {"message": "x"}}], "error object"),
        ({"object": "error", "message": "x"}, "error object"),
    ],
)
def test_what_is_no_reply(found: Any, fault: str) -> None:
    assert completion(found).fault == fault
    assert completion(found).text == ""


def test_a_refusal_keeps_its_words() -> None:
    found = read({"content": None, "refusal": "I cannot."})
    assert (found.text, found.fault) == ("I cannot.", "refusal")


def test_usage() -> None:
    counted = {"prompt_tokens": 9, "completion_tokens": 3}
    found = read({"content": "x"}, usage=counted | {"prompt_tokens_details": {"cached_tokens": 8}})
    assert (found.prompt_tokens, found.completion_tokens, found.cached_tokens) == (9, 3, 8)
    assert read({"content": "x"}, usage=counted | {"prompt_cache_hit_tokens": 4}).cached_tokens == 4


@pytest.mark.parametrize("usage", [None, [], {}, {"prompt_tokens": None, "completion_tokens": -1}])
def test_usage_that_says_nothing(usage: Any) -> None:
    found = read({"content": "x"}, usage=usage)
    assert (found.prompt_tokens, found.completion_tokens, found.cached_tokens) == (None, None, 0)


INFINITY = float("inf")
SCORED = {
    "chat": {
        "content": [
            {
                "token": "a",
                "logprob": -0.5,
                "top_logprobs": [
                    {"token": "a", "logprob": -0.5},
                    {"token": "b", "logprob": -1.0},
                    {"token": "c", "logprob": -INFINITY},
                    {"token": "d", "logprob": None},
                    {"token": "e", "logprob": -9999.0},
                ],
            }
        ]
    },
    "mapping": {"content": [{"token": "a", "logprob": -0.5, "top_logprobs": {"a": -0.5, "b": -1}}]},
    "bare list": [{"token": "a", "logprob": -0.5, "top_logprobs": {"b": -1.0}}],
    "columns": {
        "tokens": ["a"],
        "token_logprobs": [-0.5],
        "top_logprobs": [{"a": -0.5, "b": -1.0, "c": None}],
    },
}


@pytest.mark.parametrize("form", SCORED)
def test_forms_of_log_probabilities(form: str) -> None:
    choice = {"message": {"content": "a"}, "logprobs": SCORED[form]}
    body = json.dumps({"choices": [choice]}).encode()
    [token] = completion(decode(body)).tokens
    assert (token.text, token.top) == ("a", {"a": -0.5, "b": -1.0})


@pytest.mark.parametrize(
    "logprobs", [None, [], {}, {"content": None}, {"content": [None, {"token": 3}]}, {"tokens": 3}]
)
def test_log_probabilities_that_say_nothing(logprobs: Any) -> None:
    assert completion({"choices": [{"message": {}, "logprobs": logprobs}]}).tokens == ()


def test_lone_surrogates_become_a_replacement_character() -> None:
    body = rb'{"choices": [{"message": {"content": "a\ud83d b\ud83d\ude00"}}]}'
    assert completion(decode(body)).text == "a\ufffd b\U0001f600"


@pytest.mark.parametrize("body", [b"", b"{", b'{"choices": [{"mess', b"[" * 100_000, b"data: {"])
def test_what_is_not_whole(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"Expect|Unterminated|nested"):
        decode(body)


def events(*values: Any, line_end: str = "\n") -> bytes:
    lines = [v if isinstance(v, str) else f"data: {json.dumps(v)}" for v in values]
    return "".join(line + 2 * line_end for line in lines).encode()


def delta(finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_stream_is_put_together(line_end: str) -> None:
    body = events(
        ": hello",
        delta(role="assistant", content=None),
        delta(reasoning_content="Re"),
        delta(reasoning_content="d."),
        delta(content="Pe\u2028"),
        delta(content="\ud83d"),
        delta(content="\ude00"),
        {"choices": [{"index": 1, "delta": {"content": "another"}}]},
        delta("stop"),
        {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}},
        "data: [DONE]",
        line_end=line_end,
    )
    found = completion(decode(body))
    assert found == Completion("Pe\u2028\U0001f600", "stop", "", 3, 2, reasoning="Red.")


def test_streamed_log_probabilities_and_tool_calls() -> None:
    first = delta(content="a")
    first["choices"][0]["logprobs"] = SCORED["mapping"]
    assert len(completion(decode(events(first, delta("stop")))).tokens) == 1
    tools = events(delta(tool_calls=[{"id": 1}]), delta("tool_calls"))
    assert completion(decode(tools)).fault == "tool calls only"


def test_a_cut_stream_is_not_whole() -> None:
    with pytest.raises(ValueError, match="ended too early"):
        decode(events(delta(content="Pe")))


def test_an_error_in_a_stream() -> None:
    body = events(delta(content="Pe"), {"error": {"message": "x"}})
    assert completion(decode(body)).fault == "error object"


def test_a_stream_of_nothing() -> None:
    assert completion(decode(events("data: [DONE]"))).fault == "no choices"


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "choices message content text type error finish_reason logprobs tokens token"
                " logprob top_logprobs usage prompt_tokens_details delta tool_calls".split()
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@given(JSON)
def test_any_json_is_read(found: Any) -> None:
    shaped = {"choices": [{"message": found, "logprobs": found}], "usage": found}
    for whole in (found, shaped, {"choices": found}):
        read = completion(whole)
        assert read.text or read.fault
        read.text.encode()
    try:
        streamed = decode(events(found, delta("stop", content=found)))
    except ValueError:
        return
    assert isinstance(completion(streamed), Completion)


@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "the tag </think> closes"}',
        "Some write <think>so</think> in the middle.",
        "```json\n{}\n```</think>",
        "I think so.",
    ],
)
def test_a_text_that_only_speaks_of_thinking_stays_whole(text: str) -> None:
    found = completion({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]})
    assert (found.text, found.reasoning) == (text, "")


def test_thinking_in_tags_goes_before_that_of_a_field() -> None:
    message = {"content": "<think>in tags</think>Peru", "reasoning_content": "apart"}
    found = completion({"choices": [{"message": message, "finish_reason": "stop"}]})
    assert (found.text, found.reasoning) == ("Peru", "in tags")


@pytest.mark.parametrize(
    "usage",
    [
        {"cost": None},
        {"cost": "0.1"},
        {"cost": -1},
        {"cost": True},
        {"cost": 1e300},
        {"is_byok": True, "cost": 0.1},
        {"cost_in_usd_ticks": -5},
    ],
)
def test_a_bill_that_cannot_be_read_is_none(usage: dict[str, Any]) -> None:
    assert completion({"choices": [], "usage": usage}).billed is None
