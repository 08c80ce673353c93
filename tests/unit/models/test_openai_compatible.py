"""The adapter against a server on loopback."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from aiohttp import web

from socialcircuits.errors import ModelError, Refused, Unavailable
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models import Capabilities, Completion, Key, OpenAICompatible, Request
from socialcircuits.models import openai_compatible as adapter
from tests.support.fault_server import FaultServer, Prefill

T = TypeVar("T")

SECRET = "sk-planted-0123456789abcdef"
PROMPT = 'Allowed countries: ["Chad", "Peru"]\n{"country": "<one>", "reason": "<why>"}'
REQUEST = Request((Segment("user", "text", PROMPT.encode()),), 50, 0.2, seed=3)
IMAGE = Segment("user", "image", b"\x89PNG")
SCHEMA = {"type": "object", "properties": {"country": {"enum": ["Oman"]}}}


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 20))


async def ask(
    server: FaultServer, request: Request = REQUEST, patience: float = 5.0
) -> tuple[Completion, OpenAICompatible]:
    model = OpenAICompatible("lab/m", "m", server.url, Key(SECRET), patience)
    try:
        return await model.complete(request), model
    finally:
        await model.close()


def test_a_plain_call() -> None:
    async def work() -> None:
        async with FaultServer() as server:
            found, model = await ask(server)
            said = json.loads(found.text)
            assert list(said) == ["country", "reason"]
            assert said["country"] in {"Chad", "Peru"}
            assert (found.finish, found.fault, found.cached_tokens) == ("stop", "", 8)
            assert found.prompt_tokens
            assert 0 < found.seconds < 5
            assert server.authorizations == {f"Bearer {SECRET}"}
            assert model.dropped == {}
            [body] = server.bodies
            assert body == {
                "model": "m",
                "messages": [{"role": "user", "content": PROMPT}],
                "max_tokens": 50,
                "temperature": 0.2,
                "seed": 3,
            }

    run(work())


@pytest.mark.parametrize(
    ("refused", "request_", "dropped"),
    [
        ("seed", REQUEST, "seed"),
        ("response_format", replace(REQUEST, schema=SCHEMA), "response_format"),
        ("logprobs", replace(REQUEST, top_logprobs=3), "logprobs"),
        ("top_logprobs", replace(REQUEST, top_logprobs=3), "top_logprobs"),
        ("max_tokens", REQUEST, "max_tokens"),
        ("unstreamed", REQUEST, "stream"),
    ],
)
def test_a_refused_parameter_is_dropped_once(refused: str, request_: Request, dropped: str) -> None:
    async def work() -> None:
        async with FaultServer(refuses=[refused]) as server:
            model = OpenAICompatible("lab/m", "m", server.url)
            together = [model.complete(request_) for _ in range(2)]
            found = [*await asyncio.gather(*together), await model.complete(request_)]
            await model.close()
            assert {completion.fault for completion in found} == {""}
            assert {completion.text for completion in found} == {found[0].text}
            assert list(model.dropped) == [dropped]
            assert refused == "unstreamed" or refused in model.dropped[dropped]
            assert len(server.bodies) == 5
            assert refused not in server.bodies[-1]
            assert (server.bodies[-1].get("max_completion_tokens") == 50) == (
                refused == "max_tokens"
            )

    run(work())


@pytest.mark.parametrize("refused", ["temperature", "top_p"])
def test_a_refused_temperature_is_never_left_out_in_silence(refused: str) -> None:
    async def work() -> None:
        async with FaultServer(refuses=[refused]) as server:
            model = OpenAICompatible("lab/m", "m", server.url)
            request = replace(REQUEST, top_p=1.0)
            for _ in range(2):
                with pytest.raises(Refused, match=rf"no {refused} can be set .*\?{refused}=none"):
                    await model.complete(request)
            whole = {"temperature": request.temperature, "top_p": request.top_p, refused: None}
            without = replace(request, temperature=whole["temperature"], top_p=whole["top_p"])
            assert (await model.complete(without)).fault == ""
            await model.close()

    run(work())


def test_a_completion_cap_that_is_refused_twice_is_an_error() -> None:
    async def work() -> None:
        async with FaultServer(refuses=["max_tokens", "max_completion_tokens"]) as server:
            with pytest.raises(Refused, match="max_completion_tokens"):
                await ask(server)

    run(work())


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("401", "wants a key"),
        ("404", "HTTP 404: The model `m` does not exist"),
        ("413", "HTTP 413"),
        ("context", "HTTP 400: max_tokens: the context length is 2048 tokens"),
        ("quota", "insufficient_quota"),
        ("redirect", "redirects, which is not followed"),
        ("page", "a web page, not a chat completion"),
    ],
)
def test_refusals_are_one_line(fault: str, sentence: str) -> None:
    async def work() -> None:
        async with FaultServer() as elsewhere:
            target = f"{elsewhere.url}/chat/completions"
            async with FaultServer({fault: 1.0}, elsewhere=target) as server:
                with pytest.raises(Refused, match=sentence) as raised:
                    await ask(server)
                assert str(raised.value).startswith("lab/m: ")
                assert "\n" not in str(raised.value)
                assert len(server.bodies) == 1
            assert elsewhere.bodies == []

    run(work())


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("429", "HTTP 429: later"),
        ("500", "HTTP 500: later"),
        ("hang", "no reply within 0.2 s"),
        ("stall", "no reply within 0.2 s"),
        ("drop", "the connection was cut"),
        ("cut", "the connection was cut"),
        ("garbage", "does not speak HTTP"),
        ("half", "was cut or is not JSON"),
        ("half-stream", "was cut or is not JSON"),
        ("hidden", "HTTP 502: the back end is gone"),
    ],
)
def test_transport_faults_are_unavailable(fault: str, sentence: str) -> None:
    async def work() -> None:
        async with FaultServer({fault: 1.0}) as server:
            with pytest.raises(Unavailable, match=sentence) as raised:
                await ask(server, patience=0.2)
            shown = "".join(traceback.format_exception(raised.value)) + repr(raised.value)
            assert "planted" not in shown
            assert raised.value.__context__ is None

    run(work())


def test_a_server_that_is_not_there() -> None:
    async def work() -> None:
        async with FaultServer() as server:
            port = server.port
        with pytest.raises(Unavailable, match=f"lab/m: cannot connect to 127.0.0.1:{port}"):
            await ask(server)

    run(work())


def test_a_flood_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "LARGEST_REPLY", 1 << 16)

    async def work() -> None:
        async with FaultServer({"huge": 1.0}) as server:
            found, _ = await ask(server)
            assert (found.text, found.fault) == ("", "reply too long")

    run(work())


def test_a_body_of_two_megabytes_goes_out() -> None:
    async def work() -> None:
        async with FaultServer() as server:
            long = Segment("user", "text", b"word " * 400_000)
            found, _ = await ask(server, replace(REQUEST, segments=(long, *REQUEST.segments)))
            assert not found.fault

    run(work())


async def _echo(request: web.Request) -> web.Response:
    """Say the request's own key, in a reply or, where it is asked for no model, in an error."""
    asked, key = await request.json(), request.headers["Authorization"]
    if asked["model"] == "bad":
        message = f"Incorrect API key provided: {key[7:]}, or {key[7:20]}*****."
        return web.json_response({"error": {"message": message}}, status=403)
    return web.json_response({"choices": [{"message": {"content": f"your key is {key}"}}]})


