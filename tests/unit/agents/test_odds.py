"""Asking for probabilities rather than for one answer."""

from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from collections.abc import Mapping

import pytest

from socialcircuits.agents import load
from socialcircuits.agents.odds import begun, odds
from socialcircuits.agents.parsing import Keys
from socialcircuits.errors import ModelError, RunFileError
from socialcircuits.graph import Brief, Observation
from socialcircuits.models import Completion, Request
from socialcircuits.models.interface import Token
from socialcircuits.records.odds import read_odds, write_odds
from socialcircuits.seeds import digest
from tests.support.trials import ANSWERS, Hint

PROMPT = Request((), 1, prefill='{"country": "', top_logprobs=20)


def observe(*, asked_for_odds: bool) -> Observation:
    hint = Hint("hint", (1, 3, 4))
    brief = Brief(bandwidth=1)
    return Observation(b"", "guess", "", brief, False, ANSWERS, hint, (), asked_for_odds)


def test_a_simulated_agent_says_how_it_samples() -> None:
    mind = load("simulated/literal?temperature=100")
    reply = mind.answer(observe(asked_for_odds=True), b"\0" * 16)
    found = read_odds(reply.text)
    assert list(found) == list(ANSWERS)
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)
    assert reply.answer == max(found, key=found.__getitem__)
    n = 4000
    draws = (digest("draw", number) for number in range(n))
    counted = Counter(mind.answer(observe(asked_for_odds=False), d).answer for d in draws)
    for answer, p in found.items():
        assert abs(counted[answer] / n - p) < 4 * math.sqrt(p * (1 - p) / n) + 1 / n


def test_odds_do_not_depend_on_the_draw() -> None:
    mind = load("simulated/compatibility?invalid=300")
    first, second = (mind.answer(observe(asked_for_odds=True), bytes([b] * 16)) for b in (0, 255))
    assert first == second
    assert json.loads(first.text)["valid_mass"] == pytest.approx(0.7)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"odds": 3}', '{"odds": {"A": "x"}}'])
def test_a_text_without_odds_is_a_damaged_record(text: str) -> None:
    with pytest.raises(RunFileError):
        read_odds(text)


def test_odds_survive_the_record() -> None:
    found = {"Côte d'Ivoire": 0.1, "Peru": 0.9}
    assert read_odds(write_odds(found, {"calls": 2})) == found


def test_a_reply_is_begun_up_to_its_answer() -> None:
    hint = Hint('red "blue"\nwhite', (1,))
    assert begun(Keys("country"), None) == '{"country": "'
    opening = begun(Keys("country", restated="crop"), hint)
    assert json.loads(opening + 'Peru"}') == {"crop": hint.text(), "country": "Peru"}


class Server:
    """Gives the next token's log-probabilities by what was begun."""

    def __init__(self, tree: Mapping[str, Mapping[str, float]], opening: str = '{"country": "'):
        self.tree, self.opening = tree, opening
        self.asked: list[Request] = []

    async def ask(self, request: Request) -> tuple[Completion, int]:
        self.asked.append(request)
        top = {t: math.log(p) for t, p in self.tree[request.prefill[len(self.opening) :]].items()}
        first = next(iter(top))
        token = Token(first, top)
        return Completion(first, prompt_tokens=50, completion_tokens=1, tokens=(token,)), 7


def ask(server: Server, temperature: float | None = 1.0) -> tuple[dict[str, float], object]:
    reply = asyncio.run(odds(server.ask, PROMPT, ("Niger", "Nigeria"), temperature))
    return read_odds(reply.text), reply.usage


def test_the_probabilities_are_those_of_the_allowed_answers() -> None:
    server = Server({"": {"Nig": 0.8, "Chad": 0.2}, "Nig": {'er"': 0.6, 'eria"': 0.4}})
    found, usage = ask(server)
    assert found == pytest.approx({"Niger": 0.6, "Nigeria": 0.4})
    assert (usage.prompt, usage.completion, usage.cost) == (100, 2, 14)  # type: ignore[attr-defined]
    colder, _ = ask(server, 0.5)
    assert colder["Niger"] == pytest.approx(0.36 / 0.52)
    assert ask(server, 0)[0] == {"Niger": 1.0, "Nigeria": 0.0}


def test_a_model_that_names_no_allowed_answer_is_invalid_and_says_what_it_took() -> None:
    server = Server({"": {"Chad": 1.0}})
    reply = asyncio.run(odds(server.ask, PROMPT, ("Peru", "Mali"), 1.0))
    assert not reply.valid
    assert "no allowed answer" in reply.why or "begins an allowed answer" in reply.why
    assert reply.usage is not None
    assert reply.usage.prompt == 50


def test_a_server_without_probabilities_is_a_fault() -> None:
    async def bare(request: Request) -> tuple[Completion, int]:
        return Completion("Peru"), 0

    with pytest.raises(ModelError, match="cannot be read"):
        asyncio.run(odds(bare, PROMPT, ("Peru", "Mali"), 1.0))
