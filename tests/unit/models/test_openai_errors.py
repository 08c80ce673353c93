"""What refusals mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from socialcircuits.errors import Refused, Unavailable
from socialcircuits.models.openai_errors import (
    Busy,
    failure,
    hidden_status,
    problem,
    refused_parameter,
    retry_after,
    scrub,
    words,
)

KEY = "sk-abcdefghijklmnop1234"


@pytest.mark.parametrize(
    ("headers", "said", "wait"),
    [
        ({"Retry-After": "7"}, "", 7),
        ({"Retry-After": "1.5"}, "", 1.5),
        ({"Retry-After": "Thu, 01 Jan 1970 00:01:40 GMT"}, "", 90),
        ({"Retry-After": "Wed, 31 Dec 1969 23:00:00 GMT"}, "", 0),
        ({"Retry-After": "6m0s"}, "", 360),
        ({"Retry-After": "1h2m3.5s"}, "", 3723.5),
        ({"Retry-After": "250ms"}, "", 0.25),
        ({"retry-after-ms": "250", "Retry-After": "1"}, "", 0.25),
        ({}, "Please try again in 1.2s.", 1.2),
        ({}, "Please try again in 20ms. Visit ...", 0.02),
        ({}, "Please try again in 6m0s.", 360),
        ({}, "Please retry after 3 seconds", 3),
        ({}, "retry in 2 minutes", 120),
        ({}, "retryDelay 34s", 34),
        ({}, "Rate limit reached", None),
        ({"Retry-After": "soon"}, "", None),
        ({"Retry-After": "-3"}, "", None),
        ({"Retry-After": "nan"}, "", None),
        ({"Retry-After": ""}, "", None),
    ],
)
def test_when_to_come_again(headers: dict[str, str], said: str, wait: float | None) -> None:
    found = retry_after(headers, said, 10.0)
    assert found == (None if wait is None else pytest.approx(wait))


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "No such model"}},
        {"error": "No such model"},
        {"error": '{"message": "No such model"}'},
        {"error": {"message": "No such\n\n  model\x00", "code": 4}},
        {"object": "error", "message": "No such model"},
        {"detail": "No such model"},
        {"detail": [{"loc": ["body"], "msg": "No such model"}]},
        {"errors": [{"message": "No such model"}]},
        [{"error": {"message": "No such model", "status": "NOT_FOUND"}}],
    ],
)
def test_a_server_s_words_are_found(body: Any) -> None:
    assert words(problem(json.dumps(body).encode())) == "No such model"


@pytest.mark.parametrize("body", [b"", b"No such model", b"\xff{", b"[" * 100_000, b"null", b"3"])
def test_any_body_gives_one_short_line(body: bytes) -> None:
    line = words(problem(body))
    assert len(line) <= 240
    assert line.isprintable()


def test_a_web_page_is_not_quoted() -> None:
    assert words(problem(b"<html><body>Bad gateway</body></html>")) == "a web page"


@pytest.mark.parametrize("shown", [KEY, KEY[:12] + "****", "***" + KEY[-9:], f"'Bearer:{KEY}'"])
def test_no_part_of_a_key_is_quoted(shown: str) -> None:
    line = scrub(f"Incorrect API key provided: {shown} !", KEY)
    assert line == "Incorrect API key provided: [key] !"


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ({"error": {"message": "Unsupported value", "param": "temperature"}}, "temperature"),
        ({"error": {"message": "x", "param": "response_format.json_schema"}}, "response_format"),
        ({"detail": [{"type": "extra", "loc": ["body", "seed"], "msg": "Extra"}]}, "seed"),
        (
            {"error": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'"},
            "max_tokens",
        ),
        ({"error": "unknown field top_logprobs"}, "top_logprobs"),
        ({"error": "stream must be set"}, "stream"),
        ({"error": "This model only supports streaming"}, "stream"),
        ({"error": "top_p is not supported"}, ""),  # it was not sent
        ({"error": "max_tokens is too large for the context length of 2048"}, ""),
        (
            {"error": {"message": "max_tokens: exceeds the context window", "param": "max_tokens"}},
            "",
        ),
        ({"error": "The seeds of doubt"}, ""),
        ({"error": {"message": "Invalid", "param": "messages"}}, ""),
    ],
)
def test_refused_parameters_are_recognised(body: Any, parameter: str) -> None:
    sent = ["max_tokens", "temperature", "seed", "response_format", "logprobs", "top_logprobs"]
    assert refused_parameter(problem(json.dumps(body).encode()), sent) == parameter


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529, 599])
def test_what_passes_by(status: int) -> None:
    found = failure("m", status, {"Retry-After": "2"}, {"message": "later"}, now=0.0)
    assert type(found) is Busy
    assert isinstance(found, Unavailable)
    assert (str(found), found.retry_after) == (f"m: HTTP {status}: later", 2)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "bad"),
        (401, "bad"),
        (402, "pay"),
        (403, "no"),
        (404, "none"),
        (413, "large"),
        (422, "form"),
        (501, "not here"),
        (307, ""),
        (429, "insufficient_quota"),
        (500, "image input is not supported - hint: mmproj"),
    ],
)
def test_what_does_not(status: int, said: str) -> None:
    found = failure("m", status, {}, {"message": said}, now=0.0)
    assert type(found) is Refused
    assert str(found).startswith(f"m: HTTP {status}")


def test_a_refused_key_is_not_spoken_of_in_the_server_s_words() -> None:
    found = failure("m", 401, {}, {"message": f"bad key {KEY[:6]}"}, now=0.0, key=KEY)
    assert KEY[:6] not in str(found)


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ({"error": {"code": 502}}, 502),
        ({"error": {"code": "429"}}, 429),
        ({"choices": [{"error": {"code": 503}}]}, 503),
        ({"error": {"code": 400}}, None),
        ({"error": {"code": "server_error"}}, None),
        ({"error": {"code": True}}, None),
        ({"choices": []}, None),
        ([], None),
    ],
)
def test_faults_hidden_in_success(found: Any, status: int | None) -> None:
    assert hidden_status(found) == status
