"""Bodies of requests: what goes out, byte for byte."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any, Literal

from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models import Capabilities, Request
from socialcircuits.models.openai_request import body, options

ALL = Capabilities(schema=True, logprobs=5, prefill=True, seed=True, images=True)
SCHEMA = {"type": "object", "properties": {}}


def said(role: Literal["system", "user", "assistant"], text: str) -> Segment:
    return Segment(role, "text", text.encode())


def messages(*segments: Segment, prefill: str = "") -> Any:
    request = Request(segments, 8, prefill=prefill)
    return json.loads(body("m", request, {"max_tokens": 8}))["messages"]


def test_segments_of_one_role_in_a_row_form_one_message() -> None:
    found = messages(
        said("system", "S"), said("user", "a\n"), said("user", 'b"'), said("assistant", "c")
    )
    assert found == [
        {"role": "system", "content": "S"},
        {"role": "user", "content": 'a\nb"'},
        {"role": "assistant", "content": "c"},
    ]


def test_images_stand_in_place_as_data_urls_of_high_detail() -> None:
    picture = Segment("user", "image", b"\x89PNG...")
    [message] = messages(said("user", "a"), said("user", "b"), picture, said("user", "c"))
    url = "data:image/png;base64," + base64.b64encode(b"\x89PNG...").decode()
    assert message["content"] == [
        {"type": "text", "text": "ab"},
        {"type": "image_url", "image_url": {"url": url, "detail": "high"}},
        {"type": "text", "text": "c"},
    ]


def test_prefill_is_a_last_message_of_the_assistant() -> None:
    found = messages(said("user", "Which?"), prefill='{"country": "')
    assert found[-1] == {"role": "assistant", "content": '{"country": "'}


@given(st.lists(st.text()))
def test_any_text_survives(texts: list[str]) -> None:
    whole = [text.encode("utf-8", "replace") for text in texts]
    found = messages(*(Segment("user", "text", data) for data in whole))
    assert "".join(m["content"] for m in found) == b"".join(whole).decode()


def test_bytes_that_are_no_text_do_not_break_the_body() -> None:
    assert messages(Segment("user", "text", b"a\xff"))[0]["content"] == "a\ufffd"


def test_only_what_is_asked_for_is_sent() -> None:
    assert options(Request((), 8), ALL) == {"max_tokens": 8}


def test_all_that_can_be_asked_for() -> None:
    request = Request((), 8, 0.0, 1.0, 7, SCHEMA, "", 9)
    assert options(request, ALL) == {
        "max_tokens": 8,
        "temperature": 0.0,
        "top_p": 1.0,
        "seed": 7,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
        },
        "logprobs": True,
        "top_logprobs": 5,
    }


def test_what_the_server_does_not_do_is_not_sent() -> None:
    request = Request((), 8, seed=7, schema=SCHEMA, top_logprobs=9)
    assert options(request, Capabilities()) == {"max_tokens": 8}


def test_equal_requests_have_equal_bodies() -> None:
    request = Request((said("user", "é"),), 8, 0.2, seed=1)
    again = replace(request, segments=(said("user", "é"),))
    assert body("m", request, options(request, ALL)) == body("m", again, options(again, ALL))


def test_further_parameters_are_sent_as_they_are() -> None:
    extra = {"reasoning_effort": "low", "top_k": 40, "stop": ["ä"], "seed_of": None}
    request = Request((said("user", "Hi"),), 8, temperature=0.2, extra=extra)
    found = json.loads(body("m", request, options(request, Capabilities())))
    assert found.pop("messages") == [{"role": "user", "content": "Hi"}]
    assert found == {"model": "m", "max_tokens": 8, "temperature": 0.2, **extra}
