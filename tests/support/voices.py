"""Models that deliberate and judge by a script, and what each of them was asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from socialcircuits.agents import BackEnd
from socialcircuits.models import Capabilities, Completion, Request, ScriptedModel

AGENT = "openai/agent?sees=text"
JUDGE, OTHER = "openai/judge", "openai/other-judge"
ABLE = Capabilities(schema=True, seed=True)

RIGHT, LURE = "Peru", "Chad"
NEAR = "the land of the Incas"
"""Right too, but only a reader can say so."""
FAR = "the land of the Kanem"
"""Wrong, but only a reader can say so."""
SAYS = (RIGHT, NEAR, LURE, FAR)
ITEMS = ("lima", "nazca", "cusco", "puno")

Said = Mapping[str, Any]


def questions(
    folder: Path, items: tuple[str, ...] = ITEMS, lures: tuple[str, ...] = (LURE, "Mali")
) -> Path:
    """Write a file of questions, all of which Peru answers."""
    path, text = folder / "questions.toml", ""
    for item in items:
        text += f"""
[[question]]
id = "{item}"
category = "geography"
question = "In which country is the place named {item}?"
answer = "{RIGHT}"
lures = {list(lures)}
"""
    path.write_text(text, encoding="utf-8")
    return path


class Asked(NamedTuple):
    """One request that a model got.

    Args:
        model: its name.
        keys: the keys of the reply that was asked for, parted by spaces.
        text: the prompt.
    """

    model: str
    keys: str
    text: str

    @property
    def lines(self) -> Iterator[dict[str, Any]]:
        """The lines of JSON of a judge's prompt."""
        for line in self.text.splitlines():
            with suppress(ValueError):  # the form of the reply is no JSON
                yield json.loads(line) if line.startswith('{"') else {}


class Voices:
    """Every model of a run, by a script: agents say what their draw says, judges what is true.

    Args:
        patch: lets back ends make scripted models.
        say: what an agent answers, by the seed of its request.
        sign: stands in front of everything that an agent says.
        judge: what a judge replies; None: what is true.

    Attributes:
        asked: the requests in order.
    """

    def __init__(
        self,
        patch: pytest.MonkeyPatch,
        say: Callable[[int], str] = lambda seed: SAYS[seed % len(SAYS)],
        judge: Callable[[Asked, int], str] | None = None,
        sign: str = "",
    ) -> None:
        self.asked: list[Asked] = []
        self._sign = sign
        self._by_draw, self._judge = say, judge or (lambda asked, number: judgment(asked))

        def model(back: BackEnd, name: str, where: str) -> ScriptedModel:
            return ScriptedModel(name, partial(self._reply, name), ABLE)

        patch.setattr(BackEnd, "_model", model)

    def of(self, model: str) -> list[Asked]:
        """Return what one model was asked."""
        return [asked for asked in self.asked if asked.model == model]

    def say(self, name: str, text: str, seed: int) -> str:
        """Return what an agent answers: its model, its prompt and the seed of its request."""
        return self._by_draw(seed)

    def _reply(self, name: str, request: Request) -> Completion:
        assert request.schema is not None
        assert request.seed is not None
        text = b"".join(part.data for part in request.segments if part.kind == "text").decode()
        asked = Asked(name, " ".join(request.schema["required"]), text)
        self.asked.append(asked)
        if "judge" in name:
            return Completion(self._judge(asked, len(self.of(name))), "stop", prompt_tokens=10)
        said = {key: f"some {key}" for key in asked.keys.split()}
        if "answer" in said:
            said["answer"] = self.say(name, text, request.seed)
        signed = {key: self._sign + text for key, text in said.items()}
        return Completion(json.dumps(signed), "stop", prompt_tokens=100)


def judgment(asked: Asked) -> str:
    """What a judge that reads says of correctness or clusters."""
    lines = list(asked.lines)
    if asked.keys == "extracted reasoning correct":
        said = next(str(line["answer"]) for line in lines if "answer" in line)
        return verdict(said in {RIGHT, NEAR}, said)
    votes = {line["id"]: line["vote"] in {RIGHT, NEAR} for line in lines if "vote" in line}
    parts = [[name for name, right in votes.items() if right is side] for side in (True, False)]
    clusters = [part for part in parts if part]
    correct = 0 if parts[0] else -1
    return json.dumps({"reasoning": "Read.", "clusters": clusters, "correct": correct})


def verdict(right: bool, extracted: str = "some") -> str:
    """A reply of a judge of correctness; that word stands in every reply."""
    said = {"extracted": extracted, "reasoning": "Read.", "correct": "yes" if right else "no"}
    return json.dumps(said)