def test_a_key_that_the_server_repeats_shows_nowhere() -> None:
    async def work() -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", _echo)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        good = OpenAICompatible("lab/m", "m", url, Key(SECRET))
        bad = OpenAICompatible("lab/m", "bad", url, Key(SECRET))
        found = await good.complete(REQUEST)
        with pytest.raises(Refused) as raised:
            await bad.complete(REQUEST)
        await good.close()
        await bad.close()
        await runner.cleanup()
        assert found.text == "your key is Bearer [key]"
        assert str(raised.value) == ("lab/m: HTTP 403: Incorrect API key provided: [key] or [key]")
        assert "planted" not in f"{good!r}{bad!r}{found!r}"

    run(work())


def test_an_image_for_a_model_without_eyes_is_not_sent() -> None:
    async def work() -> None:
        async with FaultServer() as server:
            model = OpenAICompatible("lab/m", "m", server.url)
            model.capabilities = Capabilities()
            with pytest.raises(Refused, match="lab/m: this model takes no images"):
                await model.complete(replace(REQUEST, segments=(IMAGE,)))
            await model.close()
            assert server.bodies == []

    run(work())


async def probed(server: FaultServer) -> OpenAICompatible:
    model = OpenAICompatible("lab/m", "m", server.url, timeout=5.0)
    try:
        await model.probe()
    finally:
        await model.close()
    return model


