"""A real llama.cpp server with a real small model: what the software needs of it, it does.

Nothing here is a finding about the model: its answers are near chance.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from socialcircuits.calls.distribution import AnswerDistribution, distribution, sampled
from socialcircuits.errors import Refused
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models import Completion, Request
from socialcircuits.models.local import LocalModel, LocalServer, installed
from socialcircuits.models.weights import find, local

NAME = "smollm2-135m"

pytestmark = [
    pytest.mark.local,
    pytest.mark.skipif(not installed(), reason="needs the extra local (xllamacpp)"),
    pytest.mark.skipif(
        find(NAME) is None, reason=f"needs weights: socialcircuits models fetch {NAME}"
    ),
]

SAMPLES = 400
CACHE = 0.03
"""How far probabilities move between a cold and a cached prompt."""

QUESTIONS = [
    ("Name one colour", "red, blue, green, black"),
    ("Name one country of Africa", "Niger, Nigeria, Chad, Cote d'Ivoire, Mali, Sudan"),
    ("A flag is blue, white and red. Name its country", "France, Russia, Netherlands, Luxembourg"),
    ("Is the sea salty", "yes, no"),
    ("Name one animal", "cat, catfish, dog, dogfish, cow, crow, crocodile"),
]


def question(text: str, names: str) -> tuple[Request, list[str]]:
    """A request held to the names, with the reply begun, and the names."""
    prompt = f'{text}: {names}. Reply as {{"answer": "..."}}.'
    answers = names.split(", ")
    schema = {
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": answers}},
        "required": ["answer"],
        "additionalProperties": False,
    }
    segments = (Segment("user", "text", prompt.encode()),)
    return Request(segments, 20, 1.0, 1.0, schema=schema, prefill='{"answer": "'), answers


def read(completion: Completion) -> str | None:
    answer: str = json.loads('{"answer": "' + completion.text)["answer"]
    return answer


def compare(text: str, names: str) -> tuple[AnswerDistribution, AnswerDistribution]:
    """The same question answered by token probabilities and by samples."""
    asked, answers = question(text, names)

    async def both() -> tuple[AnswerDistribution, AnswerDistribution]:
        model, free = LocalModel(NAME), asyncio.Semaphore(4)

        async def complete(request: Request) -> Completion:
            async with free:
                return await model.complete(request)

        try:
            plain = Request(asked.segments, 1, top_logprobs=(await model.probe()).logprobs)
            exact = await distribution(complete, plain, asked.prefill, answers)
            requests = [
                Request(asked.segments, 20, 1.0, 1.0, seed, asked.schema, asked.prefill)
                for seed in range(SAMPLES)
            ]
            return exact, await sampled(complete, requests, read, answers)
        finally:
            await model.close()

    return asyncio.run(both())


def check(exact: AnswerDistribution, counted: AnswerDistribution) -> None:
    distance = sum(
        abs(p - q) for p, q in zip(exact.probabilities, counted.probabilities, strict=True)
    )
    # The mean of |share - p| under the normal approximation; one sample moves the total variation
    # by at most 1/n, so its standard deviation is at most 1 / (2 sqrt n).
    mean = sum(math.sqrt(2 / math.pi * p * (1 - p) / SAMPLES) for p in exact.probabilities)
    assert distance / 2 <= mean / 2 + 2 / math.sqrt(4 * SAMPLES) + CACHE
    assert counted.valid_mass == 1
    assert exact.calls <= SAMPLES / 20
    assert exact.unresolved < 0.01


def test_token_probabilities_agree_with_samples() -> None:
    check(*compare(*QUESTIONS[0]))


@pytest.mark.skipif("SOCIALCIRCUITS_LONG" not in os.environ, reason="long: SOCIALCIRCUITS_LONG=1")
@pytest.mark.parametrize("asked", QUESTIONS[1:], ids=[text for text, _ in QUESTIONS[1:]])
def test_token_probabilities_agree_with_samples_on_more_questions(asked: tuple[str, str]) -> None:
    check(*compare(*asked))


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as found:
        yield found


@pytest.fixture(scope="module")
def model(runner: asyncio.Runner) -> Iterator[LocalModel]:
    found = LocalModel(NAME)
    yield found
    runner.run(found.close())


def test_replies_are_held_to_the_schema(runner: asyncio.Runner, model: LocalModel) -> None:
    asked, answers = question(*QUESTIONS[1])
    whole = Request(asked.segments, 40, 1.0, 1.0, seed=5, schema=asked.schema)
    first = runner.run(model.complete(whole))
    assert json.loads(first.text)["answer"] in answers
    assert first.finish == "stop"
    assert first.prompt_tokens
    assert first.completion_tokens
    again = runner.run(model.complete(whole))
    assert again.text == first.text
    assert again.cached_tokens > 0


def test_eight_at_once_answer_as_one_alone(runner: asyncio.Runner, model: LocalModel) -> None:
    asked, _ = question(*QUESTIONS[4])
    requests = [
        Request(asked.segments, 20, 0.2, 1.0, seed, asked.schema, asked.prefill)
        for seed in range(8)
    ]

    async def together() -> list[Completion]:
        return await asyncio.gather(*map(model.complete, requests))

    alone = [read(runner.run(model.complete(request))) for request in requests]
    assert [read(reply) for reply in runner.run(together())] == alone


def test_a_prompt_that_is_too_long(runner: asyncio.Runner, model: LocalModel) -> None:
    long = Request((Segment("user", "text", b"word " * 20_000),), 1)
    with pytest.raises(Refused, match="context size"):
        runner.run(model.complete(long))


def test_a_cut_file(tmp_path: Path) -> None:
    whole = find(NAME)
    assert whole is not None
    cut = tmp_path / "cut.gguf"
    with whole.open("rb") as stream:
        cut.write_bytes(stream.read(50_000_000))
    with pytest.raises(Refused, match=r"local/cut@\w{8}: the weights cannot be loaded \(.*corrupt"):
        LocalServer(local(cut)).start()


PARENT = """
import asyncio, sys
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models import Request
from socialcircuits.models.local import LocalModel

async def use():
    model = LocalModel(sys.argv[1])
    texts = [f"{n} is a number. " * 250 for n in range(20)]
    asked = [Request((Segment("user", "text", text.encode()),), 1) for text in texts]
    tasks = [asyncio.create_task(model.complete(request)) for request in asked]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    print(model._server._process.pid, flush=True)
    await asyncio.gather(*tasks)

asyncio.run(use())
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux to wait for a grandchild")
def test_a_busy_server_ends_at_once_with_a_killed_parent() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, NAME], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        handle = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
    try:
        assert select.select([handle], [], [], 2)[0]
    finally:
        os.close(handle)
