"""The dialects of servers: our requests, and our reading of what each of them documents.

Each file of ``dialects`` names its sources. A refusal says what becomes of it: a ``parameter`` that
is left out from then on, a ``fault`` of the reply, a line that is ``refused`` for good, or else
another try after so many seconds as ``wait`` says, if the server does.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import Refused, Unavailable
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models import Capabilities, OpenAICompatible, Request
from socialcircuits.models.openai_errors import failure, hidden_status, problem
from socialcircuits.models.openai_reply import completion, decode
from socialcircuits.models.wire import Answer
from tests.support.fault_server import FaultServer

FOLDER = Path(__file__).parent / "dialects"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
PROMPT = Segment("user", "text", b"Which country? Reply in JSON.")
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["Chad", "Peru"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
ALL = Capabilities(schema=True, logprobs=20, prefill=True, seed=True, images=True)


def dialect(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def cases(part: str) -> list[Any]:
    return [
        pytest.param(found["model"], case, id=f"{name}: {case['about']}")
        for name, found in ((name, dialect(name)) for name in NAMES)
        for case in found[part]
    ]


def model_of(name: str, able: Capabilities = ALL) -> OpenAICompatible:
    model = OpenAICompatible(name, name.partition("/")[2], "http://127.0.0.1:9/v1")
    model.capabilities = able
    return model


def test_every_dialect_says_where_it_is_from() -> None:
    assert NAMES == [
        "deepseek", "gemini", "llama_cpp", "ollama", "openai", "openrouter", "vllm", "xai"
    ]  # fmt: skip
    for name in NAMES:
        found = dialect(name)
        assert all(title and "://" not in title for title in found["source"]), name
        assert found["requests"], name
        assert len(found["replies"]) >= 2, name
        assert len(found["refusals"]) >= 2, name


@pytest.mark.parametrize(("name", "case"), cases("requests"))
def test_our_request(name: str, case: dict[str, Any]) -> None:
    model = model_of(name, Capabilities(**case["able"]))
    body = json.loads(model.body(Request((PROMPT,), schema=SCHEMA, **case["ask"])))
    assert body.pop("model") == name.partition("/")[2]
    assert body.pop("messages") == [{"role": "user", "content": PROMPT.data.decode()}]
    assert body == case["body"]


@pytest.mark.parametrize(("name", "case"), cases("replies"))
def test_our_reading(name: str, case: dict[str, Any]) -> None:
    # Some servers send blanks to keep the connection alive.
    found = decode(b"\n\n \n" + json.dumps(case["body"]).encode())
    assert hidden_status(found) is None
    read = completion(found)
    tokens = [[token.text, dict(token.top)] for token in read.tokens]
    assert {key: tokens if key == "tokens" else getattr(read, key) for key in case["reads"]} == (
        case["reads"]
    )


@pytest.mark.parametrize(("name", "case"), cases("refusals"))
def test_what_a_refusal_means(name: str, case: dict[str, Any]) -> None:
    model = model_of(name)
    request = Request((PROMPT,), 50, 0.2, seed=7, schema=SCHEMA, **case.get("sent", {}))
    body = json.dumps(case["body"]).encode()
    answer = Answer(case["status"], case.get("headers", {}), body)
    if "parameter" in case:
        assert model.receive(request, answer) is None
        assert list(model.dropped) == [case["parameter"]]
        silent = case["parameter"] not in {"temperature", "top_p"}
        if silent:
            later = json.loads(model.body(request))
            assert case["parameter"] not in later
            assert later.items() >= case.get("again", {}).items()
        else:
            with pytest.raises(Refused, match=rf"\?{case['parameter']}=none"):
                model.body(request)
    elif "fault" in case:
        read = model.receive(request, answer)
        assert read is not None
        assert (read.text, read.finish, read.fault) == ("", "length", case["fault"])
    elif "refused" in case:
        with pytest.raises(Refused, match=case["refused"]) as raised:
            model.receive(request, answer)
        assert "\n" not in str(raised.value)
    else:
        with pytest.raises(Unavailable) as fault:
            model.receive(request, answer)
        found = fault.value
        if "now" in case:
            again = failure(name, answer.status, {}, problem(body), now=case["now"])
            assert isinstance(again, Unavailable)
            found = again
        assert found.retry_after == case["wait"]


@pytest.mark.parametrize(
    ("forms", "form"),
    [
        (("json_schema", "json_object"), "json_schema"),
        (("structured_outputs",), "structured_outputs"),
        (("guided_json", "json_object"), "guided_json"),
        (("json_object",), "json_object"),
        ((), None),
    ],
)
def test_a_server_is_asked_how_it_takes_a_schema(forms: tuple[str, ...], form: str | None) -> None:
    async def work() -> None:
        async with FaultServer(forms=forms) as server:
            model = OpenAICompatible("lab/m", "m", server.url)
            able = await model.probe()
            before = len(server.bodies)
            await model.complete(Request((PROMPT,), 50, schema=SCHEMA))
            await model.close()
            assert (able.schema, able.form) == (form is not None, form or "json_schema")
            assert model.dropped == {}
            assert len(server.bodies) == before + 1
            sent = server.bodies[-1]
            formed = {"response_format", "structured_outputs", "guided_json"} & set(sent)
            assert len(formed) == (form is not None)

    asyncio.run(asyncio.wait_for(work(), 20))


def test_a_back_end_that_takes_no_temperature_is_met_without_one() -> None:
    async def work() -> None:
        async with FaultServer(refuses=["temperature", "seed"], unnamed=True) as server:
            model = OpenAICompatible("openrouter/m", "m", server.url)
            able = await model.probe()
            assert not able.seed
            assert "requested parameters" in model.dropped["temperature"]
            with pytest.raises(Refused, match=r"\?temperature=none"):
                await model.complete(Request((PROMPT,), 50, 0.2))
            assert (await model.complete(Request((PROMPT,), 50))).fault == ""
            assert server.bodies[-1]["provider"] == {"require_parameters": True}
            await model.close()

    asyncio.run(asyncio.wait_for(work(), 20))