@pytest.mark.parametrize(
    ("prefill", "able"), [("continued", True), ("repeated", True), ("ignored", False)]
)
def test_probing_prefill(prefill: Prefill, able: bool) -> None:
    async def work() -> None:
        async with FaultServer(prefill=prefill) as server:
            assert (await probed(server)).capabilities == Capabilities(True, 20, able, True, True)

    run(work())


@pytest.mark.parametrize(
    ("refuses", "alternatives", "able"),
    [
        ((), 20, Capabilities(True, 20, True, True, True)),
        ((), 5, Capabilities(True, 5, True, True, True)),
        (("response_format", "seed", "images"), 4, Capabilities(False, 0, True, False, False)),
        (("max_tokens", "temperature"), 20, Capabilities(True, 20, True, True, True)),
        (("unstreamed", "logprobs"), 20, Capabilities(True, 0, True, True, True)),
    ],
)
def test_probe(refuses: tuple[str, ...], alternatives: int, able: Capabilities) -> None:
    async def work() -> None:
        async with FaultServer(refuses=refuses, alternatives=alternatives) as server:
            model = await probed(server)
            assert model.capabilities == able
            assert not {"seed", "response_format", "logprobs", "top_logprobs"} & set(model.dropped)

    run(work())


def test_a_probe_outlasts_transport_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "LOADING_WAIT", 0.001)

    async def work() -> None:
        for fault in ("503", "cut", "hidden"):
            async with FaultServer({fault: 1.0}) as server:
                model = await probed(server)
                assert model.capabilities == Capabilities(True, 20, True, True, True), fault

    run(work())


def test_a_probe_of_what_never_answers_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "LOADING_WAIT", 0.001)

    async def work() -> None:
        async with FaultServer({"404": 1.0}) as server:
            with pytest.raises(Refused, match="does not exist"):
                await probed(server)
            assert len(server.bodies) == 1
        with pytest.raises(Unavailable, match="cannot connect"):
            await probed(server)

    run(work())


def test_what_was_not_probed_is_not_sent_afterwards() -> None:
    async def work() -> None:
        async with FaultServer(refuses=["seed", "response_format", "logprobs"]) as server:
            model = await probed(server)
            before = len(server.bodies)
            await model.complete(replace(REQUEST, schema=SCHEMA, top_logprobs=5))
            await model.close()
            assert len(server.bodies) == before + 1
            assert set(server.bodies[-1]) == {"model", "messages", "max_tokens", "temperature"}

    run(work())


@pytest.mark.parametrize("prefill", ["continued", "repeated"])
def test_the_schema_rules_the_reply_and_the_prefill_is_continued(prefill: Prefill) -> None:
    async def work() -> None:
        async with FaultServer(prefill=prefill) as server:
            found, _ = await ask(server, replace(REQUEST, schema=SCHEMA, top_logprobs=2))
            assert json.loads(found.text) == {"country": "Oman"}
            assert found.tokens[0].text == found.text[:4]
            assert found.tokens[0].top == {found.text[:4]: -0.5, "other1": -1.5}
            start = '{"country": "'
            prefilled, _ = await ask(server, replace(REQUEST, schema=SCHEMA, prefill=start))
            assert prefilled.text == 'Oman"}'

    run(work())


def test_every_failure_is_a_model_error() -> None:
    assert issubclass(Refused, ModelError)
    assert issubclass(Unavailable, ModelError)
