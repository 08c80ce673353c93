"""Presets of the Flag Game with a real small model in the seats."""

from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import socialcircuits as sc
from socialcircuits.models import Request
from socialcircuits.models.local import LocalModel, installed
from socialcircuits.models.weights import find
from socialcircuits.records.odds import read_odds

NAME = "smollm2-135m"
MODEL = f"local/{NAME}?temperature=1"
SAMPLES = 50
CACHE = 0.05
"""How far probabilities move between a cold and a cached prompt."""

pytestmark = [
    pytest.mark.local,
    pytest.mark.skipif(not installed(), reason="needs the extra local (xllamacpp)"),
    pytest.mark.skipif(
        find(NAME) is None, reason=f"needs weights: socialcircuits models fetch {NAME}"
    ),
]


def held_to(answers: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"crop": {"type": "string"}, "country": {"type": "string", "enum": answers}},
        "required": ["crop", "country"],
        "additionalProperties": False,
    }


def sample(asked: list[tuple[Request, list[str]]]) -> list[Counter[str]]:
    """Count the answers of samples in which the reply is begun as given."""

    async def all_samples() -> list[Counter[str]]:
        model, free = LocalModel(NAME), asyncio.Semaphore(4)

        async def answer(request: Request, seed: int, answers: list[str]) -> str:
            whole = replace(request, temperature=1.0, top_p=1.0, seed=seed, schema=held_to(answers))
            async with free:
                text = (await model.complete(whole)).text
            return str(json.loads(request.prefill + text)["country"])

        try:
            return [
                Counter(
                    await asyncio.gather(*(answer(request, n, answers) for n in range(SAMPLES)))
                )
                for request, answers in asked
            ]
        finally:
            await model.close()

    return asyncio.run(all_samples())


def test_exact_two_way_probes_agree_with_fifty_samples_of_each_crop(tmp_path: Path) -> None:
    settings = {"N": [2], "probes": "exact"}
    out = tmp_path / "run.db"
    with sc.run(
        "flag-game/evidence-share", model=MODEL, seeds=1, settings=settings, out=out
    ) as done:
        trial = next(one for one in done.file.trials() if one.plan.role == "estimate")
        steps = [a for a in trial.attempts if trial.graph.steps[a.step].form == "odds"]
        assert len(steps) == 2
        assert all(a.reply.valid for a in steps)
        exact = [read_odds(a.reply.text) for a in steps]
        asked = []
        for attempt, odds in zip(steps, exact, strict=True):
            seat = trial.graph.steps[attempt.step].seat
            shown = done.file.content(bytes.fromhex(trial.provided.evidence[seat])).decode()
            opening = json.dumps({"crop": shown}, ensure_ascii=False)[:-1] + ', "country": "'
            prompt = done.file.prompt(attempt)
            asked.append((Request(prompt, 20, prefill=opening), list(odds)))
        share = done.estimates().query("measure == 'rival_share'")["value"].iloc[0]
    rival = [next(a for a in odds if a != trial.summary().truth) for odds in exact]
    expected = sum(odds[name] for odds, name in zip(exact, rival, strict=True)) / 2
    assert share == pytest.approx(expected)
    for odds, counted in zip(exact, sample(asked), strict=True):
        assert sum(counted[answer] for answer in odds) == SAMPLES
        for answer, p in odds.items():
            bound = 3.5 * math.sqrt(p * (1 - p) / SAMPLES) + 1 / SAMPLES + CACHE
            assert abs(counted[answer] / SAMPLES - p) <= bound
